import Domain
import FeatureKit
import Foundation
import MessagingModel

/// Reads and writes conversations and their members.
enum ConversationRepository {
    /// What decides which conversations a person may read.
    struct Reader: Sendable, Hashable {
        let personId: UUID
        /// The classrooms whose channels the person reads.
        let channels: Set<UUID>
        /// Whether the person may read any channel. The list has those that they have opened.
        let seesAllChannels: Bool
    }

    // MARK: - Reading

    /// Returns the conversations of a list query, each with its last message.
    static func list(_ query: SQL, in sql: any SQLReading) throws -> [(StoredConversation, ChatMessage?)] {
        try sql.rows(query).map { row in
            let stored = try conversation(row)
            let messageId: UUID? = try row.optional("message_id")
            let message = try messageId.map { id in
                try ChatMessage(
                    id: id, conversationId: stored.id, seq: stored.lastSeq, senderId: row.get("sender_id"),
                    text: row.get("text"), timestamp: row.get("sent_at"), isRead: stored.unread == 0, replyTo: nil,
                    editedAt: nil, isDeleted: row.optional("deleted_at", as: Date.self) != nil, files: [])
            }
            return (stored, message)
        }
    }

    /// The query of a reader's list. A conversation without messages is listed only for the person who started it.
    static func listQuery(_ reader: Reader, before activity: Int64 = .max, limit: Int) -> SQL {
        """
        SELECT conversations.id, conversations.kind, conversations.title, conversations.classroom_id,
            conversations.started_by, conversations.last_seq, conversations.activity, conversations.is_closed,
            mine.last_read, mine.is_muted, messages.id AS message_id, messages.sender_id,
            SUBSTR(messages.text, 1, 400) AS text, messages.sent_at, messages.deleted_at
        FROM conversations
        LEFT JOIN conversation_members AS mine
            ON mine.conversation_id = conversations.id AND mine.person_id = \(reader.personId)
        LEFT JOIN messages
            ON messages.conversation_id = conversations.id AND messages.seq = conversations.last_seq
        WHERE conversations.id IN (\(ids(of: reader)))
            AND conversations.activity < \(activity)
            AND (conversations.last_seq > 0 OR conversations.started_by = \(reader.personId))
        ORDER BY conversations.activity DESC, conversations.id LIMIT \(limit)
        """
    }

    /// The ids of a reader's conversations.
    private static func ids(of reader: Reader) -> SQL {
        """
        SELECT conversation_members.conversation_id FROM conversation_members
        JOIN conversations AS own ON own.id = conversation_members.conversation_id
        WHERE conversation_members.person_id = \(reader.personId)
            AND (own.classroom_id IS NULL OR \(reader.seesAllChannels) = 1)
        UNION SELECT id FROM conversations WHERE classroom_id IN \(list: reader.channels)
        """
    }

    /// The number of a reader's conversations with unread messages, without muted ones.
    static func unreadCount(_ reader: Reader, in sql: any SQLReading) throws -> Int {
        try sql.value(unreadQuery(reader)) ?? 0
    }

    static func unreadQuery(_ reader: Reader) -> SQL {
        """
        SELECT COUNT(*) FROM conversations
        LEFT JOIN conversation_members AS mine
            ON mine.conversation_id = conversations.id AND mine.person_id = \(reader.personId)
        WHERE conversations.id IN (\(ids(of: reader)))
            AND conversations.last_seq > COALESCE(mine.last_read, 0) AND COALESCE(mine.is_muted, 0) = 0
        """
    }

    /// Returns a conversation that the reader may read; `nil` otherwise.
    static func conversation(_ id: UUID, for reader: Reader, in sql: any SQLReading) throws -> StoredConversation? {
        guard let row = try sql.row(query(id, reader.personId)) else { return nil }
        let stored = try conversation(row)
        if let classroomId = stored.classroomId {
            return reader.seesAllChannels || reader.channels.contains(classroomId) ? stored : nil
        }
        return try row.optional("last_read", as: Int.self) == nil ? nil : stored
    }

    static func query(_ id: UUID, _ personId: UUID) -> SQL {
        """
        SELECT conversations.*, mine.last_read, mine.is_muted FROM conversations
        LEFT JOIN conversation_members AS mine
            ON mine.conversation_id = conversations.id AND mine.person_id = \(personId)
        WHERE conversations.id = \(id)
        """
    }

    static func members(of id: UUID, in sql: any SQLReading) throws -> [ConversationMember] {
        try sql.rows(
            """
            SELECT person_id, last_read, is_muted FROM conversation_members WHERE conversation_id = \(id)
            ORDER BY person_id
            """
        ).map {
            try ConversationMember(
                personId: $0.get("person_id"), lastRead: $0.get("last_read"), isMuted: $0.get("is_muted"))
        }
    }

    /// The members of some conversations.
    static func memberIds(of ids: [UUID], in sql: any SQLReading) throws -> [UUID: [UUID]] {
        try sql.rows(
            """
            SELECT conversation_id, person_id FROM conversation_members WHERE conversation_id IN \(list: ids)
            ORDER BY conversation_id, person_id
            """
        ).reduce(into: [:]) { try $0[$1.get("conversation_id"), default: []].append($1.get("person_id")) }
    }

    /// The direct conversation of two people; `nil` without one.
    static func direct(_ one: UUID, _ other: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT id FROM conversations WHERE pair = \(pair(one, other))")
    }

    static func channel(of classroomId: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT id FROM conversations WHERE classroom_id = \(classroomId)")
    }

    /// The classroom of a channel; `nil` for other conversations.
    static func classroom(of id: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT classroom_id FROM conversations WHERE id = \(id)")
    }

    // MARK: - Writing

    static func insert(
        _ id: UUID, _ kind: Conversation.Kind, title: String? = nil, classroomId: UUID? = nil, members: [UUID],
        by personId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        let pair = kind == .direct && members.count == 2 ? pair(members[0], members[1]) : nil
        try sql.execute(
            """
            INSERT INTO conversations (id, kind, title, pair, classroom_id, is_closed, started_by, started_at, last_seq,
                activity)
            VALUES (\(id), \(kind), \(title), \(pair), \(classroomId), \(false), \(personId), \(instant), 0,
                \(try ChangeLog.latest(in: sql)))
            """)
        for member in members {
            try sql.execute(
                """
                INSERT INTO conversation_members (person_id, conversation_id, last_read, is_muted)
                VALUES (\(member), \(id), 0, \(false))
                """)
        }
    }

    /// Counts a new message, and moves the conversation to the top of all lists.
    static func advance(_ id: UUID, to seq: Int, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE conversations SET last_seq = \(seq), activity = \(try ChangeLog.latest(in: sql) + 1)
            WHERE id = \(id)
            """)
    }

    /// Stores how far a person has read. Returns whether that is farther than before.
    static func read(_ id: UUID, through seq: Int, by personId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            INSERT INTO conversation_members (person_id, conversation_id, last_read, is_muted)
            VALUES (\(personId), \(id), \(seq), \(false))
            ON CONFLICT (person_id, conversation_id) DO UPDATE SET last_read = excluded.last_read
                WHERE conversation_members.last_read < excluded.last_read
            """) > 0
    }

    /// Stores whether a person has muted a conversation.
    static func mute(_ isMuted: Bool, _ id: UUID, by personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO conversation_members (person_id, conversation_id, last_read, is_muted)
            VALUES (\(personId), \(id), 0, \(isMuted))
            ON CONFLICT (person_id, conversation_id) DO UPDATE SET is_muted = excluded.is_muted
            """)
    }

    static func close(_ isClosed: Bool, _ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE conversations SET is_closed = \(isClosed) WHERE id = \(id)")
    }

    static func remove(_ personIds: [UUID], from id: UUID, in sql: any SQLWriting) throws {
        guard !personIds.isEmpty else { return }
        try sql.execute(
            """
            DELETE FROM conversation_members
            WHERE conversation_id = \(id) AND person_id IN \(list: personIds)
            """)
    }

    /// A key for two people, the same in both orders.
    private static func pair(_ one: UUID, _ other: UUID) -> String {
        [one.text, other.text].sorted().joined(separator: " ")
    }

    private static func conversation(_ row: SQLRow) throws -> StoredConversation {
        try StoredConversation(
            id: row.get("id"), kind: row.get("kind"), title: row.optional("title"),
            classroomId: row.optional("classroom_id"), startedBy: row.get("started_by"),
            lastSeq: row.get("last_seq"), activity: row.get("activity"), lastRead: row.optional("last_read") ?? 0,
            isMuted: row.optional("is_muted") ?? false, isClosed: row.get("is_closed"))
    }
}
