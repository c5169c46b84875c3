import Foundation

/// A change of all marks of one item by one rule, looked at before it is made.
enum GradeCurve: Sendable, Hashable {
    /// So many points more for everybody.
    case add(points: Decimal)
    /// As many points for everybody as bring the best mark to the full one.
    case best
    /// In proportion, so that the best mark is the full one.
    case scale

    /// The marks as they become: two places, rounded half up, and no more than the full mark unless the item is extra
    /// credit. Nobody loses a point.
    func applied(to marks: [Decimal], maximum: Decimal, isExtraCredit: Bool = false) -> [Decimal] {
        guard let best = marks.max() else { return [] }
        return marks.map { mark in
            let raised: Decimal =
                switch self {
                case .add(let points): mark + points
                case .best: mark + max(0, maximum - best)
                case .scale: best > 0 ? mark * max(maximum, best) / best : mark
                }
            let rounded = Exactness.rounded(Exactness.trimmed(raised), places: MarkText.places, .plain)
            return max(mark, isExtraCredit ? min(rounded, MarkText.largestMaximum) : min(rounded, maximum))
        }
    }
}
