public import FeatureKit
public import Foundation

/// The categories of notifications that people turned off, for feature blocks that schedule notifications.
public protocol MutedCategories: Sendable {
    /// Returns those of some people who turned a category off.
    func muted(
        _ category: NotificationCategory, among personIds: Set<UUID>, _ sql: any SQLReading
    ) throws -> Set<UUID>
}
