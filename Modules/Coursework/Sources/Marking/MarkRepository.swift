import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// A student's score and comment for an assignment, as a teacher entered them.
struct WorkMark: Sendable, Hashable {
    let assignmentId: UUID
    let studentId: UUID
    /// The submission that the score is for; `nil` if nothing was handed in.
    var submissionId: UUID?
    /// The points before deductions; `nil` without a score.
    var points: Hundredths?
    var comment: String?
    /// The time at which the work was returned; `nil` while the score is hidden from the student.
    var returnedAt: Date?
    /// The person who entered the score last.
    var markedBy: UUID
    var markedAt: Date
    /// The number of changes, from 1.
    var version: Int
}

extension Hundredths {
    /// The part of a score that remains after a deduction, rounded half up.
    func remaining(percent: Int) -> Hundredths { Hundredths(count: (count * percent + 50) / 100) }
}

/// Reads and writes scores and comments in the school's database.
enum MarkRepository {
    static func mark(of assignmentId: UUID, for studentId: UUID, in sql: any SQLReading) throws -> WorkMark? {
        try sql.row(
            """
            SELECT * FROM coursework_marks WHERE student_id = \(studentId) AND assignment_id = \(assignmentId)
            """
        ).map(mark)
    }

    static func marks(of assignmentId: UUID, in sql: any SQLReading) throws -> [UUID: WorkMark] {
        try sql.rows("SELECT * FROM coursework_marks WHERE assignment_id = \(assignmentId)")
            .reduce(into: [:]) { all, row in
                let one = try mark(row)
                all[one.studentId] = one
            }
    }

    /// The returned work of a student, by assignment.
    static func returned(to studentId: UUID, in sql: any SQLReading) throws -> [UUID: WorkMark] {
        try sql.rows(
            "SELECT * FROM coursework_marks WHERE student_id = \(studentId) AND returned_at IS NOT NULL"
        ).reduce(into: [:]) { all, row in
            let one = try mark(row)
            all[one.assignmentId] = one
        }
    }

    static func put(_ mark: WorkMark, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO coursework_marks
                (student_id, assignment_id, submission_id, points, comment, returned_at, marked_by, marked_at, version)
            VALUES (\(mark.studentId), \(mark.assignmentId), \(mark.submissionId), \(mark.points.map { "\($0)" }),
                \(mark.comment), \(mark.returnedAt), \(mark.markedBy), \(mark.markedAt), \(mark.version))
            ON CONFLICT (student_id, assignment_id) DO UPDATE
                SET submission_id = excluded.submission_id, points = excluded.points, comment = excluded.comment,
                    returned_at = excluded.returned_at, marked_by = excluded.marked_by,
                    marked_at = excluded.marked_at, version = excluded.version
            """)
    }

    /// The number of students whose latest work is newer than its score, by assignment.
    static func unmarkedCounts(of assignmentIds: [UUID], in sql: any SQLReading) throws -> [UUID: Int] {
        try sql.rows(unmarked(of: assignmentIds)).reduce(into: [:]) {
            $0[try $1.get("assignment_id")] = try $1.get("students")
        }
    }

    static func unmarked(of assignmentIds: [UUID]) -> SQL {
        """
        SELECT s.assignment_id, COUNT(DISTINCT s.student_id) AS students FROM coursework_submissions s
        LEFT JOIN coursework_marks m ON m.student_id = s.student_id AND m.assignment_id = s.assignment_id
        WHERE s.assignment_id IN \(list: assignmentIds) AND (m.marked_at IS NULL OR m.marked_at < s.handed_in_at)
        GROUP BY s.assignment_id
        """
    }

    /// The scores of the published, graded assignments of courses, after deductions.
    /// - Parameter studentId: reads only this student's scores; `nil` reads all.
    static func scores(
        of courseIds: [UUID], for studentId: UUID?, in sql: any SQLReading
    ) throws -> [(mark: WorkMark, handedInAt: Date?, extendedTo: Date?)] {
        let only: SQL = studentId.map { "AND m.student_id = \($0)" } ?? ""
        return try sql.rows(
            """
            SELECT m.student_id, m.assignment_id, m.submission_id, m.points, NULL AS comment, m.returned_at, m.marked_by,
                m.marked_at, m.version, s.handed_in_at, e.due_at AS extended_to
            FROM coursework_assignments a
            JOIN coursework_marks m ON m.assignment_id = a.id \(only)
            LEFT JOIN coursework_submissions s ON s.id = m.submission_id
            LEFT JOIN coursework_extensions e ON e.student_id = m.student_id AND e.assignment_id = m.assignment_id
            WHERE a.course_id IN \(list: courseIds) AND a.points IS NOT NULL AND a.published_at IS NOT NULL
                AND m.points IS NOT NULL
            """
        ).map { (try mark($0), try $0.optional("handed_in_at"), try $0.optional("extended_to")) }
    }

    private static func mark(_ row: SQLRow) throws -> WorkMark {
        try WorkMark(
            assignmentId: row.get("assignment_id"), studentId: row.get("student_id"),
            submissionId: row.optional("submission_id"),
            points: row.optional("points", as: String.self).flatMap { Hundredths($0) },
            comment: row.optional("comment"), returnedAt: row.optional("returned_at"),
            markedBy: row.get("marked_by"), markedAt: row.get("marked_at"), version: row.get("version"))
    }
}
