public import FeatureKit
public import Foundation

/// A course as blocks see it that bring its people together.
public struct CourseSummary: Identifiable, Sendable, Hashable {
    public let id: UUID
    public let name: String
    /// It is over: what was said stays to be read, and nothing is added.
    public let isArchived: Bool

    public init(id: UUID, name: String, isArchived: Bool) {
        self.id = id
        self.name = name
        self.isArchived = isArchived
    }
}

/// Who has to do with which course, for blocks that bring people together and that a school without courses uses as
/// well: such a school has nobody who answers. All of it inside the caller's own transaction.
public protocol CourseTieService: Sendable {
    /// The courses with which a member has to do: those they lead, are in now, or in which a child of theirs is.
    func courseIds(of membership: ActiveMembership, in sql: any SQLReading) throws -> Set<UUID>
    /// The courses that a member leads, archived ones too, by name.
    func courses(ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> [CourseSummary]
    /// Whether a member leads any course that is not archived. Cheap: pages ask it for their menus.
    func leadsAny(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Bool
    /// The courses of these ids, whoever asks; those that do not exist are left out.
    func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: CourseSummary]
    /// Everybody who has a place in a course: its teachers, its students and their families.
    func audience(of courseId: UUID) -> Audience
}
