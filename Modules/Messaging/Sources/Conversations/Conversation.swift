import Domain
import FeatureKit
import Foundation
import MessagingModel

/// A stored conversation with the state of one reader.
struct StoredConversation: Sendable, Hashable {
    let id: UUID
    let kind: Conversation.Kind
    let title: String?
    let classroomId: UUID?
    let startedBy: UUID
    /// The number of the latest message; 0 before the first.
    let lastSeq: Int
    /// The number in the change log at the latest message, for sorting.
    let activity: Int64
    /// The number of the last message that the reader has read.
    let lastRead: Int
    let isMuted: Bool
    let isClosed: Bool

    var unread: Int { max(0, lastSeq - lastRead) }
}

/// A member of a conversation, and how far they have read.
struct ConversationMember: Sendable, Hashable {
    let personId: UUID
    let lastRead: Int
    let isMuted: Bool
}

/// The limits of conversations and messages.
enum MessagingLimits {
    static let titleLength = 80
    static let groupSize = 40
    /// The messages on one page of a conversation.
    static let pageSize = 40
    /// The conversations on one page of the list.
    static let listSize = 40
    /// The files of one message.
    static let files = 6
    /// Seconds in which the author may edit or delete a message.
    static let changeWindow: TimeInterval = 900
    static let reasonLength = 500
    /// The number of conversations, the latest ones, in which the list's search looks.
    static let searched = 1000
    /// The most results of a search in a conversation.
    static let hits = 50
}
