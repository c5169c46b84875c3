import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// Drafts a summary of a child's record.
struct DraftSummary: Command {
    static let contract = Contract(
        "insights.draftSummary", "/api/v1/students/{studentId}/summaries", access: .member(.shareWithFamilies),
        replay: .natural,
        summary: "Drafts a summary of a child's record for the family. An existing draft is left unchanged.")
    typealias Result = FamilyText

    let studentId: UUID
    let span: Span
    let language: Language?

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        span = fields.optionalChoice("span", of: Span.self) ?? .week
        language = fields.optionalChoice("language", of: Language.self)
    }
}

/// Drafts a text about an observation.
struct DraftObservation: Command {
    static let contract = Contract(
        "insights.draftObservation", "/api/v1/students/{studentId}/observations/{observationId}/texts",
        access: .member(.shareWithFamilies), replay: .natural,
        summary: "Drafts a text about an observation for the family. An existing draft is left unchanged.")
    typealias Result = FamilyText

    let studentId: UUID
    let observationId: UUID
    let language: Language?

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        observationId = fields.id("observationId")
        language = fields.optionalChoice("language", of: Language.self)
    }
}

/// An edited text, and the version that was edited.
struct TextEdit: Sendable {
    let textId: UUID
    let text: String
    let version: Int

    init(_ fields: inout FieldReader) {
        textId = fields.id("textId")
        // Browsers end the lines of a form field with two characters.
        text = fields.text("text", max: FamilyText.maxLength, multiline: true)
            .replacingOccurrences(of: "\r\n", with: "\n")
        version = fields.integer("version", in: 1...1_000_000, default: 1)
    }
}

/// Stores an edited text.
struct SaveText: Command {
    static let contract = Contract(
        "insights.save", "/api/v1/texts/{textId}", access: .member(.shareWithFamilies), replay: .natural,
        summary: "Stores an edited text for a family. What was shared before does not change.")
    typealias Result = FamilyText

    let edit: TextEdit

    init(_ fields: inout FieldReader) { edit = TextEdit(&fields) }
}

/// Approves a text.
struct ApproveText: Command {
    static let contract = Contract(
        "insights.approve", "/api/v1/texts/{textId}/approve", access: .member(.shareWithFamilies), replay: .natural,
        summary: "Approves the given wording of a text. The family does not see it yet.")
    typealias Result = FamilyText

    let edit: TextEdit

    init(_ fields: inout FieldReader) { edit = TextEdit(&fields) }
}

/// Shares an approved text.
struct ShareText: Command {
    static let contract = Contract(
        "insights.share", "/api/v1/texts/{textId}/share", access: .member(.shareWithFamilies), replay: .natural,
        summary: "Shares the approved version of a text with the child's parents, in place of an earlier one.")
    typealias Result = SharedItem

    let textId: UUID
    let version: Int
    /// Whether the observation's photos are shared too.
    let withPhotos: Bool

    init(_ fields: inout FieldReader) {
        textId = fields.id("textId")
        version = fields.integer("version", in: 1...1_000_000, default: 1)
        withPhotos = fields.flag("withPhotos")
    }
}

/// Approves and shares a text.
struct ReleaseText: Command {
    static let contract = Contract(
        "insights.release", "/api/v1/texts/{textId}/release", access: .member(.shareWithFamilies), replay: .natural,
        summary: "Approves the given wording of a text and shares it with the child's parents.")
    typealias Result = SharedItem

    let edit: TextEdit

    init(_ fields: inout FieldReader) { edit = TextEdit(&fields) }
}

/// Withdraws a shared item.
struct TakeBackItem: Command {
    static let contract = Contract(
        "insights.takeBack", "/api/v1/shared/{itemId}/take-back", access: .member(.shareWithFamilies),
        replay: .natural,
        summary: "Withdraws a shared item from the child's parents, on open pages too.")
    typealias Result = Done

    let itemId: UUID

    init(_ fields: inout FieldReader) { itemId = fields.id("itemId") }
}

/// Drafts, edits, approves and shares texts for families (PT-2.10, BY-1.09).
struct SharingService: Sendable {
    let students: any StudentService
    let history: any ChildHistory
    let families: any FamilyLinks
    let reader: ChildReader
    let ai: AIService

    var commands: [CommandRegistration] {
        [
            .handle(DraftSummary.self) { command, context in
                try await prepare(command, context)
            } run: { command, outcome, context in
                let membership = try context.membership
                let student = try students.student(command.studentId, visibleTo: membership, in: context.sql)
                let language = command.language ?? context.words.language
                let first = command.span.first(until: context.today)
                if let key = outcome.notice { context.feedback = Feedback(.toast, context.words(key)) }
                if case .written(let text, let cost) = outcome {
                    try ModelRepository.add(cost, to: ConfigService.month(context.today), in: context.sql)
                    return try draft(.summary, of: student, first, context.today, language, text, &context)
                }
                let writer = try reader.writer(
                    for: student, from: first, through: context.today, language, timeZone: membership.timeZone,
                    in: context.sql)
                return try draft(
                    .summary, of: student, first, context.today, language, writer.summary().text, &context)
            },
            .handle(DraftObservation.self) { command, context in
                let membership = try context.membership
                let student = try students.student(command.studentId, visibleTo: membership, in: context.sql)
                let found = try history.observation(
                    command.observationId, timeZone: membership.timeZone, in: context.sql)
                guard let found, found.studentId == student.id else { throw Problem.notFound }
                return try draft(
                    .observation, of: student, found.day, found.day, command.language ?? context.words.language,
                    String(found.content.prefix(FamilyText.maxLength)), observation: found.id, &context)
            },
            .handle(SaveText.self) { command, context in
                let text = try save(command.edit, in: &context)
                context.feedback = Feedback(.toast, context.words("insights.saved"))
                return text
            },
            .handle(ApproveText.self) { command, context in
                let text = try approve(command.edit, in: &context)
                context.feedback = Feedback(.toast, context.words("insights.approved"))
                return text
            },
            .handle(ShareText.self) { command, context in
                let text = try text(command.textId, in: context)
                guard text.version == command.version, text.isApproved else {
                    throw Problem(409, "insights.notApproved")
                }
                return try share(text, withPhotos: command.withPhotos, in: &context)
            },
            .handle(ReleaseText.self) { command, context in
                try share(approve(command.edit, in: &context), withPhotos: false, in: &context)
            },
            .handle(TakeBackItem.self) { command, context in
                guard let studentId = try SharedItemRepository.studentId(ofItem: command.itemId, in: context.sql)
                else { throw Problem.notFound }
                let membership = try context.membership
                _ = try students.student(studentId, visibleTo: membership, in: context.sql)
                guard try SharedItemRepository.item(command.itemId, in: context.sql) != nil else { return Done() }
                try SharedItemRepository.takeBack(
                    command.itemId, by: membership.personId, at: context.now, in: context.sql)
                try notifyFamily("insights.takenBack", of: studentId, ["item": command.itemId.text], in: &context)
                context.feedback = Feedback(.toast, context.words("insights.tookBack"))
                return Done()
            },
        ]
    }

    // MARK: - Steps

    /// Asks the model if the school has one, there is no draft yet and the record has content.
    private func prepare(_ command: DraftSummary, _ context: RequestContext) async throws -> AIService.Outcome {
        let membership = try context.membership
        let (today, language) = (context.today, command.language ?? context.words.language)
        let first = command.span.first(until: today)
        let writer: ChildWriter? = try await context.school.read { sql in
            let student = try students.student(command.studentId, visibleTo: membership, in: sql)
            let known = try FamilyTextRepository.text(
                like: FamilyText(
                    id: student.id, studentId: student.id, kind: .summary, language: language, firstDay: first,
                    lastDay: today, observationId: nil, text: "", version: 1, approvedVersion: nil,
                    updatedAt: context.now), in: sql)
            guard known == nil else { return nil }
            return try reader.writer(
                for: student, from: first, through: today, language, timeZone: membership.timeZone, in: sql)
        }
        guard let writer, writer.summary().hasContent else { return .notConnected }
        return try await ai.summary(writer, language, context)
    }

    /// Stores a draft unless there is one, and returns the stored text.
    private func draft(
        _ kind: FamilyText.Kind, of student: Student, _ first: Day, _ last: Day, _ language: Language,
        _ words: String, observation: UUID? = nil, _ context: inout CommandContext
    ) throws -> FamilyText {
        let draft = FamilyText(
            id: context.newId(), studentId: student.id, kind: kind, language: language, firstDay: first,
            lastDay: last, observationId: observation, text: words, version: 1, approvedVersion: nil,
            updatedAt: context.now)
        let isNew = try FamilyTextRepository.insert(draft, by: context.membership.personId, in: context.sql)
        let text = try isNew ? draft : FamilyTextRepository.text(like: draft, in: context.sql) ?? draft
        if isNew { try notifyStaff("insights.drafted", of: student.id, ["kind": kind.rawValue], in: &context) }
        context.destination = text.path
        return text
    }

    /// Returns a text about a child whom the caller sees.
    func text(_ id: UUID, in context: CommandContext) throws -> FamilyText {
        guard let text = try FamilyTextRepository.text(id, in: context.sql) else { throw Problem.notFound }
        _ = try students.student(text.studentId, visibleTo: context.membership, in: context.sql)
        return text
    }

    private func save(_ edit: TextEdit, in context: inout CommandContext) throws -> FamilyText {
        let text = try text(edit.textId, in: context)
        guard text.text != edit.text else { return text }
        guard text.version == edit.version else { throw Problem(409, "insights.changed") }
        try FamilyTextRepository.save(
            edit.text, version: text.version + 1, of: text.id, by: context.membership.personId, at: context.now,
            in: context.sql)
        try notifyStaff("insights.edited", of: text.studentId, ["text": text.id.text], in: &context)
        return try self.text(text.id, in: context)
    }

    private func approve(_ edit: TextEdit, in context: inout CommandContext) throws -> FamilyText {
        let text = try save(edit, in: &context)
        guard !text.isApproved else { return text }
        try FamilyTextRepository.approve(
            text.id, version: text.version, by: context.membership.personId, at: context.now, in: context.sql)
        try notifyStaff("insights.approved", of: text.studentId, ["text": text.id.text], in: &context)
        return try self.text(text.id, in: context)
    }

    /// Shares a copy of the text in place of an earlier one.
    private func share(
        _ text: FamilyText, withPhotos: Bool, in context: inout CommandContext
    ) throws -> SharedItem {
        let personId = try context.membership.personId
        let photos =
            try withPhotos
            ? text.observationId.map { try history.photos(ofObservation: $0, in: context.sql).map(\.photo) } ?? []
            : []
        context.feedback = Feedback(.burst, context.words("insights.shared"))
        if let before = try SharedItemRepository.shared([text.id], in: context.sql)[text.id] {
            // Sharing the same version again keeps the first item.
            if before.version == text.version, before.photos.map(\.hash) == photos.map(\.hash) { return before }
            try SharedItemRepository.takeBack(before.id, by: personId, at: context.now, in: context.sql)
        }
        let item = SharedItem(
            id: context.newId(), studentId: text.studentId, kind: text.kind, language: text.language,
            firstDay: text.firstDay, lastDay: text.lastDay, text: text.text, textId: text.id, version: text.version,
            sharedAt: context.now,
            photos: photos)
        try SharedItemRepository.insert(item, by: personId, in: context.sql)
        try notifyFamily(
            "insights.shared", of: text.studentId, ["item": item.id.text, "kind": text.kind.rawValue], in: &context)
        return item
    }

    // MARK: - Notifications

    /// Notifies the staff who see the child, and its parents. The change log never contains the text.
    private func notifyFamily(
        _ kind: String, of studentId: UUID, _ payload: [String: String], in context: inout CommandContext
    ) throws {
        let parents = try families.parents(ofStudent: studentId, in: context.sql).sorted()
        try record(
            kind, of: studentId, payload, topics: [FamilyTopic.of(studentId)], also: parents.map(Audience.person),
            in: &context)
    }

    private func notifyStaff(
        _ kind: String, of studentId: UUID, _ payload: [String: String], in context: inout CommandContext
    ) throws {
        try record(kind, of: studentId, payload, topics: [], also: [], in: &context)
    }

    private func record(
        _ kind: String, of studentId: UUID, _ payload: [String: String], topics: [String], also: [Audience],
        in context: inout CommandContext
    ) throws {
        let rooms = try students.classroomIds(ofStudent: studentId, in: context.sql)
        context.record(
            Change(
                kind, topics: [Topics.student(studentId), Topics.letters] + topics,
                audience: Audience.roles([.superAdmin, .admin]) + rooms.map(Audience.classroom) + also,
                payload: payload.merging(["student": studentId.text]) { own, _ in own }))
    }
}

enum Topics {
    static func student(_ id: UUID) -> String { "student:\(id.text)" }
    static let letters = "letters"
}

extension FamilyText {
    /// The page on which it is written.
    var path: String { "/students/\(studentId.text)/texts/\(id.text)" }
}
