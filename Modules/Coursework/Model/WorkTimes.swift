public import Foundation

/// The times of an assignment for one student, with the student's extension.
///
/// A due minute counts whole: work that is due at 23:59 is on time until 23:59:59. Only the time at which the server
/// received the work counts, because the clock of a device can be set.
public struct WorkTimes: Codable, Sendable, Hashable {
    /// The length of the due minute in seconds.
    public static let grace: TimeInterval = 60
    private static let day: TimeInterval = 24 * 60 * 60

    /// The beginning of the due minute for the student; `nil` without a due time.
    public let dueAt: Date?
    /// The beginning of the last minute in which work is accepted; `nil` for no end.
    public let closesAt: Date?
    /// The percentage that is deducted for each day of lateness that has begun.
    public let penalty: Int

    /// Creates the times of an assignment for one student.
    /// - Parameter extendedTo: the later due time that a teacher gave the student; `nil` for none. An earlier time than
    ///   the assignment's own is ignored.
    public init(of assignment: Assignment, extendedTo: Date? = nil) {
        let due = assignment.dueAt.map { max($0, extendedTo ?? $0) }
        dueAt = due
        penalty = assignment.latePenalty
        closesAt =
            switch assignment.lateWork {
            case .always: nil
            case .never: due
            // An extension beyond the end of late work moves that end too.
            case .until: assignment.lateUntil.map { max($0, due ?? $0) }
            }
    }

    /// Whether work that was handed in at an instant is on time.
    public func isOnTime(_ instant: Date) -> Bool { dueAt.map { instant < $0 + Self.grace } ?? true }

    /// Whether work is accepted at an instant.
    public func accepts(at instant: Date) -> Bool { closesAt.map { instant < $0 + Self.grace } ?? true }

    /// The number of days of lateness that have begun, 24 hours each: 0 for work on time, 1 in the first day after it.
    public func daysLate(at instant: Date) -> Int {
        guard let dueAt, !isOnTime(instant) else { return 0 }
        return Int((instant.timeIntervalSince(dueAt + Self.grace) / Self.day).rounded(.down)) + 1
    }

    /// The percentage of a score that remains for work handed in at an instant, from 0 to 100.
    public func remainingPercent(at instant: Date) -> Int { max(0, 100 - penalty * daysLate(at: instant)) }
}
