import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// The SQL of roll calls.
enum RollCallRepository {
    /// An entry as it is stored; one without a status was taken back.
    struct StoredEntry: Sendable, Hashable {
        let studentId: UUID
        let entry: RollCall.Entry?
        /// The number of the room at the closing.
        let room: String?
    }

    /// Opens the roll call of a day, unless it is there already.
    static func open(_ day: Day, of residenceId: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO residence_roll_calls (residence_id, day, opened_at) VALUES (\(residenceId), \(day), \(now))
            ON CONFLICT (residence_id, day) DO NOTHING
            """)
    }

    /// Stamps a roll call that is open. Returns `false` if another warden has closed it.
    static func close(
        _ day: Day, of residenceId: UUID, _ closing: RollCall.Closing, in sql: any SQLWriting
    ) throws -> Bool {
        try sql.execute(
            """
            UPDATE residence_roll_calls SET closed_at = \(closing.at), closed_by = \(closing.by)
            WHERE residence_id = \(residenceId) AND day = \(day) AND closed_at IS NULL
            """) > 0
    }

    static func closing(_ day: Day, of residenceId: UUID, in sql: any SQLReading) throws -> RollCall.Closing? {
        try closings(of: residenceId, from: day, through: day, in: sql)[day]
    }

    /// The stamps of the roll calls of some days that are closed.
    static func closings(
        of residenceId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [Day: RollCall.Closing] {
        try sql.rows(
            """
            SELECT day, closed_by, closed_at FROM residence_roll_calls
            WHERE residence_id = \(residenceId) AND day BETWEEN \(first) AND \(last) AND closed_at IS NOT NULL
            """
        ).reduce(into: [:]) { found, row in
            found[try row.get("day")] = try .init(by: row.get("closed_by"), at: row.get("closed_at"))
        }
    }

    /// The first day on which a residence held a roll call.
    static func firstDay(of residenceId: UUID, in sql: any SQLReading) throws -> Day? {
        try sql.value("SELECT MIN(day) FROM residence_roll_calls WHERE residence_id = \(residenceId)")
    }

    static func entries(
        of residenceId: UUID, on day: Day, in sql: any SQLReading
    ) throws -> [StoredEntry] {
        try sql.rows(
            "SELECT * FROM residence_roll_call_entries WHERE residence_id = \(residenceId) AND day = \(day)"
        ).map { row in
            let (studentId, status): (UUID, RollCall.Status?) = (
                try row.get("student_id"), try row.optional("status")
            )
            return StoredEntry(
                studentId: studentId,
                entry: try status.map {
                    try RollCall.Entry(
                        studentId: studentId, status: $0, reason: row.optional("reason"),
                        saidBy: row.optional("said_by"), by: row.get("noted_by"), at: row.get("noted_at"))
                },
                room: try row.optional("room"))
        }
    }

    /// Stores an entry; an earlier one than the stored one changes nothing, so that the order of arrival does not
    /// matter.
    static func note(
        _ studentId: UUID, _ status: RollCall.Status?, reason: String?, saidBy: String?, by personId: UUID,
        at instant: Date, on day: Day, of residenceId: UUID, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO residence_roll_call_entries (residence_id, day, student_id, status, reason, said_by, noted_by,
                noted_at)
            VALUES (\(residenceId), \(day), \(studentId), \(status), \(reason), \(saidBy), \(personId), \(instant))
            ON CONFLICT (residence_id, day, student_id) DO UPDATE SET status = excluded.status,
                reason = excluded.reason, said_by = excluded.said_by, noted_by = excluded.noted_by,
                noted_at = excluded.noted_at
                WHERE excluded.noted_at >= residence_roll_call_entries.noted_at
            """)
    }

    /// Stores an entry as it is closed, with the room of the evening.
    static func seal(
        _ entry: RollCall.Entry, room: String?, on day: Day, of residenceId: UUID, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO residence_roll_call_entries (residence_id, day, student_id, status, reason, said_by, room,
                noted_by, noted_at)
            VALUES (\(residenceId), \(day), \(entry.studentId), \(entry.status), \(entry.reason), \(entry.saidBy),
                \(room), \(entry.by), \(entry.at))
            ON CONFLICT (residence_id, day, student_id) DO UPDATE SET status = excluded.status,
                reason = excluded.reason, said_by = excluded.said_by, room = excluded.room,
                noted_by = excluded.noted_by, noted_at = excluded.noted_at
            """)
    }

    /// Removes the entries of those who do not belong to the evening any more, before it is closed.
    static func removeOthers(
        than studentIds: [UUID], on day: Day, of residenceId: UUID, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            DELETE FROM residence_roll_call_entries
            WHERE residence_id = \(residenceId) AND day = \(day) AND student_id NOT IN \(list: studentIds)
            """)
    }

    static func corrections(
        of residenceId: UUID, on day: Day, in sql: any SQLReading
    ) throws -> [RollCall.Correction] {
        try sql.rows(
            """
            SELECT * FROM residence_roll_call_corrections WHERE residence_id = \(residenceId) AND day = \(day)
            ORDER BY corrected_at, id
            """
        ).map { row in
            try RollCall.Correction(
                id: row.get("id"),
                entry: .init(
                    studentId: row.get("student_id"), status: row.get("status"), reason: row.optional("reason"),
                    saidBy: row.optional("said_by"), by: row.get("corrected_by"), at: row.get("corrected_at")))
        }
    }

    static func add(
        _ correction: RollCall.Correction, on day: Day, of residenceId: UUID, in sql: any SQLWriting
    ) throws {
        let entry = correction.entry
        try sql.execute(
            """
            INSERT INTO residence_roll_call_corrections (id, residence_id, day, student_id, status, reason, said_by,
                corrected_by, corrected_at)
            VALUES (\(correction.id), \(residenceId), \(day), \(entry.studentId), \(entry.status), \(entry.reason),
                \(entry.saidBy), \(entry.by), \(entry.at))
            """)
    }
}
