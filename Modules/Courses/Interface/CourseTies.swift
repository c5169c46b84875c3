public import FeatureKit
public import Foundation

/// The id, name and state of a course, for feature blocks that let its people write to each other.
public struct CourseSummary: Identifiable, Sendable, Hashable {
    public let id: UUID
    public let name: String
    /// Whether the course is over. Messages about it can still be read; new ones cannot be sent.
    public let isArchived: Bool

    public init(id: UUID, name: String, isArchived: Bool) {
        self.id = id
        self.name = name
        self.isArchived = isArchived
    }
}

/// The relations between people and courses, for feature blocks that let people write to each other and also work
/// without courses.
///
/// A server without the Courses block has no implementation. All calls run in the caller's database transaction.
public protocol CourseTieService: Sendable {
    /// Returns the ids of the courses that a member teaches or administers, is in, or in which a child of the member
    /// is.
    func courseIds(of membership: ActiveMembership, in sql: any SQLReading) throws -> Set<UUID>
    /// Returns the courses that a member teaches or administers, including archived ones, by name.
    func courses(ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> [CourseSummary]
    /// Whether a member teaches or administers a course that is not archived. Quick, because menus call it on every
    /// page.
    func leadsAny(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Bool
    /// Returns the courses with these ids, without checking rights. Unknown ids are left out.
    func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: CourseSummary]
    /// Returns the teachers and students of a course and the students' guardians, without checking rights.
    func people(of courseId: UUID, in sql: any SQLReading) throws -> Set<UUID>
    /// Returns the audience of changes in a course: its teachers, its students and their families.
    func audience(of courseId: UUID) -> Audience
}
