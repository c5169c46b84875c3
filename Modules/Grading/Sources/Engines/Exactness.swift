import Foundation

/// How decimals are kept exact on their way to a letter.
///
/// `Decimal` holds 38 digits. Marks and weights are finite decimals of few digits, so their sums are exact; a quotient
/// may have no end and is then wrong in its last digits: by up to 2e-30 over ten thousand gradebooks. Twenty-six places
/// are above that error and below what tells two grades of a course apart: a quotient that means 89.5 is 89.5 again.
enum Exactness {
    static let places = 26

    /// A quotient without the digits that its division may have got wrong.
    static func trimmed(_ value: Decimal) -> Decimal { rounded(value, places: places, .plain) }

    static func rounded(_ value: Decimal, places: Int, _ mode: NSDecimalNumber.RoundingMode) -> Decimal {
        var (result, source) = (Decimal(), value)
        NSDecimalRound(&result, &source, places, mode)
        return result
    }
}

/// How a school rounds a grade where it shows it; applied once, to the weighted percentage.
struct RoundingRule: Codable, Sendable, Hashable {
    enum Mode: String, Codable, Sendable, Hashable, CaseIterable {
        /// 89.5 becomes 90, 89.4 becomes 89.
        case halfUp
        /// 89.5 becomes 90, 90.5 becomes 90: to the even neighbour.
        case halfEven
        /// 89.9 becomes 89.
        case down
    }

    /// Places after the point, 0 to 2.
    var places: Int
    var mode: Mode

    static let standard = RoundingRule(places: 0, mode: .halfUp)

    /// The percentage as it is shown. A grade is never negative, so down is towards nought.
    func shown(_ percentage: Decimal) -> Decimal {
        let mode: NSDecimalNumber.RoundingMode =
            switch mode {
            case .halfUp: .plain
            case .halfEven: .bankers
            case .down: .down
            }
        return Exactness.rounded(percentage, places: places, mode)
    }
}
