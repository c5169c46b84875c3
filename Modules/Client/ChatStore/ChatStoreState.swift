public import Foundation
public import MessagingModel

/// The state of `ChatStore`: conversations and their messages.
public struct ChatStoreState: StoreState, Sendable, Hashable {
    /// The conversations by id.
    public internal(set) var conversations: [UUID: Conversation] = [:]
    /// The ids of the conversations, the one with the latest message first.
    public internal(set) var conversationIds: [UUID] = []
    /// The messages by id.
    public internal(set) var messages: [UUID: ChatMessage] = [:]
    /// The ids of the messages of each conversation, the oldest first.
    public internal(set) var messagesByConversation: [UUID: [UUID]] = [:]
    /// The numbers of unread messages by conversation.
    public internal(set) var unreadCounts: [UUID: Int] = [:]
    /// The conversations that have earlier messages on the server.
    public internal(set) var hasEarlier: Set<UUID> = []
    public internal(set) var loading = false
    public internal(set) var error: StoreError?
    public internal(set) var lastSyncTime: Date?
    public internal(set) var syncInProgress = false

    public init() {}

    /// The messages of a conversation, the oldest first.
    public func messages(of conversationId: UUID) -> [ChatMessage] {
        (messagesByConversation[conversationId] ?? []).compactMap { messages[$0] }
    }

    /// The number of unread messages in all conversations.
    public var unread: Int { unreadCounts.values.reduce(0, +) }
}
