public import Domain
public import Foundation

/// A student residence of a school.
public struct Residence: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public var name: String
    /// The time by which residents must be back from Sunday to Thursday, also before days off.
    public var schoolNightCurfew: ClockTime
    /// The time by which residents must be back on Friday and Saturday.
    public var weekendCurfew: ClockTime
    /// Whether records of passages through the door may contain the place where they were made. A resident must agree
    /// as well.
    public var recordsLocation: Bool
    /// Whether parents are notified when their child is late, and when the child is back.
    public var tellsParents: Bool

    public init(
        id: UUID, name: String, schoolNightCurfew: ClockTime, weekendCurfew: ClockTime,
        recordsLocation: Bool = false, tellsParents: Bool = false
    ) {
        self.id = id
        self.name = name
        self.schoolNightCurfew = schoolNightCurfew
        self.weekendCurfew = weekendCurfew
        self.recordsLocation = recordsLocation
        self.tellsParents = tellsParents
    }

    /// Returns the curfew of the evening of a day: the time by which residents must be back.
    public func curfew(on day: Day) -> ClockTime {
        // Friday and Saturday are days 4 and 5 after Monday.
        (4...5).contains(day.daysSinceMonday) ? weekendCurfew : schoolNightCurfew
    }
}

/// Finds the days of a residence in its school's time zone.
///
/// A day of a residence begins at 05:30. A resident who comes or goes between midnight and 05:30 does so in the evening
/// before.
public struct ResidenceCalendar: Sendable, Hashable {
    /// The time at which a new day of a residence begins.
    public static let turnOfDay = ClockTime(hour: 5, minute: 30)
    public let timeZone: TimeZone

    public init(timeZone: TimeZone) { self.timeZone = timeZone }

    /// Returns the day of the residence to which an instant belongs.
    public func day(of instant: Date) -> Day {
        let day = Day(instant, in: timeZone)
        return ClockTime(instant, in: timeZone) < Self.turnOfDay ? day.adding(days: -1) : day
    }

    /// Returns the first instant of a day of the residence.
    public func start(of day: Day) -> Date { Self.turnOfDay.instant(on: day, in: timeZone) }

    /// Returns the first instant after a day of the residence.
    public func end(of day: Day) -> Date { start(of: day.adding(days: 1)) }

    /// Returns the instant by which residents must be back on the evening of a day. A curfew before 05:30 is after
    /// midnight.
    public func curfew(of residence: Residence, on day: Day) -> Date {
        let time = residence.curfew(on: day)
        return time.instant(on: time < Self.turnOfDay ? day.adding(days: 1) : day, in: timeZone)
    }
}
