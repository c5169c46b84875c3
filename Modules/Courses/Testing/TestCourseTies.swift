public import CoursesInterface
public import FeatureKit
public import Foundation

/// A substitute for the course ties of Courses in the tests of blocks that read them, on the courses of `TestCourses`.
public struct TestCourseTies: CourseTieService {
    private let all = TestCourses()

    public init() {}

    public func courseIds(of membership: ActiveMembership, in sql: any SQLReading) throws -> Set<UUID> {
        try Set(courses(ledBy: membership, in: sql).map(\.id)).union(
            all.courseIds(ofStudent: membership.personId, in: sql))
    }

    public func courses(ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> [CourseSummary] {
        try all.courses(taughtBy: membership.personId, in: sql).map(Self.summary)
    }

    public func leadsAny(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Bool {
        try !courses(ledBy: membership, in: sql).isEmpty
    }

    public func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: CourseSummary] {
        let found: [UUID: Course] = try all.courses(ids, in: sql)
        return found.mapValues(Self.summary)
    }

    public func people(of courseId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        let found: [UUID: Course] = try all.courses([courseId], in: sql)
        return try Set(all.students(of: courseId, in: sql)).union(found[courseId]?.teacherIds ?? [])
    }

    public func audience(of courseId: UUID) -> Audience { .course(courseId) }

    private static func summary(_ course: Course) -> CourseSummary {
        CourseSummary(id: course.id, name: course.name, isArchived: course.isArchived)
    }
}
