import Domain
import FeatureKit
import Foundation

/// A habit that a child practices again and again.
struct Habit: Identifiable, Codable, Sendable, Hashable {
    enum Cadence: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible { case daily, weekly, monthly }

    let id: UUID
    let studentId: UUID
    var name: String
    var cadence: Cadence
    /// The day since which the habit is paused; `nil` if it is not. Its streak waits meanwhile.
    var pausedOn: Day?
    let createdAt: Date
    let createdByGuideId: UUID
}

/// The record that a habit was done on a day; at most one for each habit and day.
struct HabitLog: Identifiable, Codable, Sendable, Hashable {
    /// The id of the record. It follows from the habit and the day, so that writing the record again changes
    /// nothing.
    let id: UUID
    let habitId: UUID
    let day: Day
    var isDone: Bool
    let createdByGuideId: UUID
    let createdAt: Date

    init(habitId: UUID, day: Day, isDone: Bool, createdByGuideId: UUID, createdAt: Date) {
        id = Self.id(of: habitId, on: day)
        self.habitId = habitId
        self.day = day
        self.isDone = isDone
        self.createdByGuideId = createdByGuideId
        self.createdAt = createdAt
    }

    /// Returns a version 8 UUID (RFC 9562 section 5.8) made from the hash of habit and day.
    private static func id(of habitId: UUID, on day: Day) -> UUID {
        let digits = Array(BlobHash(of: Array("\(habitId.text) \(day)".utf8)).text.utf8)
        var bytes = stride(from: 0, to: 32, by: 2).map { index in
            UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16) ?? 0
        }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// The days of a habit's pause that is over. The present pause is `Habit.pausedOn`.
struct HabitPause: Sendable, Hashable {
    let habitId: UUID
    let firstDay: Day
    let lastDay: Day
}

enum HabitRepository {
    static func insert(_ habit: Habit, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO habits (id, student_id, name, cadence, paused_on, created_at, created_by)
            VALUES (\(habit.id), \(habit.studentId), \(habit.name), \(habit.cadence), \(habit.pausedOn),
                \(habit.createdAt), \(habit.createdByGuideId))
            """)
    }

    static func update(_ habit: Habit, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE habits SET name = \(habit.name), cadence = \(habit.cadence), paused_on = \(habit.pausedOn)
            WHERE id = \(habit.id)
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM habits WHERE id = \(id)")
    }

    static func habit(_ id: UUID, in sql: any SQLReading) throws -> Habit? {
        try sql.row("SELECT * FROM habits WHERE id = \(id)").map(habit)
    }

    static func habits(of studentIds: [UUID], in sql: any SQLReading) throws -> [Habit] {
        try sql.rows("SELECT * FROM habits WHERE student_id IN \(list: studentIds) ORDER BY created_at, id").map(
            habit)
    }

    static func set(_ log: HabitLog, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO habit_logs (habit_id, day, is_done, created_at, created_by)
            VALUES (\(log.habitId), \(log.day), \(log.isDone), \(log.createdAt), \(log.createdByGuideId))
            ON CONFLICT (habit_id, day) DO UPDATE SET is_done = excluded.is_done,
                created_at = excluded.created_at, created_by = excluded.created_by
            """)
    }

    static func isDone(_ habitId: UUID, _ day: Day, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            "SELECT 1 FROM habit_logs WHERE habit_id = \(habitId) AND day = \(day) AND is_done = \(true)")
    }

    /// Returns the days on which each of the habits was done, from `first`, included, until `end`, excluded.
    static func doneDays(
        of habitIds: [UUID], since first: Day, before end: Day? = nil, in sql: any SQLReading
    ) throws -> [UUID: Set<Day>] {
        guard !habitIds.isEmpty else { return [:] }
        let until: SQL = end.map { "AND day < \($0)" } ?? ""
        return try sql.rows(
            """
            SELECT habit_id, day FROM habit_logs
            WHERE habit_id IN \(list: habitIds) AND day >= \(first) \(until) AND is_done = \(true)
            """
        ).reduce(into: [:]) { days, row in
            _ = try days[row.get("habit_id"), default: []].insert(row.get("day"))
        }
    }

    static func insert(_ pause: HabitPause, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO habit_pauses (habit_id, first_day, last_day)
            VALUES (\(pause.habitId), \(pause.firstDay), \(pause.lastDay))
            ON CONFLICT (habit_id, first_day) DO UPDATE SET last_day = excluded.last_day
            """)
    }

    /// Returns the days from `first` on which each of the habits was paused, by pauses that are over.
    static func pausedDays(
        of habitIds: [UUID], since first: Day, in sql: any SQLReading
    ) throws -> [UUID: Set<Day>] {
        guard !habitIds.isEmpty else { return [:] }
        return try sql.rows(
            """
            SELECT habit_id, first_day, last_day FROM habit_pauses
            WHERE habit_id IN \(list: habitIds) AND last_day >= \(first)
            """
        ).reduce(into: [:]) { days, row in
            let (from, last): (Day, Day) = try (row.get("first_day"), row.get("last_day"))
            guard from <= last else { return }
            try days[row.get("habit_id"), default: []].formUnion(
                (max(from, first).number...last.number).map(Day.init(number:)))
        }
    }

    private static func habit(_ row: SQLRow) throws -> Habit {
        try Habit(
            id: row.get("id"), studentId: row.get("student_id"), name: row.get("name"),
            cadence: row.get("cadence"), pausedOn: row.optional("paused_on"), createdAt: row.get("created_at"),
            createdByGuideId: row.get("created_by"))
    }
}
