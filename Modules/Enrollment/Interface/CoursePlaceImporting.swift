public import Domain
public import FeatureKit
public import Foundation

/// The place of a student in a course: enrolled, or on its waitlist.
public struct CoursePlace: Sendable, Hashable {
    public let courseId: UUID
    public let personId: UUID

    public init(courseId: UUID, personId: UUID) {
        self.courseId = courseId
        self.personId = personId
    }
}

/// Imports the enrollment of students in courses. All calls run in the caller's database transaction.
public protocol CoursePlaceImporting: Sendable {
    /// Returns the enrollment or waitlist place of every student in every course of the school, with its first day in
    /// UTC.
    func places(in sql: any SQLReading) throws -> [CoursePlace: Day]
    /// Enrolls students in courses. If a course is full, they are put on its waitlist.
    ///
    /// - Parameters:
    ///   - firstDays: The first days of enrollments that did not begin at `instant`.
    func add(
        _ places: [CoursePlace], firstDays: [CoursePlace: Day], at instant: Date, in sql: any SQLWriting) throws
    /// Removes students from courses and from their waitlists.
    func remove(_ places: [CoursePlace], in sql: any SQLWriting) throws
    /// The names of the database tables that the import of enrollments writes.
    var tables: Set<String> { get }
}
