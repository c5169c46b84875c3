public import Foundation

/// People who write to each other, as one of them sees it.
public struct Conversation: Codable, Sendable, Hashable, Identifiable {
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        /// Two people; there is one of each pair.
        case direct
        /// Some people who were brought together.
        case group
        /// Everybody around one classroom; who that is follows from the classroom.
        case channel
    }
    public let id: UUID
    public let kind: Kind
    /// Who it is with, for this reader.
    public let title: String
    public let classroomId: UUID?
    /// Those of a direct conversation or a group, the reader among them; a channel's follow from its classroom.
    public let memberIds: [UUID]
    /// How many messages the reader has not seen.
    public let unread: Int
    /// Whether the reader wants no news of it.
    public let isMuted: Bool
    /// Whether only staff write there for now.
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

/// One message. Messages of a conversation are in the order of `seq`, which the server gives; no clock orders them.
public struct ChatMessage: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let conversationId: UUID
    public let seq: Int
    public let senderId: UUID
    /// Empty where it was deleted, and where there are only files.
    public let text: String
    /// When the server took it.
    public let timestamp: Date
    /// By the reader; one of the reader's own, by everybody else.
    public let isRead: Bool
    /// The message that it answers.
    public let replyTo: UUID?
    /// When its text was last changed.
    public let editedAt: Date?
    public let isDeleted: Bool
    public var files: [MessageFile]

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
