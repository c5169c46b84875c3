import FeatureKit

/// The block's tables, for export, retention and erasure.
enum AssessmentRecordStore {
    static let kinds = [
        RecordKind(
            "assessment.quizzes", "assessment.records.quizzes", personal: [], erasure: .withSchool,
            tables: [
                RecordTable(
                    "assessment_quizzes",
                    export: { _ in
                        """
                        SELECT id, course_id, title, details, minutes, points, passing, attempts, shuffles_questions,
                            shuffles_options, results, shows_answers, shows_explanations, opens_at, due_at, due_day,
                            is_published, published_at, released_at, maximum, version, created_at
                        FROM assessment_quizzes ORDER BY course_id, created_at, id
                        """
                    }, texts: .init(of: "assessment_quizzes", columns: ["title", "details"])),
                RecordTable(
                    "assessment_questions",
                    export: { _ in
                        """
                        SELECT id, quiz_id, position, body, origin_id FROM assessment_questions
                        ORDER BY quiz_id, position, id
                        """
                    }, texts: .init(of: "assessment_questions", columns: ["body"])),
                RecordTable(
                    "assessment_versions",
                    export: { _ in
                        """
                        SELECT id, quiz_id, is_current, body, pool, created_at FROM assessment_versions ORDER BY quiz_id, id
                        """
                    }, texts: .init(of: "assessment_versions", columns: ["body"])),
                RecordTable(
                    "assessment_draws",
                    export: { _ in
                        """
                        SELECT id, quiz_id, tag, count, points, created_at FROM assessment_draws
                        ORDER BY quiz_id, created_at, id
                        """
                    }, texts: .init(of: "assessment_draws", columns: ["tag"])),
                RecordTable(
                    "assessment_full_points",
                    export: { _ in
                        "SELECT quiz_id, question_id FROM assessment_full_points ORDER BY quiz_id, question_id"
                    }),
                RecordTable(
                    "assessment_pictures",
                    export: { _ in "SELECT quiz_id, sha256 FROM assessment_pictures ORDER BY quiz_id, sha256" },
                    files: "SELECT sha256 FROM assessment_pictures"),
            ]),
        RecordKind(
            "assessment.bank", "assessment.records.bank", personal: [.notes], erasure: .withPerson,
            tables: [
                // Before the questions, by which the rows of a person are found.
                RecordTable(
                    "assessment_bank_pictures",
                    export: { _ in "SELECT bank_id, sha256 FROM assessment_bank_pictures ORDER BY bank_id, sha256"
                    },
                    about: { subject in
                        """
                        SELECT p.sha256 FROM assessment_bank b JOIN assessment_bank_pictures p ON p.bank_id = b.id
                        WHERE b.person_id = \(subject.personId) ORDER BY b.created_at, p.sha256
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM assessment_bank_pictures WHERE bank_id IN (
                            SELECT id FROM assessment_bank WHERE person_id = \(subject.personId))
                        """
                    }, files: "SELECT sha256 FROM assessment_bank_pictures"),
                RecordTable(
                    "assessment_bank",
                    export: { _ in
                        """
                        SELECT id, person_id, is_shared, tags, folded, body, created_at FROM assessment_bank
                        ORDER BY person_id, created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT tags, body, created_at FROM assessment_bank WHERE person_id = \(subject.personId)
                        ORDER BY created_at, id
                        """
                    },
                    erase: { "DELETE FROM assessment_bank WHERE person_id = \($0.personId)" },
                    texts: .init(of: "assessment_bank", columns: ["tags", "folded", "body"])),
            ]),
        RecordKind(
            "assessment.attempts", "assessment.records.attempts", personal: [.activity], erasure: .withPerson,
            tables: [
                // Before the attempts, by which the rows of a person are found.
                RecordTable(
                    "assessment_answers",
                    export: { _ in
                        """
                        SELECT attempt_id, question_id, body, is_answered, is_marked, is_late, points, given_points,
                            saved_at
                        FROM assessment_answers ORDER BY attempt_id, question_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT q.title, a.question_id, a.body, a.points, a.given_points, a.saved_at
                        FROM assessment_attempts t JOIN assessment_answers a ON a.attempt_id = t.id
                        JOIN assessment_quizzes q ON q.id = t.quiz_id
                        WHERE t.student_id = \(subject.personId) ORDER BY t.started_at, a.question_id
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM assessment_answers WHERE attempt_id IN (
                            SELECT id FROM assessment_attempts WHERE student_id = \(subject.personId))
                        """
                    },
                    texts: .init(of: "assessment_answers", columns: ["body"], key: ["attempt_id", "question_id"])),
                RecordTable(
                    "assessment_attempts",
                    export: { _ in
                        """
                        SELECT id, quiz_id, student_id, number, version_id, seed, language, started_at, ends_at,
                            closed_at, ending, score, maximum, drawn
                        FROM assessment_attempts ORDER BY quiz_id, student_id, number
                        """
                    },
                    about: { subject in
                        """
                        SELECT q.title, t.number, t.started_at, t.closed_at, t.ending, t.score, t.maximum
                        FROM assessment_attempts t JOIN assessment_quizzes q ON q.id = t.quiz_id
                        WHERE t.student_id = \(subject.personId) ORDER BY t.started_at, t.id
                        """
                    },
                    erase: { "DELETE FROM assessment_attempts WHERE student_id = \($0.personId)" }),
                RecordTable(
                    "assessment_extra_time",
                    export: { _ in
                        """
                        SELECT quiz_id, student_id, minutes FROM assessment_extra_time ORDER BY quiz_id, student_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT q.title, e.minutes FROM assessment_extra_time e
                        JOIN assessment_quizzes q ON q.id = e.quiz_id
                        WHERE e.student_id = \(subject.personId) ORDER BY q.title, q.id
                        """
                    },
                    erase: { "DELETE FROM assessment_extra_time WHERE student_id = \($0.personId)" }),
            ]),
    ]
}
