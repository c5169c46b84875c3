/// The direction of a student's last scores in a course (WW-6.08).
enum GradeTrend: String, Codable, Sendable, Hashable, CaseIterable {
    case rising, falling, steady

    /// The number of last scores that are considered.
    static let length = 5

    /// The sign of the slope of the least-squares line through the last five percentages; `nil` for fewer than two.
    ///
    /// - Parameter percentages: the oldest first.
    init?(_ percentages: [Quotient]) {
        let last = percentages.suffix(Self.length)
        guard last.count >= 2 else { return nil }
        // Only the sign matters, so the positions are doubled and centered to whole numbers: -4, -2, 0, 2, 4.
        let slope = last.enumerated().reduce(Int128(0)) { sum, score in
            sum + Int128(2 * score.offset - (last.count - 1)) * score.element.units
        }
        self = slope > 0 ? .rising : slope < 0 ? .falling : .steady
    }
}
