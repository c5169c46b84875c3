import Domain
import FeatureKit
import Foundation

/// A lesson or a task for one child (`StudentLesson` and `TaskItem` of the ledger). Both behave alike, so they are
/// one type; pages use both names.
struct StudentWork: Identifiable, Codable, Sendable, Hashable {
    enum Kind: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible { case lesson, task }

    let id: UUID
    let kind: Kind
    let studentId: UUID
    var title: String
    var details: String?
    var scheduledFor: Day?
    var completedAt: Date?
    var completedByGuideId: UUID?
    let createdAt: Date
    let createdByGuideId: UUID

    static let titleLength = 200
    static let detailsLength = 4000
}

/// The SQL of lessons and tasks.
enum WorkRepository {
    static func insert(_ work: StudentWork, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO student_work (id, kind, student_id, title, details, scheduled_for, completed_at,
                completed_by, created_at, created_by)
            VALUES (\(work.id), \(work.kind), \(work.studentId), \(work.title), \(work.details),
                \(work.scheduledFor), \(work.completedAt), \(work.completedByGuideId), \(work.createdAt),
                \(work.createdByGuideId))
            """)
    }

    static func update(_ work: StudentWork, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE student_work SET title = \(work.title), details = \(work.details),
                scheduled_for = \(work.scheduledFor), completed_at = \(work.completedAt),
                completed_by = \(work.completedByGuideId)
            WHERE id = \(work.id)
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM student_work WHERE id = \(id)")
    }

    static func work(_ id: UUID, in sql: any SQLReading) throws -> StudentWork? {
        try sql.row("SELECT * FROM student_work WHERE id = \(id)").map(work)
    }

    /// Returns the open lessons or tasks of a child: those with a day first, in the order of the days.
    static func open(
        of studentId: UUID, _ kind: StudentWork.Kind, after count: Int = 0, limit: Int, in sql: any SQLReading
    ) throws -> [StudentWork] {
        try sql.rows(openQuery(studentId, kind, after: count, limit: limit)).map(work)
    }

    static func openQuery(_ studentId: UUID, _ kind: StudentWork.Kind, after count: Int, limit: Int) -> SQL {
        """
        SELECT * FROM student_work
        WHERE student_id = \(studentId) AND kind = \(kind) AND completed_at IS NULL
        ORDER BY COALESCE(scheduled_for, '9999-12-31'), created_at DESC, id LIMIT \(limit) OFFSET \(count)
        """
    }

    /// Returns the titles of a child's open lessons or tasks.
    static func openTitles(
        of studentId: UUID, _ kind: StudentWork.Kind, in sql: any SQLReading
    ) throws -> Set<String> {
        Set(
            try sql.rows(
                """
                SELECT title FROM student_work
                WHERE student_id = \(studentId) AND kind = \(kind) AND completed_at IS NULL
                """
            ).map { try $0.get("title") })
    }

    /// Returns the completed lessons or tasks of a child, latest first.
    static func completed(
        of studentId: UUID, _ kind: StudentWork.Kind, after count: Int = 0, limit: Int, in sql: any SQLReading
    ) throws -> [StudentWork] {
        try sql.rows(
            """
            SELECT * FROM student_work
            WHERE student_id = \(studentId) AND kind = \(kind) AND completed_at IS NOT NULL
            ORDER BY completed_at DESC, id LIMIT \(limit) OFFSET \(count)
            """
        ).map(work)
    }

    /// Returns the lessons and tasks of a child that were completed from one instant, included, until another,
    /// excluded, earliest first.
    static func completed(
        of studentId: UUID, from start: Date, before end: Date, limit: Int, in sql: any SQLReading
    ) throws -> [StudentWork] {
        try sql.rows(
            """
            SELECT * FROM student_work
            WHERE student_id = \(studentId) AND completed_at >= \(start) AND completed_at < \(end)
            ORDER BY completed_at, id LIMIT \(limit)
            """
        ).map(work)
    }

    /// Returns the lessons and tasks that are due by a day for any of the children, earliest day first.
    static func due(of studentIds: [UUID], until day: Day, limit: Int, in sql: any SQLReading) throws
        -> [StudentWork]
    {
        try sql.rows(
            """
            SELECT * FROM student_work
            WHERE student_id IN \(list: studentIds) AND completed_at IS NULL AND scheduled_for <= \(day)
            ORDER BY scheduled_for, created_at, id LIMIT \(limit)
            """
        ).map(work)
    }

    /// Returns the lessons and tasks with a day between two days, of the children in the classrooms of a guide.
    static func planned(
        forChildrenOf guideId: UUID, on days: ClosedRange<Day>, in sql: any SQLReading
    ) throws -> [StudentWork] {
        try sql.rows(plannedQuery(guideId, days)).map(work)
    }

    static func plannedQuery(_ guideId: UUID, _ days: ClosedRange<Day>) -> SQL {
        """
        SELECT * FROM student_work
        WHERE student_id IN (
                SELECT classroom_students.student_id FROM classroom_guides JOIN classroom_students
                    ON classroom_students.classroom_id = classroom_guides.classroom_id
                WHERE classroom_guides.person_id = \(guideId))
            AND scheduled_for >= \(days.lowerBound) AND scheduled_for <= \(days.upperBound)
        """
    }

    private static func work(_ row: SQLRow) throws -> StudentWork {
        try StudentWork(
            id: row.get("id"), kind: row.get("kind"), studentId: row.get("student_id"), title: row.get("title"),
            details: row.optional("details"), scheduledFor: row.optional("scheduled_for"),
            completedAt: row.optional("completed_at"), completedByGuideId: row.optional("completed_by"),
            createdAt: row.get("created_at"), createdByGuideId: row.get("created_by"))
    }
}
