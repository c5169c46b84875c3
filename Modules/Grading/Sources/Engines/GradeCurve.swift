import GradingInterface

/// A change of all marks of one item by one rule, looked at before it is made.
enum GradeCurve: Sendable, Hashable {
    /// So many points more for everybody.
    case add(points: Hundredths)
    /// As many points for everybody as bring the best mark to the full one.
    case best
    /// In proportion, so that the best mark is the full one.
    case scale

    /// The marks as they become: two places, rounded half up, and no more than the full mark unless the item is extra
    /// credit. Nobody loses a point.
    func applied(to marks: [Hundredths], maximum: Hundredths, isExtraCredit: Bool = false) -> [Hundredths] {
        guard let best = marks.max() else { return [] }
        return marks.map { mark in
            let raised: Hundredths =
                switch self {
                case .add(let points): mark + points
                case .best: mark + max(.zero, maximum - best)
                case .scale: best > .zero ? mark.times(max(maximum, best), over: best) : mark
                }
            return max(mark, isExtraCredit ? min(raised, MarkText.largestMaximum) : min(raised, maximum))
        }
    }
}

extension Hundredths {
    /// In proportion; rounded half up.
    fileprivate func times(_ numerator: Hundredths, over denominator: Hundredths) -> Hundredths {
        Quotient(count * numerator.count, over: denominator.count * 100).rounded(places: 2, .halfUp)
    }

    /// The mean of some, rounded half up; nought of none.
    static func mean(_ all: [Hundredths]) -> Hundredths {
        guard !all.isEmpty else { return .zero }
        return Quotient(all.reduce(.zero, +).count, over: all.count * 100).rounded(places: 2, .halfUp)
    }
}
