public import Domain
public import FeatureKit
public import Foundation

/// Reads the progress of children with the learning materials of the curriculum.
public protocol MaterialRecord: Sendable {
    /// Returns the steps with learning materials that were recorded for a child between two days, both included, in the
    /// order of the days.
    func steps(
        of studentId: UUID, from first: Day, through last: Day, in language: Language, _ sql: any SQLReading
    ) throws -> [MaterialStep]
}

/// A step that a child has reached with a learning material: presented, practicing or mastered.
public struct MaterialStep: Sendable, Hashable {
    /// The steps that a child can reach with a material.
    public enum State: String, Codable, Sendable, Hashable, CaseIterable {
        case presented, practicing = "practising", mastered
    }

    public let materialId: UUID
    /// The name of the material, in the requested language.
    public let name: String
    public let state: State
    public let day: Day

    public init(materialId: UUID, name: String, state: State, day: Day) {
        self.materialId = materialId
        self.name = name
        self.state = state
        self.day = day
    }
}
