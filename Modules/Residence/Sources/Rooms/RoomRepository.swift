import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// The SQL of rooms.
enum RoomRepository {
    /// A room's number as it is compared: `12 b` and `12B` are one door.
    static func key(_ number: String) -> String { NameFolding.fold(number).filter { !$0.isWhitespace } }

    /// The rooms of a residence in the order of their numbers, with who lives there on a day.
    static func rooms(of residenceId: UUID, on day: Day, in sql: any SQLReading) throws -> [Room] {
        try rooms("residence_id = \(residenceId)", on: day, in: sql)
    }

    static func room(
        _ id: UUID, of residenceId: UUID, on day: Day, in sql: any SQLReading
    ) throws -> Room? {
        try rooms("id = \(id) AND residence_id = \(residenceId)", on: day, in: sql).first
    }

    private static func rooms(_ condition: SQL, on day: Day, in sql: any SQLReading) throws -> [Room] {
        let rows = try sql.rows("SELECT * FROM residence_rooms WHERE \(condition)")
        let ids = try rows.map { try $0.get("id", as: UUID.self) }
        let livesThere = try StayRepository.residents(ofRooms: ids, on: day, in: sql)
        return try rows.map { row in
            let id: UUID = try row.get("id")
            return try Room(
                id: id, pgId: row.get("residence_id"), number: row.get("number"), type: row.get("type"),
                bedCount: row.get("bed_count"), details: row.optional("details"), studentIds: livesThere[id] ?? [],
                createdAt: row.get("created_at"), updatedAt: row.get("updated_at"))
        }.sorted { $0.number.compare($1.number, options: [.numeric, .caseInsensitive]) == .orderedAscending }
    }

    /// The id of another room of the residence with the same number.
    static func holder(ofNumber number: String, in residenceId: UUID, _ sql: any SQLReading) throws -> UUID? {
        try sql.value(
            "SELECT id FROM residence_rooms WHERE residence_id = \(residenceId) AND number_key = \(key(number))")
    }

    /// The number of rooms of a residence.
    static func count(of residenceId: UUID, in sql: any SQLReading) throws -> Int {
        try sql.value("SELECT COUNT(*) FROM residence_rooms WHERE residence_id = \(residenceId)") ?? 0
    }

    static func save(_ room: Room, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO residence_rooms (id, residence_id, number, number_key, type, bed_count, details, created_at,
                updated_at)
            VALUES (\(room.id), \(room.pgId), \(room.number), \(key(room.number)), \(room.type), \(room.bedCount),
                \(room.details), \(room.createdAt), \(room.updatedAt))
            ON CONFLICT (id) DO UPDATE SET number = excluded.number, number_key = excluded.number_key,
                type = excluded.type, bed_count = excluded.bed_count, details = excluded.details,
                updated_at = excluded.updated_at
            """)
    }

    /// Deletes a room; former stays keep their days without it.
    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE residence_stays SET room_id = NULL WHERE room_id = \(id)")
        try sql.execute("DELETE FROM residence_rooms WHERE id = \(id)")
    }
}
