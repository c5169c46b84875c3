import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation

/// The ages that a material is for: three to six, six to nine.
enum AgeBand: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible { case younger, older }

/// A subject, a material or an app of the school's lists.
struct CurriculumEntry: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let kind: TagKind
    /// The subject that a material belongs to.
    var subjectId: UUID?
    /// What it is called in English, and wherever there is no name of its own.
    var name: String
    var nameFrench: String?
    var band: AgeBand?
    /// Smaller stands first among its like: subjects, apps, the materials of a subject.
    var position: Int
    /// The materials that come before.
    var requires: [UUID] = []
    /// No longer offered; what was recorded with it stays.
    var isHidden = false

    func name(in language: Language) -> String {
        switch language {
        case .english: name
        case .french: nameFrench ?? name
        }
    }
}

/// The lists of a school: what comes with the product, and over it what the school changed or added.
struct Curriculum: Sendable {
    /// Everything, the hidden too: subjects, the materials of each in turn, apps.
    let entries: [CurriculumEntry]
    /// What may be chosen now.
    let offered: [CurriculumEntry]
    private let places: [UUID: Int]

    /// - Parameter changes: replace entries of the same id or come to them.
    init(_ starter: [CurriculumEntry], changes: [CurriculumEntry] = []) {
        var byId = Dictionary(starter.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for change in changes { byId[change.id] = change }
        func inOrder(_ some: [CurriculumEntry]) -> [CurriculumEntry] {
            some.sorted { ($0.position, $0.id.text) < ($1.position, $1.id.text) }
        }
        let kinds = Dictionary(grouping: byId.values, by: \.kind).mapValues(inOrder)
        let materials = Dictionary(grouping: kinds[.material] ?? [], by: \.subjectId)
        let subjects = kinds[.subject] ?? []
        entries = subjects + subjects.flatMap { materials[$0.id] ?? [] } + (kinds[.app] ?? [])
        places = Dictionary(
            entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        offered = entries.filter { entry in
            !entry.isHidden && !(entry.subjectId.flatMap { byId[$0] }?.isHidden ?? false)
        }
    }

    subscript(id: UUID) -> CurriculumEntry? { places[id].map { entries[$0] } }

    /// The entry of that kind, or "not found".
    func entry(_ id: UUID, _ kind: TagKind? = nil) throws -> CurriculumEntry {
        guard let entry = self[id], kind == nil || entry.kind == kind else { throw Problem.notFound }
        return entry
    }

    /// All that stand in one list with each other, the hidden too.
    func list(_ kind: TagKind, of subjectId: UUID? = nil) -> [CurriculumEntry] {
        entries.filter { $0.kind == kind && $0.subjectId == subjectId }
    }

    /// The materials that may be chosen now, in their sequence.
    func materials(of subjectId: UUID? = nil, _ band: AgeBand? = nil) -> [CurriculumEntry] {
        offered.filter {
            $0.kind == .material && (subjectId == nil || $0.subjectId == subjectId)
                && (band == nil || $0.band == band)
        }
    }

    /// Whether a material that asks for `requires` would, through others, ask for itself.
    func wouldCircle(_ id: UUID, requiring requires: [UUID]) -> Bool {
        var open = requires
        var seen: Set<UUID> = []
        while let next = open.popLast() {
            if next == id { return true }
            if seen.insert(next).inserted { open += self[next]?.requires ?? [] }
        }
        return false
    }
}
