public import FeatureKit
public import Foundation

/// Names the work of students that is due, for reminders. Implemented by each feature block in which students have work
/// with a due time.
///
/// All calls run in the caller's database transaction, which must stay short.
public protocol DueWorkSource: Sendable {
    /// Returns the work that students still have to do, once for each student, in any order.
    ///
    /// Left out are work that is handed in, returned, hidden or over, and students who have left the course.
    /// - Parameters:
    ///   - workIds: returns only this work; `nil` for all work.
    ///   - span: the time in which the work is due. A student's later due time counts.
    func open(_ workIds: Set<UUID>?, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading) throws
        -> [DueWork]
    /// Returns the work that one student still has to do.
    func open(for studentId: UUID, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading) throws
        -> [DueWork]
    /// Returns names for those of the ids that are this source's work and that a student may see now.
    func named(
        _ workIds: Set<UUID>, for studentId: UUID, at now: Date, in sql: any SQLReading
    ) throws -> [UUID: NamedWork]
}

/// Work that a student still has to do by a due time.
public struct DueWork: Sendable, Hashable {
    public let studentId: UUID
    public let workId: UUID
    /// The due time of this student.
    public let dueAt: Date
    /// The time from which the student can see the work. Reminders that would have come earlier are left out.
    public let since: Date

    public init(studentId: UUID, workId: UUID, dueAt: Date, since: Date) {
        self.studentId = studentId
        self.workId = workId
        self.dueAt = dueAt
        self.since = since
    }
}

/// The name of work that is due, as its student sees it.
public struct NamedWork: Sendable, Hashable {
    public let title: String
    /// The name of the course to which the work belongs.
    public let course: String
    /// The path of the page with the work.
    public let path: String

    public init(title: String, course: String, path: String) {
        self.title = title
        self.course = course
        self.path = path
    }
}
