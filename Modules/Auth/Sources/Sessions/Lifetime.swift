import Foundation

/// The latest plausible end of something with a lifetime. After the clock was set back, a stored end may lie further
/// ahead than the lifetime allows; such an entry counts as expired.
enum Lifetime {
    /// Seconds by which the clock may be set back without expiring anything.
    static let slack: TimeInterval = 60

    /// The latest end, at `now`, of something with this lifetime in seconds.
    static func latestEnd(_ lifetime: TimeInterval, at now: Date) -> Date {
        now.addingTimeInterval(lifetime + slack)
    }
}
