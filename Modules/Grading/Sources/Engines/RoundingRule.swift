import GradingInterface

/// How a school rounds course grades. Applied once, to the weighted percentage.
struct RoundingRule: Codable, Sendable, Hashable {
    enum Mode: String, Codable, Sendable, Hashable, CaseIterable {
        /// 89.5 becomes 90, 89.4 becomes 89.
        case halfUp
        /// Rounds to the even neighbor: 89.5 becomes 90, 90.5 becomes 90.
        case halfEven
        /// 89.9 becomes 89.
        case down
    }

    /// Decimal places, 0 to 2.
    var places: Int
    var mode: Mode

    static let standard = RoundingRule(places: 0, mode: .halfUp)

    /// Rounds a percentage. Less than 100 is never shown as 100. A grade is never negative, so `down` is towards 0.
    func shown(_ percentage: Quotient) -> Hundredths { percentage.percentage(places: places, mode) }
}
