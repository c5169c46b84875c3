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
        Migration(
            "003-observations",
            """
            CREATE TABLE observations (
                id TEXT PRIMARY KEY,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                content TEXT NOT NULL,
                search_text TEXT NOT NULL,
                subject_tag TEXT,
                material_tag TEXT,
                app_tag TEXT,
                follow_up_on TEXT,
                followed_up_at BIGINT,
                created_at BIGINT NOT NULL,
                created_by TEXT NOT NULL,
                version BIGINT NOT NULL
            );
            CREATE INDEX observations_student ON observations (student_id);
            CREATE INDEX observations_follow_up ON observations (created_by, follow_up_on);
            CREATE TABLE observation_children (
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                created_at BIGINT NOT NULL,
                observation_id TEXT NOT NULL REFERENCES observations (id) ON DELETE CASCADE,
                PRIMARY KEY (student_id, created_at, observation_id)
            );
            CREATE INDEX observation_children_observation ON observation_children (observation_id);
            """),
        Migration(
            "004-habits",
            """
            CREATE TABLE habits (
                id TEXT PRIMARY KEY,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                cadence TEXT NOT NULL,
                paused_on TEXT,
                created_at BIGINT NOT NULL,
                created_by TEXT NOT NULL
            );
            CREATE INDEX habits_student ON habits (student_id);
            CREATE TABLE habit_logs (
                habit_id TEXT NOT NULL REFERENCES habits (id) ON DELETE CASCADE,
                day TEXT NOT NULL,
                is_done BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                created_by TEXT NOT NULL,
                PRIMARY KEY (habit_id, day)
            );
            """),
        Migration(
            "005-work",
            """
            CREATE TABLE student_work (
                id TEXT PRIMARY KEY,
                kind TEXT NOT NULL,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                title TEXT NOT NULL,
                details TEXT,
                scheduled_for TEXT,
                completed_at BIGINT,
                completed_by TEXT,
                created_at BIGINT NOT NULL,
                created_by TEXT NOT NULL
            );
            CREATE INDEX student_work_student ON student_work (student_id, completed_at);
            """),
        Migration(
            "006-contacts",
            """
            CREATE TABLE parent_contacts (
                id TEXT PRIMARY KEY,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                full_name TEXT NOT NULL,
                email TEXT,
                phone TEXT
            );
            CREATE INDEX parent_contacts_student ON parent_contacts (student_id);
            """),
        Migration(
            "007-photos",
            """
            CREATE TABLE observation_photos (
                observation_id TEXT NOT NULL REFERENCES observations (id) ON DELETE CASCADE,
                position BIGINT NOT NULL,
                sha256 TEXT NOT NULL,
                thumbnail_sha256 TEXT NOT NULL,
                width BIGINT NOT NULL,
                height BIGINT NOT NULL,
                PRIMARY KEY (observation_id, position)
            );
            """),
        Migration(
            "008-voice",
            """
            CREATE TABLE voice_notes (
                id TEXT PRIMARY KEY,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                sha256 TEXT NOT NULL,
                media TEXT NOT NULL,
                seconds BIGINT NOT NULL,
                transcript TEXT,
                created_at BIGINT NOT NULL,
                created_by TEXT NOT NULL
            );
            CREATE INDEX voice_notes_student ON voice_notes (student_id, created_at);
            """),
        // These columns were never used; now they hold the hash of a file.
        Migration(
            "009-pictures",
            """
            ALTER TABLE students RENAME COLUMN image_url TO picture;
            ALTER TABLE classrooms RENAME COLUMN image_url TO cover;
            """),
        // After years a child has hundreds of lessons and thousands of observations, of which the page shows the first.
        Migration(
            "010-first-screenful",
            """
            CREATE INDEX habit_logs_done ON habit_logs (habit_id, day, is_done);
            CREATE INDEX student_work_open ON student_work
                (student_id, kind, (COALESCE(scheduled_for, '9999-12-31')), created_at DESC, id)
                WHERE completed_at IS NULL;
            ALTER TABLE observation_children ADD COLUMN material_tag TEXT;
            UPDATE observation_children SET material_tag = (
                SELECT observations.material_tag FROM observations
                WHERE observations.id = observation_children.observation_id);
            CREATE INDEX observation_children_material
                ON observation_children (student_id, material_tag, created_at DESC, observation_id)
                WHERE material_tag IS NOT NULL;
            """),
        // The first days of the present students are not known. They stay empty, so that the attendance sheets
        // of earlier days still show these students.
        Migration(
            "011-stays",
            """
            CREATE TABLE classroom_stays (
                classroom_id TEXT NOT NULL REFERENCES classrooms (id) ON DELETE CASCADE,
                student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                first_day TEXT,
                last_day TEXT
            );
            CREATE INDEX classroom_stays_classroom
                ON classroom_stays (classroom_id, student_id, first_day, last_day);
            CREATE INDEX classroom_stays_student ON classroom_stays (student_id, classroom_id, first_day, last_day);
            CREATE UNIQUE INDEX classroom_stays_open ON classroom_stays (classroom_id, student_id)
                WHERE last_day IS NULL;
            INSERT INTO classroom_stays (classroom_id, student_id)
                SELECT classroom_id, student_id FROM classroom_students;
            """),
        // The class in which the mark was made; NULL for older marks. The value stays when the class is deleted.
        Migration("012-place-of-a-mark", "ALTER TABLE attendance_marks ADD COLUMN classroom_id TEXT;"),
        // Pauses that are over; the present one is `habits.paused_on`.
        Migration(
            "013-habit-pauses",
            """
            CREATE TABLE habit_pauses (
                habit_id TEXT NOT NULL REFERENCES habits (id) ON DELETE CASCADE,
                first_day TEXT NOT NULL,
                last_day TEXT NOT NULL,
                PRIMARY KEY (habit_id, first_day)
            );
            """),
        // The cover in the size of lists; NULL for covers that were stored before this migration.
        Migration("014-small-covers", "ALTER TABLE classrooms ADD COLUMN small_cover TEXT;"),
    ]
}
