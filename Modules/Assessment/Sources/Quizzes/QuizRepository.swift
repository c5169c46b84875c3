import AssessmentModel
import Domain
import FeatureKit
import Foundation

/// Reads and writes quizzes and their questions in the school's database.
enum QuizRepository {
    // MARK: - Quizzes

    static func quiz(_ id: UUID, in sql: any SQLReading) throws -> Quiz? {
        try sql.row("SELECT * FROM assessment_quizzes WHERE id = \(id)").map(quiz)
    }

    /// The quizzes of a course, oldest first.
    static func quizzes(of courseId: UUID, in sql: any SQLReading) throws -> [Quiz] {
        try sql.rows("SELECT * FROM assessment_quizzes WHERE course_id = \(courseId) ORDER BY created_at, id")
            .map(quiz)
    }

    /// The quizzes with these ids. Unknown ids are left out.
    static func quizzes(_ ids: some Sequence<UUID>, in sql: any SQLReading) throws -> [Quiz] {
        try sql.rows("SELECT * FROM assessment_quizzes WHERE id IN \(list: Array(ids))").map(quiz)
    }

    /// The published quizzes that are due within a time for all or, with extra time, for one student.
    /// - Parameter ids: reads only these quizzes; `nil` reads all.
    static func due(in span: Range<Date>, _ ids: Set<UUID>?, in sql: any SQLReading) throws -> [Quiz] {
        try sql.rows(due(in: span, ids)).map(quiz)
    }

    static func due(in span: Range<Date>, _ ids: Set<UUID>?) -> SQL {
        let only: SQL = ids.map { "AND id IN \(list: $0)" } ?? ""
        // Extra time moves a due time by at most a day.
        return """
            SELECT * FROM assessment_quizzes
            WHERE is_published = 1 AND due_at >= \(span.lowerBound - 86_400) AND due_at < \(span.upperBound) \(only)
            """
    }

    /// The published quizzes of courses that have a due time.
    static func due(of courseIds: [UUID], in sql: any SQLReading) throws -> [Quiz] {
        try sql.rows(
            """
            SELECT * FROM assessment_quizzes
            WHERE course_id IN \(list: courseIds) AND is_published = 1 AND due_at IS NOT NULL
            """
        ).map(quiz)
    }

    /// The ids of at most `limit` quizzes after an id, in the order of ids.
    static func ids(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM assessment_quizzes WHERE id > \(id?.text ?? "") ORDER BY id LIMIT \(limit)")
            .map { try $0.get("id") }
    }

    static func titles(_ ids: [UUID], in sql: any SQLReading) throws -> [UUID: String] {
        try sql.rows("SELECT id, title FROM assessment_quizzes WHERE id IN \(list: ids)").reduce(into: [:]) {
            $0[try $1.get("id")] = try $1.get("title", as: String.self)
        }
    }

    /// The quizzes whose results wait for a due time that is over.
    static func due(at instant: Date, in sql: any SQLReading) throws -> [Quiz] {
        try sql.rows(
            """
            SELECT * FROM assessment_quizzes WHERE due_at < \(instant) AND released_at IS NULL AND is_published = 1
                AND results = \(Quiz.Results.afterDue)
            """
        ).map(quiz)
    }

    /// Inserts or replaces a quiz.
    static func save(_ quiz: Quiz, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO assessment_quizzes (id, course_id, title, details, minutes, points, passing, attempts,
                shuffles_questions, shuffles_options, results, shows_answers, shows_explanations, opens_at, due_at,
                due_day, is_published, published_at, released_at, maximum, version, created_at)
            VALUES (\(quiz.id), \(quiz.courseId), \(quiz.title), \(quiz.details), \(quiz.minutes), \(quiz.points),
                \(quiz.passing), \(quiz.attempts), \(quiz.shufflesQuestions), \(quiz.shufflesOptions),
                \(quiz.results), \(quiz.showsAnswers), \(quiz.showsExplanations), \(quiz.opensAt), \(quiz.dueAt),
                \(quiz.dueDay), \(quiz.isPublished), \(quiz.publishedAt), \(quiz.releasedAt), \(quiz.maximum), \(quiz.version),
                \(quiz.createdAt))
            ON CONFLICT (id) DO UPDATE SET title = excluded.title, details = excluded.details,
                minutes = excluded.minutes, points = excluded.points, passing = excluded.passing,
                attempts = excluded.attempts, shuffles_questions = excluded.shuffles_questions,
                shuffles_options = excluded.shuffles_options, results = excluded.results,
                shows_answers = excluded.shows_answers, shows_explanations = excluded.shows_explanations,
                opens_at = excluded.opens_at, due_at = excluded.due_at, due_day = excluded.due_day,
                is_published = excluded.is_published, published_at = excluded.published_at, released_at = excluded.released_at,
                maximum = excluded.maximum, version = excluded.version
            """)
    }

    /// Removes a quiz with its questions and attempts.
    static func delete(_ quizId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            DELETE FROM assessment_answers
            WHERE attempt_id IN (SELECT id FROM assessment_attempts WHERE quiz_id = \(quizId))
            """)
        try sql.execute("DELETE FROM assessment_attempts WHERE quiz_id = \(quizId)")
        try sql.execute("DELETE FROM assessment_versions WHERE quiz_id = \(quizId)")
        try sql.execute("DELETE FROM assessment_extra_time WHERE quiz_id = \(quizId)")
        try sql.execute("DELETE FROM assessment_questions WHERE quiz_id = \(quizId)")
        try PictureRepository.remove(quizId, in: sql)
        try DrawRepository.deleteAll(of: quizId, in: sql)
        try sql.execute("DELETE FROM assessment_quizzes WHERE id = \(quizId)")
    }

    private static func quiz(_ row: SQLRow) throws -> Quiz {
        try Quiz(
            id: row.get("id"), courseId: row.get("course_id"), title: row.get("title"),
            details: row.optional("details"), minutes: row.optional("minutes"), points: row.get("points"),
            passing: row.optional("passing"), attempts: row.optional("attempts"),
            shufflesQuestions: row.get("shuffles_questions"), shufflesOptions: row.get("shuffles_options"),
            results: row.get("results"), showsAnswers: row.get("shows_answers"),
            showsExplanations: row.get("shows_explanations"), opensAt: row.optional("opens_at"),
            dueAt: row.optional("due_at"), dueDay: row.optional("due_day"),
            publishedAt: row.optional("published_at"),
            releasedAt: row.optional("released_at"), maximum: row.get("maximum"), version: row.get("version"),
            createdAt: row.get("created_at"))
    }

    // MARK: - Questions

    /// The questions of a quiz, in order.
    static func questions(of quizId: UUID, in sql: any SQLReading) throws -> [Question] {
        try sql.rows("SELECT body FROM assessment_questions WHERE quiz_id = \(quizId) ORDER BY position, id").map {
            try decode(Question.self, $0.get("body"))
        }
    }

    /// The numbers of questions of some quizzes.
    static func counts(_ quizIds: [UUID], in sql: any SQLReading) throws -> [UUID: Int] {
        try sql.rows(
            """
            SELECT quiz_id, COUNT(*) AS count FROM assessment_questions WHERE quiz_id IN \(list: quizIds)
            GROUP BY quiz_id
            """
        ).reduce(into: [:]) { $0[try $1.get("quiz_id")] = try $1.get("count", as: Int.self) }
    }

    /// Stores the questions of a quiz in a new order, and the sum of their points. Attempts that have started keep the
    /// questions that they have.
    static func replace(
        _ questions: [Question], of quiz: inout Quiz, in sql: any SQLWriting
    ) throws {
        let before = try Dictionary(
            uniqueKeysWithValues: sql.rows(
                "SELECT id, position, body FROM assessment_questions WHERE quiz_id = \(quiz.id)"
            ).map {
                try (
                    $0.get("id", as: UUID.self), ($0.get("position", as: Int.self), $0.get("body", as: String.self))
                )
            })
        let removed = Set(before.keys).subtracting(questions.map(\.id))
        if !removed.isEmpty {
            try sql.execute("DELETE FROM assessment_questions WHERE id IN \(list: removed)")
        }
        for (position, question) in questions.enumerated() {
            let body = try encode(question)
            if let old = before[question.id], old == (position, body) { continue }
            try sql.execute(
                """
                INSERT INTO assessment_questions (id, quiz_id, position, body, origin_id)
                VALUES (\(question.id), \(quiz.id), \(position), \(body), \(question.originId))
                ON CONFLICT (id) DO UPDATE SET position = excluded.position, body = excluded.body
                """)
        }
        try PictureRepository.set(questions, of: quiz.id, in: sql)
        let maximum = try self.maximum(of: quiz, questions, in: sql)
        if maximum != quiz.maximum {
            quiz.maximum = maximum
            try save(quiz, in: sql)
        }
        try retireVersion(of: quiz.id, in: sql)
    }

    /// The sum of the points of all questions of a quiz, in hundredths.
    static func maximum(of quiz: Quiz, _ questions: [Question], in sql: any SQLReading) throws -> Int {
        try questions.reduce(0) { $0 + ($1.points ?? quiz.points) } + DrawRepository.points(of: quiz, in: sql)
    }

    /// Lets the next attempt store the questions as they are then.
    static func retireVersion(of quizId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            "UPDATE assessment_versions SET is_current = 0 WHERE quiz_id = \(quizId) AND is_current = 1")
    }

    // MARK: - Versions

    /// The id of the version with the current questions; `nil` if they changed since the last attempt started.
    static func currentVersion(of quizId: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.row("SELECT id FROM assessment_versions WHERE quiz_id = \(quizId) AND is_current = 1")
            .map { try $0.get("id") }
    }

    static func insertVersion(
        _ id: UUID, of quizId: UUID, _ version: QuestionVersion, isCurrent: Bool, at instant: Date,
        in sql: any SQLWriting
    ) throws {
        let pool = version.pool.isEmpty ? nil : try encode(version.pool.sorted())
        try sql.execute(
            """
            INSERT INTO assessment_versions (id, quiz_id, is_current, body, pool, created_at)
            VALUES (\(id), \(quizId), \(isCurrent), \(try encode(version.questions)), \(pool), \(instant))
            """)
        // The pictures of the bank are seen in attempts too.
        try PictureRepository.add(version.questions, to: quizId, in: sql)
    }

    static func version(_ id: UUID, in sql: any SQLReading) throws -> QuestionVersion? {
        try sql.row("SELECT body, pool FROM assessment_versions WHERE id = \(id)").map { row in
            let pool: String? = try row.optional("pool")
            return try QuestionVersion(
                questions: decode([Question].self, row.get("body")),
                pool: pool.map { Set(try decode([UUID].self, $0)) } ?? [])
        }
    }

    static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSON.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSON.decode(type, from: Data(text.utf8))
    }
}
