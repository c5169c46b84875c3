import ClassroomInterface
import Domain
import FeatureKit
import Foundation

struct ListWork: Query {
    static let contract = Contract(
        "work.list", "/api/v1/students/{studentId}/work", access: .member(.viewClassrooms),
        seen: Seen("student.seen", "studentId"),
        summary: "A child's lessons and tasks: what is open, and of each kind the latest hundred completed.")
    typealias Result = Page<StudentWork>

    let studentId: UUID

    init(_ fields: inout FieldReader) { studentId = fields.id("studentId") }
}

struct CreateWork: Command {
    static let contract = Contract(
        "work.create", "/api/v1/students/{studentId}/work", access: .member(.keepRecords), isCreation: true,
        isOfflineCapable: true, summary: "Plans a lesson or a task for a child.")
    typealias Result = StudentWork

    let studentId: UUID
    let kind: StudentWork.Kind
    let draft: WorkDraft

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        kind = fields.choice("kind")
        draft = WorkDraft(&fields)
    }
}

struct UpdateWork: Command {
    static let contract = Contract(
        "work.update", "/api/v1/work/{workId}", access: .member(.keepRecords),
        summary:
            "Changes a lesson or a task. Refused with 409 if a version is given and someone has changed it since.")
    typealias Result = StudentWork

    let workId: UUID
    let draft: WorkDraft
    /// The `StudentWork.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        workId = fields.id("workId")
        draft = WorkDraft(&fields)
        version = fields.contentVersion()
    }
}

struct CompleteWork: Command {
    static let contract = Contract(
        "work.complete", "/api/v1/work/{workId}/complete", access: .member(.keepRecords), isOfflineCapable: true,
        summary: "Completes a lesson or a task, or opens it again where `wish` is `open`.")
    typealias Result = StudentWork

    let workId: UUID
    let completion: Completion

    init(_ fields: inout FieldReader) {
        workId = fields.id("workId")
        completion = fields.optionalChoice("wish", of: Completion.self) ?? .done
    }
}

struct DeleteWork: Command {
    static let contract = Contract(
        "work.delete", "/api/v1/work/{workId}/delete", access: .member(.keepRecords),
        summary: "Deletes a lesson or a task.")
    typealias Result = Done

    let workId: UUID

    init(_ fields: inout FieldReader) { workId = fields.id("workId") }
}

/// The input for creating or changing a lesson or a task.
struct WorkDraft: Sendable, Hashable {
    var title: String
    var details: String?
    var scheduledFor: Day?
}

extension StudentWork {
    /// The version of the fields that the form of a lesson or task edits.
    var version: ContentVersion { ContentVersion([title, details, scheduledFor?.description]) }
}

extension WorkDraft {
    init(_ fields: inout FieldReader) {
        self.init(
            title: fields.text("title", max: StudentWork.titleLength),
            details: fields.optionalText("details", max: StudentWork.detailsLength, multiline: true),
            scheduledFor: fields.optionalDay("scheduledFor"))
    }

    /// Creates the input from a note. The first line is the title, and the rest becomes the details.
    init(note: String) {
        let text = note.trimmingCharacters(in: .whitespacesAndNewlines)
        let lines = text.split(separator: "\n", maxSplits: 1).map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let first = lines.first ?? ""
        let title = first.excerpt(StudentWork.titleLength)
        // The details repeat a first line that is too long for the title.
        let details = title == first ? (lines.count > 1 ? lines[1] : nil) : text
        self.init(title: title, details: details)
    }
}

/// Creates, schedules, completes and reopens lessons and tasks (`LessonService` and `TaskService` of the ledger).
enum WorkService {
    static func create(
        _ kind: StudentWork.Kind, _ draft: WorkDraft, of studentId: UUID, in context: inout CommandContext
    ) throws -> StudentWork {
        try context.require(.keepRecords)
        let membership = try context.membership
        try StudentAccess.check(studentId, membership, in: context.sql)
        try context.checkNear(draft.scheduledFor, "scheduledFor")
        let work = StudentWork(
            id: context.newId(), kind: kind, studentId: studentId, title: draft.title, details: draft.details,
            scheduledFor: draft.scheduledFor, createdAt: context.now, createdByGuideId: membership.personId)
        try WorkRepository.insert(work, in: context.sql)
        try recordChange("created", work, in: &context)
        return work
    }

    static func update(_ command: UpdateWork, in context: inout CommandContext) throws -> StudentWork {
        var work = try work(command.workId, in: &context)
        let draft = command.draft
        try work.version.check(command.version, "work.changed")
        // An old day that did not change must not prevent other corrections.
        if draft.scheduledFor != work.scheduledFor { try context.checkNear(draft.scheduledFor, "scheduledFor") }
        work.title = draft.title
        work.details = draft.details
        work.scheduledFor = draft.scheduledFor
        try WorkRepository.update(work, in: context.sql)
        try recordChange("updated", work, in: &context)
        return work
    }

    /// Completes or reopens a lesson or task, with the person and the time. Repeating the call changes nothing.
    static func complete(_ id: UUID, isDone: Bool, in context: inout CommandContext) throws -> StudentWork {
        var work = try work(id, in: &context)
        guard (work.completedAt != nil) != isDone else { return work }
        work.completedAt = isDone ? context.now : nil
        work.completedByGuideId = isDone ? try context.membership.personId : nil
        try WorkRepository.update(work, in: context.sql)
        try recordChange(isDone ? "completed" : "reopened", work, in: &context)
        return work
    }

    static func delete(_ id: UUID, in context: inout CommandContext) throws {
        let work = try work(id, in: &context)
        try WorkRepository.delete(id, in: context.sql)
        try recordChange("deleted", work, in: &context)
    }

    private static func work(_ id: UUID, in context: inout CommandContext) throws -> StudentWork {
        try context.require(.keepRecords)
        guard let work = try WorkRepository.work(id, in: context.sql) else { throw Problem.notFound }
        try StudentAccess.check(work.studentId, context.membership, in: context.sql)
        return work
    }

    private static func recordChange(_ what: String, _ work: StudentWork, in context: inout CommandContext) throws {
        try StudentAccess.record(
            "\(work.kind.rawValue).\(what)", of: work.studentId, ["work": work.id.text], in: &context)
    }

    static let commands: [CommandRegistration] = [
        .handle(CreateWork.self) { command, context in
            let work = try create(command.kind, command.draft, of: command.studentId, in: &context)
            context.feedback = Feedback(.burst, context.words("work.\(work.kind.rawValue).saved"))
            return work
        },
        .handle(UpdateWork.self) { command, context in
            let work = try update(command, in: &context)
            context.feedback = Feedback(.toast, context.words("work.\(work.kind.rawValue).saved"))
            return work
        },
        .handle(CompleteWork.self) { command, context in
            try complete(command.workId, isDone: command.completion == .done, in: &context)
        },
        .handle(DeleteWork.self) { command, context in
            try delete(command.workId, in: &context)
            context.feedback = Feedback(.toast, context.words("work.deleted"))
            return Done()
        },
    ]

    static let queries: [QueryRegistration] = [
        .handle(ListWork.self) { query, context in
            let membership = try context.membership
            return try await context.school.read { sql in
                try StudentAccess.check(query.studentId, membership, in: sql)
                var all: [StudentWork] = []
                for kind in StudentWork.Kind.allCases {
                    all += try WorkRepository.open(of: query.studentId, kind, limit: 1000, in: sql)
                }
                for kind in StudentWork.Kind.allCases {
                    all += try WorkRepository.completed(of: query.studentId, kind, limit: 100, in: sql)
                }
                return Page(items: all, next: nil)
            }
        }
    ]
}
