import FeatureKit

/// The migrations of the block's tables.
enum CurriculumMigrations {
    static let school = [
        Migration(
            "001-entries",
            """
            CREATE TABLE curriculum_entries (
                id TEXT PRIMARY KEY,
                kind TEXT NOT NULL,
                subject_id TEXT,
                name TEXT NOT NULL,
                name_french TEXT,
                band TEXT,
                position BIGINT NOT NULL,
                requires TEXT NOT NULL,
                is_hidden INTEGER NOT NULL
            );
            """),
        // The history of records, and beside it the current state per child and material, so that a class is read
        // quickly.
        Migration(
            "002-progress",
            """
            CREATE TABLE material_records (
                id TEXT PRIMARY KEY,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                material_id TEXT NOT NULL,
                state TEXT NOT NULL,
                day TEXT NOT NULL,
                recorded_by TEXT NOT NULL,
                recorded_at BIGINT NOT NULL
            );
            CREATE INDEX material_records_student ON material_records (student_id, material_id, day);
            CREATE TABLE material_progress (
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                material_id TEXT NOT NULL,
                state TEXT NOT NULL,
                day TEXT NOT NULL,
                recorded_by TEXT NOT NULL,
                recorded_at BIGINT NOT NULL,
                PRIMARY KEY (student_id, material_id)
            );
            """),
        Migration(
            "003-dismissals",
            """
            CREATE TABLE dismissed_suggestions (
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                material_id TEXT NOT NULL,
                dismissed_at BIGINT NOT NULL,
                PRIMARY KEY (student_id, material_id)
            );
            """),
    ]
}
