public import CoursesInterface
import Domain
public import FeatureKit
public import Foundation
import OrganizationInterface

/// The people of courses, for blocks such as Messaging.
extension SQLCourseService: CourseTieService {
    public func courseIds(of membership: ActiveMembership, in sql: any SQLReading) throws -> Set<UUID> {
        var ids = Set(try led(by: membership, in: sql).map(\.id))
        for learner in try families.learners(of: membership, in: sql) {
            ids.formUnion(try roster?.courseIds(ofStudent: learner, in: sql) ?? [])
        }
        return ids
    }

    public func courses(ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> [CourseSummary] {
        try led(by: membership, in: sql).sorted {
            (NameFolding.fold($0.name), $0.id) < (NameFolding.fold($1.name), $1.id)
        }
    }

    public func leadsAny(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Bool {
        guard let led = CourseRepository.led(by: membership) else { return false }
        return try CourseRepository.isAny("\(led) AND is_archived = \(false)", in: sql)
    }

    public func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: CourseSummary] {
        try CourseRepository.summaries("id IN \(list: ids)", in: sql).reduce(into: [:]) { $0[$1.id] = $1 }
    }

    public func people(of courseId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        let found: [UUID: Course] = try courses([courseId], in: sql)
        guard let course = found[courseId] else { return [] }
        let students = try roster?.students(of: courseId, in: sql) ?? []
        return try students.reduce(into: Set(course.teacherIds).union(students)) { people, student in
            people.formUnion(try families.parents(ofStudent: student, in: sql))
        }
    }

    public func audience(of courseId: UUID) -> Audience { .course(courseId) }

    private func led(by membership: ActiveMembership, in sql: any SQLReading) throws -> [CourseSummary] {
        try CourseRepository.led(by: membership).map { try CourseRepository.summaries($0, in: sql) } ?? []
    }
}
