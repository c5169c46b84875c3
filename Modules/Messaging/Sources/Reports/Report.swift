import Domain
import FeatureKit
import Foundation
import MessagingModel

/// Reads and writes reports.
enum ReportRepository {
    /// Stores a report. A second one of the same person about the same message has no effect.
    ///
    /// - Returns: whether it is new.
    static func insert(_ report: Report, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            INSERT INTO message_reports (id, message_id, conversation_id, sender_id, reporter_id, reason, text,
                reported_at)
            VALUES (\(report.id), \(report.messageId), \(report.conversationId), \(report.senderId),
                \(report.reporterId), \(report.reason), \(report.text), \(report.reportedAt))
            ON CONFLICT (message_id, reporter_id) DO NOTHING
            """) > 0
    }

    /// The reports that are not settled, the oldest first, at most 100.
    static func open(in sql: any SQLReading) throws -> [Report] {
        try sql.rows(
            "SELECT * FROM message_reports WHERE settled_at IS NULL ORDER BY reported_at, id LIMIT 100"
        ).map(report)
    }

    static func openReport(_ id: UUID, in sql: any SQLReading) throws -> Report? {
        try sql.row("SELECT * FROM message_reports WHERE id = \(id) AND settled_at IS NULL").map(report)
    }

    static func openCount(in sql: any SQLReading) throws -> Int {
        try sql.value("SELECT COUNT(*) FROM message_reports WHERE settled_at IS NULL") ?? 0
    }

    /// Settles all reports about a message.
    static func settle(_ messageId: UUID, by personId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE message_reports SET settled_by = \(personId), settled_at = \(instant)
            WHERE message_id = \(messageId) AND settled_at IS NULL
            """)
    }

    private static func report(_ row: SQLRow) throws -> Report {
        try Report(
            id: row.get("id"), messageId: row.get("message_id"), conversationId: row.get("conversation_id"),
            senderId: row.get("sender_id"), reporterId: row.get("reporter_id"), reason: row.get("reason"),
            text: row.get("text"), reportedAt: row.get("reported_at"))
    }
}
