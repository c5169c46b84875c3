import Foundation

/// How a child's sense of time grows: what sessions come to in weeks, and what of it is worth telling the child.
enum GrowthEngine {
    /// What the guesses of one session come to.
    struct Sample: Sendable, Hashable {
        /// Any number that grows by one from week to week.
        let week: Int
        let guesses: Int
        /// Means over the guesses of the session.
        let accuracyPercent: Double
        /// Of the real time; positive where more was guessed.
        let biasPercent: Double
        let distanceSeconds: Double
    }

    /// What the guesses of one session come to, and the nearest of them.
    struct Sums: Sendable {
        let guesses: Int
        /// Means; 0 where nothing was guessed.
        let accuracyPercent: Double
        let biasPercent: Double
        let distanceSeconds: Double
        let nearest: (task: String, seconds: Double)?

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

    /// A week in which something was played.
    struct Week: Sendable, Hashable {
        let week: Int
        let guesses: Int
        let accuracyPercent: Double
        let biasPercent: Double
        let distanceSeconds: Double
    }

    /// A sentence for the child, without its words.
    enum Discovery: Sendable, Hashable {
        case guesses(Int)
        /// The guesses have come nearer, from some seconds apart in the first weeks to fewer now.
        case closer(from: Double, to: Double)
        case longerThanThought
        case shorterThanThought
        case nearest(task: String, seconds: Double)
    }

    /// From here on one speaks of a lean to one side.
    static let lean: Double = 10

    /// The weeks in their order; every guess counts the same.
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

    /// What is worth telling, the most encouraging first. Nothing that would say a child got worse.
    /// - Parameter nearest: the nearest guess so far.
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
