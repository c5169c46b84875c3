import FeatureKit

enum ClassroomMigrations {
    static let school = [
        Migration(
            "001-classrooms",
            """
            CREATE TABLE classrooms (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                avatar_tint TEXT NOT NULL,
                image_url TEXT,
                external_id TEXT UNIQUE,
                created_at BIGINT NOT NULL
            );
            CREATE TABLE students (
                id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
                image_url TEXT,
                notes TEXT,
                created_at BIGINT NOT NULL
            );
            CREATE TABLE classroom_guides (
                classroom_id TEXT NOT NULL REFERENCES classrooms (id) ON DELETE CASCADE,
                person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
                PRIMARY KEY (classroom_id, person_id)
            );
            CREATE INDEX classroom_guides_person ON classroom_guides (person_id);
            CREATE TABLE classroom_students (
                classroom_id TEXT NOT NULL REFERENCES classrooms (id) ON DELETE CASCADE,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                PRIMARY KEY (classroom_id, student_id)
            );
            CREATE INDEX classroom_students_student ON classroom_students (student_id);
            CREATE TABLE default_classrooms (
                person_id TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
                classroom_id TEXT NOT NULL REFERENCES classrooms (id) ON DELETE CASCADE
            );
            """),
        Migration(
            "002-attendance",
            """
            CREATE TABLE attendance_marks (
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                day TEXT NOT NULL,
                status TEXT NOT NULL,
                marked_by TEXT NOT NULL,
                marked_at BIGINT NOT NULL,
                PRIMARY KEY (student_id, day)
            );
            """),
    ]
}
