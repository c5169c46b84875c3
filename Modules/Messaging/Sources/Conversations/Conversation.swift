import Domain
import FeatureKit
import Foundation

/// People who write to each other, as one of them sees it.
struct Conversation: Codable, Sendable, Hashable, Identifiable {
    enum Kind: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
        /// Two people; there is one of each pair.
        case direct
        /// Some people who were brought together.
        case group
        /// Everybody around one classroom; who that is follows from the classroom.
        case channel
    }
    let id: UUID
    let kind: Kind
    /// Who it is with, for this reader.
    let title: String
    let classroomId: UUID?
    /// Those of a direct conversation or a group, the reader among them; a channel's follow from its classroom.
    let memberIds: [UUID]
    /// How many messages the reader has not seen.
    let unread: Int
    /// Whether the reader wants no news of it.
    let isMuted: Bool
    /// Whether only staff write there for now.
    let isClosed: Bool
    let lastMessage: ChatMessage?
}

/// One message. Messages of a conversation are in the order of `seq`, which the server gives; no clock orders them.
struct ChatMessage: Codable, Sendable, Hashable, Identifiable {
    let id: UUID
    let conversationId: UUID
    let seq: Int
    let senderId: UUID
    /// Empty where it was deleted, and where there are only files.
    let text: String
    /// When the server took it.
    let timestamp: Date
    /// By the reader; one of the reader's own, by everybody else.
    let isRead: Bool
    /// The message that it answers.
    let replyTo: UUID?
    /// When its text was last changed.
    let editedAt: Date?
    let isDeleted: Bool
    var files: [MessageFile]

    func with(_ files: [MessageFile]) -> ChatMessage {
        var message = self
        message.files = files
        return message
    }
}

/// A conversation as the tables hold it, with the state of one reader.
struct KeptConversation: Sendable, Hashable {
    let id: UUID
    let kind: Conversation.Kind
    let title: String?
    let classroomId: UUID?
    let startedBy: UUID
    /// The number of the latest message, 0 before the first.
    let lastSeq: Int
    let activity: Int64
    /// How far the reader has read.
    let lastRead: Int
    let isMuted: Bool
    let isClosed: Bool

    var unread: Int { max(0, lastSeq - lastRead) }
}

/// Somebody in a conversation, and how far they have read.
struct ConversationMember: Sendable, Hashable {
    let personId: UUID
    let lastRead: Int
    let isMuted: Bool
}

/// How long things may be.
enum MessagingLimits {
    static let titleLength = 80
    static let groupSize = 40
    /// Messages of one page of a thread.
    static let pageSize = 40
    /// Conversations of one page of the list.
    static let listSize = 40
    /// Files of one message.
    static let files = 6
    /// For how long the author may change a message or take it back.
    static let changeWindow: TimeInterval = 900
    static let reasonLength = 500
    /// What a search in a conversation shows at most.
    static let hits = 50
}
