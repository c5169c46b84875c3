import FeatureKit
import Foundation

/// Writes the choices of a school.
enum SettingsRepository {
    static func set(_ settings: WellnessSettings, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO wellness_settings (id, is_on, allows_parents, advice, numbers)
            VALUES ('school', \(settings.isOn), \(settings.allowsParents), \(settings.advice), \(settings.numbers))
            ON CONFLICT (id) DO UPDATE SET is_on = excluded.is_on, allows_parents = excluded.allows_parents,
                advice = excluded.advice, numbers = excluded.numbers
            """)
    }
}

/// The adults whom the school named for requests for help.
enum ContactRepository {
    static func contacts(in sql: any SQLReading) throws -> Set<UUID> {
        Set(try sql.rows("SELECT person_id FROM wellness_contacts").map { try $0.get("person_id") })
    }

    static func isContact(_ personId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM wellness_contacts WHERE person_id = \(personId)")
    }

    static func set(_ personIds: some Sequence<UUID>, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM wellness_contacts")
        for id in personIds { try sql.execute("INSERT INTO wellness_contacts (person_id) VALUES (\(id))") }
    }
}
