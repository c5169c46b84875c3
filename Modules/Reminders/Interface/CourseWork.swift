public import Foundation

/// Work of a course with what decides which of its students still have to do it, and by when.
///
/// Sources read it for many students at once, or for one, and let it name the open work.
public struct CourseWork: Sendable {
    let workId: UUID
    let courseId: UUID
    let dueAt: Date?
    let since: Date
    let students: Set<UUID>?
    let settled: Set<UUID>
    let dueTimes: [UUID: Date]

    /// Creates the work.
    /// - Parameters:
    ///   - dueAt: the due time of students without a time of their own; `nil` if they have none.
    ///   - since: the time from which students can see the work.
    ///   - students: the students for whom the work is; `nil` for all of the course.
    ///   - settled: the students who no longer have to do it.
    ///   - dueTimes: the due times of students with a time of their own.
    public init(
        id workId: UUID, courseId: UUID, dueAt: Date?, since: Date, students: Set<UUID>? = nil, settled: Set<UUID>,
        dueTimes: [UUID: Date]
    ) {
        self.workId = workId
        self.courseId = courseId
        self.dueAt = dueAt
        self.since = since
        self.students = students
        self.settled = settled
        self.dueTimes = dueTimes
    }

    /// Returns the work of a student of the course, or `nil` if it is done or not due in a span of time.
    public func open(for studentId: UUID, dueIn span: Range<Date>) -> DueWork? {
        guard students?.contains(studentId) != false, !settled.contains(studentId),
            let dueAt = dueTimes[studentId] ?? dueAt, span.contains(dueAt)
        else { return nil }
        return DueWork(studentId: studentId, workId: workId, dueAt: dueAt, since: since)
    }

    /// Returns the open work of all students. The students of each course are read once.
    /// - Parameter studentsOf: reads the students of a course.
    public static func open(
        _ works: [CourseWork], dueIn span: Range<Date>, studentsOf: (UUID) throws -> [UUID]
    ) rethrows -> [DueWork] {
        var students: [UUID: [UUID]] = [:]
        return try works.flatMap { work -> [DueWork] in
            let inCourse = try students[work.courseId] ?? studentsOf(work.courseId)
            students[work.courseId] = inCourse
            return inCourse.compactMap { work.open(for: $0, dueIn: span) }
        }
    }
}
