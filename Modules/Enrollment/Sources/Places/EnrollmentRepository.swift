import ClassroomInterface
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation

extension PlaceState: SQLConvertible {}

/// A student's enrollment in a course, request or place on the waitlist.
struct Enrollment: Codable, Sendable, Hashable {
    let courseId: UUID
    let studentId: UUID
    var state: PlaceState
    /// The order in which students came to the course, from 1.
    let arrival: Int
    /// The time of the current state.
    var since: Date
    /// The time of the student's request to drop the course after the drop date.
    var dropAskedAt: Date?
}

/// The SQL of enrollments.
enum EnrollmentRepository {
    /// The enrollment of a student in a course, or `nil`.
    static func enrollment(
        of studentId: UUID, in courseId: UUID, _ sql: any SQLReading
    ) throws -> Enrollment? {
        try sql.row(
            "SELECT * FROM enrollments WHERE course_id = \(courseId) AND student_id = \(studentId)"
        ).map(enrollment)
    }

    /// The enrollments of a course in every state, in the order of arrival.
    static func enrollments(of courseId: UUID, in sql: any SQLReading) throws -> [Enrollment] {
        try sql.rows("SELECT * FROM enrollments WHERE course_id = \(courseId) ORDER BY arrival").map(enrollment)
    }

    /// The enrollments of students in all courses.
    static func enrollments(ofStudents studentIds: [UUID], in sql: any SQLReading) throws -> [Enrollment] {
        guard !studentIds.isEmpty else { return [] }
        return try sql.rows(
            "SELECT * FROM enrollments WHERE student_id IN \(list: studentIds) ORDER BY course_id, student_id"
        ).map(enrollment)
    }

    /// The enrolled students of a course, in the order of arrival.
    static func students(of courseId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            """
            SELECT student_id FROM enrollments
            WHERE course_id = \(courseId) AND state = \(PlaceState.enrolled) ORDER BY arrival
            """
        ).map { try $0.get("student_id") }
    }

    /// The courses that a student is enrolled in.
    static func courseIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows(
                """
                SELECT course_id FROM enrollments
                WHERE student_id = \(studentId) AND state = \(PlaceState.enrolled)
                """
            ).map { try $0.get("course_id") })
    }

    /// The numbers of students per course. Courses without students are missing.
    static func placeCounts(of courseIds: [UUID], in sql: any SQLReading) throws -> [UUID: PlaceCounts] {
        guard !courseIds.isEmpty else { return [:] }
        return try sql.rows(
            """
            SELECT course_id, state, COUNT(*) AS n FROM enrollments
            WHERE course_id IN \(list: courseIds) GROUP BY course_id, state
            """
        ).reduce(into: [:]) { all, row in
            let (id, count): (UUID, Int) = try (row.get("course_id"), row.get("n"))
            var counts = all[id] ?? PlaceCounts()
            switch try row.get("state", as: PlaceState.self) {
            case .enrolled: counts.enrolled = count
            case .pending: counts.pending = count
            case .waitlisted: counts.waiting = count
            }
            all[id] = counts
        }
    }

    /// The position on the waitlist, from 1.
    static func position(of enrollment: Enrollment, in sql: any SQLReading) throws -> Int {
        try sql.value(
            """
            SELECT COUNT(*) FROM enrollments WHERE course_id = \(enrollment.courseId)
                AND state = \(PlaceState.waitlisted) AND arrival <= \(enrollment.arrival)
            """) ?? 0
    }

    /// The first enrollment on the waitlist.
    static func firstWaiting(in courseId: UUID, _ sql: any SQLReading) throws -> Enrollment? {
        try sql.row(
            """
            SELECT * FROM enrollments WHERE course_id = \(courseId) AND state = \(PlaceState.waitlisted)
            ORDER BY arrival LIMIT 1
            """
        ).map(enrollment)
    }

    /// Inserts an enrollment with the next arrival number.
    static func insert(
        _ studentId: UUID, in courseId: UUID, _ state: PlaceState, at instant: Date, _ sql: any SQLWriting
    ) throws -> Enrollment {
        let last: Int = try sql.value("SELECT MAX(arrival) FROM enrollments WHERE course_id = \(courseId)") ?? 0
        let new = Enrollment(
            courseId: courseId, studentId: studentId, state: state, arrival: last + 1, since: instant)
        try sql.execute(
            """
            INSERT INTO enrollments (course_id, student_id, state, arrival, since)
            VALUES (\(courseId), \(studentId), \(state), \(new.arrival), \(instant))
            """)
        return new
    }

    static func update(_ enrollment: Enrollment, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE enrollments SET state = \(enrollment.state), since = \(enrollment.since),
                drop_asked_at = \(enrollment.dropAskedAt)
            WHERE course_id = \(enrollment.courseId) AND student_id = \(enrollment.studentId)
            """)
    }

    static func delete(_ enrollment: Enrollment, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            DELETE FROM enrollments
            WHERE course_id = \(enrollment.courseId) AND student_id = \(enrollment.studentId)
            """)
    }

    static func delete(_ places: [CoursePlace], in sql: any SQLWriting) throws {
        for portion in SQL.portions(of: places.map { [$0.courseId.sqlValue, $0.personId.sqlValue] }) {
            try sql.execute("DELETE FROM enrollments WHERE (course_id, student_id) IN (VALUES \(rows: portion))")
        }
    }

    private static func enrollment(_ row: SQLRow) throws -> Enrollment {
        try Enrollment(
            courseId: row.get("course_id"), studentId: row.get("student_id"), state: row.get("state"),
            arrival: row.get("arrival"), since: row.get("since"), dropAskedAt: row.optional("drop_asked_at"))
    }
}
