public import Domain
public import FeatureKit
public import Foundation

/// The progress of children with materials.
public protocol MaterialRecord: Sendable {
    /// Returns the steps that were recorded between two days, both included, in the order of the days.
    func steps(
        of studentId: UUID, from first: Day, through last: Day, in language: Language, _ sql: any SQLReading
    ) throws -> [MaterialStep]
}

/// A step of a child with a material: presented, practising or mastered.
public struct MaterialStep: Sendable, Hashable {
    /// The state that a child has reached with a material.
    public enum State: String, Codable, Sendable, Hashable, CaseIterable { case presented, practising, mastered }

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
