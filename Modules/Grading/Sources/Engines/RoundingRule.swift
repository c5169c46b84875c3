import GradingInterface

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
    /// Less than full is never shown as 100.
    func shown(_ percentage: Quotient) -> Hundredths { percentage.percentage(places: places, mode) }
}
