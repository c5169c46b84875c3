import Foundation

/// A message for a child after a task. Its text is in the string catalog under `feedback.<id>`, with `{task}` for the
/// task's name.
public struct FeedbackMessage: Codable, Sendable, Hashable {
    /// Whether the guessed time was too long, too short or exact; `any` for a message that fits all.
    public enum Direction: String, CaseIterable, Codable, Sendable { case over, under, exact, any }
    /// Whether a child's times are still unknown, or known.
    public enum Phase: String, CaseIterable, Codable, Sendable { case calibration, play }
    /// Whether the guess was better than at the last time of the same task, or not; `any` for a message that fits all.
    public enum History: String, CaseIterable, Codable, Sendable { case better, again, any }

    public let id: String
    /// The name of the icon that is shown with the message.
    public let emoji: String
    public let rating: AccuracyRating
    public let direction: Direction
    public let phase: Phase
    public let history: History

    public init(
        id: String, emoji: String, rating: AccuracyRating, direction: Direction, phase: Phase, history: History
    ) {
        self.id = id
        self.emoji = emoji
        self.rating = rating
        self.direction = direction
        self.phase = phase
        self.history = history
    }
}

/// The messages and results that a child saw before, on which the next message depends.
public struct FeedbackHistory: Sendable, Hashable {
    /// The result of the same task at the last time; `nil` at the first time.
    public var last: EstimationResult?
    /// The id of the message that the child saw last, about any task.
    public var lastMessageId: String?
    /// The number of messages that the child has seen so far, with which messages that fit equally well alternate.
    public var turn = 0

    public init(last: EstimationResult? = nil, lastMessageId: String? = nil, turn: Int = 0) {
        self.last = last
        self.lastMessageId = lastMessageId
        self.turn = turn
    }
}

/// Chooses messages about children's guesses of times. They are curious and do not judge; a large difference is called
/// a discovery.
public enum FeedbackGenerator {
    /// The points of accuracy by which a guess must improve to be called better.
    static let better: Double = 5

    /// Returns the message for the result of a guess. The same message never appears twice in a row.
    public static func message(
        for result: EstimationResult, isCalibrationPhase: Bool, after history: FeedbackHistory = FeedbackHistory()
    ) -> FeedbackMessage {
        let phase: FeedbackMessage.Phase = isCalibrationPhase ? .calibration : .play
        let all = fitting[key(phase, result.rating, direction(of: result))] ?? []
        // The catalog has at least two messages for each result.
        return choice(among: all, for: result, after: history) ?? all[0]
    }

    /// Returns the message for the result of a guess among those that a server sends; `nil` if none fits.
    public static func message(
        for result: EstimationResult, isCalibrationPhase: Bool, after history: FeedbackHistory,
        among messages: [FeedbackMessage]
    ) -> FeedbackMessage? {
        let phase: FeedbackMessage.Phase = isCalibrationPhase ? .calibration : .play
        let direction = direction(of: result)
        let all = messages.filter {
            $0.phase == phase && $0.rating == result.rating
                && ($0.direction == direction || $0.direction == .any)
        }
        return choice(among: all, for: result, after: history)
    }

    private static func choice(
        among messages: [FeedbackMessage], for result: EstimationResult, after history: FeedbackHistory
    ) -> FeedbackMessage? {
        let course = course(of: result, after: history.last)
        let fitting = messages.filter {
            ($0.history == .any || $0.history == course) && $0.id != history.lastMessageId
        }
        let special = fitting.filter { $0.history != .any }
        let choice = special.isEmpty ? fitting : special
        return choice.isEmpty ? nil : choice[abs(history.turn % choice.count)]
    }

    /// The side of a difference. Less than half a second is exact.
    static func direction(of result: EstimationResult) -> FeedbackMessage.Direction {
        if result.rating == .spotOn, abs(result.differenceSeconds) < 0.5 { return .exact }
        return result.differenceSeconds > 0 ? .over : .under
    }

    /// The comparison of a result with the last one.
    static func course(of result: EstimationResult, after last: EstimationResult?) -> FeedbackMessage.History {
        guard let last else { return .any }
        if result.accuracyPercent - last.accuracyPercent >= better { return .better }
        return result.rating == last.rating ? .again : .any
    }

    /// All messages, in the order in which they alternate.
    public static let catalog: [FeedbackMessage] =
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

    /// The messages for each phase, rating and direction, so that a choice need not filter all of them.
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
