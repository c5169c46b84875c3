import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// Reads leaderboards, with one query to each block no matter how many students a course has.
struct LeaderboardService: Sendable {
    /// The number of places that all students see, so that the last ones are not exposed.
    static let shownPlaces = 10

    let courses: any CourseService
    let roster: any CourseRoster
    let lessons: any LessonRecord
    let work: any WorkRecord
    let people: any PeopleService

    /// The courses whose leaderboard a member sees, by name: their own as a student, and those that they teach.
    func courses(of membership: ActiveMembership, in sql: any SQLReading) throws -> [Course] {
        var found: [Course] = []
        if Permission.teachCourses.isGiven(to: membership.roles) {
            found += try courses.courses(taughtBy: membership.personId, in: sql)
        }
        if membership.roles.contains(.student) {
            let ids = try roster.courseIds(ofStudent: membership.personId, in: sql)
            found += try courses.courses(ids.subtracting(found.map(\.id)), in: sql).values.filter { !$0.isArchived }
        }
        return found.sorted { (NameFolding.fold($0.name), $0.id) < (NameFolding.fold($1.name), $1.id) }
    }

    /// Reads the leaderboard of a course.
    ///
    /// Throws `Problem.notFound` in a school without leaderboards, and for people outside of the course.
    func leaderboard(
        of courseId: UUID, for membership: ActiveMembership, in sql: any SQLReading
    ) throws -> (board: Leaderboard, people: [UUID: Person]) {
        guard try LeaderboardRepository.isOn(in: sql),
            let course = try courses.courses([courseId], in: sql)[courseId]
        else { throw Problem.notFound }
        let me = membership.personId
        let students = try roster.students(of: courseId, in: sql)
        let isWithin = membership.roles.contains(.student) && students.contains(me)
        guard isWithin || course.isLed(by: membership) else { throw Problem.notFound }
        let left = try LeaderboardRepository.left(students, in: sql)
        let done = try lessons.completed(inCourse: courseId, sql)
        let marked = try work.workDone(inCourse: courseId, sql)
        func points(_ id: UUID) -> Int { Points(lessons: done[id] ?? 0, work: marked[id] ?? 0).total }
        let takesPart = isWithin && !left.contains(me)
        let own = isWithin ? points(me) : nil
        // A student who left the leaderboard does not see the others.
        guard takesPart || course.isLed(by: membership) else {
            return (Leaderboard(courseId: courseId, entries: [], own: own, takesPart: false), [:])
        }
        let compared = students.filter { !left.contains($0) }
        let ranking = Ranking(
            Dictionary(compared.map { ($0, points($0)) }, uniquingKeysWith: { first, _ in first }))
        let shown = ranking.entries.filter { $0.place <= Self.shownPlaces || takesPart && $0.id == me }
        let names = try people.people(shown.map(\.id), of: membership.organization.id, in: sql)
        let entries = shown.compactMap { entry in
            names[entry.id].map {
                Leaderboard.Entry(
                    studentId: entry.id, name: $0.name.display, place: entry.place, points: entry.points)
            }
        }.sorted {
            ($0.place, NameFolding.fold($0.name), $0.studentId)
                < ($1.place, NameFolding.fold($1.name), $1.studentId)
        }
        return (Leaderboard(courseId: courseId, entries: entries, own: own, takesPart: takesPart), names)
    }
}
