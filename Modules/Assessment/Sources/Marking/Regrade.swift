import AssessmentModel
import Domain
import FeatureKit
import Foundation

/// The scores of closed attempts after questions were changed.
///
/// A question that an attempt has takes the content that it has in the quiz now. Questions that were deleted, and drawn
/// ones, stay with the attempts as they were, and new questions are not added to them.
struct Regrade: Sendable {
    /// A version whose questions have changed, and its attempts.
    struct Version: Sendable {
        let version: QuestionVersion
        let attemptIds: [UUID]
        /// By how much the maximum of each attempt grows, in hundredths.
        let more: Int
    }

    /// An answer whose points change.
    struct Points: Sendable {
        let attemptId: UUID
        let questionId: UUID
        let points: Int
        /// Whether the question was answered, so that there is a stored answer.
        let isStored: Bool
    }

    var versions: [Version] = []
    var points: [Points] = []
    /// The scores that change: by attempt, before and after.
    var scores: [ScoreChange] = []

    var isEmpty: Bool { versions.isEmpty }

    /// Computes the new points of all closed attempts at a quiz, without storing them.
    ///
    /// - Parameter current: Returns a question of an attempt as it is now, and takes whether it was drawn.
    init(
        of quiz: Quiz, _ versions: QuestionVersions, in sql: any SQLReading,
        _ current: (_ question: Question, _ isDrawn: Bool) -> Question
    ) throws {
        // Attempts are read only if a question has changed, since most pages ask when none has.
        let affected = try AttemptRepository.versionsOfClosed(at: quiz.id, in: sql).compactMap { id in
            let version = try versions.version(id, in: sql)
            let new = version.questions.map { current($0, version.pool.contains($0.id)) }
            return new == version.questions ? nil : (id: id, version: version, questions: new)
        }
        guard !affected.isEmpty else { return }
        let closed = try AttemptRepository.attempts(at: quiz.id, in: sql).filter { $0.attempt.closedAt != nil }
        let byVersion = Dictionary(grouping: closed, by: \.versionId)
        for (versionId, version, new) in affected {
            let (old, attempts) = (version.questions, byVersion[versionId] ?? [])
            // Drawn questions keep the points that they have in each attempt.
            let more = zip(old, new).reduce(0) { sum, pair in
                version.pool.contains(pair.0.id) ? sum : sum + (pair.1.points ?? 0) - (pair.0.points ?? 0)
            }
            self.versions.append(
                Version(
                    version: QuestionVersion(questions: new, pool: version.pool),
                    attemptIds: attempts.map(\.attempt.id), more: more))
            var shift: [UUID: Int] = [:]
            for (before, after) in zip(old, new) where before != after {
                let answers = try MarkRepository.answers(to: after.id, at: quiz.id, in: sql)
                for stored in attempts {
                    let id = stored.attempt.id
                    let answer = answers[id]
                    var most = after.points ?? 0
                    if version.pool.contains(after.id) {
                        guard let drawn = stored.drawn?.first(where: { $0.id == after.id }) else { continue }
                        most = drawn.points
                    }
                    let score = QuestionScoring.score(
                        answer?.answer, to: after, points: most, in: stored.language)
                    guard score != answer?.points ?? 0 else { continue }
                    points.append(
                        Points(attemptId: id, questionId: after.id, points: score, isStored: answer != nil))
                    // Points that were given by hand stay.
                    if answer?.givenPoints == nil { shift[id, default: 0] += score - (answer?.points ?? 0) }
                }
            }
            for stored in attempts where shift[stored.attempt.id] ?? 0 != 0 || more != 0 {
                let score = stored.attempt.score ?? 0
                scores.append(
                    ScoreChange(
                        attemptId: stored.attempt.id, studentId: stored.attempt.studentId, before: score,
                        after: score + (shift[stored.attempt.id] ?? 0), maximumBefore: stored.attempt.maximum,
                        maximumAfter: stored.attempt.maximum + more))
            }
        }
        scores.sort { ($0.studentId, $0.attemptId) < ($1.studentId, $1.attemptId) }
    }

    /// Stores the new points, and returns the students whose scores changed.
    func apply(to quiz: Quiz, in context: CommandContext) throws -> [UUID] {
        let sql = context.sql
        for version in versions {
            let id = context.newId()
            try QuizRepository.insertVersion(
                id, of: quiz.id, version.version, isCurrent: false, at: context.now, in: sql)
            try AttemptRepository.setVersion(
                id, more: version.more, ofAttempts: version.attemptIds, in: sql)
        }
        for change in points {
            if change.isStored {
                try MarkRepository.setPoints(change.points, to: change.questionId, of: change.attemptId, in: sql)
            } else {
                try AttemptRepository.put(
                    StoredAnswer(
                        questionId: change.questionId, answer: QuizAnswer(), isMarked: false, isLate: false,
                        deviceId: nil, points: change.points, givenPoints: nil, savedAt: context.now),
                    of: change.attemptId, in: sql)
            }
        }
        try AttemptRepository.addUp(Set(points.map(\.attemptId)).sorted(), in: sql)
        return Set(scores.map(\.studentId)).sorted()
    }
}

/// A score that a regrade changes, in hundredths.
struct ScoreChange: Codable, Sendable, Hashable {
    let attemptId: UUID
    let studentId: UUID
    let before: Int
    let after: Int
    let maximumBefore: Int
    let maximumAfter: Int
}

/// Reads and writes the points of answers.
enum MarkRepository {
    /// The answers to one question, by attempt.
    static func answers(
        to questionId: UUID, at quizId: UUID, in sql: any SQLReading
    ) throws -> [UUID: StoredAnswer] {
        try sql.rows(
            """
            SELECT a.* FROM assessment_attempts t
            JOIN assessment_answers a ON a.attempt_id = t.id AND a.question_id = \(questionId)
            WHERE t.quiz_id = \(quizId)
            """
        ).reduce(into: [:]) { $0[try $1.get("attempt_id")] = try AttemptRepository.answer($1) }
    }

    static func setPoints(
        _ points: Int, to questionId: UUID, of attemptId: UUID, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            UPDATE assessment_answers SET points = \(points)
            WHERE attempt_id = \(attemptId) AND question_id = \(questionId)
            """)
    }

    /// What the answers to a question in closed attempts add up to.
    struct AnswerSums: Sendable {
        /// The sums of the scores, of their squares, and of their products with the whole score.
        var own = 0
        var squares = 0
        var totals = 0
        /// The answers that got no points, with how often each was given, the most frequent first.
        var errors: [(answer: QuizAnswer, count: Int)] = []
    }

    /// The students whose answers one statement adds up. Their answers are sorted in memory, while those of a large quiz
    /// would be sorted on disk.
    private static let studentsPerStatement = 100

    /// Adds up the answers in closed attempts by question, with at most `errorLimit` wrong answers for each.
    ///
    /// The sums and the wrong answers come from one statement, since both read all answers.
    static func sums(
        at quizId: UUID, errorLimit: Int, in sql: any SQLReading
    ) throws -> [UUID: AnswerSums] {
        // In the order of the database, which is also that of BETWEEN.
        let students = try sql.rows(
            """
            SELECT DISTINCT student_id FROM assessment_attempts WHERE quiz_id = \(quizId) AND closed_at IS NOT NULL
            ORDER BY student_id
            """
        ).map { try $0.get("student_id", as: UUID.self) }
        var all: [UUID: AnswerSums] = [:]
        var errors: [UUID: [String: Int]] = [:]
        for start in stride(from: 0, to: students.count, by: studentsPerStatement) {
            let last = min(start + studentsPerStatement, students.count) - 1
            let rows = try sql.rows(
                """
                SELECT a.question_id AS id, COALESCE(a.given_points, a.points) AS points,
                    CASE WHEN a.points = 0 AND a.is_answered = 1 THEN a.body END AS error,
                    COUNT(*) AS count, SUM(t.score) AS scores
                FROM assessment_attempts t JOIN assessment_answers a ON a.attempt_id = t.id
                WHERE t.quiz_id = \(quizId) AND t.student_id BETWEEN \(students[start]) AND \(students[last])
                    AND t.closed_at IS NOT NULL
                GROUP BY 1, 2, 3
                """)
            for row in rows {
                let id: UUID = try row.get("id")
                var sums = all[id] ?? AnswerSums()
                let (points, count): (Int, Int) = (try row.get("points"), try row.get("count"))
                sums.own += points * count
                sums.squares += points * points * count
                sums.totals += points * (try row.get("scores", as: Int.self))
                all[id] = sums
                if let error: String = try row.optional("error") {
                    errors[id, default: [:]][error, default: 0] += count
                }
            }
        }
        for (id, counts) in errors {
            let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(errorLimit)
            all[id]?.errors = try most.map { (try QuizRepository.decode(QuizAnswer.self, $0.key), $0.value) }
        }
        return all
    }

    /// The closed attempts with each version of the questions: their number, and the sums of their scores, of the
    /// squares, and of the largest scores.
    static func totals(at quizId: UUID, in sql: any SQLReading) throws -> [UUID: (
        count: Int, sum: Int, squares: Int, maximum: Int
    )] {
        try sql.rows(
            """
            SELECT version_id, COUNT(*) AS count, SUM(score) AS sum, SUM(score * score) AS squares,
                SUM(maximum) AS maximum
            FROM assessment_attempts WHERE quiz_id = \(quizId) AND closed_at IS NOT NULL GROUP BY version_id
            """
        ).reduce(into: [:]) { all, row in
            all[try row.get("version_id")] = try (
                row.get("count"), row.get("sum"), row.get("squares"), row.get("maximum")
            )
        }
    }
}
