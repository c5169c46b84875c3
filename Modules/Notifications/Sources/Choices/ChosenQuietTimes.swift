public import FeatureKit
public import Foundation
public import NotificationsInterface
import ScreenKit

/// The quiet hours that people chose on the page of notifications.
public struct ChosenQuietTimes: QuietTimes {
    public init() {}

    public func quiet(
        among personIds: Set<UUID>, at instant: Date, in timeZone: TimeZone, _ sql: any SQLReading
    ) throws -> Set<UUID> {
        let chosen = try ChoicesRepository.quietHours(of: personIds, in: sql)
        return Set(chosen.filter { $0.value.contains(instant, in: timeZone) }.keys)
    }
}

/// The categories that people turned off on the page of notifications.
public struct ChosenMutedCategories: MutedCategories {
    public init() {}

    public func muted(
        _ category: NotificationCategory, among personIds: Set<UUID>, _ sql: any SQLReading
    ) throws -> Set<UUID> {
        try ChoicesRepository.muted(category, among: personIds, in: sql)
    }
}
