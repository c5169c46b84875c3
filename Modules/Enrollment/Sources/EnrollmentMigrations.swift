import FeatureKit

/// The block's tables, all of them a school's own.
enum EnrollmentMigrations {
    static let school = [
        // `arrival` counts those who came to a course and orders its waitlist; no clock does. One index serves both the
        // count of each state and the longest-waiting student.
        Migration(
            "001-enrollments",
            """
            CREATE TABLE enrollments (
                course_id TEXT NOT NULL,
                student_id TEXT NOT NULL,
                state TEXT NOT NULL,
                arrival INTEGER NOT NULL,
                since BIGINT NOT NULL,
                drop_asked_at BIGINT,
                PRIMARY KEY (course_id, student_id)
            );
            CREATE INDEX enrollments_student ON enrollments (student_id);
            CREATE INDEX enrollments_state ON enrollments (course_id, state, arrival);
            """)
    ]
}
