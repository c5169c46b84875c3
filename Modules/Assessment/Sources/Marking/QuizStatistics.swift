import AssessmentModel
import Domain
import FeatureKit
import Foundation

/// The statistics of a quiz over its closed attempts.
struct QuizStatistics: Sendable {
    /// The wrong answers that are listed for a question.
    static let errorCount = 3

    struct Item: Sendable {
        let question: Question
        /// `nil` without an attempt that has the question.
        let statistics: ItemStatistics?
        let errors: [(answer: QuizAnswer, count: Int)]
    }

    let items: [Item]
    let attemptCount: Int
    /// The mean score as a part of the maximum, from 0 to 1; `nil` without attempts.
    let mean: Double?

    init(of quiz: Quiz, _ versions: QuestionVersions, in sql: any SQLReading) throws {
        let sums = try MarkRepository.sums(at: quiz.id, in: sql)
        let totals = try MarkRepository.totals(at: quiz.id, in: sql)
        let errors = try MarkRepository.frequentErrors(at: quiz.id, limit: Self.errorCount, in: sql)
        var having: [UUID: (count: Int, sum: Int, squares: Int)] = [:]
        var (points, most) = (0, 0)
        for (versionId, total) in totals {
            let questions = try versions.questions(versionId, in: sql)
            points += total.sum
            most += total.count * questions.reduce(0) { $0 + ($1.points ?? 0) }
            for question in questions {
                let known = having[question.id] ?? (0, 0, 0)
                having[question.id] = (
                    known.count + total.count, known.sum + total.sum, known.squares + total.squares
                )
            }
        }
        attemptCount = totals.values.reduce(0) { $0 + $1.count }
        mean = most > 0 ? Double(points) / Double(most) : nil
        items = try QuizRepository.questions(of: quiz.id, in: sql).map { question in
            let question = question.priced(quiz)
            let all = having[question.id] ?? (0, 0, 0)
            let own = sums[question.id] ?? (0, 0, 0)
            return Item(
                question: question,
                statistics: ItemStatistics(
                    ItemStatistics.Sums(
                        count: all.count, own: own.own, ownSquares: own.squares, ownTotals: own.totals,
                        totals: all.sum, totalSquares: all.squares), points: question.points ?? 0),
                errors: errors[question.id] ?? [])
        }
    }
}
