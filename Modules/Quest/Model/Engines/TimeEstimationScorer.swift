import Foundation

/// The rating of a guess of a time, from best to worst.
public enum AccuracyRating: String, CaseIterable, Codable, Sendable, Hashable {
    case spotOn = "spot_on"
    case close
    case off
    case wayOff = "way_off"
}

/// A guess of a time, compared with the real time.
public struct EstimationResult: Codable, Sendable, Hashable {
    public let estimatedSeconds: Double
    public let actualSeconds: Double
    /// The guess minus the real time. Positive if the guess was too long.
    public let differenceSeconds: Double
    /// The accuracy of the guess in percent, from 0 to 100.
    public let accuracyPercent: Double
    public let rating: AccuracyRating
}

/// The rules that compare guesses with real times.
public enum TimeEstimationScorer {
    /// Shorter tasks are rated like one of a minute, because 10 % of ten seconds is too strict.
    static let shortTask: Double = 60

    /// Rates a guess of a time. Returns a result for any numbers; NaN and infinite values get the worst rating.
    public static func score(estimated: Double, actual: Double) -> EstimationResult {
        let difference = estimated - actual
        let accuracy = 100 - 100 * abs(difference) / max(actual, 1)
        return EstimationResult(
            estimatedSeconds: estimated, actualSeconds: actual, differenceSeconds: difference,
            accuracyPercent: accuracy.isFinite ? min(max(accuracy, 0), 100) : 0,
            rating: rating(of: abs(difference), actual: actual))
    }

    /// The largest difference for each rating of a task that took `actual` seconds.
    ///
    /// 25 % of a minute would equal the 15 seconds of `spot_on`, so `close` begins at 20 seconds.
    static func limits(actual: Double) -> (spotOn: Double, close: Double, off: Double) {
        let long = max(actual, shortTask)
        return (max(15, 0.10 * long), max(20, 0.25 * long), max(30, 0.50 * long))
    }

    private static func rating(of distance: Double, actual: Double) -> AccuracyRating {
        let limits = limits(actual: actual)
        if distance <= limits.spotOn { return .spotOn }
        if distance <= limits.close { return .close }
        return distance <= limits.off ? .off : .wayOff
    }
}
