import FeatureKit
import Foundation

/// The SQL of check-ins. Every statement names the child to whom they belong.
enum CheckInRepository {
    static func insert(_ one: CheckIn, of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO wellness_check_ins (id, person_id, mood, sleep, energy, note, made_at)
            VALUES (\(one.id), \(personId), \(one.mood), \(one.sleep), \(one.energy), \(one.note), \(one.madeAt))
            """)
    }

    static func update(_ one: CheckIn, of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE wellness_check_ins
            SET mood = \(one.mood), sleep = \(one.sleep), energy = \(one.energy), note = \(one.note)
            WHERE id = \(one.id) AND person_id = \(personId)
            """)
    }

    /// Deletes a check-in, and with it what is shared of it; returns whether there was one.
    static func delete(_ id: UUID, of personId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM wellness_check_ins WHERE id = \(id) AND person_id = \(personId)") > 0
    }

    static func checkIn(_ id: UUID, of personId: UUID, in sql: any SQLReading) throws -> CheckIn? {
        try sql.row("SELECT * FROM wellness_check_ins WHERE id = \(id) AND person_id = \(personId)").map(checkIn)
    }

    /// The check-ins of a child, newest first.
    /// - Parameters:
    ///   - place: the last check-in of the page before; `nil` for the newest ones.
    ///   - start: the instant from which check-ins are read.
    static func checkIns(
        of personId: UUID, after place: CheckInPlace? = nil, since start: Date = .distantPast, limit: Int,
        in sql: any SQLReading
    ) throws -> [CheckIn] {
        try sql.rows(checkIns(of: personId, after: place, since: start, limit: limit)).map(checkIn)
    }

    static func checkIns(of personId: UUID, after place: CheckInPlace?, since start: Date, limit: Int) -> SQL {
        let older: SQL = place.map { "AND (made_at, id) < (\($0.madeAt), \($0.id))" } ?? ""
        return """
            SELECT * FROM wellness_check_ins WHERE person_id = \(personId) AND made_at >= \(start) \(older)
            ORDER BY made_at DESC, id DESC LIMIT \(limit)
            """
    }

    static func checkIn(_ row: SQLRow) throws -> CheckIn {
        try CheckIn(
            id: row.get("id"), mood: row.get("mood"), sleep: row.optional("sleep"),
            energy: row.optional("energy"), note: row.get("note"), madeAt: row.get("made_at"))
    }
}
