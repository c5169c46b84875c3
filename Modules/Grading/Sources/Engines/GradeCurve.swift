import GradingInterface

/// A rule that raises all scores of one grade item. A preview shows its result before it is applied.
enum GradeCurve: Sendable, Hashable {
    /// Adds the same number of points to each score.
    case add(points: Hundredths)
    /// Adds to each score what the best one lacks to the maximum.
    case best
    /// Multiplies the scores so that the best one becomes the maximum.
    case scale

    /// Returns the raised scores, rounded half up to two places.
    ///
    /// A result never exceeds the maximum unless the item is extra credit, and is never lower than before.
    func applied(to scores: [Hundredths], maximum: Hundredths, isExtraCredit: Bool = false) -> [Hundredths] {
        guard let best = scores.max() else { return [] }
        return scores.map { score in
            let raised: Hundredths =
                switch self {
                case .add(let points): score + points
                case .best: score + max(.zero, maximum - best)
                case .scale: best > .zero ? score.times(max(maximum, best), over: best) : score
                }
            return max(score, isExtraCredit ? min(raised, ScoreText.largestMaximum) : min(raised, maximum))
        }
    }
}

extension Hundredths {
    /// Multiplies by a fraction and rounds half up to two places.
    fileprivate func times(_ numerator: Hundredths, over denominator: Hundredths) -> Hundredths {
        Quotient(count * numerator.count, over: denominator.count * 100).rounded(places: 2, .halfUp)
    }

    /// Returns the mean, rounded half up to two places; 0 for an empty array.
    static func mean(_ all: [Hundredths]) -> Hundredths {
        guard !all.isEmpty else { return .zero }
        return Quotient(all.reduce(.zero, +).count, over: all.count * 100).rounded(places: 2, .halfUp)
    }
}
