public import CoursesInterface
public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Reads courses from the school's database and checks who may enter them.
public struct SQLCourseService: CourseService {
    /// The kinds of change that affect which courses are offered.
    static let changeKinds = [
        "courses.created", "courses.updated", "courses.archived", "courses.restored", "courses.termSaved",
        "roster.imported", "roster.undone",
    ]

    /// The students of courses; without it courses have none.
    let roster: (any CourseRoster)?
    let families: any FamilyLinks

    public init(roster: (any CourseRoster)?, families: any FamilyLinks) {
        self.roster = roster
        self.families = families
    }

    public func course(
        _ id: UUID, enteredBy membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Course {
        guard let course = try CourseRepository.course(id, in: sql), try isEntered(course, membership, in: sql)
        else {
            throw Problem.notFound
        }
        return course
    }

    public func course(_ id: UUID, ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course {
        guard let course = try CourseRepository.course(id, in: sql), course.isLed(by: membership) else {
            throw Problem.notFound
        }
        return course
    }

    public func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: Course] {
        try CourseRepository.courses(ids, in: sql)
    }

    public func courses(taughtBy personId: UUID, in sql: any SQLReading) throws -> [Course] {
        let ids = try CourseRepository.courseIds(taughtBy: personId, in: sql)
        return Self.byName(try CourseRepository.courses(Set(ids), in: sql).values.filter { !$0.isArchived })
    }

    public func offered(on day: Day, in sql: any SQLReading) throws -> [Course] {
        try CourseRepository.offered(on: day, in: sql)
    }

    public func terms(in sql: any SQLReading) throws -> [Term] { try CourseRepository.terms(in: sql) }

    public func version(in sql: any SQLReading) throws -> Int64 {
        try Self.changeKinds.reduce(0) { latest, kind in
            max(latest, try sql.value("SELECT MAX(seq) FROM change_log WHERE kind = \(kind)") ?? 0)
        }
    }

    // MARK: - Access

    private func isEntered(_ course: Course, _ membership: ActiveMembership, in sql: any SQLReading) throws -> Bool
    {
        if course.isLed(by: membership) { return true }
        return try families.learners(of: membership, in: sql).contains { learner in
            try roster?.courseIds(ofStudent: learner, in: sql).contains(course.id) ?? false
        }
    }

    static func byName(_ courses: some Sequence<Course>) -> [Course] {
        courses.sorted { (NameFolding.fold($0.name), $0.id) < (NameFolding.fold($1.name), $1.id) }
    }
}
