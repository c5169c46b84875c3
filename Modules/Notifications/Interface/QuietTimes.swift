public import FeatureKit
public import Foundation

/// The quiet hours that people chose, for feature blocks that send something at a time of their own.
public protocol QuietTimes: Sendable {
    /// Returns those of some people who have quiet hours at an instant.
    /// - Parameter timeZone: the school's.
    func quiet(
        among personIds: Set<UUID>, at instant: Date, in timeZone: TimeZone, _ sql: any SQLReading
    ) throws -> Set<UUID>
}
