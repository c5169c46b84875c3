import ClassroomInterface
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// Checks access to study rooms and reads them.
struct StudyService: Sendable {
    static let topic = "study"

    let courses: any CourseTieService
    let correspondents: CorrespondentService

    /// The topics of the room's page and of the list of rooms.
    static func topics(of courseId: UUID) -> [String] { [topic, topic(of: courseId)] }
    static func topic(of courseId: UUID) -> String { "study:\(courseId.text)" }

    /// The courses with a study room for a member, by name: those that they lead, and a student's own.
    func courses(of membership: ActiveMembership, in sql: any SQLReading) throws -> [CourseSummary] {
        var found = try courses.courses(ledBy: membership, in: sql)
        if membership.roles.contains(.student) {
            let ids = try courses.courseIds(of: membership, in: sql)
            found += try courses.courses(ids.subtracting(found.map(\.id)), in: sql).values
        }
        return found.filter { !$0.isArchived }
            .sorted { (NameFolding.fold($0.name), $0.id) < (NameFolding.fold($1.name), $1.id) }
    }

    /// Whether a member has any study room.
    func hasCourses(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Bool {
        if try courses.leadsAny(membership, in: sql) { return true }
        return try membership.roles.contains(.student) && !courses(of: membership, in: sql).isEmpty
    }

    /// Returns a course with a study room for the member. Throws `Problem.notFound` otherwise.
    func course(_ id: UUID, for membership: ActiveMembership, in sql: any SQLReading) throws -> CourseSummary {
        guard let course = try courses(of: membership, in: sql).first(where: { $0.id == id }) else {
            throw Problem.notFound
        }
        return course
    }

    func rooms(
        _ courses: [CourseSummary], for membership: ActiveMembership, at instant: Date, in sql: any SQLReading
    ) throws -> (rooms: [StudyRoom], people: [UUID: Person]) {
        let ids = courses.map(\.id)
        let present = try StudyRepository.present(in: ids, at: instant, in: sql)
        let focus = try StudyRepository.focus(in: ids, at: instant, in: sql)
        let people = try correspondents.people(present.map(\.personId), membership, in: sql)
        let rooms = courses.map { course in
            StudyRoom(
                courseId: course.id, courseName: course.name,
                people: present.filter { $0.courseId == course.id }.compactMap { presence in
                    people[presence.personId].map {
                        StudyRoom.Person(id: $0.id, name: $0.name.display, work: presence.work)
                    }
                }, focusEndsAt: focus[course.id])
        }
        return (rooms, people)
    }

    /// A signal to open pages. It is not stored, so that a school has no record of who studied when.
    func signal(_ courseId: UUID, by personId: UUID) -> Signal {
        Signal(
            "study.changed", topics: Self.topics(of: courseId), audience: [courses.audience(of: courseId)],
            from: personId)
    }
}
