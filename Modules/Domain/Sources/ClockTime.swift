public import Foundation

/// A time of day on a wall clock, to the minute. It is stored and sent as `20:00`.
public struct ClockTime: Hashable, Sendable, Comparable {
    /// 00:00, the beginning of a day.
    public static let midnight = ClockTime(hour: 0, minute: 0)
    /// 23:59, the last minute of a day.
    public static let lastMinute = ClockTime(hour: 23, minute: 59)

    /// The minutes since midnight, from 0 to 1,439.
    public let minutes: Int

    /// Creates a time of day; `nil` unless `minutes` is between 0 and 1,439.
    public init?(minutes: Int) {
        guard (0..<24 * 60).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// Takes an hour and a minute that are known to be valid.
    package init(hour: Int, minute: Int) { minutes = hour * 60 + minute }

    /// Reads a time of day such as `20:00`, `8:05` or, as French is written, `8h05`; `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "h" }
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.joined().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }

    /// Creates the time of day of an instant in a time zone.
    public init(_ instant: Date, in timeZone: TimeZone) {
        let seconds = Int(instant.timeIntervalSince1970.rounded(.down)) + timeZone.secondsFromGMT(for: instant)
        let ofDay = seconds % 86_400
        minutes = (ofDay < 0 ? ofDay + 86_400 : ofDay) / 60
    }

    public static func < (left: ClockTime, right: ClockTime) -> Bool { left.minutes < right.minutes }

    /// Returns the instant at which the wall clock shows this time on a day.
    ///
    /// A time that a change of clocks skips is the first instant after the gap; of a time that occurs twice it is
    /// the first one.
    public func instant(on day: Day, in timeZone: TimeZone) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let start = day.start(in: timeZone)
        // The day's start may itself be later than midnight, where clocks change at midnight.
        if ClockTime(start, in: timeZone) >= self { return start }
        let parts = DateComponents(hour: minutes / 60, minute: minutes % 60, second: 0)
        return calendar.nextDate(
            after: start, matching: parts, matchingPolicy: .nextTime, repeatedTimePolicy: .first) ?? start
    }
}

extension ClockTime: CustomStringConvertible {
    public var description: String {
        let (hour, minute) = (minutes / 60, minutes % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}

extension ClockTime: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = ClockTime(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not a time of day such as 20:00")
        }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
