import ClassroomInterface
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// Lists the caller's study rooms.
struct ListStudyRooms: Query {
    static let contract = Contract(
        "study.list", "/api/v1/study", access: .member(.study),
        summary: "The study rooms of the caller's courses, with the people who are in them now.")
    typealias Result = Page<StudyRoom>

    init(_ fields: inout FieldReader) {}
}

/// Reads a study room.
struct ReadStudyRoom: Query {
    static let contract = Contract(
        "study.read", "/api/v1/courses/{courseId}/study", access: .member(.study),
        summary: "The people in a course's study room, and the end of the focus time.")
    typealias Result = StudyRoom

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Enters a study room.
struct EnterStudyRoom: Command {
    static let contract = Contract(
        "study.enter", "/api/v1/courses/{courseId}/study/enter", access: .member(.study), replay: .natural,
        summary: "Enters the study room of a course, or changes what the caller works on there.")
    typealias Result = Done

    let courseId: UUID
    let work: StudyWork

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        work = fields.choice("work")
    }
}

/// Leaves a study room.
struct LeaveStudyRoom: Command {
    static let contract = Contract(
        "study.leave", "/api/v1/courses/{courseId}/study/leave", access: .member(.study), replay: .natural,
        summary: "Leaves the study room of a course.")
    typealias Result = Done

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Confirms that the caller is still in a study room.
struct StayInStudyRoom: Command {
    static let contract = Contract(
        "study.stay", "/api/v1/courses/{courseId}/study/stay", access: .member(.study), replay: .natural,
        summary:
            "Confirms that the caller is still in the study room. Without it a person is removed after five minutes."
    )
    typealias Result = StudyState

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Starts or ends a focus time.
struct SetStudyFocus: Command {
    static let contract = Contract(
        "study.focus", "/api/v1/courses/{courseId}/study/focus", access: .member(.study),
        summary: "Starts a focus time for all people in the room, or ends it with 0 minutes.")
    typealias Result = Done

    let courseId: UUID
    /// The length; 0 ends the present focus time.
    let minutes: Int

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        minutes = fields.integer("minutes", in: 0...60, default: 25)
    }
}

/// The state of a study room that an open page compares with what it shows.
struct StudyState: Codable, Sendable, Hashable {
    /// Whether the caller is in the room.
    let isIn: Bool
    let people: Int
    /// The end of the current focus time; `nil` without one.
    let focusEndsAt: Date?
    /// The server's time, for devices with a wrong clock.
    let now: Date
}

extension Permission {
    /// Using the study rooms of one's courses. Families may not.
    static let study = Permission("study", [.superAdmin, .admin, .guide, .student])
}

/// The endpoints of study rooms.
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
                for room in Set([last, course.id].compactMap { $0 }) { context.send(service.signal(room, by: me)) }
                return Done()
            },
            .handle(LeaveStudyRoom.self) { command, context in
                let membership = try context.membership
                // A person who has left the course may still leave the room.
                if try StudyRepository.leave(command.courseId, membership.personId, in: context.sql) {
                    context.send(service.signal(command.courseId, by: membership.personId))
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
                context.send(service.signal(course.id, by: membership.personId))
                return Done()
            },
        ]
    }
}
