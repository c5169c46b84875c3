import FeatureKit

/// The block's tables in the school's database. Scores and maximums are decimal numbers as text.
enum GradingMigrations {
    static let school = [
        Migration(
            "001-grades",
            """
            CREATE TABLE grading_items (
                id TEXT PRIMARY KEY,
                course_id TEXT NOT NULL,
                title TEXT NOT NULL,
                category TEXT NOT NULL,
                maximum TEXT NOT NULL,
                due_day TEXT,
                is_extra_credit INTEGER NOT NULL,
                released_at BIGINT,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX grading_items_course ON grading_items (course_id, created_at);
            CREATE TABLE grading_marks (
                student_id TEXT NOT NULL,
                item_id TEXT NOT NULL,
                points TEXT,
                state TEXT NOT NULL,
                comment TEXT,
                version INTEGER NOT NULL,
                changed_at BIGINT NOT NULL,
                PRIMARY KEY (student_id, item_id)
            );
            CREATE INDEX grading_marks_item ON grading_marks (item_id);
            """),
        // A row for each course with changed settings, and one for the school's scale.
        Migration(
            "002-settings",
            """
            CREATE TABLE grading_courses (course_id TEXT PRIMARY KEY, body TEXT NOT NULL);
            CREATE TABLE grading_scale (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
            """),
        // Files of scores that wait for their import.
        Migration(
            "003-uploads",
            """
            CREATE TABLE grading_uploads (
                id TEXT PRIMARY KEY,
                person_id TEXT NOT NULL,
                course_id TEXT NOT NULL,
                body TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX grading_uploads_person ON grading_uploads (person_id);
            CREATE INDEX grading_uploads_created ON grading_uploads (created_at);
            """),
    ]
}
