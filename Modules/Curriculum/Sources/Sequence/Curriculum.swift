import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation

/// The ages that a material is for: three to six, or six to nine.
enum AgeBand: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible { case younger, older }

/// A subject, material or app of the curriculum.
struct CurriculumEntry: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let kind: TagKind
    /// The subject of a material.
    var subjectId: UUID?
    /// The name in English, and in French if `nameFrench` is `nil`.
    var name: String
    var nameFrench: String?
    var band: AgeBand?
    /// The order among entries of the same kind and subject.
    var position: Int
    /// The materials that must come before.
    var requires: [UUID] = []
    /// Whether the entry is no longer offered. Its records stay.
    var isHidden = false

    /// The name in a language.
    func name(in language: Language) -> String {
        switch language {
        case .english: name
        case .french: nameFrench ?? name
        }
    }
}

/// A school's curriculum: the starter curriculum with the school's changes and additions.
struct Curriculum: Sendable {
    /// All entries including hidden ones: subjects, the materials of each subject in sequence, apps.
    let entries: [CurriculumEntry]
    /// The entries that can be chosen.
    let offered: [CurriculumEntry]
    private let places: [UUID: Int]

    /// - Parameters:
    ///   - starter: The entries of the starter curriculum.
    ///   - changes: Entries that replace those with the same id or are added.
    init(_ starter: [CurriculumEntry], changes: [CurriculumEntry] = []) {
        var byId = Dictionary(starter.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for change in changes { byId[change.id] = change }
        func inOrder(_ some: [CurriculumEntry]) -> [CurriculumEntry] {
            some.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
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

    /// The entry with an id, or `nil`.
    subscript(id: UUID) -> CurriculumEntry? { places[id].map { entries[$0] } }

    /// The entry with an id and kind. Throws `Problem.notFound` if there is none.
    func entry(_ id: UUID, _ kind: TagKind? = nil) throws -> CurriculumEntry {
        guard let entry = self[id], kind == nil || entry.kind == kind else { throw Problem.notFound }
        return entry
    }

    /// All entries of a list, including hidden ones.
    func list(_ kind: TagKind, of subjectId: UUID? = nil) -> [CurriculumEntry] {
        entries.filter { $0.kind == kind && $0.subjectId == subjectId }
    }

    /// The materials that can be chosen, in their sequence.
    func materials(of subjectId: UUID? = nil, _ band: AgeBand? = nil) -> [CurriculumEntry] {
        offered.filter {
            $0.kind == .material && (subjectId == nil || $0.subjectId == subjectId)
                && (band == nil || $0.band == band)
        }
    }

    /// Whether these prerequisites would make a material its own prerequisite.
    func wouldFormCycle(_ id: UUID, requiring requires: [UUID]) -> Bool {
        var open = requires
        var seen: Set<UUID> = []
        while let next = open.popLast() {
            if next == id { return true }
            if seen.insert(next).inserted { open += self[next]?.requires ?? [] }
        }
        return false
    }
}
