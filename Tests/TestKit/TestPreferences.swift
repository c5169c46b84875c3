public import FeatureKit
public import Foundation
import Synchronization

/// Remembers for people as long as a test runs.
public final class TestPreferences: PersonalPreferences {
    private let kept = Mutex<[UUID: [String: String]]>([:])

    public init() {}

    /// All that is remembered for a person.
    public func all(of personId: UUID) -> [String: String] { kept.withLock { $0[personId] ?? [:] } }

    public func value(_ name: String, of personId: UUID, in sql: any SQLReading) throws -> String? {
        all(of: personId)[name]
    }

    public func set(_ value: String?, for name: String, of personId: UUID, in sql: any SQLWriting) throws {
        kept.withLock { $0[personId, default: [:]][name] = value }
    }

    public func remove(_ name: String, in sql: any SQLWriting) throws {
        kept.withLock { kept in for id in kept.keys { kept[id]?[name] = nil } }
    }
}
