public import Domain
public import FeatureKit
public import Foundation

/// The materials that a child was presented and the steps that it reached.
public protocol MaterialRecord: Sendable {
    /// The steps recorded between two days, both included, in the order of the days.
    func steps(
        of studentId: UUID, from first: Day, through last: Day, in language: Language, _ sql: any SQLReading
    ) throws -> [MaterialStep]
}

/// A material that a child was presented, practises or has mastered.
public struct MaterialStep: Sendable, Hashable {
    public enum State: String, Codable, Sendable, Hashable, CaseIterable { case presented, practising, mastered }

    public let materialId: UUID
    /// In the language that was asked for.
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
