import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// The SQL of personal tags. A tag that was revoked stays, so that the trail of its passages can be read.
enum TagRepository {
    /// A tag with its code, which leaves the server only on a badge and on the resident's own page.
    struct Coded: Sendable {
        let tag: PersonalTag
        let code: String
    }

    /// The tags of residents that were not revoked, the latest first.
    static func tags(of students: [UUID], in sql: any SQLReading) throws -> [UUID: [Coded]] {
        guard !students.isEmpty else { return [:] }
        return try Dictionary(
            grouping: tags("student_id IN \(list: students)", in: sql), by: \.tag.studentId)
    }

    static func tag(_ id: UUID, of studentId: UUID, in sql: any SQLReading) throws -> PersonalTag? {
        try tags("id = \(id) AND student_id = \(studentId)", in: sql).first?.tag
    }

    /// The person who has a tag with this code now.
    static func holder(of code: String, in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT student_id FROM residence_tags WHERE code = \(code) AND ended_at IS NULL")
    }

    private static func tags(_ condition: SQL, in sql: any SQLReading) throws -> [Coded] {
        try sql.rows(
            """
            SELECT * FROM residence_tags WHERE \(condition) AND ended_at IS NULL ORDER BY created_at DESC, id DESC
            """
        ).map { row in
            Coded(
                tag: try PersonalTag(
                    id: row.get("id"), studentId: row.get("student_id"), kind: row.get("kind"),
                    createdAt: row.get("created_at"), lostAt: row.optional("lost_at")), code: try row.get("code"))
        }
    }

    /// Whether a tag was reported lost or revoked at or before an instant.
    static func hadEnded(_ id: UUID, at instant: Date, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            "SELECT 1 FROM residence_tags WHERE id = \(id) AND (lost_at <= \(instant) OR ended_at <= \(instant))")
    }

    static func insert(
        _ tag: PersonalTag, code: String, createdBy person: UUID, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO residence_tags (id, student_id, kind, code, created_at, created_by)
            VALUES (\(tag.id), \(tag.studentId), \(tag.kind), \(code), \(tag.createdAt), \(person))
            """)
    }

    static func setLost(_ id: UUID, at instant: Date?, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE residence_tags SET lost_at = \(instant) WHERE id = \(id)")
    }

    static func revoke(_ id: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE residence_tags SET ended_at = \(now) WHERE id = \(id) AND ended_at IS NULL")
    }

    /// Revokes the tags of a resident, all or those of one kind.
    static func revokeAll(
        of studentId: UUID, _ kind: PersonalTag.Kind? = nil, at now: Date, in sql: any SQLWriting
    ) throws {
        let ofKind: SQL = kind.map { "AND kind = \($0)" } ?? ""
        try sql.execute(
            """
            UPDATE residence_tags SET ended_at = \(now)
            WHERE student_id = \(studentId) AND ended_at IS NULL \(ofKind)
            """)
    }
}
