import Domain
import Foundation
import MessagingModel

private struct MessageBody: Encodable {
    let id: UUID
    let text: String
    let replyTo: UUID?
}

/// The routes of conversations (PG-1.06).
extension APIManager {
    func getConversations(after: String?, limit: Int, for account: UUID) async throws -> APIPage<Conversation> {
        var query = ["limit": String(limit)]
        query["after"] = after
        return try await fetch(APIPage<Conversation>.self, "/api/v1/conversations", query, for: account)
    }

    /// Returns the messages before a number, the oldest first; `next` is the number to continue before.
    func getMessages(
        conversationId: UUID, before: String?, limit: Int, for account: UUID
    ) async throws -> APIPage<ChatMessage> {
        var query = ["limit": String(limit)]
        query["before"] = before
        return try await fetch(
            APIPage<ChatMessage>.self, "/api/v1/conversations/\(conversationId.text)/messages", query, for: account)
    }

    func sendMessage(_ message: OutgoingMessage, key: UUID, for account: UUID) async throws -> ChatMessage {
        try await run(
            ChatMessage.self, "/api/v1/conversations/\(message.conversationId.text)/messages",
            MessageBody(id: message.id, text: message.text, replyTo: message.replyTo), key: key, for: account)
    }

    func markConversationAsRead(_ reading: ConversationReading, key: UUID, for account: UUID) async throws {
        _ = try await run(
            APIDone.self, "/api/v1/conversations/\(reading.conversationId.text)/read",
            ["through": reading.through], key: key, for: account)
    }

    func deleteMessage(_ deletion: MessageDeletion, key: UUID, for account: UUID) async throws {
        _ = try await run(
            APIDone.self, "/api/v1/messages/\(deletion.messageId.text)/delete", [String: String](), key: key,
            for: account)
    }
}
