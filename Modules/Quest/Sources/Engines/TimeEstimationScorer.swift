import Foundation

/// How near a guess came; the nearest first.
package enum AccuracyRating: String, CaseIterable, Codable, Sendable, Hashable {
    case spotOn = "spot_on"
    case close
    case off
    case wayOff = "way_off"
}

/// A guess beside what it really took.
package struct EstimationResult: Codable, Sendable, Hashable {
    package let estimatedSeconds: Double
    package let actualSeconds: Double
    /// Positive where more was guessed than it took.
    package let differenceSeconds: Double
    /// From 0 to 100.
    package let accuracyPercent: Double
    package let rating: AccuracyRating
}

/// Compares a guess with the real time.
package enum TimeEstimationScorer {
    /// Shorter tasks are measured with the limits of a minute: 10 % of ten seconds is no time at all.
    static let shortTask: Double = 60

    /// Answers for every pair of numbers; one that is no number is as far off as can be.
    package static func score(estimated: Double, actual: Double) -> EstimationResult {
        let difference = estimated - actual
        let accuracy = 100 - 100 * abs(difference) / max(actual, 1)
        return EstimationResult(
            estimatedSeconds: estimated, actualSeconds: actual, differenceSeconds: difference,
            accuracyPercent: accuracy.isFinite ? min(max(accuracy, 0), 100) : 0,
            rating: rating(of: abs(difference), actual: actual))
    }

    /// The widest distance that still earns each rating, for a task that took `actual` seconds. 25 % of a minute
    /// would equal the 15 seconds of `spot_on`, hence 20.
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
