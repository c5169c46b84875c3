import FeatureKit

/// The block's tables in the school's database.
enum InsightsMigrations {
    static let school = [
        Migration(
            "001-accepted-proposals",
            """
            CREATE TABLE accepted_proposals (
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                proposal TEXT NOT NULL,
                accepted_at BIGINT NOT NULL,
                PRIMARY KEY (student_id, proposal)
            );
            """),
        // Texts for families, and copies of what was shared. Later edits of a text do not change the copy.
        Migration(
            "002-family-texts",
            """
            CREATE TABLE family_texts (
                id TEXT PRIMARY KEY,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                language TEXT NOT NULL,
                first_day TEXT NOT NULL,
                last_day TEXT NOT NULL,
                source_id TEXT NOT NULL,
                text TEXT NOT NULL,
                version BIGINT NOT NULL,
                approved_version BIGINT,
                approved_by TEXT,
                approved_at BIGINT,
                created_at BIGINT NOT NULL,
                updated_at BIGINT NOT NULL,
                updated_by TEXT,
                UNIQUE (student_id, kind, language, first_day, last_day, source_id)
            );
            CREATE INDEX family_texts_week ON family_texts (kind, last_day, student_id);
            CREATE TABLE shared_items (
                id TEXT PRIMARY KEY,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                language TEXT NOT NULL,
                first_day TEXT NOT NULL,
                last_day TEXT NOT NULL,
                text TEXT NOT NULL,
                text_id TEXT NOT NULL REFERENCES family_texts (id) ON DELETE CASCADE,
                version BIGINT NOT NULL,
                shared_by TEXT NOT NULL,
                shared_at BIGINT NOT NULL,
                taken_back_by TEXT,
                taken_back_at BIGINT
            );
            CREATE INDEX shared_items_student ON shared_items (student_id, taken_back_at, shared_at);
            CREATE INDEX shared_items_text ON shared_items (text_id, shared_at);
            """),
        // One row of settings, and the cost of each month without any person.
        Migration(
            "003-models",
            """
            CREATE TABLE model_settings (
                id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
                sealed_key TEXT,
                key_end TEXT,
                text_model TEXT,
                speech_model TEXT,
                monthly_limit BIGINT NOT NULL
            );
            CREATE TABLE model_use (
                month TEXT PRIMARY KEY,
                micro_dollars BIGINT NOT NULL,
                calls BIGINT NOT NULL
            );
            """),
        // The photos of a shared observation. They stay when the observation's photos change.
        Migration(
            "004-shared-photos",
            """
            CREATE TABLE shared_photos (
                item_id TEXT NOT NULL REFERENCES shared_items (id) ON DELETE CASCADE,
                position BIGINT NOT NULL,
                sha256 TEXT NOT NULL,
                thumbnail_sha256 TEXT NOT NULL,
                width BIGINT NOT NULL,
                height BIGINT NOT NULL,
                PRIMARY KEY (item_id, position)
            );
            """),
    ]
}
