import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// Compares those of a course who want to be compared. One question to each block, however many are in the course.
struct LeaderboardService: Sendable {
    /// Nobody is shown as the last of all: who is behind these places stands there alone, before their own eyes.
    static let shownPlaces = 10

    let courses: any CourseService
    let roster: any CourseRoster
    let lessons: any LessonRecord
    let work: any WorkRecord
    let people: any PeopleService

    /// The courses whose leaderboard somebody sees, by name: those they are in as a student, and those they teach.
    func courses(of membership: ActiveMembership, in sql: any SQLReading) throws -> [Course] {
        var found: [Course] = []
        if Permission.teachCourses.isGiven(to: membership.roles) {
            found += try courses.courses(taughtBy: membership.personId, in: sql)
        }
        if membership.roles.contains(.student) {
            let ids = try roster.courseIds(ofStudent: membership.personId, in: sql)
            found += try courses.courses(ids.subtracting(found.map(\.id)), in: sql).values.filter { !$0.isArchived }
        }
        return found.sorted { (NameFolding.fold($0.name), $0.id.text) < (NameFolding.fold($1.name), $1.id.text) }
    }

    /// Throws `Problem.notFound` where the school has no leaderboard, and for whoever neither is in the course nor
    /// leads it.
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
        // Whoever is not seen does not look.
        guard takesPart || course.isLed(by: membership) else {
            return (Leaderboard(courseId: courseId, entries: [], own: own, takesPart: false), [:])
        }
        let compared = students.filter { !left.contains($0) }
        let standings = Standings(
            Dictionary(compared.map { ($0, points($0)) }, uniquingKeysWith: { first, _ in first }))
        let shown = standings.entries.filter { $0.place <= Self.shownPlaces || takesPart && $0.id == me }
        let names = try people.people(shown.map(\.id), of: membership.organization.id, in: sql)
        let entries = shown.compactMap { entry in
            names[entry.id].map {
                Leaderboard.Entry(
                    studentId: entry.id, name: $0.name.display, place: entry.place, points: entry.points)
            }
        }.sorted {
            ($0.place, NameFolding.fold($0.name), $0.studentId.text) < (
                $1.place, NameFolding.fold($1.name), $1.studentId.text
            )
        }
        return (Leaderboard(courseId: courseId, entries: entries, own: own, takesPart: takesPart), names)
    }
}
