import DesignSystem
import Domain
import Foundation
import TestKit
import Testing

@testable import Quest
@testable import QuestModel

@Suite("Engines of Quest")
struct EngineTests {
    // MARK: - Scorer

    @Test(
        "a guess is rated by its difference from the real time, including the limits",
        .requirement("TQ-1.06.a", "TQ-1.12.a", "TQ-1.13", "TQ-1.14.a", "TQ-1.14.b"),
        arguments: [
            // Tasks of up to a minute have the limits of a minute.
            (10, 25, AccuracyRating.spotOn), (10, 26, .close), (10, 30, .close), (10, 31, .off), (10, 40, .off),
            (10, 41, .wayOff), (59, 44, .spotOn), (59, 43, .close), (60, 75, .spotOn), (60, 80, .close),
            (60, 90, .off), (60, 91, .wayOff),
            // For somewhat longer tasks each limit is at least that of a minute.
            (70, 85, .spotOn), (70, 90, .close), (70, 91, .off), (70, 105, .off), (70, 106, .wayOff),
            // For long tasks the limits are fractions of the real time.
            (200, 220, .spotOn), (200, 221, .close), (200, 250, .close), (200, 251, .off), (200, 300, .off),
            (200, 301, .wayOff), (200, 180, .spotOn), (200, 150, .close), (200, 100, .off), (200, 99, .wayOff),
        ] as [(Double, Double, AccuracyRating)])
    func rates(_ actual: Double, _ estimated: Double, _ rating: AccuracyRating) {
        let result = TimeEstimationScorer.score(estimated: estimated, actual: actual)
        #expect(result.rating == rating)
        #expect(result.estimatedSeconds == estimated && result.actualSeconds == actual)
        #expect(result.differenceSeconds == estimated - actual)
    }

    @Test(
        "accuracy is 100 % minus the relative difference, and never negative", .requirement("TQ-1.12.b"),
        arguments: [(100, 100, 100), (100, 90, 90), (100, 110, 90), (100, 250, 0), (0.5, 1, 50), (200, 100, 50)]
            as [(Double, Double, Double)])
    func measuresAccuracy(_ actual: Double, _ estimated: Double, _ accuracy: Double) {
        #expect(TimeEstimationScorer.score(estimated: estimated, actual: actual).accuracyPercent == accuracy)
    }

    @Test(
        "a closer guess is never rated worse, and the side of the difference does not matter",
        .requirement("TQ-1.14.b"))
    func isMonotonous() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<5000 {
            let actual = Double.random(in: 0.5...7200, using: &random)
            let far = Double.random(in: 0...7200, using: &random)
            let near = far * Double.random(in: 0...1, using: &random)
            func score(_ distance: Double) -> EstimationResult {
                TimeEstimationScorer.score(estimated: actual + distance, actual: actual)
            }
            #expect(rank(score(near)) <= rank(score(far)), "\(actual): \(near) and \(far)")
            #expect(score(far).rating == score(-far).rating, "\(actual) ± \(far)")
            #expect(score(near).accuracyPercent >= score(far).accuracyPercent)
            // A longer task with the same difference is never rated worse.
            let longer = TimeEstimationScorer.score(estimated: actual + 60 + far, actual: actual + 60)
            #expect(rank(longer) <= rank(score(far)))
        }
    }

    @Test("each pair of numbers has a result", .requirement("TQ-1.12.a"))
    func isTotal() {
        let odd = [0, -1, -0.0, 1e-300, 1e300, .infinity, -.infinity, .nan, 5, 3600]
        for estimated in odd {
            for actual in odd {
                let result = TimeEstimationScorer.score(estimated: estimated, actual: actual)
                #expect((0...100).contains(result.accuracyPercent), "\(estimated), \(actual)")
                #expect(
                    FeedbackGenerator.catalog.contains(
                        FeedbackGenerator.message(for: result, isCalibrationPhase: false)))
            }
        }
    }

    // MARK: - Calibration

    @Test(
        "the first three sessions of a routine are for calibration", .requirement("TQ-1.18.a", "TQ-1.18.b"),
        arguments: [(0, true, 3), (1, true, 2), (2, true, 1), (3, false, 0), (400, false, 0)])
    func calibrates(_ count: Int, _ isCalibration: Bool, _ remaining: Int) {
        #expect(CalibrationTracker.isCalibrationSession(completedSessionCount: count) == isCalibration)
        #expect(CalibrationTracker.calibrationSessionsRemaining(completedSessionCount: count) == remaining)
    }

    // MARK: - Formatting

    @Test(
        "durations have a short and a long format", .requirement("TQ-1.19.a", "TQ-1.19.b"),
        arguments: [
            (0, "0s", "0 seconds"), (1, "1s", "1 second"), (45, "45s", "45 seconds"), (59.6, "1m 00s", "1 minute"),
            (150, "2m 30s", "2 minutes 30 seconds"), (61, "1m 01s", "1 minute 1 second"),
            (240, "4m 00s", "4 minutes"), (3900, "1h 05m 00s", "1 hour 5 minutes"),
            (-5, "0s", "0 seconds"), (.infinity, "0s", "0 seconds"),
        ] as [(Double, String, String)])
    func formats(_ seconds: Double, _ short: String, _ long: String) {
        #expect(TimeFormatting.formatDuration(seconds) == short)
        #expect(TimeFormatting.formatDurationLong(seconds) == long)
    }

    @Test("a formatted duration can be read back exactly to the second")
    func roundTrips() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let seconds = Int.random(in: 0...100_000, using: &random)
            #expect(read(TimeFormatting.formatDuration(Double(seconds))) == seconds)
            #expect(read(TimeFormatting.formatDurationLong(Double(seconds))) == seconds)
        }
    }

    // MARK: - Feedback

    @Test("there are at least 24 messages in each language", arguments: Language.allCases)
    func hasMessages(_ language: Language) throws {
        let words = Words(language, [try StringCatalog.quest()])
        let texts = FeedbackGenerator.catalog.map { words("feedback.\($0.id)") }
        #expect(FeedbackGenerator.catalog.allSatisfy { words.has("feedback.\($0.id)") })
        #expect(Set(texts).count >= 24 && Set(texts).count == texts.count)
        #expect(Set(FeedbackGenerator.catalog.map(\.id)).count == texts.count)
    }

    @Test("no message to a child is a reproach", .requirement("TQ-1.16.a"), arguments: Language.allCases)
    func isKind(_ language: Language) throws {
        let said = (try StringCatalog.quest().entries[language] ?? [:]).filter { key, _ in
            // The button for a forgotten stop is the child's own statement.
            key != "stage.forgot" && ["feedback.", "discovery.", "stage."].contains { key.hasPrefix($0) }
        }
        #expect(said.count > 40)
        for (key, entry) in said { #expect(BlameWords.found(in: "\(entry)", language) == [], "\(key)") }
    }

    @Test(
        "a difference of more than half is called a discovery", .requirement("TQ-1.16.b"),
        arguments: Language.allCases)
    func namesDiscoveries(_ language: Language) throws {
        let words = Words(language, [try StringCatalog.quest()])
        let word = language == .english ? "discovery" : "découverte"
        for message in FeedbackGenerator.catalog where message.rating == .wayOff && message.phase == .play {
            #expect(words("feedback.\(message.id)").lowercased().contains(word), "\(message.id)")
        }
    }

    @Test("calibration has its own messages", .requirement("TQ-1.17.a"), arguments: AccuracyRating.allCases)
    func calibrationSpeaksOfLearning(_ rating: AccuracyRating) {
        let result = sample(of: rating)
        #expect(FeedbackGenerator.message(for: result, isCalibrationPhase: true).phase == .calibration)
        #expect(FeedbackGenerator.message(for: result, isCalibrationPhase: false).phase == .play)
    }

    @Test("each message of calibration says that the game is still learning", .requirement("TQ-1.17.b"))
    func calibrationSaysThatItLearns() throws {
        let messages = FeedbackGenerator.catalog.filter { $0.phase == .calibration }
        #expect(Set(messages.map(\.rating)) == Set(AccuracyRating.allCases))
        for (language, said) in [(Language.english, "game is still learning"), (.french, "jeu apprend encore")] {
            let words = Words(language, [try StringCatalog.quest()])
            for message in messages { #expect(words("feedback.\(message.id)").contains(said), "\(message.id)") }
        }
    }

    @Test("a message fits rating, side and history, and never appears twice in a row", .requirement("TQ-1.15.a"))
    func choosesMessages() {
        var random = SeededGenerator(seed: 3)
        var history = FeedbackHistory()
        var shown: Set<String> = []
        for turn in 0..<4000 {
            let result = TimeEstimationScorer.score(
                estimated: Double.random(in: 5...200, using: &random).rounded(),
                actual: Double.random(in: 5...200, using: &random).rounded())
            let isCalibration = Bool.random(using: &random)
            history.turn = turn
            let message = FeedbackGenerator.message(
                for: result, isCalibrationPhase: isCalibration, after: history)
            #expect(message.id != history.lastMessageId)
            #expect(message.rating == result.rating)
            #expect([.any, FeedbackGenerator.direction(of: result)].contains(message.direction))
            #expect([.any, FeedbackGenerator.course(of: result, after: history.last)].contains(message.history))
            history.last = Bool.random(using: &random) ? result : nil
            history.lastMessageId = message.id
            shown.insert(message.id)
        }
        #expect(shown == Set(FeedbackGenerator.catalog.map(\.id)))
    }

    @Test("the message to a child mentions an improved guess")
    func praisesImprovement() {
        let before = TimeEstimationScorer.score(estimated: 300, actual: 100)
        let now = TimeEstimationScorer.score(estimated: 170, actual: 100)
        let message = FeedbackGenerator.message(
            for: now, isCalibrationPhase: false, after: FeedbackHistory(last: before))
        #expect(message.id == "way_off.better.1")
        #expect(FeedbackGenerator.course(of: now, after: now) == .again)
    }

    @Test("the icons of messages exist in the design system", .requirement("TQ-1.15.b"))
    func knowsIcons() {
        let known = Set(PTIcon.allCases.map(\.rawValue))
        for message in FeedbackGenerator.catalog { #expect(known.contains(message.emoji), "\(message.emoji)") }
    }

    @Test("engines import only Foundation", .requirement("TQ-0.04.a", "TQ-0.06.a"))
    func importNothing() throws {
        let block = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Modules/Quest")
        let files = try ["Sources/Engines", "Model/Engines"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                at: block.appending(path: folder), includingPropertiesForKeys: nil)
        }
        #expect(files.count >= 7)
        for file in files {
            let imports = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
                $0.contains("import ") && !$0.contains("///")
            }
            #expect(
                imports.allSatisfy { ["import Foundation", "public import Foundation"].contains($0) },
                "\(file.lastPathComponent)")
        }
    }

    // MARK: - Helpers

    private func rank(_ result: EstimationResult) -> Int {
        AccuracyRating.allCases.firstIndex(of: result.rating) ?? .max
    }

    private func sample(of rating: AccuracyRating) -> EstimationResult {
        let distance: Double =
            switch rating {
            case .spotOn: 5
            case .close: 20
            case .off: 40
            case .wayOff: 90
            }
        return TimeEstimationScorer.score(estimated: 100 + distance, actual: 100)
    }

    /// The seconds of a formatted duration, from its numbers and the first letters of its units.
    private func read(_ text: String) -> Int {
        let worth: [Character: Int] = ["h": 3600, "m": 60, "s": 1]
        var (total, number) = (0, 0)
        var isUnit = false
        for letter in text {
            if let digit = letter.wholeNumberValue {
                number = isUnit ? digit : number * 10 + digit
                isUnit = false
            } else if letter != " ", !isUnit {
                total += number * (worth[letter] ?? 0)
                number = 0
                isUnit = true
            }
        }
        return total
    }
}
