public import ClassroomInterface
import CoursesInterface
import Domain
public import FeatureKit
public import Foundation

/// What Courses tells blocks that bring people together.
extension SQLCourseService: CourseTieService {
    public func courseIds(of membership: ActiveMembership, in sql: any SQLReading) throws -> Set<UUID> {
        var ids = Set(try led(by: membership, in: sql).map(\.id))
        for learner in try learners(membership, in: sql) {
            ids.formUnion(try roster?.courseIds(ofStudent: learner, in: sql) ?? [])
        }
        return ids
    }

    public func courses(ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> [CourseSummary] {
        Self.byName(try led(by: membership, in: sql)).map(Self.summary)
    }

    public func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: CourseSummary] {
        try CourseRepository.courses(ids, in: sql).mapValues(Self.summary)
    }

    public func audience(of courseId: UUID) -> Audience { .course(courseId) }

    private func led(by membership: ActiveMembership, in sql: any SQLReading) throws -> [Course] {
        if Permission.manageCourses.isGiven(to: membership.roles) { return try CourseRepository.all(in: sql) }
        guard Permission.teachCourses.isGiven(to: membership.roles) else { return [] }
        let ids = try CourseRepository.courseIds(taughtBy: membership.personId, in: sql)
        return Array(try CourseRepository.courses(ids, in: sql).values)
    }

    private static func summary(_ course: Course) -> CourseSummary {
        CourseSummary(id: course.id, name: course.name, isArchived: course.isArchived)
    }
}
