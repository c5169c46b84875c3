import Domain
import Foundation
import MessagingModel

/// The conversations as the server last described them, without unsent changes.
struct ChatRecords: Sendable {
    var conversations: [UUID: Conversation] = [:]
    var conversationIds: [UUID] = []
    var messages: [UUID: ChatMessage] = [:]
    var messagesByConversation: [UUID: [UUID]] = [:]

    struct Update: Sendable {
        var conversations: [UUID: Conversation?] = [:]
        var order: [UUID]?
        var messages: [UUID: ChatMessage?] = [:]
        /// `nil` for a conversation whose messages leave.
        var messagesByConversation: [UUID: [UUID]?] = [:]
        var syncTime: Date?

        /// Replaces the messages of a conversation by a page of the latest ones. Earlier ones stay if the page
        /// continues them.
        mutating func replace(_ page: [ChatMessage], of conversationId: UUID, in records: ChatRecords) {
            let known = records.messagesByConversation[conversationId] ?? []
            let listed = Set(page.map(\.id))
            let first = page.first?.seq ?? 0
            let isContinued = known.contains(where: listed.contains)
            let earlier =
                isContinued ? known.filter { (records.messages[$0]?.seq ?? 0) < first && !listed.contains($0) } : []
            for message in page where records.messages[message.id] != message {
                messages[message.id] = .some(message)
            }
            let order = earlier + page.map(\.id)
            for gone in Set(known).subtracting(order) { messages[gone] = .some(nil) }
            messagesByConversation[conversationId] = .some(order)
        }

        mutating func drop(_ conversationId: UUID, _ records: ChatRecords) {
            conversations[conversationId] = .some(nil)
            dropMessages(of: conversationId, records)
        }

        mutating func dropMessages(of conversationId: UUID, _ records: ChatRecords) {
            for id in records.messagesByConversation[conversationId] ?? [] { messages[id] = .some(nil) }
            messagesByConversation[conversationId] = .some(nil)
        }

        func store(in transaction: ClientTransaction) throws {
            for (id, value) in conversations {
                if let value {
                    try transaction.put(value, .conversation, id: id.text)
                } else {
                    try transaction.remove(.conversation, id: id.text)
                }
            }
            for (id, value) in messages {
                if let value {
                    try transaction.put(value, .message, id: id.text)
                } else {
                    try transaction.remove(.message, id: id.text)
                }
            }
            if let order { try transaction.put(order, .conversations) }
            for (id, ids) in messagesByConversation { try transaction.put(ids ?? [], .messages, owner: id.text) }
            if let syncTime { try transaction.put(String(syncTime.timeIntervalSince1970), meta: .chatSync) }
        }
    }

    mutating func apply(_ update: Update) {
        for (id, value) in update.conversations { conversations[id] = value }
        for (id, value) in update.messages { messages[id] = value }
        if let order = update.order { conversationIds = order }
        for (id, ids) in update.messagesByConversation { messagesByConversation[id] = ids }
    }
}

extension Conversation {
    /// Returns the conversation with fewer unread messages.
    func read(but unread: Int = 0) -> Conversation {
        Conversation(
            id: id, kind: kind, title: title, classroomId: classroomId, memberIds: memberIds, unread: unread,
            isMuted: isMuted, isClosed: isClosed, lastMessage: lastMessage)
    }
}

extension ChatMessage {
    /// Whether a reader has not read the message. One's own messages are read by the others.
    func isUnread(by reader: UUID?) -> Bool { !isRead && senderId != reader }

    /// Returns the message as read.
    func read() -> ChatMessage {
        ChatMessage(
            id: id, conversationId: conversationId, seq: seq, senderId: senderId, text: text, timestamp: timestamp,
            isRead: true, replyTo: replyTo, editedAt: editedAt, isDeleted: isDeleted, files: files)
    }
}
