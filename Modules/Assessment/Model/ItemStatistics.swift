/// The statistics of one question over the attempts that count.
public struct ItemStatistics: Sendable, Hashable {
    /// The sums over all attempts, with scores in hundredths, from which the statistics follow.
    public struct Sums: Sendable, Hashable {
        /// The number of attempts.
        public var count = 0
        /// The sum of the question's scores, and of their squares.
        public var own = 0
        public var ownSquares = 0
        /// The sum of the scores of the rest of the quiz, and of their squares.
        public var rest = 0
        public var restSquares = 0
        /// The sum of the products of both.
        public var products = 0

        public init() {}

        /// Creates the sums from those of the question's scores and of the whole scores of the attempts.
        ///
        /// - Parameter ownTotals: the sum of the products of the question's score and the whole score.
        public init(count: Int, own: Int, ownSquares: Int, ownTotals: Int, totals: Int, totalSquares: Int) {
            self.count = count
            self.own = own
            self.ownSquares = ownSquares
            rest = totals - own
            restSquares = totalSquares - 2 * ownTotals + ownSquares
            products = ownTotals - ownSquares
        }

        /// Adds the score of a question in an attempt.
        public mutating func add(own score: Int, total: Int) {
            let other = total - score
            count += 1
            own += score
            ownSquares += score * score
            rest += other
            restSquares += other * other
            products += score * other
        }
    }

    /// The part of the points that students got on average, from 0 to 1: 0.3 is a hard question.
    public let difficulty: Double
    /// The correlation of the question's score with that of the rest, from -1 to 1; `nil` if all scores are equal.
    ///
    /// A value near zero or below it means that strong students did no better than weak ones.
    public let discrimination: Double?

    /// Computes the statistics; `nil` without attempts.
    public init?(_ sums: Sums, points: Int) {
        guard sums.count > 0, points > 0 else { return nil }
        let count = Double(sums.count)
        difficulty = Double(sums.own) / count / Double(points)
        let ownVariance = Double(sums.ownSquares) - Double(sums.own) * Double(sums.own) / count
        let restVariance = Double(sums.restSquares) - Double(sums.rest) * Double(sums.rest) / count
        let covariance = Double(sums.products) - Double(sums.own) * Double(sums.rest) / count
        guard ownVariance > 0.5, restVariance > 0.5 else {
            discrimination = nil
            return
        }
        discrimination = covariance / (ownVariance * restVariance).squareRoot()
    }
}
