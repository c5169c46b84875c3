import FeatureKit

/// The block's tables, for export, retention and erasure.
enum CoursesRecordStore {
    static let kinds = [
        RecordKind(
            "courses.courses", "courses.records.courses", personal: [], erasure: .withSchool,
            tables: [
                RecordTable(
                    "courses",
                    export: { _ in
                        """
                        SELECT id, name, subject, grade_level, details, term_id, credits, capacity, admission, drop_day,
                            tint, is_archived, created_at FROM courses ORDER BY id
                        """
                    }),
                RecordTable(
                    "terms",
                    export: { _ in "SELECT id, name, first_day, last_day FROM terms ORDER BY first_day, id" }),
                RecordTable(
                    "course_periods",
                    export: { _ in
                        """
                        SELECT course_id, position, weekday, starts, ends, room FROM course_periods
                        ORDER BY course_id, position
                        """
                    }),
                RecordTable(
                    "course_modules",
                    export: { _ in "SELECT id, course_id, title, position FROM course_modules ORDER BY id" }),
                RecordTable(
                    "lessons",
                    export: { _ in
                        """
                        SELECT id, course_id, module_id, title, content, video_url, minutes, is_published, position
                        FROM lessons ORDER BY id
                        """
                    }),
                RecordTable(
                    "lesson_files",
                    export: { _ in
                        """
                        SELECT id, lesson_id, name, size, sha256, added_at, media, width, height FROM lesson_files
                        ORDER BY lesson_id, id
                        """
                    }, files: "SELECT sha256 FROM lesson_files"),
            ]),
        RecordKind(
            "courses.teachers", "courses.records.teachers", personal: [.role], erasure: .withPerson,
            tables: [
                RecordTable(
                    "course_teachers",
                    export: { _ in
                        "SELECT course_id, position, person_id FROM course_teachers ORDER BY course_id, position"
                    },
                    about: { subject in
                        """
                        SELECT courses.name FROM course_teachers JOIN courses ON courses.id = course_teachers.course_id
                        WHERE person_id = \(subject.personId) ORDER BY courses.name, courses.id
                        """
                    },
                    erase: { "DELETE FROM course_teachers WHERE person_id = \($0.personId)" })
            ]),
        RecordKind(
            "courses.completions", "courses.records.completions", personal: [.activity], erasure: .withPerson,
            tables: [
                RecordTable(
                    "lesson_completions",
                    export: { _ in
                        """
                        SELECT student_id, lesson_id, completed_at FROM lesson_completions
                        ORDER BY student_id, lesson_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT lessons.title, completed_at FROM lesson_completions
                        JOIN lessons ON lessons.id = lesson_completions.lesson_id
                        WHERE student_id = \(subject.personId) ORDER BY completed_at, lessons.id
                        """
                    },
                    erase: { "DELETE FROM lesson_completions WHERE student_id = \($0.personId)" })
            ]),
    ]
}
