public import FeatureKit
public import Foundation

/// Values that feature blocks store for a person, in a table of the school.
public struct SQLPersonalPreferences: PersonalPreferences {
    /// Creates the store of personal preferences, which has no state.
    public init() {}

    public func value(_ name: String, of personId: UUID, in sql: any SQLReading) throws -> String? {
        try PersonalPreferencesRepository.value(name, of: personId, in: sql)
    }

    public func set(_ value: String?, for name: String, of personId: UUID, in sql: any SQLWriting) throws {
        if let value {
            try PersonalPreferencesRepository.set(value, for: name, of: personId, in: sql)
        } else {
            try PersonalPreferencesRepository.delete(name, of: personId, in: sql)
        }
    }

    public func remove(_ name: String, in sql: any SQLWriting) throws {
        try PersonalPreferencesRepository.delete(name, in: sql)
    }
}

/// The SQL of personal preferences.
enum PersonalPreferencesRepository {
    /// A person's value, or `nil`.
    static func value(_ name: String, of personId: UUID, in sql: any SQLReading) throws -> String? {
        try sql.value("SELECT value FROM personal_preferences WHERE person_id = \(personId) AND name = \(name)")
    }

    /// Stores a person's value.
    static func set(_ value: String, for name: String, of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO personal_preferences (person_id, name, value) VALUES (\(personId), \(name), \(value))
            ON CONFLICT (person_id, name) DO UPDATE SET value = excluded.value
            """)
    }

    /// Deletes a person's value.
    static func delete(_ name: String, of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM personal_preferences WHERE person_id = \(personId) AND name = \(name)")
    }

    /// Deletes the values of all people.
    static func delete(_ name: String, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM personal_preferences WHERE name = \(name)")
    }
}
