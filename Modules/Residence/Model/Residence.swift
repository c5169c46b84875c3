public import Domain
public import Foundation

/// A student residence of a school.
public struct Residence: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public var name: String
    /// The time by which residents are back on evenings before a school day: Sunday to Thursday.
    public var schoolNightCurfew: ClockTime
    /// The time by which residents are back on Friday and Saturday.
    public var weekendCurfew: ClockTime
    /// Whether passages may carry the place where they were recorded. A resident must agree as well.
    public var recordsLocation: Bool

    public init(
        id: UUID, name: String, schoolNightCurfew: ClockTime, weekendCurfew: ClockTime,
        recordsLocation: Bool = false
    ) {
        self.id = id
        self.name = name
        self.schoolNightCurfew = schoolNightCurfew
        self.weekendCurfew = weekendCurfew
        self.recordsLocation = recordsLocation
    }

    /// The curfew of the evening of a day.
    public func curfew(on day: Day) -> ClockTime {
        // Friday and Saturday are days 4 and 5 after Monday.
        (4...5).contains(day.daysSinceMonday) ? weekendCurfew : schoolNightCurfew
    }
}

/// The days of a residence in its school's time zone.
///
/// A day of a residence begins at 05:30: what is recorded between midnight and 05:30 belongs to the evening before.
public struct ResidenceCalendar: Sendable, Hashable {
    /// The time at which a new day begins.
    public static let turnOfDay = ClockTime(hour: 5, minute: 30)
    public let timeZone: TimeZone

    public init(timeZone: TimeZone) { self.timeZone = timeZone }

    /// The day of the residence to which an instant belongs.
    public func day(of instant: Date) -> Day {
        let day = Day(instant, in: timeZone)
        return ClockTime(instant, in: timeZone) < Self.turnOfDay ? day.adding(days: -1) : day
    }

    /// The first instant of a day.
    public func start(of day: Day) -> Date { Self.turnOfDay.instant(on: day, in: timeZone) }

    /// The first instant after a day.
    public func end(of day: Day) -> Date { start(of: day.adding(days: 1)) }

    /// The instant by which residents are back on the evening of a day. A curfew before 05:30 is after midnight.
    public func curfew(of residence: Residence, on day: Day) -> Date {
        let time = residence.curfew(on: day)
        return time.instant(on: time < Self.turnOfDay ? day.adding(days: 1) : day, in: timeZone)
    }
}
