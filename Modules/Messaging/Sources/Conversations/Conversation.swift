import Domain
import FeatureKit
import Foundation
import MessagingModel

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
    /// How many conversations, the latest of them, the search of the list looks through.
    static let searched = 1000
    /// How many messages a search shows at most.
    static let hits = 50
}
