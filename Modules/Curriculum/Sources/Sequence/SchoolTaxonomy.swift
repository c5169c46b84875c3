import ClassroomInterface
public import CurriculumInterface
public import Domain
public import FeatureKit
public import Foundation

/// The curriculum of a school; its subjects, learning materials and apps are the tags of observations.
public struct SchoolTaxonomy: Taxonomy {
    private let starter: [CurriculumEntry]
    /// The curriculum of schools without changes, which are most of them.
    private let unchanged: Curriculum

    /// Reads the starter curriculum from this module's resources. Throws if the resource is missing or malformed.
    public init() throws {
        starter = try StarterCurriculum.entries()
        unchanged = Curriculum(starter)
    }

    /// The curriculum of a school: the starter curriculum with the school's changes.
    func curriculum(in sql: any SQLReading) throws -> Curriculum {
        let changes = try CurriculumRepository.changes(in: sql)
        return changes.isEmpty ? unchanged : Curriculum(starter, changes: changes)
    }

    public func tags(in language: Language, _ sql: any SQLReading) throws -> [Tag] {
        try curriculum(in: sql).offered.map { $0.tag(in: language) }
    }

    public func tags(_ ids: Set<UUID>, in language: Language, _ sql: any SQLReading) throws -> [UUID: Tag] {
        let curriculum = try curriculum(in: sql)
        return ids.reduce(into: [:]) { tags, id in tags[id] = curriculum[id]?.tag(in: language) }
    }
}

extension CurriculumEntry {
    fileprivate func tag(in language: Language) -> Tag {
        Tag(id: id, kind: kind, name: name(in: language), subjectId: subjectId)
    }
}
