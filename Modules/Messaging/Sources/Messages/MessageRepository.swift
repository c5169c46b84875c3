import Domain
import FeatureKit
import Foundation

/// The SQL of messages.
enum MessageRepository {
    /// A message as its table holds it.
    struct Kept: Sendable, Hashable {
        let id: UUID
        let conversationId: UUID
        let seq: Int
        let senderId: UUID
        let text: String
        let sentAt: Date
    }

    static func insert(_ message: Kept, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO messages (conversation_id, seq, id, sender_id, text, sent_at)
            VALUES (\(message.conversationId), \(message.seq), \(message.id), \(message.senderId), \(message.text),
                \(message.sentAt))
            """)
    }

    static func message(_ id: UUID, in sql: any SQLReading) throws -> Kept? {
        try sql.row("SELECT * FROM messages WHERE id = \(id)").map(kept)
    }

    /// At most `limit` messages before one, the oldest of them first.
    static func messages(
        of conversationId: UUID, before seq: Int, limit: Int, in sql: any SQLReading
    ) throws -> [Kept] {
        try sql.rows(pageQuery(conversationId, before: seq, limit: limit)).map(kept).reversed()
    }

    static func pageQuery(_ conversationId: UUID, before seq: Int, limit: Int) -> SQL {
        """
        SELECT * FROM messages WHERE conversation_id = \(conversationId) AND seq < \(seq)
        ORDER BY seq DESC LIMIT \(limit)
        """
    }

    private static func kept(_ row: SQLRow) throws -> Kept {
        try Kept(
            id: row.get("id"), conversationId: row.get("conversation_id"), seq: row.get("seq"),
            senderId: row.get("sender_id"), text: row.get("text"), sentAt: row.get("sent_at"))
    }
}
