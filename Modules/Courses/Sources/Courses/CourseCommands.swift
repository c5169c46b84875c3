import CoursesInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// Lists the caller's courses.
struct ListCourses: Query {
    static let contract = Contract(
        "courses.list", "/api/v1/courses", access: .member(.viewCourses),
        summary: "The courses that the caller teaches, attends or has a child in; all courses for administrators.")
    typealias Result = Page<Course>

    init(_ fields: inout FieldReader) {}
}

/// Reads a course.
struct ReadCourse: Query {
    static let contract = Contract(
        "courses.read", "/api/v1/courses/{courseId}", access: .member(.viewCourses),
        summary: "A course that the caller may enter, or that is offered.")
    typealias Result = Course

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Creates a course.
struct CreateCourse: Command {
    static let contract = Contract(
        "courses.create", "/api/v1/courses", access: .member(.teachCourses), isCreation: true,
        summary: "Creates a course, taught by the caller unless an administrator names others.")
    typealias Result = Course

    let draft: CourseDraft

    init(_ fields: inout FieldReader) { draft = CourseDraft(&fields) }
}

/// Changes a course.
struct UpdateCourse: Command {
    static let contract = Contract(
        "courses.update", "/api/v1/courses/{courseId}", access: .member(.teachCourses), replay: .natural,
        summary:
            "Changes a course that the caller leads. A higher capacity enrolls students from the waitlist. Refused with 409 if a version is given and someone has changed the course since."
    )
    typealias Result = Course

    let courseId: UUID
    let draft: CourseDraft
    /// The `Course.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        draft = CourseDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Archives or restores a course.
struct ArchiveCourse: Command {
    static let contract = Contract(
        "courses.archive", "/api/v1/courses/{courseId}/archive", access: .member(.teachCourses), replay: .natural,
        summary:
            "Archives a course, so that it is not offered and requests lapse, or restores it with archived=false.")
    typealias Result = Done

    let courseId: UUID
    let isArchived: Bool

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        isArchived = fields.flag("archived")
    }
}

/// The fields of a course's form.
struct CourseDraft: Sendable, Hashable {
    let name: String
    let subject: String
    let gradeLevel: String?
    let details: String?
    let termId: UUID?
    let periods: [CoursePeriod]
    let credits: Int
    let capacity: Int?
    let admission: Course.Admission
    let dropDay: Day?
    let teacherIds: [UUID]

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 120)
        subject = fields.text("subject", max: 60)
        gradeLevel = fields.optionalText("gradeLevel", max: 60)
        details = fields.optionalText("details", max: 2000, multiline: true)
        termId = fields.optionalId("termId")
        let schedule = fields.optionalText("schedule", max: 2000, multiline: true) ?? ""
        var periods: [CoursePeriod] = []
        do {
            periods = try ScheduleText.parse(schedule)
        } catch .weekday(let line) {
            fields.refuse("schedule", "courses.weekday", [.number(line)])
        } catch .times(let line) {
            fields.refuse("schedule", "courses.times", [.number(line)])
        } catch {
            fields.refuse("schedule", "courses.tooManyPeriods", [.number(ScheduleText.most)])
        }
        self.periods = periods
        let typed = fields.optionalText("credits", max: 10)
        let credits = typed.map { CreditText.parse($0) ?? -1 } ?? 100
        fields.refuse("credits", "courses.credits", unless: credits >= 0)
        self.credits = max(0, credits)
        // Without a number the capacity is unlimited; 0 allows no students.
        let places = fields.integer("capacity", in: 0...10_000, default: -1)
        capacity = places < 0 ? nil : places
        admission = fields.optionalChoice("admission") ?? .open
        dropDay = fields.optionalDay("dropDay")
        teacherIds = fields.ids("teacherIds", max: 10)
    }
}

extension Course {
    /// The version of the fields that the form of a course edits.
    var version: ContentVersion {
        ContentVersion(
            [
                name, subject, gradeLevel, details, termId?.text, String(credits), capacity.map(String.init),
                admission.rawValue, dropDay?.description,
            ] + teacherIds.map(\.text)
                + periods.map { "\($0.weekday) \($0.start) \($0.end) \($0.room ?? "")" })
    }
}

/// The endpoints of courses.
struct CourseHandlers: Sendable {
    /// The most courses of a school.
    static let mostCourses = 10_000

    let courses: SQLCourseService
    let roles: any RoleDirectory

    var queries: [QueryRegistration] {
        [
            .handle(ListCourses.self) { _, context in
                let membership = try context.membership
                return Page(items: try await context.school.read { try mine(membership, in: $0) }, next: nil)
            },
            .handle(ReadCourse.self) { query, context in
                let (membership, today) = (try context.membership, context.today)
                return try await context.school.read { sql in
                    try seen(query.courseId, by: membership, on: today, in: sql).course
                }
            },
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                CreateCourse.self, prepare: { try await teachers($0.draft, $1) },
                run: { command, teachers, context in
                    let count: Int = try context.sql.value("SELECT COUNT(*) FROM courses") ?? 0
                    guard count < Self.mostCourses else {
                        throw Problem(409, "courses.tooMany", [.number(Self.mostCourses)])
                    }
                    let id = context.newId()
                    let membership = try context.membership
                    var course = Course(
                        id: id, name: "", subject: "", teacherIds: [membership.personId], tint: Tint(for: id),
                        createdAt: context.now)
                    try apply(command.draft, teachers, to: &course, context)
                    try CourseRepository.save(course, in: context.sql)
                    context.record(change("courses.created", course))
                    context.feedback = Feedback(.burst, context.words("courses.said.created", course.name))
                    context.destination = CourseScreens.path(id)
                    return course
                }),
            .handle(
                UpdateCourse.self, prepare: { try await teachers($0.draft, $1) },
                run: { command, teachers, context in
                    var course = try courses.course(
                        command.courseId, ledBy: context.membership, in: context.sql)
                    let former = course
                    try apply(command.draft, teachers, to: &course, context)
                    // A repeated save changes nothing and is accepted.
                    if course != former {
                        try former.version.check(command.version, "courses.changed")
                        try CourseRepository.save(course, in: context.sql)
                        context.record(change("courses.updated", course))
                        try courses.roster?.fit(course, in: &context)
                    }
                    context.feedback = Feedback(.toast, context.words("courses.said.saved", course.name))
                    return course
                }),
            .handle(ArchiveCourse.self) { command, context in
                var course = try courses.course(command.courseId, ledBy: context.membership, in: context.sql)
                guard course.isArchived != command.isArchived else { return Done() }
                course.isArchived = command.isArchived
                try CourseRepository.save(course, in: context.sql)
                context.record(change(command.isArchived ? "courses.archived" : "courses.restored", course))
                try courses.roster?.fit(course, in: &context)
                let said = command.isArchived ? "courses.said.archived" : "courses.said.restored"
                context.feedback = Feedback(.toast, context.words(said, course.name))
                return Done()
            },
        ]
    }

    // MARK: - Reading

    /// The courses that a member teaches, attends or has a child in, by name. Administrators have all.
    func mine(_ membership: ActiveMembership, in sql: any SQLReading) throws -> [Course] {
        try courses.mine(membership, in: sql)
    }

    /// Returns a course that a member may enter, or that is offered. Throws `Problem.notFound` otherwise.
    func seen(
        _ id: UUID, by membership: ActiveMembership, on day: Day, in sql: any SQLReading
    ) throws -> (course: Course, isWithin: Bool) {
        do {
            return (try courses.course(id, enteredBy: membership, in: sql), true)
        } catch let problem as Problem where problem == .notFound {
            guard let course = try courses.course(id, offeredOn: day, in: sql) else { throw Problem.notFound }
            return (course, false)
        }
    }

    // MARK: - Writing

    /// The named teachers who may teach in the school.
    private func teachers(_ draft: CourseDraft, _ context: RequestContext) async throws -> Set<UUID> {
        guard !draft.teacherIds.isEmpty else { return [] }
        let held = try await roles.roles(of: draft.teacherIds, in: context.membership.organization.id)
        return Set(held.filter { Permission.teachCourses.isGiven(to: $0.value) }.keys)
    }

    /// Applies a draft to a course. Throws a fault for a teacher or a term that is not allowed.
    private func apply(
        _ draft: CourseDraft, _ teachers: Set<UUID>, to course: inout Course, _ context: CommandContext
    ) throws {
        if !draft.teacherIds.isEmpty {
            guard teachers.isSuperset(of: draft.teacherIds) else {
                throw Problem.invalid("teacherIds", "courses.unknownTeacher")
            }
            // A guide may add other teachers to a course, but not remove themselves.
            let personId = try context.membership.personId
            guard context.caller.may(.manageCourses) || draft.teacherIds.contains(personId) else {
                throw Problem.invalid("teacherIds", "courses.ownCourse")
            }
            course.teacherIds = draft.teacherIds
        }
        if let termId = draft.termId {
            guard try CourseRepository.terms(in: context.sql).contains(where: { $0.id == termId }) else {
                throw Problem.invalid("termId", "courses.unknownTerm")
            }
        }
        course.name = draft.name
        course.subject = draft.subject
        course.gradeLevel = draft.gradeLevel
        course.details = draft.details
        course.termId = draft.termId
        course.periods = draft.periods
        course.credits = draft.credits
        course.capacity = draft.capacity
        course.admission = draft.admission
        if course.dropDay != draft.dropDay { try context.checkNear(draft.dropDay, "dropDay", years: 2) }
        course.dropDay = draft.dropDay
    }

    private func change(_ kind: String, _ course: Course) -> Change {
        Change(
            kind, topics: [CourseTopic.list, CourseTopic.course(course.id)], audience: [.school],
            payload: ["course": course.id.text],
            reshapesAudience: true)
    }
}
