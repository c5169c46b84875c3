import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// Adds an assignment to a course, as a draft.
struct AddAssignment: Command {
    static let contract = Contract(
        "coursework.add", "/api/v1/courses/{courseId}/assignments", access: .member(.teachCourses),
        isCreation: true, summary: "Adds an assignment to a course, as a draft that only its teachers see.")
    typealias Result = Assignment

    let courseId: UUID
    let draft: AssignmentDraft

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        draft = AssignmentDraft(&fields)
    }
}

/// Changes an assignment.
struct EditAssignment: Command {
    static let contract = Contract(
        "coursework.edit", "/api/v1/assignments/{assignmentId}", access: .member(.teachCourses),
        summary: """
            Changes an assignment. Refused if someone changed it meanwhile, if a score would exceed the new maximum, or if \
            scores exist and a new maximum is not confirmed.
            """)
    typealias Result = Assignment

    let assignmentId: UUID
    let draft: AssignmentDraft
    /// Whether a new maximum is wanted although students have scores.
    let changesScores: Bool
    /// The version of the assignment that the caller saw.
    let version: Int

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        draft = AssignmentDraft(&fields)
        changesScores = fields.flag("changesScores")
        version = fields.integer("version", in: 0...1_000_000_000, default: 0)
    }
}

/// Publishes an assignment, or makes it a draft again.
struct PublishAssignment: Command {
    static let contract = Contract(
        "coursework.publish", "/api/v1/assignments/{assignmentId}/publish", access: .member(.teachCourses),
        summary: """
            Publishes an assignment to its students, from its opening time on, or hides it again while no one has handed in \
            work.
            """)
    typealias Result = Assignment

    let assignmentId: UUID
    let isPublished: Bool

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        isPublished = fields.flag("isPublished")
    }
}

/// Copies an assignment.
struct CopyAssignment: Command {
    static let contract = Contract(
        "coursework.copy", "/api/v1/assignments/{assignmentId}/copy", access: .member(.teachCourses),
        isCreation: true, summary: "Copies an assignment to a course, as a draft for the whole course.")
    typealias Result = Assignment

    let assignmentId: UUID
    let courseId: UUID

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        courseId = fields.id("courseId")
    }
}

/// Gives one student more time.
struct ExtendAssignment: Command {
    static let contract = Contract(
        "coursework.extend", "/api/v1/assignments/{assignmentId}/extensions", access: .member(.teachCourses),
        summary: "Gives a student a later due time for an assignment; without a day, takes it back.")
    typealias Result = WorkTimes

    let assignmentId: UUID
    let studentId: UUID
    let dueDay: Day?
    let dueTime: ClockTime

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        studentId = fields.id("studentId")
        dueDay = fields.optionalDay("dueDay")
        dueTime = fields.optionalClockTime("dueTime") ?? .lastMinute
    }
}

/// Deletes an assignment.
struct DeleteAssignment: Command {
    static let contract = Contract(
        "coursework.delete", "/api/v1/assignments/{assignmentId}/delete", access: .member(.teachCourses),
        summary: "Deletes an assignment with all work that was handed in for it and all scores.")
    typealias Result = Done

    let assignmentId: UUID

    init(_ fields: inout FieldReader) { assignmentId = fields.id("assignmentId") }
}

/// Lists the assignments of a course.
struct ListAssignments: Query {
    static let contract = Contract(
        "coursework.list", "/api/v1/courses/{courseId}/assignments", access: .member(.viewCourses),
        summary: """
            The assignments of a course by due time, without their instructions: for its teachers all, for students and \
            parents those that the student sees.
            """)
    typealias Result = Page<Assignment>

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Reads an assignment.
struct ReadAssignment: Query {
    static let contract = Contract(
        "coursework.read", "/api/v1/assignments/{assignmentId}", access: .member(.viewCourses),
        summary: "An assignment, for the teachers of its course, its students and their parents.")
    typealias Result = Assignment

    let assignmentId: UUID

    init(_ fields: inout FieldReader) { assignmentId = fields.id("assignmentId") }
}

/// The commands and queries of assignments.
struct AssignmentHandlers: Sendable {
    /// The most assignments of a course.
    static let limit = 1000

    let access: CourseworkAccess
    let changes: CourseworkChanges
    let files: AssignmentFiles

    var queries: [QueryRegistration] {
        [
            .handle(ListAssignments.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let course = try access.courses.course(query.courseId, enteredBy: membership, in: sql)
                    if course.isLed(by: membership) {
                        return Page(
                            items: try AssignmentRepository.assignments(of: [course.id], in: sql), next: nil)
                    }
                    var seen: Set<UUID> = []
                    let all = try access.families.learners(of: membership, in: sql).flatMap { learner in
                        try access.roster.courseIds(ofStudent: learner, in: sql).contains(course.id)
                            ? AssignmentRepository.assignments(of: [course.id], seenBy: learner, at: now, in: sql)
                            : []
                    }
                    return Page(items: all.filter { seen.insert($0.id).inserted }, next: nil)
                }
            },
            .handle(ReadAssignment.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read {
                    try access.seen(query.assignmentId, membership, at: now, in: $0).assignment
                }
            },
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(AddAssignment.self) { command, context in
                let course = try access.courses.course(
                    command.courseId, ledBy: context.membership, in: context.sql)
                var one = Assignment(
                    id: context.newId(), courseId: course.id, title: command.draft.title, createdAt: context.now)
                try context.checkNear(command.draft.dueDay, "dueDay", years: 2)
                try command.draft.apply(to: &one, in: context.membership.timeZone)
                try add(one, students: command.draft.students, &context)
                context.feedback = Feedback(.toast, context.words("coursework.said.added", one.title))
                context.destination = AssignmentScreens.path(one.id)
                return one
            },
            .handle(EditAssignment.self, edit),
            .handle(PublishAssignment.self, publish),
            .handle(CopyAssignment.self) { command, context in
                let (source, _) = try access.led(command.assignmentId, context.membership, in: context.sql)
                let course = try access.courses.course(
                    command.courseId, ledBy: context.membership, in: context.sql)
                let one = Assignment(
                    id: context.newId(), courseId: course.id, title: source.title,
                    instructions: source.instructions,
                    points: source.points, category: source.category, dueDay: source.dueDay, dueAt: source.dueAt,
                    opensAt: source.opensAt, lateWork: source.lateWork, lateUntil: source.lateUntil,
                    latePenalty: source.latePenalty, kinds: source.kinds, fileKinds: source.fileKinds,
                    attempts: source.attempts,
                    createdAt: context.now)
                try add(one, students: [], &context)
                try files.copy(from: source.id, to: one.id, &context)
                let rubric = try RubricRepository.rubric(of: source.id, in: context.sql)
                for (place, criterion) in rubric.criteria.enumerated() {
                    let copy = RubricCriterion(
                        id: context.newId(), title: criterion.title, levels: criterion.levels)
                    try RubricRepository.put(copy, at: place, of: one.id, in: context.sql)
                }
                context.feedback = Feedback(.toast, context.words("coursework.said.copied", course.name))
                context.destination = AssignmentScreens.path(one.id)
                return one
            },
            .handle(ExtendAssignment.self, extend),
            .handle(DeleteAssignment.self) { command, context in
                let (one, course) = try access.led(command.assignmentId, context.membership, in: context.sql)
                let change = try changes.forAll("coursework.deleted", one, in: context.sql)
                let marked = try MarkRepository.marks(of: one.id, in: context.sql).values.filter {
                    $0.returnedAt != nil
                }
                for mark in marked {
                    context.record(
                        try changes.forFamily("coursework.scoreChanged", one, mark.studentId, in: context.sql))
                }
                try AssignmentRepository.delete(one.id, in: context.sql)
                context.record(
                    one.publishedAt == nil ? changes.forLeaders("coursework.deleted", one) : change)
                context.feedback = Feedback(.toast, context.words("coursework.said.deleted", one.title))
                context.destination = AssignmentScreens.list(of: course.id)
                return Done()
            },
        ]
    }

    private func add(_ one: Assignment, students: [UUID], _ context: inout CommandContext) throws {
        guard try AssignmentRepository.assignments(of: [one.courseId], in: context.sql).count < Self.limit else {
            throw Problem(409, "coursework.tooMany", [.number(Self.limit)])
        }
        try AssignmentRepository.insert(one, in: context.sql)
        try choose(students, for: one, context)
        context.record(changes.forLeaders("coursework.added", one))
    }

    /// Stores the chosen students of an assignment, who must be in its course.
    private func choose(_ students: [UUID], for one: Assignment, _ context: CommandContext) throws {
        let inCourse = Set(try access.roster.students(of: one.courseId, in: context.sql))
        guard students.allSatisfy(inCourse.contains) else {
            throw Problem.invalid("students", "coursework.students")
        }
        try AssignmentRepository.setAssignees(students, of: one.id, in: context.sql)
    }

    @Sendable
    private func edit(_ command: EditAssignment, _ context: inout CommandContext) throws -> Assignment {
        let (before, _) = try access.led(command.assignmentId, context.membership, in: context.sql)
        guard before.version == command.version else { throw Problem(409, "coursework.changed") }
        var one = before
        if before.dueDay != command.draft.dueDay { try context.checkNear(command.draft.dueDay, "dueDay", years: 2) }
        try command.draft.apply(to: &one, in: context.membership.timeZone)
        let scores = try MarkRepository.marks(of: one.id, in: context.sql).values.filter { $0.points != nil }
        try checkMaximum(one, before, scores.compactMap(\.points), isConfirmed: command.changesScores)
        one.version += 1
        try AssignmentRepository.update(one, in: context.sql)
        try choose(command.draft.students, for: one, context)
        context.record(
            one.publishedAt == nil
                ? changes.forLeaders("coursework.changed", one)
                : try changes.forAll("coursework.changed", one, in: context.sql))
        // The new maximum, penalty or due time may change the grades of those whose work was returned.
        for mark in scores where mark.returnedAt != nil {
            context.record(try changes.forFamily("coursework.scoreChanged", one, mark.studentId, in: context.sql))
        }
        try announceIfOpen(one, &context)
        context.feedback = Feedback(.toast, context.words("coursework.said.saved"))
        context.destination = AssignmentScreens.path(one.id)
        return one
    }

    /// Throws a fault if a new maximum is below a score, or changes the weight of scores and is not confirmed.
    private func checkMaximum(
        _ one: Assignment, _ before: Assignment, _ scores: [Hundredths], isConfirmed: Bool
    ) throws {
        guard one.points != before.points, let highest = scores.max() else { return }
        if let maximum = one.maximum, highest > maximum {
            throw Problem.invalid("points", "coursework.pointsBelow", [.text("\(highest)")])
        }
        guard !isConfirmed else { return }
        func percent(_ maximum: Hundredths?) -> String {
            maximum.map { "\(highest.count * 100 / max(1, $0.count))" } ?? "–"
        }
        throw Problem.invalid(
            "points", "coursework.pointsScored",
            [
                .number(scores.count), .text("\(highest)"), .text(percent(before.maximum)),
                .text(percent(one.maximum)),
            ])
    }

    @Sendable
    private func publish(_ command: PublishAssignment, _ context: inout CommandContext) throws -> Assignment {
        var (one, _) = try access.led(command.assignmentId, context.membership, in: context.sql)
        guard (one.publishedAt != nil) != command.isPublished else { return one }
        if !command.isPublished, try SubmissionRepository.hasAny(of: one.id, in: context.sql) {
            throw Problem(409, "coursework.hasWork")
        }
        one.publishedAt = command.isPublished ? context.now : nil
        try AssignmentRepository.update(one, in: context.sql)
        if command.isPublished {
            if !one.isVisible(at: context.now) { context.record(changes.forLeaders("coursework.scheduled", one)) }
            try announceIfOpen(one, &context)
        } else {
            context.record(try changes.forAll("coursework.hidden", one, in: context.sql))
            try AssignmentRepository.setAnnounced(one.id, at: nil, in: context.sql)
        }
        let isScheduled = command.isPublished && !one.isVisible(at: context.now)
        context.feedback = Feedback(
            .toast,
            context.words(
                isScheduled
                    ? "coursework.said.scheduled"
                    : command.isPublished ? "coursework.said.published" : "coursework.said.hidden", one.title))
        return one
    }

    /// Notifies the students of an assignment once, when they can see it.
    private func announceIfOpen(_ one: Assignment, _ context: inout CommandContext) throws {
        guard one.isVisible(at: context.now), try !AssignmentRepository.isAnnounced(one.id, in: context.sql) else {
            return
        }
        try AssignmentRepository.setAnnounced(one.id, at: context.now, in: context.sql)
        context.record(try changes.forAll("coursework.published", one, in: context.sql))
    }

    @Sendable
    private func extend(_ command: ExtendAssignment, _ context: inout CommandContext) throws -> WorkTimes {
        let (one, _) = try access.led(command.assignmentId, context.membership, in: context.sql)
        guard try access.isFor(command.studentId, one, in: context.sql) else { throw Problem.notFound }
        guard let dueAt = one.dueAt else { throw Problem(409, "coursework.noDueTime") }
        try context.checkNear(command.dueDay, "dueDay", years: 2)
        let zone = try context.membership.timeZone
        let extended = command.dueDay.map { command.dueTime.instant(on: $0, in: zone) }
        if let extended, extended <= dueAt { throw Problem.invalid("dueDay", "coursework.extensionEarly") }
        try AssignmentRepository.extend(one.id, of: command.studentId, to: extended, in: context.sql)
        context.record(changes.forLeaders("coursework.extended", one, command.studentId))
        if one.publishedAt != nil {
            context.record(
                try changes.forFamily("coursework.timeChanged", one, command.studentId, in: context.sql))
        }
        context.feedback = Feedback(
            .toast, context.words(extended == nil ? "coursework.said.extensionRemoved" : "coursework.said.extended")
        )
        return WorkTimes(of: one, extendedTo: extended)
    }

    /// Publishes scheduled assignments when they open.
    var job: Job {
        .school("coursework.open", every: 60) { context in
            let now = context.now
            let isNeeded = try await context.database.read {
                try !AssignmentRepository.unannounced(at: now, in: $0).isEmpty
            }
            guard isNeeded else { return }
            try await context.commit(recording: { (changes: [Change]) in changes }) { try open(at: now, in: $0) }
        }
    }

    /// Notes which assignments have opened, and returns the change for each that notifies its students.
    func open(at now: Date, in sql: any SQLWriting) throws -> [Change] {
        try AssignmentRepository.unannounced(at: now, in: sql).map { one in
            try AssignmentRepository.setAnnounced(one.id, at: now, in: sql)
            return try changes.forAll("coursework.published", one, in: sql)
        }
    }
}
