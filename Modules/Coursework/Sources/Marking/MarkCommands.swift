import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// The fields with which a teacher marks a student's work.
struct MarkDraft: Sendable {
    let assignmentId: UUID
    let studentId: UUID
    /// The points before deductions; `nil` for none.
    let points: Hundredths?
    let comment: String?
    /// The submission that the points are for; `nil` for the one that counts.
    let submissionId: UUID?
    /// The levels that were chosen in the rubric; criteria without one keep theirs.
    let levels: [RubricChoice]
    /// The version of the score that the caller saw; 0 without one.
    let version: Int

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        studentId = fields.id("studentId")
        points = fields.optionalPoints("points", code: "coursework.score", in: 0...10_000)
        comment = fields.optionalText("comment", max: 5000, multiline: true)
        submissionId = fields.optionalId("submissionId")
        levels = RubricChoice.all(&fields)
        version = fields.integer("version", in: 0...1_000_000_000, default: 0)
    }
}

/// Marks a student's work; the score stays hidden until the work is returned.
struct MarkWork: Command {
    static let contract = Contract(
        "coursework.mark", "/api/v1/assignments/{assignmentId}/marks/{studentId}", access: .member(.teachCourses),
        summary: """
            Sets the score and comment of a student's work. Hidden from the student until the work is returned. Refused if \
            someone changed the score meanwhile. A field `level1` is the id of a criterion and the place of its level, from \
            0; without points the score is the sum of the levels.
            """)
    typealias Result = MarkedWork

    let draft: MarkDraft

    init(_ fields: inout FieldReader) { draft = MarkDraft(&fields) }
}

/// Marks a student's work and returns it.
struct MarkAndReturnWork: Command {
    static let contract = Contract(
        "coursework.markAndReturn", "/api/v1/assignments/{assignmentId}/marks/{studentId}/return",
        access: .member(.teachCourses),
        summary: """
            Sets the score and comment of a student's work and returns it to the student. Refused if someone changed the \
            score meanwhile.
            """)
    typealias Result = MarkedWork

    let draft: MarkDraft

    init(_ fields: inout FieldReader) { draft = MarkDraft(&fields) }
}

/// Returns all marked work.
struct ReturnWork: Command {
    static let contract = Contract(
        "coursework.return", "/api/v1/assignments/{assignmentId}/return", access: .member(.teachCourses),
        summary: "Returns all marked work of an assignment to its students, with scores and comments.")
    typealias Result = ReturnedWork

    let assignmentId: UUID

    init(_ fields: inout FieldReader) { assignmentId = fields.id("assignmentId") }
}

/// A student's score, for teachers.
struct MarkedWork: Codable, Sendable, Hashable {
    let studentId: UUID
    let submissionId: UUID?
    /// The points before deductions, as text.
    let points: String?
    /// The points after deductions, as text.
    let score: String?
    let comment: String?
    let isReturned: Bool
    let version: Int
}

/// The students whose work a command returned.
struct ReturnedWork: Codable, Sendable, Hashable {
    let studentIds: [UUID]
}

/// The commands of marking.
struct MarkHandlers: Sendable {
    let access: CourseworkAccess
    let changes: CourseworkChanges

    var commands: [CommandRegistration] {
        [
            .handle(MarkWork.self) { try mark($0.draft, returns: false, &$1) },
            .handle(MarkAndReturnWork.self) { try mark($0.draft, returns: true, &$1) },
            .handle(ReturnWork.self) { command, context in
                let (one, _) = try access.led(command.assignmentId, context.membership, in: context.sql)
                let marks = try MarkRepository.marks(of: one.id, in: context.sql).values
                    .filter { $0.returnedAt == nil }.sorted { $0.studentId < $1.studentId }
                for var mark in marks {
                    mark.returnedAt = context.now
                    mark.version += 1
                    try MarkRepository.put(mark, in: context.sql)
                    try record(mark, one, isNew: true, &context)
                }
                context.feedback = Feedback(.toast, context.words("coursework.said.returned", marks.count))
                return ReturnedWork(studentIds: marks.map(\.studentId))
            },
        ]
    }

    private func mark(
        _ draft: MarkDraft, returns: Bool, _ context: inout CommandContext
    ) throws -> MarkedWork {
        let (one, _) = try access.led(draft.assignmentId, context.membership, in: context.sql)
        let before = try MarkRepository.mark(of: one.id, for: draft.studentId, in: context.sql)
        let handedIn = try SubmissionRepository.submissions(of: one.id, by: draft.studentId, in: context.sql)
        // The work of students who left the course can still be marked.
        guard try access.isFor(draft.studentId, one, in: context.sql) || !handedIn.isEmpty || before != nil else {
            throw Problem.notFound
        }
        guard before?.version ?? 0 == draft.version else {
            throw Problem(409, "coursework.markChanged", try theirs(before, context))
        }
        guard draft.points == nil || one.maximum != nil else {
            throw Problem.invalid("points", "coursework.ungraded")
        }
        let byRubric = try RubricHandlers.choose(
            draft.levels, of: one.id, for: draft.studentId, isComplete: returns && draft.points == nil,
            in: context.sql)
        // Points that the teacher enters take the place of those of the rubric.
        let points = draft.points ?? (one.maximum == nil ? nil : byRubric)
        if let points, let maximum = one.maximum, points > maximum {
            throw Problem.invalid("points", "coursework.aboveMaximum", [.text("\(maximum)")])
        }
        let extended = try AssignmentRepository.extensions(of: one.id, in: context.sql)[draft.studentId]
        let times = WorkTimes(of: one, extendedTo: extended)
        let submission =
            try draft.submissionId.map { id in
                guard let found = handedIn.first(where: { $0.id == id }) else { throw Problem.notFound }
                return found
            } ?? handedIn.counted(by: times)
        let mark = WorkMark(
            assignmentId: one.id, studentId: draft.studentId, submissionId: submission?.id, points: points,
            comment: draft.comment, returnedAt: before?.returnedAt ?? (returns ? context.now : nil),
            markedBy: try context.membership.personId, markedAt: context.now, version: draft.version + 1)
        try MarkRepository.put(mark, in: context.sql)
        try record(mark, one, isNew: before?.returnedAt == nil, &context)
        context.feedback = Feedback(
            .toast, context.words(returns ? "coursework.said.returned" : "coursework.said.marked", 1))
        return MarkedWork(
            studentId: mark.studentId, submissionId: mark.submissionId, points: mark.points.map { "\($0)" },
            score: mark.points.map {
                "\($0.remaining(percent: submission.map { times.remainingPercent(at: $0.handedInAt) } ?? 100))"
            }, comment: mark.comment, isReturned: mark.returnedAt != nil, version: mark.version)
    }

    /// The stored points and the person who entered them, for the problem that the later teacher sees.
    private func theirs(_ mark: WorkMark?, _ context: CommandContext) throws -> [Fault.Argument] {
        let membership = try context.membership
        let person = try mark.flatMap {
            try access.people.people([$0.markedBy], of: membership.organization.id, in: context.sql)[$0.markedBy]
        }
        return [
            .text(person?.name.display ?? context.words("coursework.someone")),
            .text(mark?.points.map { $0.shown(context.words) } ?? "–"),
        ]
    }

    /// Records a new score for the teachers, and for the family once the work is returned.
    private func record(
        _ mark: WorkMark, _ one: Assignment, isNew: Bool, _ context: inout CommandContext
    ) throws {
        context.record(changes.forLeaders("coursework.marked", one, mark.studentId))
        guard mark.returnedAt != nil, one.publishedAt != nil else { return }
        context.record(
            try changes.forFamily(
                isNew ? "coursework.returned" : "coursework.scoreChanged", one, mark.studentId, in: context.sql))
    }
}
