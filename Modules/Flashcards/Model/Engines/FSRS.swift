public import Foundation

/// A person's answer to how well they remembered a card. The raw values are the grades of FSRS.
public enum CardRating: Int, Codable, Sendable, CaseIterable {
    /// The person did not remember the card.
    case again = 1
    case hard, good, easy
}

/// The knowledge of FSRS about one person's memory of one card.
public struct CardMemory: Codable, Sendable, Hashable {
    /// The part of the schedule in which a card is.
    public enum Phase: String, Codable, Sendable, CaseIterable {
        /// A new card, which is repeated after minutes.
        case learning
        /// A known card, which is repeated after days.
        case review
        /// A card that was known and forgotten, which is repeated after minutes.
        case relearning
    }

    public var phase: Phase
    /// The position among the short intervals of learning or relearning; 0 in the phase `review`.
    public var step: Int
    /// The number of days after which the person still remembers the card with a probability of 90 %.
    public var stability: Double
    /// The difficulty of the card for the person, from 1 to 10.
    public var difficulty: Double
    public var reviewedAt: Date
    /// The time from which the card is shown again.
    public var due: Date

    public init(
        phase: Phase, step: Int, stability: Double, difficulty: Double, reviewedAt: Date, due: Date
    ) {
        self.phase = phase
        self.step = step
        self.stability = stability
        self.difficulty = difficulty
        self.reviewedAt = reviewedAt
        self.due = due
    }
}

/// The spaced repetition algorithm FSRS-6 with its 21 default parameters.
///
/// The formulas are those of "The Algorithm" in the wiki of open-spaced-repetition/fsrs4anki (FSRS-6, 2025). The short
/// intervals of learning and the handling of phases follow py-fsrs 6.3.2, with whose values the tests compare. Intervals
/// are not randomized, so that every device computes the same.
public struct FSRS: Sendable {
    /// The default parameters of FSRS-6, from w0 to w20.
    public static let defaultParameters: [Double] = [
        0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
        1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
    ]
    /// The intervals of learning in seconds.
    public static let learningSteps: [TimeInterval] = [60, 600]
    /// The intervals of relearning in seconds.
    public static let relearningSteps: [TimeInterval] = [600]
    /// The probability of remembering a card at which it is repeated.
    public static let retention = 0.9
    /// The longest interval in days: a hundred years.
    public static let longestInterval = 36_500.0

    private static let day: TimeInterval = 86_400
    private static let leastStability = 0.001

    private let initialStability: [Double]
    private let initialDifficulty: [Double]
    /// The difficulty to which every review moves a card a little: that of a new card rated `easy`, not clamped.
    private let easyDifficulty: Double
    private let difficultyStep, reversion: Double
    private let recallFactor, recallDecay, recallGain: Double
    private let forgetFactor, forgetDifficulty, forgetStability, forgetGain, forgetLimit: Double
    private let hardPenalty, easyBonus: Double
    private let shortGain, shortOffset, shortDecay: Double
    private let decay, factor, intervalFactor: Double

    /// Creates the algorithm with the default parameters.
    public init() {
        let w = Self.defaultParameters
        initialStability = (0..<4).map { max(w[$0], Self.leastStability) }
        func difficulty(_ grade: Double) -> Double { w[4] - exp(w[5] * (grade - 1)) + 1 }
        initialDifficulty = (1...4).map { Self.clamped(difficulty(Double($0))) }
        easyDifficulty = difficulty(4)
        (difficultyStep, reversion) = (w[6], w[7])
        (recallFactor, recallDecay, recallGain) = (exp(w[8]), -w[9], w[10])
        (forgetFactor, forgetDifficulty, forgetStability, forgetGain) = (w[11], -w[12], w[13], w[14])
        (hardPenalty, easyBonus) = (w[15], w[16])
        (shortGain, shortOffset, shortDecay) = (w[17], w[18], -w[19])
        forgetLimit = exp(w[17] * w[18])
        decay = -w[20]
        factor = pow(0.9, 1 / decay) - 1
        intervalFactor = (pow(Self.retention, 1 / decay) - 1) / factor
    }

    /// Returns the memory of a card after a review.
    /// - Parameter memory: the memory before the review; `nil` for a new card.
    public func reviewed(_ memory: CardMemory?, _ rating: CardRating, at instant: Date) -> CardMemory {
        guard let memory else {
            return scheduled(
                .learning, step: 0, initialStability[rating.rawValue - 1], initialDifficulty[rating.rawValue - 1],
                rating, instant)
        }
        let days = ((instant.timeIntervalSince1970 - memory.reviewedAt.timeIntervalSince1970) / Self.day)
            .rounded(.down)
        let stability =
            days < 1
            ? shortTermStability(memory.stability, rating)
            : longTermStability(memory, rating, days: days)
        return scheduled(
            memory.phase, step: memory.step, max(stability, Self.leastStability),
            nextDifficulty(memory.difficulty, rating), rating, instant)
    }

    /// Returns the memory of a card after all its reviews, in the order of their times; `nil` without reviews.
    public func replayed(_ reviews: some Sequence<(rating: CardRating, at: Date)>) -> CardMemory? {
        var memory: CardMemory?
        for review in reviews { memory = reviewed(memory, review.rating, at: review.at) }
        return memory
    }

    // MARK: - Formulas

    /// The probability, from 0 to 1, that a person remembers a card some days after a review.
    private func retrievability(_ stability: Double, days: Double) -> Double {
        pow(1 + factor * days / stability, decay)
    }

    private func shortTermStability(_ stability: Double, _ rating: CardRating) -> Double {
        let increase = exp(shortGain * (Double(rating.rawValue) - 3 + shortOffset)) * pow(stability, shortDecay)
        return stability * (rating == .again ? increase : max(increase, 1))
    }

    private func longTermStability(_ memory: CardMemory, _ rating: CardRating, days: Double) -> Double {
        let (stability, difficulty) = (memory.stability, memory.difficulty)
        let forgotten = 1 - retrievability(stability, days: days)
        if rating == .again {
            let long =
                forgetFactor * pow(difficulty, forgetDifficulty) * (pow(stability + 1, forgetStability) - 1)
                * exp(forgotten * forgetGain)
            return min(long, stability / forgetLimit)
        }
        let weight = rating == .hard ? hardPenalty : rating == .easy ? easyBonus : 1
        return stability
            * (1 + recallFactor * (11 - difficulty) * pow(stability, recallDecay)
                * (exp(forgotten * recallGain) - 1) * weight)
    }

    private func nextDifficulty(_ difficulty: Double, _ rating: CardRating) -> Double {
        let change = -difficultyStep * (Double(rating.rawValue) - 3)
        let damped = difficulty + (10 - difficulty) * change / 9
        return Self.clamped(reversion * easyDifficulty + (1 - reversion) * damped)
    }

    private static func clamped(_ difficulty: Double) -> Double { min(max(difficulty, 1), 10) }

    // MARK: - Schedule

    private func scheduled(
        _ phase: CardMemory.Phase, step: Int, _ stability: Double, _ difficulty: Double, _ rating: CardRating,
        _ instant: Date
    ) -> CardMemory {
        func memory(_ phase: CardMemory.Phase, _ step: Int, after seconds: TimeInterval) -> CardMemory {
            CardMemory(
                phase: phase, step: step, stability: stability, difficulty: difficulty, reviewedAt: instant,
                due: instant.addingTimeInterval(seconds))
        }
        func known() -> CardMemory { memory(.review, 0, after: interval(stability) * Self.day) }
        let steps = phase == .learning ? Self.learningSteps : Self.relearningSteps
        switch (phase, rating) {
        case (.review, .again): return memory(.relearning, 0, after: Self.relearningSteps[0])
        case (.review, _), (_, .easy): return known()
        case (_, .again): return memory(phase, 0, after: steps[0])
        case (_, .hard):
            guard step == 0 else { return memory(phase, step, after: steps[min(step, steps.count - 1)]) }
            // With one interval half of it more, with several the mean of the first two, as in py-fsrs.
            return memory(phase, 0, after: steps.count == 1 ? steps[0] * 1.5 : (steps[0] + steps[1]) / 2)
        case (_, .good): return step + 1 < steps.count ? memory(phase, step + 1, after: steps[step + 1]) : known()
        }
    }

    /// Returns the interval in whole days after which a card of this stability is repeated.
    private func interval(_ stability: Double) -> Double {
        min(max((stability * intervalFactor).rounded(.toNearestOrEven), 1), Self.longestInterval)
    }
}
