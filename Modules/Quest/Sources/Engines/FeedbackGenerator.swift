import Foundation

/// What a child reads after a task. The sentence stands in the catalog under `feedback.<id>`; `{task}` in it is
/// the task's name.
package struct FeedbackMessage: Codable, Sendable, Hashable {
    /// To which side the guess missed; `any` in a message that fits all.
    package enum Direction: String, CaseIterable, Codable, Sendable { case over, under, exact, any }
    package enum Phase: String, CaseIterable, Codable, Sendable { case calibration, play }
    /// Against the last time that this task was played; `any` in a message that fits all.
    package enum History: String, CaseIterable, Codable, Sendable { case better, again, any }

    package let id: String
    /// The name of an icon.
    package let emoji: String
    package let rating: AccuracyRating
    package let direction: Direction
    package let phase: Phase
    package let history: History
}

/// What a child saw before.
package struct FeedbackHistory: Sendable, Hashable {
    /// How the same task went the last time.
    package var last: EstimationResult?
    /// The message before this one, whatever it was about.
    package var lastMessageId: String?
    /// How many messages there were; it turns the choice.
    package var turn = 0

    package init(last: EstimationResult? = nil, lastMessageId: String? = nil, turn: Int = 0) {
        self.last = last
        self.lastMessageId = lastMessageId
        self.turn = turn
    }
}

/// Chooses what a child reads: curious, never a verdict. A large gap is a discovery.
package enum FeedbackGenerator {
    /// Points of accuracy that count as nearer than the last time.
    static let better: Double = 5

    package static func message(
        for result: EstimationResult, isCalibrationPhase: Bool, after history: FeedbackHistory = FeedbackHistory()
    ) -> FeedbackMessage {
        let phase: FeedbackMessage.Phase = isCalibrationPhase ? .calibration : .play
        let direction = direction(of: result)
        let course = course(of: result, after: history.last)
        let fitting = (fitting[key(phase, result.rating, direction)] ?? []).filter {
            ($0.history == .any || $0.history == course) && $0.id != history.lastMessageId
        }
        let special = fitting.filter { $0.history != .any }
        let choice = special.isEmpty ? fitting : special
        return choice[abs(history.turn % choice.count)]
    }

    /// A miss of less than half a second is none that a child could see.
    static func direction(of result: EstimationResult) -> FeedbackMessage.Direction {
        if result.rating == .spotOn, abs(result.differenceSeconds) < 0.5 { return .exact }
        return result.differenceSeconds > 0 ? .over : .under
    }

    static func course(of result: EstimationResult, after last: EstimationResult?) -> FeedbackMessage.History {
        guard let last else { return .any }
        if result.accuracyPercent - last.accuracyPercent >= better { return .better }
        return result.rating == last.rating ? .again : .any
    }

    /// Every message, in the order in which they take turns.
    static let catalog: [FeedbackMessage] =
        messages(.calibration, .spotOn, .any, "star", "sparkle", "sun")
        + messages(.calibration, .close, .any, "leaf", "sun", "star")
        + messages(.calibration, .off, .any, "bulb", "search", "leaf")
        + messages(.calibration, .wayOff, .any, "search", "bulb", "sparkle")
        + messages(.play, .spotOn, .exact, "star", "sparkle")
        + messages(.play, .spotOn, .over, "star", "sun")
        + messages(.play, .spotOn, .under, "star", "sun")
        + messages(.play, .spotOn, .any, after: .better, "trend-up", "sparkle")
        + messages(.play, .spotOn, .any, after: .again, "heart")
        + messages(.play, .close, .over, "leaf", "sun")
        + messages(.play, .close, .under, "leaf", "clock")
        + messages(.play, .close, .any, after: .better, "trend-up")
        + messages(.play, .close, .any, after: .again, "wave")
        + messages(.play, .off, .over, "bulb", "search")
        + messages(.play, .off, .under, "bulb", "clock")
        + messages(.play, .off, .any, after: .better, "trend-up")
        + messages(.play, .off, .any, after: .again, "wave")
        + messages(.play, .wayOff, .over, "sparkle", "search")
        + messages(.play, .wayOff, .under, "sparkle", "search")
        + messages(.play, .wayOff, .any, after: .better, "trend-up")

    private static func messages(
        _ phase: FeedbackMessage.Phase, _ rating: AccuracyRating, _ direction: FeedbackMessage.Direction,
        after history: FeedbackMessage.History = .any, _ icons: String...
    ) -> [FeedbackMessage] {
        let kind = history == .any ? direction.rawValue : history.rawValue
        let group = phase == .calibration ? phase.rawValue : kind
        return icons.enumerated().map { index, icon in
            FeedbackMessage(
                id: "\(rating.rawValue).\(group).\(index + 1)", emoji: icon, rating: rating, direction: direction,
                phase: phase, history: history)
        }
    }

    /// The messages for each phase, rating and direction: a choice must not look through all of them.
    private static let fitting: [Int: [FeedbackMessage]] = {
        var found: [Int: [FeedbackMessage]] = [:]
        for phase in FeedbackMessage.Phase.allCases {
            for rating in AccuracyRating.allCases {
                for direction in FeedbackMessage.Direction.allCases {
                    found[key(phase, rating, direction)] = catalog.filter {
                        $0.phase == phase && $0.rating == rating
                            && ($0.direction == direction || $0.direction == .any)
                    }
                }
            }
        }
        return found
    }()

    private static func key(
        _ phase: FeedbackMessage.Phase, _ rating: AccuracyRating, _ direction: FeedbackMessage.Direction
    ) -> Int {
        let rank =
            switch rating {
            case .spotOn: 0
            case .close: 1
            case .off: 2
            case .wayOff: 3
            }
        let side =
            switch direction {
            case .over: 0
            case .under: 1
            case .exact: 2
            case .any: 3
            }
        return (phase == .calibration ? 16 : 0) + rank * 4 + side
    }
}
