import FeatureKit

/// The migrations of the block's tables.
enum RosterMigrations {
    static let school = [
        Migration(
            "001-uploads",
            """
            CREATE TABLE roster_uploads (
                id TEXT NOT NULL,
                person_id TEXT NOT NULL,
                name TEXT NOT NULL,
                bytes BYTEA NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (id, name)
            );
            CREATE INDEX roster_uploads_person ON roster_uploads (person_id);
            CREATE INDEX roster_uploads_created ON roster_uploads (created_at);
            """),
        Migration(
            "002-roles",
            """
            CREATE TABLE roster_roles (
                person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
                role TEXT NOT NULL,
                given INTEGER NOT NULL,
                PRIMARY KEY (person_id, role)
            );
            CREATE INDEX roster_roles_given ON roster_roles (given);
            """),
        // Rows have no foreign keys: the people and classrooms of an import may be gone.
        Migration(
            "003-imports",
            """
            CREATE TABLE roster_imports (
                id TEXT PRIMARY KEY,
                person_id TEXT,
                at BIGINT NOT NULL,
                counts TEXT NOT NULL,
                undone_at BIGINT
            );
            CREATE INDEX roster_imports_at ON roster_imports (at);
            CREATE TABLE roster_import_rows (
                import_id TEXT NOT NULL REFERENCES roster_imports (id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                kind TEXT NOT NULL,
                person_id TEXT,
                classroom_id TEXT,
                role TEXT,
                before TEXT,
                after TEXT,
                state TEXT NOT NULL,
                PRIMARY KEY (import_id, number)
            );
            CREATE INDEX roster_import_rows_person ON roster_import_rows (person_id);
            CREATE INDEX roster_import_rows_state ON roster_import_rows (state, import_id);
            """),
        Migration(
            "004-families",
            """
            ALTER TABLE roster_import_rows ADD COLUMN child_id TEXT;
            CREATE INDEX roster_import_rows_child ON roster_import_rows (child_id);
            """),
        // The column holds the id of a term or a course.
        Migration("005-courses", "ALTER TABLE roster_import_rows ADD COLUMN course_id TEXT;"),
    ]
}
