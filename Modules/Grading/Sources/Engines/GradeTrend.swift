/// Where the last marks of a course point (WW-6.08).
enum GradeTrend: String, Codable, Sendable, Hashable, CaseIterable {
    case rising, falling, steady

    /// How many of the last marks are looked at.
    static let length = 5

    /// From percentages, the oldest first: the sign of the line of least squares through the last five; `nil` for
    /// fewer than two.
    init?(_ percentages: [Quotient]) {
        let last = percentages.suffix(Self.length)
        guard last.count >= 2 else { return nil }
        // The slope's sign alone matters, so the places are doubled and centred to whole numbers: -4, -2, 0, 2, 4.
        let slope = last.enumerated().reduce(Int128(0)) { sum, mark in
            sum + Int128(2 * mark.offset - (last.count - 1)) * mark.element.units
        }
        self = slope > 0 ? .rising : slope < 0 ? .falling : .steady
    }
}
