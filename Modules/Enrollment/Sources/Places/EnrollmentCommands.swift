import ClassroomInterface
import CoursesInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// Enrolls the caller, requests it, or joins the waitlist.
struct EnrollInCourse: Command {
    static let contract = Contract(
        "enrollment.enroll", "/api/v1/courses/{courseId}/enroll", access: .member(.enroll),
        summary: "Enrolls the caller in an open course, requests enrollment in another, or joins the waitlist.")
    typealias Result = EnrollmentStatus

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Removes the caller from a course, or requests it after the drop date.
struct DropCourse: Command {
    static let contract = Contract(
        "enrollment.drop", "/api/v1/courses/{courseId}/drop", access: .member(.enroll),
        summary: "Takes the caller out of a course; after its drop date asks an administrator to.")
    typealias Result = EnrollmentStatus

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Withdraws the caller's request to drop a course.
struct WithdrawDrop: Command {
    static let contract = Contract(
        "enrollment.withdrawDrop", "/api/v1/courses/{courseId}/drop/withdraw", access: .member(.enroll),
        summary: "Takes back the caller's request to leave a course, while nobody has decided.")
    typealias Result = EnrollmentStatus

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Adds a student to a course that the caller leads.
struct AddStudent: Command {
    static let contract = Contract(
        "enrollment.add", "/api/v1/courses/{courseId}/people", access: .member(.teachCourses),
        summary: "Brings a student into a course that the caller leads; onto its waitlist while it is full.")
    typealias Result = EnrollmentStatus

    let courseId: UUID
    let studentId: UUID

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        studentId = fields.id("studentId")
    }
}

/// Adds students of a classroom to a course that the caller leads.
struct AddClass: Command {
    static let contract = Contract(
        "enrollment.addClass", "/api/v1/courses/{courseId}/people/class", access: .member(.teachCourses),
        summary: """
            Brings students of a classroom that the caller sees into a course that the caller leads; onto its waitlist \
            while it is full. Those who are in it already stay as they are.
            """)
    typealias Result = AddedClass

    let courseId: UUID
    let classroomId: UUID
    /// The students to add.
    let studentIds: [UUID]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        classroomId = fields.id("classroomId")
        studentIds = fields.ids("studentIds", max: 500)
    }
}

/// The result of adding students of a classroom.
struct AddedClass: Codable, Sendable, Hashable {
    /// The students who are now enrolled.
    let enrolled: [UUID]
    /// The students who are now on the waitlist.
    let waiting: [UUID]
}

/// Removes a student from a course that the caller leads.
struct RemoveStudent: Command {
    static let contract = Contract(
        "enrollment.remove", "/api/v1/courses/{courseId}/people/{studentId}/remove",
        access: .member(.teachCourses), summary: "Takes a student out of a course that the caller leads.")
    typealias Result = Done

    let courseId: UUID
    let studentId: UUID

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        studentId = fields.id("studentId")
    }
}

/// Approves or declines a request to enroll.
struct DecideRequest: Command {
    static let contract = Contract(
        "enrollment.decide", "/api/v1/courses/{courseId}/people/{studentId}/decide",
        access: .member(.teachCourses), summary: "Approves or declines a request to enroll.")
    typealias Result = Done

    let courseId: UUID
    let studentId: UUID
    let approves: Bool

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        studentId = fields.id("studentId")
        approves = fields.flag("approves")
    }
}

/// Approves or denies a request to drop a course.
struct DecideDrop: Command {
    static let contract = Contract(
        "enrollment.decideDrop", "/api/v1/courses/{courseId}/people/{studentId}/decide-drop",
        access: .member(.manageCourses),
        summary: "Lets a student go who asked after the drop date, or keeps the student in.")
    typealias Result = Done

    let courseId: UUID
    let studentId: UUID
    let approves: Bool

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        studentId = fields.id("studentId")
        approves = fields.flag("approves")
    }
}

/// A student's enrollment status in a course.
struct EnrollmentStatus: Codable, Sendable, Hashable {
    let courseId: UUID
    let studentId: UUID
    let status: CourseStatus
    /// The position on the waitlist, from 1.
    let position: Int?
    /// Whether a request to drop the course is undecided.
    let isDropAsked: Bool
}

extension Permission {
    /// Allows students to enroll in courses and to drop them.
    static let enroll = Permission("enrollment.enroll", [.student])
}

/// The handlers of enrollment.
struct EnrollmentHandlers: Sendable {
    let courses: any CourseService
    let service: EnrollmentService
    let classrooms: (any ClassroomService)?
    let students: (any StudentService)?
    let roles: any RoleDirectory
    let records: [any CourseRecords]

    var commands: [CommandRegistration] {
        own + led
    }

    /// Commands of students.
    private var own: [CommandRegistration] {
        [
            .handle(EnrollInCourse.self) { command, context in
                let personId = try context.membership.personId
                guard let course = try courses.course(command.courseId, offeredOn: context.today, in: context.sql)
                else { throw Problem(404, "enrollment.notOffered") }
                let new = try service.enroll(personId, in: course, isByLeader: false, &context)
                let status = try status(new, course, in: context.sql)
                context.feedback = Feedback(
                    new.state == .enrolled ? .burst : .toast,
                    try hasRecords(of: new, seenByStudent: true, in: context.sql)
                        ? context.words("enrollment.said.enrolledAgain", course.name)
                        : Self.confirmation(status, course, context.words))
                return status
            },
            .handle(DropCourse.self) { command, context in
                let personId = try context.membership.personId
                guard let course = try courses.courses([command.courseId], in: context.sql)[command.courseId],
                    let place = try EnrollmentRepository.enrollment(of: personId, in: course.id, context.sql)
                else { throw Problem.notFound }
                guard place.dropAskedAt == nil else { throw Problem(409, "enrollment.dropAsked") }
                let words = context.words
                guard place.state != .enrolled || Admissions.canDropWithoutApproval(course, on: context.today)
                else {
                    try service.askToDrop(place, true, as: "enrollment.dropAsked", notifying: .leaders, &context)
                    context.feedback = Feedback(.toast, words("enrollment.said.dropAsked"))
                    return try status(of: personId, course, in: context.sql)
                }
                try service.remove(place, from: course, as: "enrollment.dropped", notifying: .leaders, &context)
                let left = place.state == .enrolled ? "enrollment.said.dropped" : "enrollment.said.withdrawn"
                context.feedback = Feedback(.toast, words(left, course.name))
                return try status(of: personId, course, in: context.sql)
            },
            .handle(WithdrawDrop.self) { command, context in
                let personId = try context.membership.personId
                guard let course = try courses.courses([command.courseId], in: context.sql)[command.courseId],
                    let place = try EnrollmentRepository.enrollment(of: personId, in: course.id, context.sql)
                else { throw Problem.notFound }
                guard place.dropAskedAt != nil else { throw Problem(409, "enrollment.isDecided") }
                try service.askToDrop(place, false, as: "enrollment.dropWithdrawn", notifying: .leaders, &context)
                context.feedback = Feedback(.toast, context.words("enrollment.said.dropWithdrawn", course.name))
                return try status(of: personId, course, in: context.sql)
            },
        ]
    }

    /// Commands of people who lead a course.
    private var led: [CommandRegistration] {
        [
            .handle(
                AddStudent.self,
                prepare: { command, context in
                    let organization = try context.membership.organization
                    let held = try await roles.roles(of: [command.studentId], in: organization.id)
                    return held[command.studentId]?.contains(.student) ?? false
                },
                run: { command, isStudent, context in
                    let membership = try context.membership
                    let course = try courses.course(command.courseId, ledBy: membership, in: context.sql)
                    guard !course.isArchived else { throw Problem(409, "enrollment.isArchived") }
                    // A child without an account is a student of one of the caller's classrooms.
                    if !isStudent {
                        guard let students else { throw Problem.notFound }
                        _ = try students.student(command.studentId, visibleTo: membership, in: context.sql)
                    }
                    let new = try service.enroll(command.studentId, in: course, isByLeader: true, &context)
                    let added =
                        try hasRecords(of: new, seenByStudent: false, in: context.sql)
                        ? "enrollment.said.addedAgain"
                        : new.state == .enrolled ? "enrollment.said.added" : "enrollment.said.addedWaiting"
                    context.feedback = Feedback(.toast, context.words(added))
                    return try status(new, course, in: context.sql)
                }),
            .handle(AddClass.self) { command, context in
                let membership = try context.membership
                let course = try courses.course(command.courseId, ledBy: membership, in: context.sql)
                guard !course.isArchived else { throw Problem(409, "enrollment.isArchived") }
                guard let classrooms, let students else { throw Problem.notFound }
                let room = try classrooms.classroom(command.classroomId, visibleTo: membership, in: context.sql)
                let members = Set(
                    try students.students(of: room.id, orgId: membership.organization.id, in: context.sql).map(\.id)
                )
                guard members.isSuperset(of: command.studentIds) else {
                    throw Problem(409, "enrollment.notInClass")
                }
                let present = Set(
                    try EnrollmentRepository.enrollments(of: course.id, in: context.sql).map(\.studentId))
                let new = try command.studentIds.filter { !present.contains($0) }.map {
                    try service.enroll($0, in: course, isByLeader: true, &context)
                }
                let enrolled = new.filter { $0.state == .enrolled }
                let waiting = new.filter { $0.state != .enrolled }
                let words = context.words
                context.feedback = Feedback(
                    .toast,
                    [
                        words("enrollment.said.addedClass", enrolled.count),
                        waiting.isEmpty ? nil : words("enrollment.said.addedClassWaiting", waiting.count),
                    ].compactMap(\.self).joined(separator: " "))
                context.destination = PeopleScreens.path(course.id)
                return AddedClass(enrolled: enrolled.map(\.studentId), waiting: waiting.map(\.studentId))
            },
            .handle(RemoveStudent.self) { command, context in
                let (course, place) = try led(command.courseId, command.studentId, context)
                try service.remove(place, from: course, as: "enrollment.removed", notifying: .family, &context)
                context.feedback = Feedback(.toast, context.words("enrollment.said.removed"))
                return Done()
            },
            .handle(DecideRequest.self) { command, context in
                let (course, place) = try led(command.courseId, command.studentId, context)
                guard place.state == .pending else { throw Problem(409, "enrollment.isDecided") }
                if command.approves {
                    try service.approve(place, &context)
                } else {
                    try service.remove(place, from: course, as: "enrollment.denied", notifying: .family, &context)
                }
                context.feedback = Feedback(
                    .toast, context.words(command.approves ? "enrollment.said.approved" : "enrollment.said.denied"))
                return Done()
            },
            .handle(DecideDrop.self) { command, context in
                let (course, place) = try led(command.courseId, command.studentId, context)
                guard place.dropAskedAt != nil else { throw Problem(409, "enrollment.isDecided") }
                if command.approves {
                    try service.remove(
                        place, from: course, as: "enrollment.dropAgreed", notifying: .family, &context)
                } else {
                    try service.askToDrop(
                        place, false, as: "enrollment.dropRefused", notifying: .family, &context)
                }
                context.feedback = Feedback(
                    .toast,
                    context.words(command.approves ? "enrollment.said.removed" : "enrollment.said.dropRefused"))
                return Done()
            },
        ]
    }

    /// The course that the caller leads, and a student's enrollment in it.
    private func led(
        _ courseId: UUID, _ studentId: UUID, _ context: CommandContext
    ) throws -> (Course, Enrollment) {
        let course = try courses.course(courseId, ledBy: context.membership, in: context.sql)
        guard let place = try EnrollmentRepository.enrollment(of: studentId, in: course.id, context.sql) else {
            throw Problem.notFound
        }
        return (course, place)
    }

    /// Whether a student who enrolls again has records from an earlier enrollment.
    private func hasRecords(
        of place: Enrollment, seenByStudent isReleased: Bool, in sql: any SQLReading
    ) throws -> Bool {
        guard place.state == .enrolled else { return false }
        return try records.contains {
            try $0.hasRecords(of: place.studentId, in: place.courseId, seenByStudent: isReleased, sql)
        }
    }

    // MARK: - Status

    /// The status of a course for a student.
    func status(of studentId: UUID, _ course: Course, in sql: any SQLReading) throws -> EnrollmentStatus {
        if let place = try EnrollmentRepository.enrollment(of: studentId, in: course.id, sql) {
            return try status(place, course, in: sql)
        }
        let status = Admissions.status(of: course, nil, try service.placeCounts(of: course, in: sql))
        return EnrollmentStatus(
            courseId: course.id, studentId: studentId, status: status, position: nil, isDropAsked: false)
    }

    private func status(
        _ place: Enrollment, _ course: Course, in sql: any SQLReading
    ) throws -> EnrollmentStatus {
        let waits = place.state == .waitlisted
        return try EnrollmentStatus(
            courseId: course.id, studentId: place.studentId,
            status: Admissions.status(of: course, place.state, PlaceCounts()),
            position: waits ? EnrollmentRepository.position(of: place, in: sql) : nil,
            isDropAsked: place.dropAskedAt != nil)
    }

    private static func confirmation(_ status: EnrollmentStatus, _ course: Course, _ words: Words) -> String {
        switch status.status {
        case .enrolled: words("enrollment.said.enrolled", course.name)
        case .pending: words("enrollment.said.requested")
        default: words("enrollment.said.waitlisted", status.position ?? 1)
        }
    }
}
