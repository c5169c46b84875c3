public import Foundation

/// A calendar day in a school's time zone, without a time.
///
/// It is written `2026-11-21` everywhere (ISO 8601 calendar date, proleptic Gregorian calendar).
public struct Day: Hashable, Sendable, Comparable {
    public let year: Int
    public let month: Int
    public let day: Int

    /// Creates a day from its numbers; `nil` if there is no such day (30 February, a year below 1 or above 9999).
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Day.length(ofMonth: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day of an instant in a time zone.
    public init(_ instant: Date, in timeZone: TimeZone) {
        let seconds = instant.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: instant))
        self.init(number: Int(exactly: (seconds / 86_400).rounded(.down)) ?? 0)
    }

    /// Reads a day that is written as `2026-11-21`; `nil` for any other text.
    public init?(_ text: String) {
        let utf8 = Array(text.utf8)
        guard utf8.count == 10, utf8[4] == UInt8(ascii: "-"), utf8[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in utf8[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public static func < (left: Day, right: Day) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// Returns midday in a time zone: an instant that is on this day whatever daylight saving does.
    public func midday(in timeZone: TimeZone) -> Date {
        Day.calendar(timeZone).date(from: DateComponents(year: year, month: month, day: day, hour: 12))
            ?? Date(timeIntervalSince1970: 0)
    }

    /// Returns the first instant of the day in a time zone.
    public func start(in timeZone: TimeZone) -> Date {
        Day.calendar(timeZone).startOfDay(for: midday(in: timeZone))
    }

    /// Returns the day a number of days later; negative numbers go back.
    public func adding(days count: Int) -> Day { Day(number: number + count) }

    /// The number of days since 1970-01-01.
    ///
    /// Computed without Foundation's calendar, which takes microseconds for each day, while a streak needs hundreds
    /// of them.
    public var number: Int {
        // In years that begin in March, the leap day is the last day.
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * month + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Creates the day with a number of days since 1970-01-01.
    public init(number: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * march + 2) / 5 + 1
        month = march < 10 ? march + 3 : march - 9
        year = yearOfEra + era * 400 + (march < 10 ? 0 : 1)
    }

    /// The number of days since Monday: 0 for Monday, 6 for Sunday.
    public var daysSinceMonday: Int {
        // 1970-01-01 was a Thursday.
        let rest = (number + 3) % 7
        return rest < 0 ? rest + 7 : rest
    }

    private static func calendar(_ timeZone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

extension Day: CustomStringConvertible, LosslessStringConvertible {
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension Day: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = Day(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is not a day such as 2026-11-21")
        }
        self = day
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
