import FeatureKit

/// The block's tables in the school's database. Scores and maximums are decimal numbers as text.
enum CourseworkMigrations {
    static let school = [
        Migration(
            "001-assignments",
            """
            CREATE TABLE coursework_assignments (
                id TEXT PRIMARY KEY NOT NULL,
                course_id TEXT NOT NULL,
                title TEXT NOT NULL,
                instructions TEXT NOT NULL,
                points TEXT,
                category TEXT NOT NULL,
                due_day TEXT,
                due_at BIGINT,
                opens_at BIGINT,
                late_work TEXT NOT NULL,
                late_until BIGINT,
                late_penalty INTEGER NOT NULL,
                kinds TEXT NOT NULL,
                attempts INTEGER,
                is_for_everyone INTEGER NOT NULL,
                published_at BIGINT,
                announced_at BIGINT,
                created_at BIGINT NOT NULL,
                version INTEGER NOT NULL
            );
            CREATE INDEX coursework_assignments_course ON coursework_assignments (course_id, due_at);
            CREATE TABLE coursework_assignees (
                student_id TEXT NOT NULL,
                assignment_id TEXT NOT NULL,
                PRIMARY KEY (student_id, assignment_id)
            );
            CREATE INDEX coursework_assignees_assignment ON coursework_assignees (assignment_id);
            CREATE TABLE coursework_extensions (
                student_id TEXT NOT NULL,
                assignment_id TEXT NOT NULL,
                due_at BIGINT NOT NULL,
                PRIMARY KEY (student_id, assignment_id)
            );
            CREATE INDEX coursework_extensions_assignment ON coursework_extensions (assignment_id);
            """),
        // A file without a submission belongs to the student's draft.
        Migration(
            "002-submissions",
            """
            CREATE TABLE coursework_drafts (
                student_id TEXT NOT NULL,
                assignment_id TEXT NOT NULL,
                text TEXT,
                link TEXT,
                changed_at BIGINT NOT NULL,
                PRIMARY KEY (student_id, assignment_id)
            );
            CREATE INDEX coursework_drafts_assignment ON coursework_drafts (assignment_id);
            CREATE TABLE coursework_submissions (
                id TEXT PRIMARY KEY NOT NULL,
                student_id TEXT NOT NULL,
                assignment_id TEXT NOT NULL,
                attempt INTEGER NOT NULL,
                text TEXT,
                link TEXT,
                handed_in_at BIGINT NOT NULL
            );
            CREATE UNIQUE INDEX coursework_submissions_attempt
                ON coursework_submissions (assignment_id, student_id, attempt);
            CREATE INDEX coursework_submissions_student ON coursework_submissions (student_id, assignment_id);
            CREATE TABLE coursework_files (
                id TEXT PRIMARY KEY NOT NULL,
                student_id TEXT NOT NULL,
                assignment_id TEXT NOT NULL,
                submission_id TEXT,
                name TEXT NOT NULL,
                size BIGINT NOT NULL,
                sha256 TEXT NOT NULL,
                preview_sha256 TEXT,
                width INTEGER,
                height INTEGER,
                added_at BIGINT NOT NULL
            );
            CREATE INDEX coursework_files_student ON coursework_files (student_id, assignment_id);
            CREATE INDEX coursework_files_assignment ON coursework_files (assignment_id);
            """),
        Migration(
            "003-marks",
            """
            CREATE TABLE coursework_marks (
                student_id TEXT NOT NULL,
                assignment_id TEXT NOT NULL,
                submission_id TEXT,
                points TEXT,
                comment TEXT,
                returned_at BIGINT,
                marked_by TEXT NOT NULL,
                marked_at BIGINT NOT NULL,
                version INTEGER NOT NULL,
                PRIMARY KEY (student_id, assignment_id)
            );
            CREATE INDEX coursework_marks_assignment ON coursework_marks (assignment_id);
            """),
        // Files that are being sent in parts. A row is deleted when its file belongs to a draft.
        Migration(
            "004-uploads",
            """
            CREATE TABLE coursework_uploads (
                id TEXT PRIMARY KEY NOT NULL,
                student_id TEXT NOT NULL,
                assignment_id TEXT NOT NULL,
                name TEXT NOT NULL,
                size BIGINT NOT NULL,
                begun_at BIGINT NOT NULL
            );
            CREATE INDEX coursework_uploads_student ON coursework_uploads (student_id);
            CREATE INDEX coursework_uploads_assignment ON coursework_uploads (assignment_id);
            """),
        // What is due in a time, for reminders.
        Migration(
            "005-due",
            """
            CREATE INDEX coursework_assignments_due ON coursework_assignments (due_at);
            CREATE INDEX coursework_extensions_due ON coursework_extensions (due_at);
            """),
    ]

    /// Assignments that took files still take files of all kinds, scans and drawings.
    static let fileKinds = Migration(
        "007-file-kinds",
        """
        ALTER TABLE coursework_assignments ADD COLUMN file_kinds TEXT NOT NULL DEFAULT '';
        UPDATE coursework_assignments SET kinds = kinds || ' scan drawing' WHERE kinds LIKE '%files%';
        """)
}
