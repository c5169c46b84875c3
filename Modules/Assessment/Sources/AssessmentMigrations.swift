import FeatureKit

/// The block's tables in the school's database. Points and scores are whole hundredths.
enum AssessmentMigrations {
    static let school = [
        Migration(
            "001-quizzes",
            """
            CREATE TABLE assessment_quizzes (
                id TEXT PRIMARY KEY NOT NULL,
                course_id TEXT NOT NULL,
                title TEXT NOT NULL,
                details TEXT,
                minutes INTEGER,
                points INTEGER NOT NULL,
                passing INTEGER,
                attempts INTEGER,
                shuffles_questions INTEGER NOT NULL,
                shuffles_options INTEGER NOT NULL,
                results TEXT NOT NULL,
                shows_answers INTEGER NOT NULL,
                shows_explanations INTEGER NOT NULL,
                opens_at BIGINT,
                due_at BIGINT,
                due_day TEXT,
                is_published INTEGER NOT NULL,
                released_at BIGINT,
                maximum INTEGER NOT NULL,
                version INTEGER NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX assessment_quizzes_course ON assessment_quizzes (course_id, created_at);
            CREATE INDEX assessment_quizzes_due ON assessment_quizzes (due_at) WHERE released_at IS NULL;
            CREATE TABLE assessment_questions (
                id TEXT PRIMARY KEY NOT NULL,
                quiz_id TEXT NOT NULL,
                position INTEGER NOT NULL,
                body TEXT NOT NULL
            );
            CREATE INDEX assessment_questions_quiz ON assessment_questions (quiz_id, position);
            """),
        // The questions as they were when an attempt started. A row never changes.
        Migration(
            "002-attempts",
            """
            CREATE TABLE assessment_versions (
                id TEXT PRIMARY KEY NOT NULL,
                quiz_id TEXT NOT NULL,
                is_current INTEGER NOT NULL,
                body TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX assessment_versions_quiz ON assessment_versions (quiz_id, is_current);
            CREATE TABLE assessment_attempts (
                id TEXT PRIMARY KEY NOT NULL,
                quiz_id TEXT NOT NULL,
                student_id TEXT NOT NULL,
                number INTEGER NOT NULL,
                version_id TEXT NOT NULL,
                seed BIGINT NOT NULL,
                language TEXT NOT NULL,
                started_at BIGINT NOT NULL,
                ends_at BIGINT,
                closed_at BIGINT,
                ending TEXT,
                score INTEGER,
                maximum INTEGER NOT NULL
            );
            CREATE UNIQUE INDEX assessment_attempts_number ON assessment_attempts (quiz_id, student_id, number);
            CREATE INDEX assessment_attempts_student ON assessment_attempts (student_id);
            CREATE INDEX assessment_attempts_open ON assessment_attempts (ends_at) WHERE closed_at IS NULL;
            CREATE TABLE assessment_answers (
                attempt_id TEXT NOT NULL,
                question_id TEXT NOT NULL,
                body TEXT NOT NULL,
                is_answered INTEGER NOT NULL,
                is_marked INTEGER NOT NULL,
                is_late INTEGER NOT NULL,
                device_id TEXT,
                points INTEGER NOT NULL,
                given_points INTEGER,
                saved_at BIGINT NOT NULL,
                PRIMARY KEY (attempt_id, question_id)
            );
            CREATE TABLE assessment_extra_time (
                quiz_id TEXT NOT NULL,
                student_id TEXT NOT NULL,
                minutes INTEGER NOT NULL,
                PRIMARY KEY (quiz_id, student_id)
            );
            CREATE INDEX assessment_extra_time_student ON assessment_extra_time (student_id);
            """),
        // Questions that teachers keep for other quizzes. A question of a quiz names the one that it is a copy of.
        Migration(
            "003-bank",
            """
            CREATE TABLE assessment_bank (
                id TEXT PRIMARY KEY NOT NULL,
                person_id TEXT NOT NULL,
                is_shared INTEGER NOT NULL,
                tags TEXT NOT NULL,
                folded TEXT NOT NULL,
                body TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX assessment_bank_person ON assessment_bank (person_id, created_at);
            CREATE INDEX assessment_bank_shared ON assessment_bank (is_shared, created_at);
            ALTER TABLE assessment_questions ADD COLUMN origin_id TEXT;
            CREATE INDEX assessment_questions_origin ON assessment_questions (origin_id);
            """),
        // What is due in a time, for reminders.
        Migration(
            "004-due",
            "CREATE INDEX assessment_quizzes_due_time ON assessment_quizzes (due_at) WHERE is_published = 1;"),
        // The files to which questions and their stored versions refer.
        Migration(
            "005-pictures",
            """
            CREATE TABLE assessment_pictures (
                quiz_id TEXT NOT NULL,
                sha256 TEXT NOT NULL,
                PRIMARY KEY (quiz_id, sha256)
            );
            CREATE TABLE assessment_bank_pictures (
                bank_id TEXT NOT NULL,
                sha256 TEXT NOT NULL,
                PRIMARY KEY (bank_id, sha256)
            );
            """),
        // Questions that are drawn from the bank for each attempt. A version has all of them, an attempt its own.
        Migration(
            "006-draws",
            """
            CREATE TABLE assessment_draws (
                id TEXT PRIMARY KEY NOT NULL,
                quiz_id TEXT NOT NULL,
                tag TEXT NOT NULL,
                count INTEGER NOT NULL,
                points INTEGER,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX assessment_draws_quiz ON assessment_draws (quiz_id, created_at);
            ALTER TABLE assessment_versions ADD COLUMN pool TEXT;
            ALTER TABLE assessment_attempts ADD COLUMN drawn TEXT;
            """),
        // Reminders of a quiz begin with its publication, not with its first draft.
        Migration(
            "007-published",
            """
            ALTER TABLE assessment_quizzes ADD COLUMN published_at BIGINT;
            UPDATE assessment_quizzes SET published_at = created_at WHERE is_published = 1;
            """),
        // Drawn questions whose full points everyone gets. The bank's question stays as it is, for other quizzes.
        Migration(
            "008-full-points",
            """
            CREATE TABLE assessment_full_points (
                quiz_id TEXT NOT NULL,
                question_id TEXT NOT NULL,
                PRIMARY KEY (quiz_id, question_id)
            );
            """),
        // The statistics of a quiz read all of its answers. In the order of their key that takes a fifth less time.
        Migration(
            "009-answers-by-key",
            """
            CREATE TABLE assessment_answers_by_key (
                attempt_id TEXT NOT NULL,
                question_id TEXT NOT NULL,
                body TEXT NOT NULL,
                is_answered INTEGER NOT NULL,
                is_marked INTEGER NOT NULL,
                is_late INTEGER NOT NULL,
                device_id TEXT,
                points INTEGER NOT NULL,
                given_points INTEGER,
                saved_at BIGINT NOT NULL,
                PRIMARY KEY (attempt_id, question_id)
            ) /* stored by key */;
            INSERT INTO assessment_answers_by_key (attempt_id, question_id, body, is_answered, is_marked, is_late,
                device_id, points, given_points, saved_at)
            SELECT attempt_id, question_id, body, is_answered, is_marked, is_late, device_id, points, given_points,
                saved_at
            FROM assessment_answers;
            DROP TABLE assessment_answers;
            ALTER TABLE assessment_answers_by_key RENAME TO assessment_answers;
            """),
    ]
}
