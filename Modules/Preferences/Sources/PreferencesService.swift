import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// The display preferences of accounts, with a cache.
public final class PreferencesService: PreferenceSource {
    private let directory: any Database
    private let known = Mutex<[UUID: DisplayPreferences]>([:])

    /// Creates the service on the server's directory database, where the preferences of accounts are stored.
    public init(directory: any Database) { self.directory = directory }

    public func preferences(of accountId: UUID) async throws -> DisplayPreferences {
        if let preferences = known.withLock({ $0[accountId] }) { return preferences }
        let found = try await directory.readInline { try PreferencesRepository.preferences(of: accountId, in: $0) }
        remember(found, of: accountId)
        return found
    }

    /// Stores preferences within the caller's database transaction.
    func set(_ preferences: DisplayPreferences, of accountId: UUID, in sql: any SQLWriting) throws {
        try PreferencesRepository.set(preferences, of: accountId, in: sql)
        sql.afterCommit { [self] in remember(preferences, of: accountId) }
    }

    private func remember(_ preferences: DisplayPreferences, of accountId: UUID) {
        known.withLock { known in
            if known.count > 20_000 { known.removeAll() }
            known[accountId] = preferences
        }
    }
}

/// The migrations of the block's tables.
enum PreferencesMigrations {
    static let directory = [
        Migration(
            "001-display",
            """
            CREATE TABLE display_preferences (
                account_id TEXT PRIMARY KEY,
                language TEXT,
                theme TEXT NOT NULL,
                appearance TEXT NOT NULL
            );
            """)
    ]

    static let school = [
        Migration(
            "001-personal",
            """
            CREATE TABLE personal_preferences (
                person_id TEXT NOT NULL,
                name TEXT NOT NULL,
                value TEXT NOT NULL,
                PRIMARY KEY (person_id, name)
            );
            CREATE INDEX personal_preferences_name ON personal_preferences (name);
            """)
    ]
}

/// The SQL of display preferences.
enum PreferencesRepository {
    /// An account's preferences, or the defaults.
    static func preferences(of accountId: UUID, in sql: any SQLReading) throws -> DisplayPreferences {
        guard let row = try sql.row("SELECT * FROM display_preferences WHERE account_id = \(accountId)") else {
            return DisplayPreferences()
        }
        return try DisplayPreferences(
            language: row.optional("language"), theme: row.get("theme"), appearance: row.get("appearance"))
    }

    /// Stores an account's preferences.
    static func set(_ preferences: DisplayPreferences, of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO display_preferences (account_id, language, theme, appearance)
            VALUES (\(accountId), \(preferences.language), \(preferences.theme), \(preferences.appearance))
            ON CONFLICT (account_id) DO UPDATE
                SET language = excluded.language, theme = excluded.theme, appearance = excluded.appearance
            """)
    }
}
