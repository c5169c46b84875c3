import AssessmentModel
public import FeatureKit
public import Foundation
public import GradingInterface

/// The quizzes as grade items: published ones with their maximum, and the scores that students may see.
///
/// The best attempt of a student counts. Scores that are hidden until the due time are left out everywhere, because
/// the gradebook passes everything on to students.
public struct GradedQuizzes: GradedItemSource {
    public init() {}

    public func items(of courseId: UUID, in sql: any SQLReading) throws -> [GradedItem] {
        let quizzes = try QuizRepository.quizzes(of: courseId, in: sql).filter { $0.isPublished && $0.maximum > 0 }
        let shown = quizzes.filter(\.areResultsShown)
        var marks: [UUID: [UUID: Hundredths]] = [:]
        let maximums = Dictionary(uniqueKeysWithValues: shown.map { ($0.id, $0.maximum) })
        for row in try sql.rows(
            """
            SELECT quiz_id, student_id, maximum, MAX(score) AS score FROM assessment_attempts
            WHERE quiz_id IN \(list: shown.map(\.id)) AND closed_at IS NOT NULL
            GROUP BY quiz_id, student_id, maximum
            """)
        {
            let (quizId, studentId): (UUID, UUID) = (try row.get("quiz_id"), try row.get("student_id"))
            guard let maximum = maximums[quizId] else { continue }
            let score = Self.scaled(try row.get("score"), of: try row.get("maximum"), to: maximum)
            marks[quizId, default: [:]][studentId] = max(score, marks[quizId]?[studentId] ?? .zero)
        }
        return quizzes.map { quiz in
            GradedItem(
                id: quiz.id, title: quiz.title, category: .quizzes, maximum: Hundredths(count: quiz.maximum),
                dueDay: quiz.dueDay, marks: marks[quiz.id] ?? [:], path: QuizPath.quiz(quiz.id))
        }
    }

    public func path(ofItem itemId: UUID, in sql: any SQLReading) throws -> String? {
        try QuizRepository.quiz(itemId, in: sql).map { QuizPath.quiz($0.id) }
    }

    /// Returns a score of an attempt whose questions have changed since, as the same part of the quiz's maximum,
    /// rounded half up.
    static func scaled(_ score: Int, of maximum: Int, to whole: Int) -> Hundredths {
        guard maximum != whole, maximum > 0 else { return Hundredths(count: score) }
        return Hundredths(count: (2 * score * whole + maximum) / (2 * maximum))
    }
}
