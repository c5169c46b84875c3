import Foundation

/// Summarizes sessions by week, and finds encouraging results for the child.
enum GrowthEngine {
    /// The summary of one session's guesses.
    struct Sample: Sendable, Hashable {
        /// The number of the week. Consecutive weeks have consecutive numbers.
        let week: Int
        let guesses: Int
        /// The mean over the guesses of the session, 0 to 100.
        let accuracyPercent: Double
        /// The mean difference in percent of the real time. Positive if the guesses were too long.
        let biasPercent: Double
        /// The mean distance between guess and real time.
        let distanceSeconds: Double
    }

    /// The means of some guesses, and the best guess.
    struct Sums: Sendable {
        let guesses: Int
        /// The means; 0 without guesses.
        let accuracyPercent: Double
        let biasPercent: Double
        let distanceSeconds: Double
        let nearest: (task: String, seconds: Double)?

        /// Calculates the means.
        ///
        /// - Parameter guesses: for each task its name, the signed difference, the real time and the accuracy.
        init(_ guesses: [(task: String, difference: Double, actual: Double, accuracy: Double)]) {
            func mean(_ value: ((task: String, difference: Double, actual: Double, accuracy: Double)) -> Double)
                -> Double
            {
                guesses.isEmpty ? 0 : guesses.reduce(0) { $0 + value($1) } / Double(guesses.count)
            }
            self.guesses = guesses.count
            accuracyPercent = mean(\.accuracy)
            biasPercent = mean { 100 * $0.difference / $0.actual }
            distanceSeconds = mean { abs($0.difference) }
            nearest = guesses.min { abs($0.difference) < abs($1.difference) }.map { ($0.task, abs($0.difference)) }
        }
    }

    /// The summary of a week with sessions.
    struct Week: Sendable, Hashable {
        let week: Int
        let guesses: Int
        let accuracyPercent: Double
        let biasPercent: Double
        let distanceSeconds: Double
    }

    /// A result for the child, whose sentence is in the catalog.
    enum Discovery: Sendable, Hashable {
        case guesses(Int)
        /// The guesses have improved: the mean distance in seconds of the first week and of the last one.
        case closer(from: Double, to: Double)
        case longerThanThought
        case shorterThanThought
        case nearest(task: String, seconds: Double)
    }

    /// The bias in percent from which guesses are called too long or too short.
    static let lean: Double = 10

    /// Summarizes sessions by week, in order. Each guess has the same weight.
    static func weeks(_ samples: [Sample]) -> [Week] {
        Dictionary(grouping: samples.filter { $0.guesses > 0 }, by: \.week).map { week, samples in
            let total = samples.reduce(0) { $0 + $1.guesses }
            func mean(_ value: (Sample) -> Double) -> Double {
                samples.reduce(0) { $0 + value($1) * Double($1.guesses) } / Double(total)
            }
            return Week(
                week: week, guesses: total, accuracyPercent: mean(\.accuracyPercent),
                biasPercent: mean(\.biasPercent), distanceSeconds: mean(\.distanceSeconds))
        }.sorted { $0.week < $1.week }
    }

    /// Returns results for the child, the most encouraging first. None says that the child got worse.
    ///
    /// - Parameter nearest: the best guess so far.
    static func discoveries(_ weeks: [Week], nearest: (task: String, seconds: Double)?) -> [Discovery] {
        guard let first = weeks.first, let last = weeks.last else { return [] }
        var found: [Discovery] = []
        if weeks.count > 1, last.distanceSeconds < first.distanceSeconds * 0.9 {
            found.append(.closer(from: first.distanceSeconds, to: last.distanceSeconds))
        }
        if let nearest { found.append(.nearest(task: nearest.task, seconds: nearest.seconds)) }
        if last.biasPercent <= -lean { found.append(.longerThanThought) }
        if last.biasPercent >= lean { found.append(.shorterThanThought) }
        found.append(.guesses(weeks.reduce(0) { $0 + $1.guesses }))
        return found
    }
}
