import Domain
import FeatureKit
import Foundation
import RemindersInterface

/// Reads and writes choices and sent reminders in the school's database.
enum ReminderRepository {
    static let migrations = [
        Migration(
            "001-reminders",
            """
            CREATE TABLE reminder_choices (
                person_id TEXT PRIMARY KEY NOT NULL,
                is_on INTEGER NOT NULL,
                hours TEXT NOT NULL,
                changed_at BIGINT NOT NULL
            );
            CREATE TABLE reminders_sent (
                work_id TEXT NOT NULL,
                person_id TEXT NOT NULL,
                due_at BIGINT NOT NULL,
                hours INTEGER NOT NULL,
                batch_id TEXT NOT NULL,
                sent_at BIGINT NOT NULL,
                PRIMARY KEY (work_id, person_id, due_at, hours)
            );
            CREATE INDEX reminders_sent_due ON reminders_sent (due_at);
            CREATE INDEX reminders_sent_person ON reminders_sent (person_id, batch_id);
            CREATE INDEX reminders_sent_at ON reminders_sent (sent_at);
            """)
    ]

    // MARK: - Choices

    /// The choices of those people who chose something.
    /// - Parameter personIds: reads only the choices of these people; `nil` reads all.
    static func choices(of personIds: Set<UUID>?, in sql: any SQLReading) throws -> [UUID: ReminderChoices] {
        let only: SQL = personIds.map { "WHERE person_id IN \(list: $0)" } ?? ""
        return try sql.rows("SELECT * FROM reminder_choices \(only)").reduce(into: [:]) { all, row in
            let hours: String = try row.get("hours")
            try all[row.get("person_id")] = ReminderChoices(
                isOn: row.get("is_on"), hours: Set(hours.split(separator: " ").compactMap { Int($0) }),
                changedAt: row.get("changed_at"))
        }
    }

    static func set(
        _ choices: ReminderChoices, of personId: UUID, at now: Date, in sql: any SQLWriting
    ) throws {
        let hours = choices.hours.sorted().map(String.init).joined(separator: " ")
        try sql.execute(
            """
            INSERT INTO reminder_choices (person_id, is_on, hours, changed_at)
            VALUES (\(personId), \(choices.isOn), \(hours), \(now))
            ON CONFLICT (person_id) DO UPDATE SET is_on = excluded.is_on, hours = excluded.hours,
                changed_at = excluded.changed_at
            """)
    }

    // MARK: - Sent reminders

    /// The smallest number of hours of the reminders that were sent for due times in the future.
    /// - Parameter workIds: reads only reminders of this work; `nil` reads all.
    static func sent(
        of workIds: Set<UUID>?, dueAfter now: Date, in sql: any SQLReading
    ) throws -> [RemindedTime: Int] {
        let only: SQL = workIds.map { "AND work_id IN \(list: $0)" } ?? ""
        return try sql.rows(sent(dueAfter: now, only)).reduce(into: [:]) { all, row in
            let time = try RemindedTime(
                studentId: row.get("person_id"), workId: row.get("work_id"), dueAt: row.get("due_at"))
            all[time] = min(all[time] ?? .max, try row.get("hours"))
        }
    }

    static func sent(dueAfter now: Date, _ only: SQL) -> SQL {
        """
        SELECT person_id, work_id, due_at, hours FROM reminders_sent WHERE due_at > \(now) \(only)
        """
    }

    /// The reminders that one change sent to one person.
    static func sent(
        in batch: UUID, to personId: UUID, _ sql: any SQLReading
    ) throws -> [PlannedReminder] {
        try sql.rows(
            """
            SELECT work_id, due_at, hours, sent_at FROM reminders_sent
            WHERE person_id = \(personId) AND batch_id = \(batch) ORDER BY due_at, work_id
            """
        ).map { row in
            try PlannedReminder(
                work: DueWork(
                    studentId: personId, workId: row.get("work_id"), dueAt: row.get("due_at"),
                    since: row.get("sent_at")), hours: row.get("hours"))
        }
    }

    static func insert(
        _ sent: [PlannedReminder], batch: UUID, at now: Date, in sql: any SQLWriting
    ) throws {
        let rows = sent.map { one -> [SQLValue] in
            [
                one.work.workId.sqlValue, one.work.studentId.sqlValue, one.work.dueAt.sqlValue, one.hours.sqlValue,
                batch.sqlValue, now.sqlValue,
            ]
        }
        for portion in SQL.portions(of: rows) {
            try sql.execute(
                """
                INSERT INTO reminders_sent (work_id, person_id, due_at, hours, batch_id, sent_at)
                VALUES \(rows: portion)
                """)
        }
    }
}

/// The block's tables, for export, retention and erasure.
enum ReminderRecordStore {
    static let kinds = [
        RecordKind(
            "reminders.choices", "reminders.records.choices", personal: [.choices], erasure: .withPerson,
            tables: [
                RecordTable(
                    "reminder_choices",
                    about: {
                        """
                        SELECT is_on, hours, changed_at FROM reminder_choices WHERE person_id = \($0.personId)
                        """
                    },
                    erase: { "DELETE FROM reminder_choices WHERE person_id = \($0.personId)" })
            ]),
        RecordKind(
            "reminders.sent", "reminders.records.sent", personal: [.activity],
            retention: .days(90, in: 30...365), erasure: .withPerson,
            tables: [
                RecordTable(
                    "reminders_sent",
                    about: {
                        """
                        SELECT work_id, due_at, hours, sent_at FROM reminders_sent
                        WHERE person_id = \($0.personId) ORDER BY sent_at, work_id
                        """
                    },
                    erase: { "DELETE FROM reminders_sent WHERE person_id = \($0.personId)" },
                    expiry: .init(
                        of: "reminders_sent", by: "sent_at", key: "work_id, person_id, due_at, hours"))
            ]),
    ]
}
