import FeatureKit

/// The block's tables in the school's database.
enum CoursesMigrations {
    static let school = [
        Migration(
            "001-courses",
            """
            CREATE TABLE terms (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                first_day TEXT NOT NULL,
                last_day TEXT NOT NULL
            );
            CREATE TABLE courses (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                subject TEXT NOT NULL,
                grade_level TEXT,
                details TEXT,
                term_id TEXT REFERENCES terms (id),
                credits INTEGER NOT NULL,
                capacity INTEGER,
                admission TEXT NOT NULL,
                drop_day TEXT,
                tint TEXT NOT NULL,
                is_archived INTEGER NOT NULL,
                sort_key TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX courses_offered ON courses (is_archived, sort_key);
            CREATE INDEX courses_term ON courses (term_id);
            CREATE TABLE course_teachers (
                course_id TEXT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                person_id TEXT NOT NULL,
                PRIMARY KEY (course_id, position)
            );
            CREATE INDEX course_teachers_person ON course_teachers (person_id);
            CREATE TABLE course_periods (
                course_id TEXT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                weekday INTEGER NOT NULL,
                starts INTEGER NOT NULL,
                ends INTEGER NOT NULL,
                room TEXT,
                PRIMARY KEY (course_id, position)
            );
            """),
        Migration(
            "002-lessons",
            """
            CREATE TABLE course_modules (
                id TEXT PRIMARY KEY,
                course_id TEXT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
                title TEXT NOT NULL,
                position INTEGER NOT NULL
            );
            CREATE INDEX course_modules_course ON course_modules (course_id, position);
            CREATE TABLE lessons (
                id TEXT PRIMARY KEY,
                course_id TEXT NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
                module_id TEXT NOT NULL REFERENCES course_modules (id) ON DELETE CASCADE,
                title TEXT NOT NULL,
                content TEXT NOT NULL,
                minutes INTEGER,
                is_published INTEGER NOT NULL,
                position INTEGER NOT NULL,
                version INTEGER NOT NULL
            );
            CREATE INDEX lessons_course ON lessons (course_id);
            CREATE INDEX lessons_module ON lessons (module_id, position);
            CREATE TABLE lesson_completions (
                student_id TEXT NOT NULL,
                lesson_id TEXT NOT NULL REFERENCES lessons (id) ON DELETE CASCADE,
                completed_at BIGINT NOT NULL,
                PRIMARY KEY (student_id, lesson_id)
            );
            CREATE INDEX lesson_completions_lesson ON lesson_completions (lesson_id);
            """),
        Migration("003-video", "ALTER TABLE lessons ADD COLUMN video_url TEXT;"),
        Migration(
            "004-files",
            """
            CREATE TABLE lesson_files (
                id TEXT PRIMARY KEY,
                lesson_id TEXT NOT NULL REFERENCES lessons (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                size BIGINT NOT NULL,
                sha256 TEXT NOT NULL,
                added_at BIGINT NOT NULL
            );
            CREATE INDEX lesson_files_lesson ON lesson_files (lesson_id, added_at);
            """),
        // The kind of existing files is unknown, so they stay downloads.
        Migration(
            "005-media",
            """
            ALTER TABLE lesson_files ADD COLUMN media TEXT;
            ALTER TABLE lesson_files ADD COLUMN width INTEGER;
            ALTER TABLE lesson_files ADD COLUMN height INTEGER;
            """),
        // The ids of terms and courses in another system.
        Migration(
            "006-external-ids",
            """
            ALTER TABLE terms ADD COLUMN external_id TEXT;
            ALTER TABLE courses ADD COLUMN external_id TEXT;
            """),
    ]
}
