import Foundation

/// Bounds for what is good until a stored instant. Where the clock was set back such an instant lies further ahead than
/// it ever may: what has it is then over, and nothing lives for longer than its lifetime by more than the slack.
enum Lifetime {
    /// Seconds by which a clock may be corrected without a consequence.
    static let slack: TimeInterval = 60

    /// The latest end that something with this lifetime, in seconds, can have.
    static func latestEnd(_ lifetime: TimeInterval, at now: Date) -> Date {
        now.addingTimeInterval(lifetime + slack)
    }
}
