import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation

/// Lists the whole curriculum.
struct ListCurriculum: Query {
    static let contract = Contract(
        "curriculum.list", "/api/v1/curriculum", access: .member(.recordProgress),
        summary: "The school's subjects, the materials of each in their sequence, and apps; the hidden too.")
    typealias Result = Page<CurriculumEntry>

    init(_ fields: inout FieldReader) {}
}

/// Adds an entry at the end of its list.
struct AddEntry: Command {
    static let contract = Contract(
        "curriculum.add", "/api/v1/curriculum", access: .member(.manageCurriculum), isCreation: true,
        summary: "Adds a subject, a material or an app at the end of its list.")
    typealias Result = CurriculumEntry

    let kind: TagKind
    let subjectId: UUID?
    let draft: EntryDraft

    init(_ fields: inout FieldReader) {
        kind = fields.choice("kind")
        subjectId = fields.optionalId("subjectId")
        draft = EntryDraft(&fields)
    }
}

/// Changes an entry.
struct UpdateEntry: Command {
    static let contract = Contract(
        "curriculum.update", "/api/v1/curriculum/{entryId}", access: .member(.manageCurriculum), replay: .natural,
        summary:
            "Changes the names of an entry, and of a material its ages and what comes before it. Refused with 409 if a version is given and someone has changed the entry since."
    )
    typealias Result = CurriculumEntry

    let entryId: UUID
    let draft: EntryDraft
    /// The `CurriculumEntry.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        entryId = fields.id("entryId")
        draft = EntryDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Moves an entry within its list.
struct MoveEntry: Command {
    static let contract = Contract(
        "curriculum.move", "/api/v1/curriculum/{entryId}/move", access: .member(.manageCurriculum),
        replay: .natural, summary: "Puts an entry before another of its list, or at the end.")
    typealias Result = Done

    let entryId: UUID
    let before: UUID?

    init(_ fields: inout FieldReader) {
        entryId = fields.id("entryId")
        before = fields.optionalId("before")
    }
}

/// Hides an entry or shows it again.
struct HideEntry: Command {
    static let contract = Contract(
        "curriculum.hide", "/api/v1/curriculum/{entryId}/hide", access: .member(.manageCurriculum),
        replay: .natural, summary: "Takes an entry out of what is offered, or, as hidden=false, back in.")
    typealias Result = Done

    let entryId: UUID
    let isHidden: Bool

    init(_ fields: inout FieldReader) {
        entryId = fields.id("entryId")
        isHidden = fields.flag("hidden")
    }
}

/// The editable values of an entry.
struct EntryDraft: Sendable, Hashable {
    let name: String
    let nameFrench: String?
    let band: AgeBand?
    let requires: [UUID]

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 80)
        nameFrench = fields.optionalText("nameFrench", max: 80)
        band = fields.optionalChoice("band")
        requires = fields.ids("requires", max: 20)
    }
}

extension CurriculumEntry {
    /// The version of the fields that the form of an entry edits.
    var version: ContentVersion {
        ContentVersion([name, nameFrench, band?.rawValue] + requires.map(\.text).sorted())
    }
}

/// The handlers of the curriculum.
struct CurriculumHandlers: Sendable {
    /// The most entries of a school.
    static let mostEntries = 1000

    let taxonomy: SchoolTaxonomy

    var commands: [CommandRegistration] {
        [
            .handle(AddEntry.self) { command, context in
                let curriculum = try taxonomy.curriculum(in: context.sql)
                guard curriculum.entries.count < Self.mostEntries else {
                    throw Problem(409, "curriculum.full", [.number(Self.mostEntries)])
                }
                var entry = CurriculumEntry(
                    id: context.newId(), kind: command.kind, name: command.draft.name, position: 0)
                if command.kind == .material {
                    guard let subjectId = command.subjectId else { throw Problem.invalid("subjectId", "required") }
                    entry.subjectId = try curriculum.entry(subjectId, .subject).id
                }
                entry.position =
                    (curriculum.list(entry.kind, of: entry.subjectId).last?.position ?? 0) + StarterCurriculum.step
                try apply(command.draft, to: &entry, curriculum)
                try CurriculumRepository.save(entry, in: context.sql)
                context.record(change("curriculum.added", entry))
                context.feedback = Feedback(
                    .burst, context.words("curriculum.added", entry.name(in: context.words.language)))
                return entry
            },
            .handle(UpdateEntry.self) { command, context in
                let curriculum = try taxonomy.curriculum(in: context.sql)
                let former = try curriculum.entry(command.entryId)
                var entry = former
                try apply(command.draft, to: &entry, curriculum)
                // A repeated save changes nothing and is accepted.
                if entry != former {
                    try former.version.check(command.version, "curriculum.changed")
                    try CurriculumRepository.save(entry, in: context.sql)
                    context.record(change("curriculum.updated", entry))
                }
                context.feedback = Feedback(
                    .toast, context.words("curriculum.saved", entry.name(in: context.words.language)))
                return entry
            },
            .handle(MoveEntry.self) { command, context in
                let curriculum = try taxonomy.curriculum(in: context.sql)
                let entry = try curriculum.entry(command.entryId)
                let list = curriculum.list(entry.kind, of: entry.subjectId)
                var moved = list.filter { $0.id != entry.id }
                let place = command.before.map { before in moved.firstIndex { $0.id == before } } ?? moved.endIndex
                guard command.before != entry.id, let place else { throw Problem.notFound }
                moved.insert(entry, at: place)
                // The positions stay and the entries move between them.
                let shifted = zip(moved, list).filter { $0.id != $1.id }
                for (var entry, former) in shifted {
                    entry.position = former.position
                    try CurriculumRepository.save(entry, in: context.sql)
                }
                if !shifted.isEmpty { context.record(change("curriculum.moved", entry)) }
                return Done()
            },
            .handle(HideEntry.self) { command, context in
                var entry = try taxonomy.curriculum(in: context.sql).entry(command.entryId)
                guard entry.isHidden != command.isHidden else { return Done() }
                entry.isHidden = command.isHidden
                try CurriculumRepository.save(entry, in: context.sql)
                context.record(change(command.isHidden ? "curriculum.hidden" : "curriculum.restored", entry))
                return Done()
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListCurriculum.self) { _, context in
                Page(items: try await context.school.read { try taxonomy.curriculum(in: $0).entries }, next: nil)
            }
        ]
    }

    private func apply(_ draft: EntryDraft, to entry: inout CurriculumEntry, _ curriculum: Curriculum) throws {
        entry.name = draft.name
        entry.nameFrench = draft.nameFrench
        guard entry.kind == .material else { return }
        for id in draft.requires {
            guard curriculum[id]?.kind == .material else {
                throw Problem.invalid("requires", "curriculum.unknownMaterial")
            }
        }
        guard !curriculum.wouldFormCycle(entry.id, requiring: draft.requires) else {
            throw Problem.invalid("requires", "curriculum.circle")
        }
        entry.band = draft.band
        entry.requires = draft.requires
    }

    private func change(_ kind: String, _ entry: CurriculumEntry) -> Change {
        Change(
            kind, topics: ["curriculum"], audience: Audience.roles(Role.guideRoles),
            payload: ["entry": entry.id.text])
    }
}
