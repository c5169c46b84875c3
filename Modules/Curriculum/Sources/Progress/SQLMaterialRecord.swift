import ClassroomInterface
public import CurriculumInterface
public import Domain
public import FeatureKit
public import Foundation

/// Reads the progress of children with learning materials from the school's database, for other feature blocks.
public struct SQLMaterialRecord: MaterialRecord {
    private let taxonomy: SchoolTaxonomy

    /// Creates the reader with the curriculum, which has the names of the learning materials.
    public init(taxonomy: SchoolTaxonomy) { self.taxonomy = taxonomy }

    public func steps(
        of studentId: UUID, from first: Day, through last: Day, in language: Language, _ sql: any SQLReading
    ) throws -> [MaterialStep] {
        let history = try ProgressRepository.history(of: studentId, from: first, through: last, in: sql)
        guard !history.isEmpty else { return [] }
        let curriculum = try taxonomy.curriculum(in: sql)
        return history.compactMap { entry in
            guard let state = MaterialStep.State(entry.state), let material = curriculum[entry.materialId] else {
                return nil
            }
            return MaterialStep(
                materialId: material.id, name: material.name(in: language), state: state, day: entry.day)
        }
    }
}

extension MaterialStep.State {
    /// Returns `nil` for `notStarted`, which is no step.
    fileprivate init?(_ state: ProgressState) {
        switch state {
        case .notStarted: return nil
        case .presented: self = .presented
        case .practicing: self = .practicing
        case .mastered: self = .mastered
        }
    }
}
