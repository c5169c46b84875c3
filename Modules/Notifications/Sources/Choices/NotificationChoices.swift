import Domain
import FeatureKit
import Foundation
import ScreenKit

/// A time of day, in minutes after midnight.
struct TimeOfDay: Sendable, Hashable, Comparable, Codable, SQLConvertible {
    static let minutesOfDay = 24 * 60

    let minutes: Int

    init?(minutes: Int) {
        guard (0..<Self.minutesOfDay).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// Reads `21:30`; `24:00` is the same time of each day as `00:00`.
    init?(text: String) {
        if text == "24:00" {
            minutes = 0
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }), let hour = Int(parts[0]),
            let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        minutes = hour * 60 + minute
    }

    /// The time of day at an instant in a time zone.
    init(_ instant: Date, in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.hour, .minute], from: instant)
        minutes = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    }

    init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.init(minutes: Int(number))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = TimeOfDay(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time of day")
        }
        self = time
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    var sqlValue: SQLValue { .integer(Int64(minutes)) }

    /// `21:30`, as commands take it.
    var text: String {
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    static func < (one: TimeOfDay, other: TimeOfDay) -> Bool { one.minutes < other.minutes }
}

/// The part of each day in which devices stay silent, in the school's time zone. It may span midnight.
struct QuietHours: Sendable, Hashable {
    let from: TimeOfDay
    /// The first minute after the quiet hours.
    let until: TimeOfDay

    func contains(_ instant: Date, in timeZone: TimeZone) -> Bool {
        let now = TimeOfDay(instant, in: timeZone)
        return from < until ? from <= now && now < until : from <= now || now < until
    }
}

/// What a person's devices show them, and when.
struct NotificationChoices: Sendable, Hashable {
    /// The categories that devices do not show.
    var muted: Set<NotificationCategory> = []
    var quietHours: QuietHours?

    /// The times that the page offers to a person who has not chosen any.
    static let standardFrom = TimeOfDay(text: "20:00")
    static let standardUntil = TimeOfDay(text: "07:00")

    /// Whether devices show a category. A change without a category is always shown.
    func wants(_ category: NotificationCategory?) -> Bool { category.map { !muted.contains($0) } ?? true }
}

/// Reads and writes notification choices in the school's database.
enum ChoicesRepository {
    static let migration = Migration(
        "002-choices",
        """
        CREATE TABLE notification_choices (
            person_id TEXT PRIMARY KEY,
            muted TEXT NOT NULL,
            quiet_from INTEGER,
            quiet_until INTEGER
        );
        """)

    static func choices(of personId: UUID, in sql: any SQLReading) throws -> NotificationChoices {
        guard let row = try sql.row("SELECT * FROM notification_choices WHERE person_id = \(personId)") else {
            return NotificationChoices()
        }
        let muted: String = try row.get("muted")
        let (from, until): (TimeOfDay?, TimeOfDay?) = try (row.optional("quiet_from"), row.optional("quiet_until"))
        var choices = NotificationChoices(
            muted: Set(muted.split(separator: " ").map { NotificationCategory(rawValue: String($0)) }))
        if let from, let until { choices.quietHours = QuietHours(from: from, until: until) }
        return choices
    }

    static func set(_ choices: NotificationChoices, of personId: UUID, in sql: any SQLWriting) throws {
        let muted = choices.muted.map(\.rawValue).sorted().joined(separator: " ")
        try sql.execute(
            """
            INSERT INTO notification_choices (person_id, muted, quiet_from, quiet_until)
            VALUES (\(personId), \(muted), \(choices.quietHours?.from), \(choices.quietHours?.until))
            ON CONFLICT (person_id) DO UPDATE SET muted = excluded.muted, quiet_from = excluded.quiet_from,
                quiet_until = excluded.quiet_until
            """)
    }
}
