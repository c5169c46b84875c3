import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The part of each day in which devices stay silent, in the school's time zone. It may span midnight.
struct QuietHours: Sendable, Hashable {
    let from: ClockTime
    /// The first minute after the quiet hours.
    let until: ClockTime

    /// Reads the beginning or end of quiet hours; `24:00` is the same time of each day as `00:00`. `nil` for any other text.
    static func time(_ text: String) -> ClockTime? { text == "24:00" ? .midnight : ClockTime(text) }

    func contains(_ instant: Date, in timeZone: TimeZone) -> Bool {
        let now = ClockTime(instant, in: timeZone)
        return from < until ? from <= now && now < until : from <= now || now < until
    }
}

/// What a person's devices show them, and when.
struct NotificationChoices: Sendable, Hashable {
    /// The categories that devices do not show.
    var muted: Set<NotificationCategory> = []
    var quietHours: QuietHours?

    /// The times that the page offers to a person who has not chosen any.
    static let standardFrom = ClockTime("20:00")
    static let standardUntil = ClockTime("07:00")

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
        let (from, until): (ClockTime?, ClockTime?) = try (row.optional("quiet_from"), row.optional("quiet_until"))
        var choices = NotificationChoices(
            muted: Set(muted.split(separator: " ").map { NotificationCategory(rawValue: String($0)) }))
        if let from, let until { choices.quietHours = QuietHours(from: from, until: until) }
        return choices
    }

    /// The quiet hours of those of some people who chose any.
    static func quietHours(of personIds: Set<UUID>, in sql: any SQLReading) throws -> [UUID: QuietHours] {
        try sql.rows(ofEach: personIds) {
            """
            SELECT person_id, quiet_from, quiet_until FROM notification_choices
            WHERE quiet_from IS NOT NULL AND person_id IN \(list: $0)
            """
        }.reduce(into: [:]) { all, row in
            let (from, until): (ClockTime?, ClockTime?) = try (
                row.optional("quiet_from"), row.optional("quiet_until")
            )
            guard let from, let until else { return }
            all[try row.get("person_id")] = QuietHours(from: from, until: until)
        }
    }

    /// Those of some people who turned a category off.
    static func muted(
        _ category: NotificationCategory, among personIds: Set<UUID>, in sql: any SQLReading
    ) throws -> Set<UUID> {
        try sql.rows(ofEach: personIds) {
            "SELECT person_id, muted FROM notification_choices WHERE muted <> '' AND person_id IN \(list: $0)"
        }.reduce(into: []) { all, row in
            let muted: String = try row.get("muted")
            guard muted.split(separator: " ").contains(Substring(category.rawValue)) else { return }
            all.insert(try row.get("person_id"))
        }
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
