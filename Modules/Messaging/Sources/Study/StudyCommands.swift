import ClassroomInterface
import CoursesInterface
import Domain
import FeatureKit
import Foundation

struct ListStudyRooms: Query {
    static let contract = Contract(
        "study.list", "/api/v1/study", access: .member(.study),
        summary: "Lists the study rooms of the caller's courses with whoever is in them now.")
    typealias Result = Page<StudyRoom>

    init(_ fields: inout FieldReader) {}
}

struct ReadStudyRoom: Query {
    static let contract = Contract(
        "study.read", "/api/v1/courses/{courseId}/study", access: .member(.study),
        summary: "Reads who is in the study room of a course now, and how long the time of focus lasts.")
    typealias Result = StudyRoom

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

struct EnterStudyRoom: Command {
    static let contract = Contract(
        "study.enter", "/api/v1/courses/{courseId}/study/enter", access: .member(.study), replay: .natural,
        summary: "Comes into the study room of a course, or says there what one works on now.")
    typealias Result = Done

    let courseId: UUID
    let work: StudyWork

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        work = fields.choice("work")
    }
}

struct LeaveStudyRoom: Command {
    static let contract = Contract(
        "study.leave", "/api/v1/courses/{courseId}/study/leave", access: .member(.study), replay: .natural,
        summary: "Leaves the study room of a course.")
    typealias Result = Done

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

struct StayInStudyRoom: Command {
    static let contract = Contract(
        "study.stay", "/api/v1/courses/{courseId}/study/stay", access: .member(.study), replay: .natural,
        summary: "Says that the caller is still in the study room; without it one is gone after five minutes.")
    typealias Result = StudyState

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

struct SetStudyFocus: Command {
    static let contract = Contract(
        "study.focus", "/api/v1/courses/{courseId}/study/focus", access: .member(.study),
        summary: "Begins a time of focus of some minutes for everybody in the room, or, as minutes=0, ends it.")
    typealias Result = Done

    let courseId: UUID
    /// 0 ends what runs.
    let minutes: Int

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        minutes = fields.integer("minutes", in: 0...60, default: 25)
    }
}

/// What a page in a study room compares with what it shows.
struct StudyState: Codable, Sendable, Hashable {
    /// Whether the caller is in the room.
    let isIn: Bool
    let people: Int
    /// When the present time of focus ends; `nil` while there is none.
    let focusEndsAt: Date?
    /// What the server's clock shows, for devices whose own is wrong.
    let now: Date
}

extension Permission {
    /// To study together in one's courses. Families are not among them.
    static let study = Permission("study", [.superAdmin, .admin, .guide, .student])
}

/// The handlers of study rooms.
struct StudyHandlers: Sendable {
    let service: StudyService

    var queries: [QueryRegistration] {
        [
            .handle(ListStudyRooms.self) { _, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let courses = try service.courses(of: membership, in: sql)
                    return Page(
                        items: try service.rooms(courses, for: membership, at: now, in: sql).rooms, next: nil)
                }
            },
            .handle(ReadStudyRoom.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let course = try service.course(query.courseId, for: membership, in: sql)
                    guard let room = try service.rooms([course], for: membership, at: now, in: sql).rooms.first
                    else {
                        throw Problem.notFound
                    }
                    return room
                }
            },
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(EnterStudyRoom.self) { command, context in
                let membership = try context.membership
                let course = try service.course(command.courseId, for: membership, in: context.sql)
                let me = membership.personId
                let last = try StudyRepository.room(of: me, at: context.now, in: context.sql)
                try StudyRepository.enter(course.id, me, command.work, at: context.now, in: context.sql)
                for room in Set([last, course.id].compactMap { $0 }) { context.send(service.told(room, by: me)) }
                return Done()
            },
            .handle(LeaveStudyRoom.self) { command, context in
                let membership = try context.membership
                // Out goes also whoever is in the course no more.
                if try StudyRepository.leave(command.courseId, membership.personId, in: context.sql) {
                    context.send(service.told(command.courseId, by: membership.personId))
                } else {
                    _ = try service.course(command.courseId, for: membership, in: context.sql)
                }
                return Done()
            },
            .handle(StayInStudyRoom.self) { command, context in
                let (membership, now) = (try context.membership, context.now)
                let course = try service.course(command.courseId, for: membership, in: context.sql)
                let isIn = try StudyRepository.stay(course.id, membership.personId, at: now, in: context.sql)
                let people = try StudyRepository.present(in: [course.id], at: now, in: context.sql).count
                let focus = try StudyRepository.focus(in: [course.id], at: now, in: context.sql)
                return StudyState(isIn: isIn, people: people, focusEndsAt: focus[course.id], now: now)
            },
            .handle(SetStudyFocus.self) { command, context in
                let (membership, now) = (try context.membership, context.now)
                let course = try service.course(command.courseId, for: membership, in: context.sql)
                guard try StudyRepository.room(of: membership.personId, at: now, in: context.sql) == course.id
                else {
                    throw Problem(409, "studyNotInRoom")
                }
                let end = command.minutes > 0 ? now.addingTimeInterval(Double(command.minutes) * 60) : nil
                try StudyRepository.setFocus(course.id, until: end, in: context.sql)
                context.send(service.told(course.id, by: membership.personId))
                return Done()
            },
        ]
    }
}
