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
        /// Whether the question is one of the bank, which only some attempts have.
        let isDrawn: Bool
        /// `nil` without an attempt that has the question.
        let statistics: ItemStatistics?
        let errors: [(answer: QuizAnswer, count: Int)]
    }

    let items: [Item]
    let attemptCount: Int
    /// The mean score as a part of the maximum, from 0 to 1; `nil` without attempts.
    let mean: Double?

    init(of quiz: Quiz, _ versions: QuestionVersions, in sql: any SQLReading) throws {
        let sums = try MarkRepository.sums(at: quiz.id, errorLimit: Self.errorCount, in: sql)
        let totals = try MarkRepository.totals(at: quiz.id, in: sql)
        var having: [UUID: (count: Int, sum: Int, squares: Int)] = [:]
        func add(_ id: UUID, _ count: Int, _ sum: Int, _ squares: Int) {
            let known = having[id] ?? (0, 0, 0)
            having[id] = (known.count + count, known.sum + sum, known.squares + squares)
        }
        var drawn: [UUID: Question] = [:]
        for (versionId, total) in totals {
            let version = try versions.version(versionId, in: sql)
            for question in version.questions where !version.pool.contains(question.id) {
                add(question.id, total.count, total.sum, total.squares)
            }
            guard !version.pool.isEmpty else { continue }
            let known = Dictionary(version.questions.map { ($0.id, $0) }) { first, _ in first }
            for attempt in try AttemptRepository.drawn(version: versionId, in: sql) {
                for one in attempt.drawn {
                    add(one.id, 1, attempt.score, attempt.score * attempt.score)
                    guard drawn[one.id] == nil, var question = known[one.id] else { continue }
                    question.points = one.points
                    drawn[one.id] = question
                }
            }
        }
        attemptCount = totals.values.reduce(0) { $0 + $1.count }
        let (points, most) = totals.values.reduce((0, 0)) { ($0.0 + $1.sum, $0.1 + $1.maximum) }
        mean = most > 0 ? Double(points) / Double(most) : nil
        let fixed = try QuizRepository.questions(of: quiz.id, in: sql).map { ($0.priced(quiz), false) }
        let others = drawn.values.sorted { ($0.text, $0.id) < ($1.text, $1.id) }.map { ($0, true) }
        items = (fixed + others).map { question, isDrawn in
            let all = having[question.id] ?? (0, 0, 0)
            let own = sums[question.id] ?? MarkRepository.AnswerSums()
            return Item(
                question: question, isDrawn: isDrawn,
                statistics: ItemStatistics(
                    ItemStatistics.Sums(
                        count: all.count, own: own.own, ownSquares: own.squares, ownTotals: own.totals,
                        totals: all.sum, totalSquares: all.squares), points: question.points ?? 0),
                errors: own.errors)
        }
    }
}
