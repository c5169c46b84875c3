import GradingInterface

/// A quotient as a whole number of units of 10^-20, for exact rounding.
///
/// Scores are whole hundredths and weights whole percents, so their sums are exact, but a quotient may have no finite
/// decimal expansion. It is computed with two more places, which are then rounded away. That exceeds the error of five
/// quotients and is far below the difference of two grades: a quotient that should be 89.5 is 89.5.
struct Quotient: Sendable, Hashable, Comparable {
    let units: Int128

    /// 10^20.
    private static let one: Int128 = 100_000_000_000_000_000_000

    init(units: Int128) { self.units = units }

    init(_ whole: Int) { units = Int128(whole) * Self.one }

    /// Divides one number by another.
    ///
    /// - Parameters:
    ///   - numerator: 0 to 10^16, which is the sum of a million items of the largest maximum.
    ///   - denominator: above 0.
    init(_ numerator: Int, over denominator: Int) {
        self.init(Sum(numerator, over: denominator), over: 1)
    }

    /// Divides a sum of quotients by a whole number above 0.
    init(_ sum: Sum, over denominator: Int) {
        units = (sum.units / Int128(denominator) + 50) / 100
    }

    static func < (left: Quotient, right: Quotient) -> Bool { left.units < right.units }

    static func - (left: Quotient, right: Quotient) -> Quotient { Quotient(units: left.units - right.units) }

    /// Rounds to decimal places.
    ///
    /// - Parameter places: 0 to 2.
    func rounded(places: Int, _ mode: RoundingRule.Mode) -> Hundredths {
        let hundredths = places == 0 ? 100 : places == 1 ? 10 : 1
        let unit = Self.one / 100 * Int128(hundredths)
        let (whole, rest) = units.quotientAndRemainder(dividingBy: unit)
        let isUp =
            switch mode {
            case .halfUp: rest * 2 >= unit
            case .halfEven: rest * 2 > unit || rest * 2 == unit && whole % 2 == 1
            case .down: false
            }
        return Hundredths(count: Int(whole + (isUp ? 1 : 0)) * hundredths)
    }

    /// Rounds a percentage. Less than 100 is never shown as 100: 99.96 with one place is 99.9.
    func percentage(places: Int, _ mode: RoundingRule.Mode) -> Hundredths {
        let rounded = rounded(places: places, mode)
        guard self < Quotient(100), rounded >= 100 else { return rounded }
        return 100 - Hundredths(count: places == 0 ? 100 : places == 1 ? 10 : 1)
    }

    /// Returns the mean; `nil` for an empty array.
    static func mean(_ all: [Quotient]) -> Quotient? {
        guard !all.isEmpty else { return nil }
        let sum = all.reduce(Int128(0)) { $0 + $1.units }
        return Quotient(Sum(units: sum * 100), over: all.count)
    }

    /// A sum of quotients with the two additional places that a `Quotient` drops.
    struct Sum {
        fileprivate(set) var units: Int128

        fileprivate init(units: Int128) { self.units = units }

        init() { units = 0 }

        init(_ numerator: Int, over denominator: Int) {
            units = Int128(numerator) * (Quotient.one * 100) / Int128(denominator)
        }

        static func += (left: inout Sum, right: Sum) { left.units += right.units }
    }
}
