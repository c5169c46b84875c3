import Foundation
import TestKit
import Testing

@testable import Quest
@testable import QuestModel

/// Compares the results of the engines with a file.
///
/// The island has the same engines in JavaScript and is checked against the same file.
/// `PINKTOWER_WRITE_GOLDEN=1 swift test --filter GoldenTests` writes it.
@Suite("Results for the engines in JavaScript")
struct GoldenTests {
    struct Table: Codable, Equatable {
        struct Score: Codable, Equatable {
            let estimated: Double
            let actual: Double
            let difference: Double
            let accuracy: Double
            let rating: AccuracyRating
            let direction: FeedbackMessage.Direction
        }
        struct Duration: Codable, Equatable {
            let seconds: Double
            let short: String
            let long: String
        }
        struct Feedback: Codable, Equatable {
            let estimated: Double
            let actual: Double
            /// The guess and the time of the same task before; `nil` without one.
            let lastEstimated: Double?
            let lastActual: Double?
            let isCalibration: Bool
            let lastMessage: String?
            let turn: Int
            let id: String
        }
        let scores: [Score]
        let durations: [Duration]
        let messages: [FeedbackMessage]
        let feedback: [Feedback]
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Fixtures/golden.json")

    @Test("the file has the current results of the engines", .requirement("TQ-1.12.a"))
    func isCurrent() throws {
        let table = Self.make()
        if ProcessInfo.processInfo.environment["PINKTOWER_WRITE_GOLDEN"] != nil {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(table).write(to: Self.file)
        }
        let stored = try JSONDecoder().decode(Table.self, from: Data(contentsOf: Self.file))
        #expect(stored == table)
        #expect(stored.scores.count > 300 && stored.feedback.count > 300 && stored.durations.count > 40)
    }

    private static func make() -> Table {
        var random = SeededGenerator(seed: 2026)
        var pairs: [(Double, Double)] = [
            (10, 25), (10, 26), (10, 30), (10, 31), (10, 40), (10, 41), (60, 75), (60, 80), (60, 90), (70, 90),
            (200, 220), (200, 221), (200, 250), (200, 300), (200, 301), (100, 100), (100, 100.25), (0.5, 5),
            (86_400, 3600), (3600, 3600),
        ].map { ($0.1, $0.0) }
        for _ in 0..<300 {
            pairs.append(
                (
                    Double(Int.random(in: 5...3600, using: &random)),
                    Double(Int.random(in: 4...40_000, using: &random)) / 8
                ))
        }
        let results = pairs.map { TimeEstimationScorer.score(estimated: $0.0, actual: $0.1) }
        var history = FeedbackHistory()
        var feedback: [Table.Feedback] = []
        for (turn, result) in results.enumerated() {
            history.turn = turn
            let isCalibration = turn % 5 == 0
            let message = FeedbackGenerator.message(
                for: result, isCalibrationPhase: isCalibration, after: history)
            feedback.append(
                Table.Feedback(
                    estimated: result.estimatedSeconds, actual: result.actualSeconds,
                    lastEstimated: history.last?.estimatedSeconds, lastActual: history.last?.actualSeconds,
                    isCalibration: isCalibration, lastMessage: history.lastMessageId, turn: turn, id: message.id))
            history.last = turn % 3 == 0 ? nil : result
            history.lastMessageId = message.id
        }
        let seconds = [0, 0.4, 0.6, 1, 5, 59, 59.5, 60, 61, 150, 240, 3599, 3600, 3661, 36_000, 360_000, 999_999]
        return Table(
            scores: results.map {
                Table.Score(
                    estimated: $0.estimatedSeconds, actual: $0.actualSeconds, difference: $0.differenceSeconds,
                    accuracy: $0.accuracyPercent, rating: $0.rating,
                    direction: FeedbackGenerator.direction(of: $0))
            },
            durations: (seconds + (0..<30).map { Double($0 * 137) + 0.25 }).map {
                Table.Duration(
                    seconds: $0, short: TimeFormatting.formatDuration($0),
                    long: TimeFormatting.formatDurationLong($0))
            },
            messages: FeedbackGenerator.catalog, feedback: feedback)
    }
}
