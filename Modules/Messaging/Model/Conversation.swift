public import Foundation

/// A conversation as one of its members sees it.
public struct Conversation: Codable, Sendable, Hashable, Identifiable {
    /// The kinds of conversations: between two people, in a group, around a class.
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        /// A conversation of two people, who have at most one direct conversation.
        case direct
        /// A group of people that a member has put together.
        case group
        /// A conversation of all people of one classroom. The members follow from the classroom.
        case channel
    }
    public let id: UUID
    public let kind: Kind
    /// The title for this reader: the other members' names, or that of the group or classroom.
    public let title: String
    public let classroomId: UUID?
    /// The members of a direct conversation or a group, including the reader; empty for a channel.
    public let memberIds: [UUID]
    /// The number of messages that the reader has not read.
    public let unread: Int
    /// Whether the reader gets no notifications about the conversation.
    public let isMuted: Bool
    /// Whether only staff can write in the conversation for now.
    public let isClosed: Bool
    public let lastMessage: ChatMessage?

    public init(
        id: UUID, kind: Kind, title: String, classroomId: UUID? = nil, memberIds: [UUID], unread: Int,
        isMuted: Bool, isClosed: Bool, lastMessage: ChatMessage? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.classroomId = classroomId
        self.memberIds = memberIds
        self.unread = unread
        self.isMuted = isMuted
        self.isClosed = isClosed
        self.lastMessage = lastMessage
    }
}

/// A message. The server numbers the messages of a conversation with `seq`; times do not order them.
public struct ChatMessage: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let conversationId: UUID
    public let seq: Int
    public let senderId: UUID
    /// The text of the message; empty if the message was deleted or has only files.
    public let text: String
    /// The time at which the server received the message.
    public let timestamp: Date
    /// Whether the reader has read the message. For the reader's own message: whether all other members have.
    public let isRead: Bool
    /// The id of the message that this one answers; `nil` for none.
    public let replyTo: UUID?
    /// The time at which the message's text was last changed; `nil` if it never was.
    public let editedAt: Date?
    public let isDeleted: Bool
    public var files: [MessageFile]

    /// Returns the same message with other attached files.
    public func with(_ files: [MessageFile]) -> ChatMessage {
        var message = self
        message.files = files
        return message
    }

    public init(
        id: UUID, conversationId: UUID, seq: Int, senderId: UUID, text: String, timestamp: Date, isRead: Bool,
        replyTo: UUID? = nil, editedAt: Date? = nil, isDeleted: Bool, files: [MessageFile]
    ) {
        self.id = id
        self.conversationId = conversationId
        self.seq = seq
        self.senderId = senderId
        self.text = text
        self.timestamp = timestamp
        self.isRead = isRead
        self.replyTo = replyTo
        self.editedAt = editedAt
        self.isDeleted = isDeleted
        self.files = files
    }
}
