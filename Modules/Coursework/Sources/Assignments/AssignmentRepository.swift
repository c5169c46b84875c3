import CourseworkModel
import Domain
import FeatureKit
import Foundation

/// Reads and writes assignments in the school's database.
enum AssignmentRepository {
    /// The columns of a list, without the instructions, which may be long.
    private static let listed: SQL = """
        id, course_id, title, '' AS instructions, points, category, due_day, due_at, opens_at, late_work, late_until,
            late_penalty, kinds, file_kinds, attempts, is_for_everyone, published_at, created_at, version
        """
    private static let order: SQL = "ORDER BY due_at IS NULL, due_at, created_at, id"

    static func assignment(_ id: UUID, in sql: any SQLReading) throws -> Assignment? {
        try sql.row("SELECT * FROM coursework_assignments WHERE id = \(id)").map(assignment)
    }

    /// The assignments with these ids, with their instructions.
    static func assignments(_ ids: [UUID], in sql: any SQLReading) throws -> [Assignment] {
        try sql.rows("SELECT * FROM coursework_assignments WHERE id IN \(list: ids)").map(assignment)
    }

    /// All assignments of courses by due time, without instructions.
    static func assignments(of courseIds: [UUID], in sql: any SQLReading) throws -> [Assignment] {
        try sql.rows(
            "SELECT \(listed) FROM coursework_assignments WHERE course_id IN \(list: courseIds) \(order)"
        ).map(assignment)
    }

    /// The assignments of courses that a student sees at an instant, by due time, without instructions.
    static func assignments(
        of courseIds: [UUID], seenBy studentId: UUID, at now: Date, in sql: any SQLReading
    ) throws -> [Assignment] {
        try sql.rows(seen(of: courseIds, by: studentId, at: now)).map(assignment)
    }

    static func seen(of courseIds: [UUID], by studentId: UUID, at now: Date) -> SQL {
        """
        SELECT \(listed) FROM coursework_assignments
        WHERE course_id IN \(list: courseIds) AND published_at IS NOT NULL AND (opens_at IS NULL OR opens_at <= \(now))
            AND (is_for_everyone = 1
                OR id IN (SELECT assignment_id FROM coursework_assignees WHERE student_id = \(studentId)))
        \(order)
        """
    }

    /// The assignments that students see at an instant and that are due within a time for all or for one student, without
    /// instructions.
    /// - Parameter ids: reads only these assignments; `nil` reads all.
    static func due(
        in span: Range<Date>, _ ids: Set<UUID>?, seenAt now: Date, in sql: any SQLReading
    ) throws -> [Assignment] {
        try sql.rows(due(in: span, ids, seenAt: now)).map(assignment)
    }

    static func due(in span: Range<Date>, _ ids: Set<UUID>?, seenAt now: Date) -> SQL {
        let only: SQL = ids.map { "AND id IN \(list: $0)" } ?? ""
        return """
            SELECT \(listed) FROM coursework_assignments
            WHERE id IN (
                SELECT id FROM coursework_assignments
                WHERE due_at >= \(span.lowerBound) AND due_at < \(span.upperBound)
                UNION SELECT assignment_id FROM coursework_extensions
                WHERE due_at >= \(span.lowerBound) AND due_at < \(span.upperBound))
                AND published_at IS NOT NULL AND (opens_at IS NULL OR opens_at <= \(now)) \(only)
            """
    }

    /// The assignments that have opened and of which no one was notified yet.
    static func unannounced(at now: Date, in sql: any SQLReading) throws -> [Assignment] {
        try sql.rows(
            """
            SELECT * FROM coursework_assignments
            WHERE announced_at IS NULL AND published_at IS NOT NULL AND (opens_at IS NULL OR opens_at <= \(now))
            """
        ).map(assignment)
    }

    static func ids(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            "SELECT id FROM coursework_assignments WHERE id > \(id?.text ?? "") ORDER BY id LIMIT \(limit)"
        ).map { try $0.get("id") }
    }

    static func insert(_ one: Assignment, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO coursework_assignments (id, course_id, title, instructions, points, category, due_day, due_at,
                opens_at, late_work, late_until, late_penalty, kinds, file_kinds, attempts, is_for_everyone, published_at,
                created_at, version)
            VALUES (\(one.id), \(one.courseId), \(one.title), \(one.instructions), \(one.points), \(one.category),
                \(one.dueDay), \(one.dueAt), \(one.opensAt), \(one.lateWork), \(one.lateUntil), \(one.latePenalty),
                \(text(one.kinds)), \(text(one.fileKinds)), \(one.attempts), \(one.isForEveryone), \(one.publishedAt),
                \(one.createdAt), \(one.version))
            """)
    }

    static func update(_ one: Assignment, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE coursework_assignments SET title = \(one.title), instructions = \(one.instructions),
                points = \(one.points), category = \(one.category), due_day = \(one.dueDay), due_at = \(one.dueAt),
                opens_at = \(one.opensAt), late_work = \(one.lateWork), late_until = \(one.lateUntil),
                late_penalty = \(one.latePenalty), kinds = \(text(one.kinds)), file_kinds = \(text(one.fileKinds)),
                attempts = \(one.attempts),
                is_for_everyone = \(one.isForEveryone), published_at = \(one.publishedAt), version = \(one.version)
            WHERE id = \(one.id)
            """)
    }

    /// Notes that the people of an assignment were notified; `nil` if they were not.
    static func setAnnounced(_ id: UUID, at instant: Date?, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE coursework_assignments SET announced_at = \(instant) WHERE id = \(id)")
    }

    static func isAnnounced(_ id: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM coursework_assignments WHERE id = \(id) AND announced_at IS NOT NULL")
    }

    /// Deletes an assignment with everything that students handed in for it, and all scores.
    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try RubricRepository.deleteAll(of: id, in: sql)
        try AssignmentFileRepository.deleteAll(of: id, in: sql)
        try NoteRepository.deleteAll(of: id, in: sql)
        try SpokenCommentRepository.deleteAll(of: id, in: sql)
        try sql.execute("DELETE FROM coursework_marks WHERE assignment_id = \(id)")
        try ShareRepository.deleteAll(of: id, in: sql)
        try sql.execute("DELETE FROM coursework_files WHERE assignment_id = \(id)")
        try sql.execute("DELETE FROM coursework_submissions WHERE assignment_id = \(id)")
        try sql.execute("DELETE FROM coursework_drafts WHERE assignment_id = \(id)")
        try sql.execute("DELETE FROM coursework_uploads WHERE assignment_id = \(id)")
        try sql.execute("DELETE FROM coursework_extensions WHERE assignment_id = \(id)")
        try sql.execute("DELETE FROM coursework_assignees WHERE assignment_id = \(id)")
        try sql.execute("DELETE FROM coursework_assignments WHERE id = \(id)")
    }

    // MARK: - Chosen students

    static func assignees(of id: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows("SELECT student_id FROM coursework_assignees WHERE assignment_id = \(id)").map {
                try $0.get("student_id")
            })
    }

    static func setAssignees(_ studentIds: [UUID], of id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_assignees WHERE assignment_id = \(id)")
        for studentId in studentIds {
            try sql.execute(
                "INSERT INTO coursework_assignees (student_id, assignment_id) VALUES (\(studentId), \(id))")
        }
    }

    // MARK: - Extensions

    /// The later due times that teachers gave students of an assignment.
    static func extensions(of id: UUID, in sql: any SQLReading) throws -> [UUID: Date] {
        try sql.rows("SELECT student_id, due_at FROM coursework_extensions WHERE assignment_id = \(id)")
            .reduce(into: [:]) { $0[try $1.get("student_id")] = try $1.get("due_at") }
    }

    /// A student's later due times, by assignment.
    static func extensions(for studentId: UUID, in sql: any SQLReading) throws -> [UUID: Date] {
        try sql.rows("SELECT assignment_id, due_at FROM coursework_extensions WHERE student_id = \(studentId)")
            .reduce(into: [:]) { $0[try $1.get("assignment_id")] = try $1.get("due_at") }
    }

    static func extend(_ id: UUID, of studentId: UUID, to dueAt: Date?, in sql: any SQLWriting) throws {
        try sql.execute(
            "DELETE FROM coursework_extensions WHERE assignment_id = \(id) AND student_id = \(studentId)")
        guard let dueAt else { return }
        try sql.execute(
            """
            INSERT INTO coursework_extensions (student_id, assignment_id, due_at) VALUES (\(studentId), \(id), \(dueAt))
            """)
    }

    // MARK: - Rows

    private static func text(_ kinds: Set<some RawRepresentable<String>>) -> String {
        kinds.map(\.rawValue).sorted().joined(separator: " ")
    }

    private static func assignment(_ row: SQLRow) throws -> Assignment {
        let (kinds, fileKinds): (String, String) = try (row.get("kinds"), row.get("file_kinds"))
        return try Assignment(
            id: row.get("id"), courseId: row.get("course_id"), title: row.get("title"),
            instructions: row.get("instructions"), points: row.optional("points"), category: row.get("category"),
            dueDay: row.optional("due_day"), dueAt: row.optional("due_at"), opensAt: row.optional("opens_at"),
            lateWork: row.get("late_work"), lateUntil: row.optional("late_until"),
            latePenalty: row.get("late_penalty"),
            kinds: Set(kinds.split(separator: " ").compactMap { Assignment.HandInKind(rawValue: String($0)) }),
            fileKinds: Set(
                fileKinds.split(separator: " ").compactMap { Assignment.FileKind(rawValue: String($0)) }),
            attempts: row.optional("attempts"), isForEveryone: row.get("is_for_everyone"),
            publishedAt: row.optional("published_at"), createdAt: row.get("created_at"),
            version: row.get("version"))
    }
}
