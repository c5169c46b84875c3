public import FeatureKit
public import Foundation
import Synchronization

/// Preferences in memory.
public final class TestPreferences: PersonalPreferences {
    private let values = Mutex<[UUID: [String: String]]>([:])

    public init() {}

    /// Returns all values of a person.
    public func all(of personId: UUID) -> [String: String] { values.withLock { $0[personId] ?? [:] } }

    public func value(_ name: String, of personId: UUID, in sql: any SQLReading) throws -> String? {
        all(of: personId)[name]
    }

    public func set(_ value: String?, for name: String, of personId: UUID, in sql: any SQLWriting) throws {
        values.withLock { $0[personId, default: [:]][name] = value }
    }

    public func remove(_ name: String, in sql: any SQLWriting) throws {
        values.withLock { values in for id in values.keys { values[id]?[name] = nil } }
    }
}
