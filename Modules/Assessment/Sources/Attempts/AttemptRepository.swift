import AssessmentModel
import Domain
import FeatureKit
import Foundation

/// An attempt as it is stored: with the version of its questions, its seed and the language of its student.
struct StoredAttempt: Sendable {
    var attempt: QuizAttempt
    var versionId: UUID
    let seed: Int64
    let language: Language
    /// The questions that were drawn for the attempt; `nil` if its quiz draws none.
    var drawn: [DrawnQuestion]?
}

/// An answer as it is stored.
struct StoredAnswer: Sendable {
    let questionId: UUID
    var answer: QuizAnswer
    var isMarked: Bool
    /// Whether the answer arrived after the end, within the grace period.
    var isLate: Bool
    var deviceId: UUID?
    /// The points by the key, in hundredths.
    var points: Int
    /// The points that a teacher gave by hand instead.
    var givenPoints: Int?
    var savedAt: Date

    /// The points that count.
    var score: Int { givenPoints ?? points }
}

/// Reads and writes attempts and answers in the school's database.
enum AttemptRepository {
    static func attempt(_ id: UUID, in sql: any SQLReading) throws -> StoredAttempt? {
        try sql.row("SELECT * FROM assessment_attempts WHERE id = \(id)").map(attempt)
    }

    /// The attempts of a student at a quiz, in order.
    static func attempts(of studentId: UUID, at quizId: UUID, in sql: any SQLReading) throws -> [StoredAttempt] {
        try sql.rows(
            """
            SELECT * FROM assessment_attempts WHERE quiz_id = \(quizId) AND student_id = \(studentId) ORDER BY number
            """
        ).map(attempt)
    }

    /// The quizzes that a student has handed in or whose time was over.
    static func closedQuizzes(of studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows(
                """
                SELECT DISTINCT quiz_id FROM assessment_attempts
                WHERE student_id = \(studentId) AND closed_at IS NOT NULL
                """
            ).map { try $0.get("quiz_id") })
    }

    /// The students who have closed an attempt, by quiz.
    static func studentsWithClosedAttempts(
        at quizIds: [UUID], in sql: any SQLReading
    ) throws -> [UUID: Set<UUID>] {
        try sql.rows(
            """
            SELECT DISTINCT quiz_id, student_id FROM assessment_attempts
            WHERE quiz_id IN \(list: quizIds) AND closed_at IS NOT NULL
            """
        ).reduce(into: [:]) { all, row in
            let id: UUID = try row.get("quiz_id")
            try all[id, default: []].insert(row.get("student_id"))
        }
    }

    /// All attempts at a quiz.
    static func attempts(at quizId: UUID, in sql: any SQLReading) throws -> [StoredAttempt] {
        try sql.rows(
            "SELECT * FROM assessment_attempts WHERE quiz_id = \(quizId) ORDER BY student_id, number"
        ).map(attempt)
    }

    /// The versions of the questions that closed attempts at a quiz have.
    static func versionsOfClosed(at quizId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            """
            SELECT DISTINCT version_id FROM assessment_attempts
            WHERE quiz_id = \(quizId) AND closed_at IS NOT NULL ORDER BY version_id
            """
        ).map { try $0.get("version_id") }
    }

    static func hasAttempts(at quizId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM assessment_attempts WHERE quiz_id = \(quizId) LIMIT 1")
    }

    /// The open attempts whose time was over at an instant, the first ones.
    static func expired(at instant: Date, limit: Int, in sql: any SQLReading) throws -> [StoredAttempt] {
        try sql.rows(
            """
            SELECT * FROM assessment_attempts WHERE closed_at IS NULL AND ends_at < \(instant)
            ORDER BY ends_at LIMIT \(limit)
            """
        ).map(attempt)
    }

    /// The scores of the closed attempts with a version, with the questions that were drawn for each.
    static func drawn(
        version versionId: UUID, in sql: any SQLReading
    ) throws -> [(score: Int, drawn: [DrawnQuestion])] {
        try sql.rows(
            """
            SELECT score, drawn FROM assessment_attempts WHERE version_id = \(versionId) AND closed_at IS NOT NULL
            """
        ).map { row in
            let drawn: String? = try row.optional("drawn")
            return try (
                row.optional("score") ?? 0, drawn.map { try QuizRepository.decode([DrawnQuestion].self, $0) } ?? []
            )
        }
    }

    static func isAnyOpen(at quizId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            "SELECT 1 FROM assessment_attempts WHERE quiz_id = \(quizId) AND closed_at IS NULL LIMIT 1")
    }

    static func insert(_ stored: StoredAttempt, in sql: any SQLWriting) throws {
        let attempt = stored.attempt
        try sql.execute(
            """
            INSERT INTO assessment_attempts
                (id, quiz_id, student_id, number, version_id, seed, language, started_at, ends_at, maximum, drawn)
            VALUES (\(attempt.id), \(attempt.quizId), \(attempt.studentId), \(attempt.number), \(stored.versionId),
                \(stored.seed), \(stored.language), \(attempt.startedAt), \(attempt.endsAt), \(attempt.maximum),
                \(try stored.drawn.map { try QuizRepository.encode($0) }))
            """)
    }

    static func close(
        _ attemptId: UUID, _ ending: QuizAttempt.Ending, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            UPDATE assessment_attempts SET closed_at = \(instant), ending = \(ending) WHERE id = \(attemptId)
            """)
        try addUp([attemptId], in: sql)
    }

    /// Computes the scores of attempts from their answers.
    static func addUp(_ attemptIds: [UUID], in sql: any SQLWriting) throws {
        for portion in SQL.lists(of: attemptIds) {
            try sql.execute(
                """
                UPDATE assessment_attempts SET score = (
                    SELECT COALESCE(SUM(COALESCE(given_points, points)), 0) FROM assessment_answers
                    WHERE attempt_id = assessment_attempts.id)
                WHERE closed_at IS NOT NULL AND id IN \(list: portion)
                """)
        }
    }

    static func setEnd(_ attemptId: UUID, _ end: Date?, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE assessment_attempts SET ends_at = \(end) WHERE id = \(attemptId)")
    }

    /// Sets the version of attempts whose maximum grows by `more` hundredths.
    static func setVersion(
        _ versionId: UUID, more: Int, ofAttempts attemptIds: [UUID], in sql: any SQLWriting
    ) throws {
        for portion in SQL.lists(of: attemptIds) {
            try sql.execute(
                """
                UPDATE assessment_attempts SET version_id = \(versionId), maximum = maximum + \(more)
                WHERE id IN \(list: portion)
                """)
        }
    }

    // MARK: - Answers

    static func answers(of attemptId: UUID, in sql: any SQLReading) throws -> [UUID: StoredAnswer] {
        try sql.rows("SELECT * FROM assessment_answers WHERE attempt_id = \(attemptId)").map(answer).reduce(
            into: [:]) {
                $0[$1.questionId] = $1
            }
    }

    static func answer(
        to questionId: UUID, of attemptId: UUID, in sql: any SQLReading
    ) throws -> StoredAnswer? {
        try sql.row(
            """
            SELECT * FROM assessment_answers WHERE attempt_id = \(attemptId) AND question_id = \(questionId)
            """
        ).map(answer)
    }

    /// Whether an attempt has answers that were given on another device.
    static func hasAnswers(
        _ attemptId: UUID, fromOtherDeviceThan deviceId: UUID, in sql: any SQLReading
    ) throws -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM assessment_answers WHERE attempt_id = \(attemptId) AND device_id <> \(deviceId) LIMIT 1
            """)
    }

    /// Inserts or replaces an answer.
    static func put(_ stored: StoredAnswer, of attemptId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO assessment_answers
                (attempt_id, question_id, body, is_answered, is_marked, is_late, device_id, points, given_points, saved_at)
            VALUES (\(attemptId), \(stored.questionId), \(try QuizRepository.encode(stored.answer)),
                \(!stored.answer.isEmpty), \(stored.isMarked), \(stored.isLate), \(stored.deviceId), \(stored.points), \(stored.givenPoints),
                \(stored.savedAt))
            ON CONFLICT (attempt_id, question_id) DO UPDATE SET body = excluded.body,
                is_answered = excluded.is_answered, is_marked = excluded.is_marked,
                is_late = excluded.is_late, device_id = excluded.device_id, points = excluded.points,
                given_points = excluded.given_points, saved_at = excluded.saved_at
            """)
    }

    /// The numbers of answered questions of the open attempts at a quiz.
    static func answered(at quizId: UUID, in sql: any SQLReading) throws -> [UUID: Int] {
        try sql.rows(
            """
            SELECT a.attempt_id, COUNT(*) AS count FROM assessment_answers a
            JOIN assessment_attempts t ON t.id = a.attempt_id
            WHERE t.quiz_id = \(quizId) AND t.closed_at IS NULL AND a.is_answered = 1 GROUP BY a.attempt_id
            """
        ).reduce(into: [:]) { $0[try $1.get("attempt_id")] = try $1.get("count", as: Int.self) }
    }

    // MARK: - Extra time

    static func extraMinutes(of studentId: UUID, at quizId: UUID, in sql: any SQLReading) throws -> Int {
        try sql.row(
            "SELECT minutes FROM assessment_extra_time WHERE quiz_id = \(quizId) AND student_id = \(studentId)"
        )?.get("minutes") ?? 0
    }

    /// The extra time of a student, by quiz.
    static func extraMinutes(of studentId: UUID, in sql: any SQLReading) throws -> [UUID: Int] {
        try sql.rows("SELECT quiz_id, minutes FROM assessment_extra_time WHERE student_id = \(studentId)").reduce(
            into: [:]
        ) { $0[try $1.get("quiz_id")] = try $1.get("minutes", as: Int.self) }
    }

    static func extraMinutes(at quizId: UUID, in sql: any SQLReading) throws -> [UUID: Int] {
        try sql.rows("SELECT student_id, minutes FROM assessment_extra_time WHERE quiz_id = \(quizId)").reduce(
            into: [:]
        ) { $0[try $1.get("student_id")] = try $1.get("minutes", as: Int.self) }
    }

    /// The extra time of students, by quiz and student.
    static func extraMinutes(at quizIds: [UUID], in sql: any SQLReading) throws -> [UUID: [UUID: Int]] {
        try sql.rows(
            "SELECT quiz_id, student_id, minutes FROM assessment_extra_time WHERE quiz_id IN \(list: quizIds)"
        ).reduce(into: [:]) { all, row in
            let (id, student): (UUID, UUID) = try (row.get("quiz_id"), row.get("student_id"))
            all[id, default: [:]][student] = try row.get("minutes", as: Int.self)
        }
    }

    static func setExtraMinutes(
        _ minutes: Int, of studentId: UUID, at quizId: UUID, in sql: any SQLWriting
    ) throws {
        if minutes == 0 {
            try sql.execute(
                "DELETE FROM assessment_extra_time WHERE quiz_id = \(quizId) AND student_id = \(studentId)")
            return
        }
        try sql.execute(
            """
            INSERT INTO assessment_extra_time (quiz_id, student_id, minutes)
            VALUES (\(quizId), \(studentId), \(minutes))
            ON CONFLICT (quiz_id, student_id) DO UPDATE SET minutes = excluded.minutes
            """)
    }

    // MARK: - Rows

    private static func attempt(_ row: SQLRow) throws -> StoredAttempt {
        let drawn: String? = try row.optional("drawn")
        return try StoredAttempt(
            attempt: QuizAttempt(
                id: row.get("id"), quizId: row.get("quiz_id"), studentId: row.get("student_id"),
                number: row.get("number"), startedAt: row.get("started_at"), endsAt: row.optional("ends_at"),
                closedAt: row.optional("closed_at"), ending: row.optional("ending"), score: row.optional("score"),
                maximum: row.get("maximum")),
            versionId: row.get("version_id"), seed: row.get("seed"), language: row.get("language"),
            drawn: drawn.map { try QuizRepository.decode([DrawnQuestion].self, $0) })
    }

    static func answer(_ row: SQLRow) throws -> StoredAnswer {
        try StoredAnswer(
            questionId: row.get("question_id"), answer: QuizRepository.decode(QuizAnswer.self, row.get("body")),
            isMarked: row.get("is_marked"), isLate: row.get("is_late"), deviceId: row.optional("device_id"),
            points: row.get("points"), givenPoints: row.optional("given_points"), savedAt: row.get("saved_at"))
    }
}
