import Domain
import FeatureKit
import Foundation

/// Reads and writes messages.
enum MessageRepository {
    /// A stored message.
    struct StoredMessage: Sendable, Hashable {
        let id: UUID
        let conversationId: UUID
        let seq: Int
        let senderId: UUID
        let text: String
        let replyTo: UUID?
        let sentAt: Date
        var editedAt: Date?
        var isDeleted = false
        var hasFiles = false
    }

    // MARK: - Reading

    static func message(_ id: UUID, in sql: any SQLReading) throws -> StoredMessage? {
        try sql.row("\(columns) WHERE messages.id = \(id)").map(storedMessage)
    }

    static func messages(_ ids: [UUID], of conversationId: UUID, in sql: any SQLReading) throws -> [StoredMessage] {
        guard !ids.isEmpty else { return [] }
        return try sql.rows(
            "\(columns) WHERE conversation_id = \(conversationId) AND messages.id IN \(list: ids)"
        ).map(storedMessage)
    }

    /// At most `limit` messages before a given one, the oldest first.
    static func messages(
        of conversationId: UUID, before seq: Int, limit: Int, in sql: any SQLReading
    ) throws -> [StoredMessage] {
        try sql.rows(pageQuery(conversationId, before: seq, limit: limit)).map(storedMessage).reversed()
    }

    static func pageQuery(_ conversationId: UUID, before seq: Int, limit: Int) -> SQL {
        "\(columns) WHERE conversation_id = \(conversationId) AND seq < \(seq) ORDER BY seq DESC LIMIT \(limit)"
    }

    /// The latest messages that contain each of some folded words.
    static func search(
        _ words: [String], in conversationId: UUID, limit: Int, in sql: any SQLReading
    ) throws -> [StoredMessage] {
        try sql.rows(
            """
            \(columns) WHERE conversation_id = \(conversationId)\(containing(words))
            ORDER BY seq DESC LIMIT \(limit)
            """
        ).map(storedMessage)
    }

    /// The latest messages of several conversations that contain each of some folded words.
    static func search(
        _ words: [String], in conversationIds: [UUID], limit: Int, in sql: any SQLReading
    ) throws -> [StoredMessage] {
        guard !conversationIds.isEmpty else { return [] }
        return try sql.rows(searchQuery(words, in: conversationIds, limit: limit)).map(storedMessage)
    }

    static func searchQuery(_ words: [String], in conversationIds: [UUID], limit: Int) -> SQL {
        """
        \(columns) WHERE conversation_id IN \(list: conversationIds)\(containing(words))
        ORDER BY sent_at DESC, messages.id DESC LIMIT \(limit)
        """
    }

    /// The condition that a message's text contains each of some folded words.
    private static func containing(_ words: [String]) -> SQL {
        words.prefix(8).reduce("") { condition, word in
            "\(condition) AND search_text LIKE \("%" + word.likeEscaped + "%") ESCAPE '\\'"
        }
    }

    private static let columns: SQL = """
        SELECT messages.id, conversation_id, seq, sender_id, text, reply_to, sent_at, edited_at, deleted_at,
            EXISTS (SELECT 1 FROM message_files WHERE message_files.message_id = messages.id) AS has_files
        FROM messages
        """

    private static func storedMessage(_ row: SQLRow) throws -> StoredMessage {
        try StoredMessage(
            id: row.get("id"), conversationId: row.get("conversation_id"), seq: row.get("seq"),
            senderId: row.get("sender_id"), text: row.get("text"), replyTo: row.optional("reply_to"),
            sentAt: row.get("sent_at"), editedAt: row.optional("edited_at"),
            isDeleted: row.optional("deleted_at", as: Date.self) != nil,
            hasFiles: row.get("has_files", as: Int.self) == 1)
    }

    // MARK: - Writing

    static func insert(_ message: StoredMessage, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO messages (conversation_id, seq, id, sender_id, text, search_text, reply_to, sent_at)
            VALUES (\(message.conversationId), \(message.seq), \(message.id), \(message.senderId), \(message.text),
                \(NameFolding.fold(message.text)), \(message.replyTo), \(message.sentAt))
            """)
    }

    static func edit(_ id: UUID, _ text: String, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE messages SET text = \(text), search_text = \(NameFolding.fold(text)), edited_at = \(instant)
            WHERE id = \(id)
            """)
    }

    /// Deletes the text and the files of a message. Its number stays, so that the others keep theirs.
    static func delete(_ id: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE messages SET text = '', search_text = '', deleted_at = \(instant) WHERE id = \(id)")
        try sql.execute("DELETE FROM message_files WHERE message_id = \(id)")
    }
}
