public import Foundation

/// The end of an attempt, which the server decides.
public enum AttemptTime {
    /// The seconds after the end in which an answer still counts, because it was given in time and arrives late.
    public static let grace: TimeInterval = 60

    /// Returns the instant at which an attempt ends; `nil` if nothing limits it.
    ///
    /// - Parameters:
    ///   - minutes: the time limit of the quiz; `nil` for none.
    ///   - extraMinutes: a student's extra time, which lengthens the limit and moves the due time.
    public static func end(start: Date, minutes: Int?, due: Date?, extraMinutes: Int) -> Date? {
        let extra = Double(extraMinutes) * 60
        let limit = minutes.map { start.addingTimeInterval(Double($0) * 60 + extra) }
        let close = due?.addingTimeInterval(extra)
        return [limit, close].compactMap(\.self).min()
    }
}
