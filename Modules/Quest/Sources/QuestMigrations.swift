import FeatureKit

/// The block's tables in the school's database and in the directory.
enum QuestMigrations {
    static let school = [
        Migration(
            "001-players",
            """
            CREATE TABLE quest_players (
                id TEXT PRIMARY KEY NOT NULL,
                owner_person_id TEXT NOT NULL,
                name TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                archived_at BIGINT
            );
            CREATE INDEX quest_players_owner ON quest_players (owner_person_id, created_at);
            """),
        Migration(
            "002-routines",
            """
            CREATE TABLE quest_routines (
                id TEXT PRIMARY KEY NOT NULL,
                player_id TEXT NOT NULL REFERENCES quest_players (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                display_name TEXT NOT NULL,
                active_days TEXT NOT NULL,
                is_active INTEGER NOT NULL,
                created_at BIGINT NOT NULL,
                updated_at BIGINT NOT NULL
            );
            CREATE INDEX quest_routines_player ON quest_routines (player_id, created_at);
            CREATE TABLE quest_tasks (
                id TEXT PRIMARY KEY NOT NULL,
                routine_id TEXT NOT NULL REFERENCES quest_routines (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                display_name TEXT NOT NULL,
                reference_seconds INTEGER,
                order_index INTEGER NOT NULL
            );
            CREATE INDEX quest_tasks_routine ON quest_tasks (routine_id, order_index);
            """),
        // A session stays after its routine and tasks were deleted. It never changes, so its summary is stored with it.
        Migration(
            "003-sessions",
            """
            CREATE TABLE quest_sessions (
                id TEXT PRIMARY KEY NOT NULL,
                player_id TEXT NOT NULL REFERENCES quest_players (id) ON DELETE CASCADE,
                routine_id TEXT,
                routine_display_name TEXT NOT NULL,
                started_at BIGINT NOT NULL,
                completed_at BIGINT,
                is_calibration INTEGER NOT NULL,
                guess_count INTEGER NOT NULL,
                accuracy_percent DOUBLE PRECISION NOT NULL,
                bias_percent DOUBLE PRECISION NOT NULL,
                distance_seconds DOUBLE PRECISION NOT NULL,
                nearest_task TEXT,
                nearest_seconds DOUBLE PRECISION
            );
            CREATE INDEX quest_sessions_player ON quest_sessions (player_id, started_at);
            CREATE INDEX quest_sessions_routine ON quest_sessions (routine_id, started_at);
            CREATE TABLE quest_estimations (
                session_id TEXT NOT NULL REFERENCES quest_sessions (id) ON DELETE CASCADE,
                order_index INTEGER NOT NULL,
                task_id TEXT,
                task_display_name TEXT NOT NULL,
                estimated_seconds DOUBLE PRECISION NOT NULL,
                actual_seconds DOUBLE PRECISION NOT NULL,
                difference_seconds DOUBLE PRECISION NOT NULL,
                accuracy_percent DOUBLE PRECISION NOT NULL,
                rating TEXT NOT NULL,
                recorded_at BIGINT NOT NULL,
                was_stopped INTEGER NOT NULL,
                PRIMARY KEY (session_id, order_index)
            );
            """),
        // Existing routines get the order of their creation.
        Migration(
            "004-routine-order",
            """
            ALTER TABLE quest_routines ADD COLUMN order_index INTEGER NOT NULL DEFAULT 0;
            UPDATE quest_routines SET order_index = (
                SELECT COUNT(*) FROM quest_routines AS earlier
                WHERE earlier.player_id = quest_routines.player_id
                    AND (earlier.created_at < quest_routines.created_at
                        OR earlier.created_at = quest_routines.created_at AND earlier.id <= quest_routines.id));
            """),
    ]

    static let directory = [
        // Only the fingerprint of a pairing code is stored.
        Migration(
            "001-pairings",
            """
            CREATE TABLE quest_pairings (
                fingerprint TEXT PRIMARY KEY NOT NULL,
                account_id TEXT NOT NULL,
                organization_id TEXT NOT NULL,
                device_id TEXT NOT NULL,
                has_second_factor INTEGER NOT NULL,
                expires_at BIGINT NOT NULL
            );
            CREATE INDEX quest_pairings_account ON quest_pairings (account_id);
            CREATE INDEX quest_pairings_expiry ON quest_pairings (expires_at);
            """)
    ]
}
