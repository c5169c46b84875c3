import Domain
public import Foundation
import Synchronization

/// Counts failures per key and refuses further tries for a while. Kept in memory: a restart forgives.
public final class RateLimiter: Sendable {
    private struct Window {
        var count: Int
        var endsAt: Date
    }
    private let limit: Int
    private let period: TimeInterval
    private let windows = Mutex<[String: Window]>([:])

    /// - Parameters:
    ///   - limit: failures allowed within a period.
    ///   - period: seconds from the first failure until the count starts anew.
    public init(limit: Int, period: TimeInterval) {
        self.limit = limit
        self.period = period
    }

    /// Throws `Problem` 429 with the seconds to wait once the limit is reached.
    public func check(_ keys: [String], at now: Date) throws {
        let wait = windows.withLock { windows -> TimeInterval in
            keys.reduce(0) { longest, key in
                guard let window = windows[key], window.endsAt > now, window.count >= limit else { return longest }
                return max(longest, window.endsAt.timeIntervalSince(now))
            }
        }
        guard wait <= 0 else {
            let seconds = Int(wait.rounded(.up))
            throw Problem(429, "tooManyTries", [.number(seconds)], retryAfter: seconds)
        }
    }

    public func recordFailure(_ keys: [String], at now: Date) {
        windows.withLock { windows in
            if windows.count > 50_000 { windows = windows.filter { $0.value.endsAt > now } }
            for key in keys {
                if let window = windows[key], window.endsAt > now {
                    windows[key]?.count = window.count + 1
                } else {
                    windows[key] = Window(count: 1, endsAt: now.addingTimeInterval(period))
                }
            }
        }
    }

    public func forgive(_ keys: [String]) {
        windows.withLock { windows in
            for key in keys { windows[key] = nil }
        }
    }
}
