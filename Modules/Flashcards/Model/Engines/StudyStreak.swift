public import Domain

/// The number of days on which a person studied, without a longer break.
///
/// A streak forgives: it continues over as many as two missed days in a row, such as a weekend. Missed days do not count.
public struct StudyStreak: Sendable, Hashable {
    /// The largest number of missed days in a row that a streak continues over.
    public static let forgiven = 2

    /// The number of days with study in the streak; 0 without a current streak.
    public let days: Int

    /// Computes the streak that is current on a day.
    /// - Parameter studied: the days on which the person studied, in any order.
    public init(of studied: some Sequence<Day>, on today: Day) {
        var (count, last) = (0, today.number + 1)
        // Today is not missed before it is over.
        var allowed = Self.forgiven + 1
        for day in Set(studied.map(\.number)).filter({ $0 <= today.number }).sorted(by: >) {
            guard last - day - 1 <= allowed else { break }
            (count, last, allowed) = (count + 1, day, Self.forgiven)
        }
        days = count
    }
}
