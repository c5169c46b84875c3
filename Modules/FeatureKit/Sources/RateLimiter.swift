import Domain
public import Foundation
import Synchronization

/// Counts failed tries per key and refuses further ones for a while. Kept in memory: a restart forgives.
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
    ///   - period: seconds from the first failure until the count starts anew; no refusal lasts longer, even when
    ///     the clock is set back.
    public init(limit: Int, period: TimeInterval) {
        self.limit = limit
        self.period = period
    }

    /// Counts a try for each key before it is known how it ends, so that many at once count as many.
    /// Throws `Problem` 429 with the seconds to wait, and counts nothing, once a key's limit is reached.
    public func take(_ keys: [String], at now: Date) throws {
        let wait = windows.withLock { windows -> TimeInterval in
            // A window that ends later than a whole period from now began before the clock was set back.
            for key in keys {
                if let window = windows[key], window.endsAt.timeIntervalSince(now) > period {
                    windows[key]?.endsAt = now.addingTimeInterval(period)
                }
            }
            let wait = keys.reduce(0) { longest, key in
                guard let window = windows[key], window.endsAt > now, window.count >= limit else { return longest }
                return max(longest, window.endsAt.timeIntervalSince(now))
            }
            guard wait <= 0 else { return wait }
            if windows.count > 50_000 { windows = windows.filter { $0.value.endsAt > now } }
            for key in keys {
                if let window = windows[key], window.endsAt > now {
                    windows[key]?.count = window.count + 1
                } else {
                    windows[key] = Window(count: 1, endsAt: now.addingTimeInterval(period))
                }
            }
            return 0
        }
        guard wait <= 0 else {
            let seconds = Int(wait.rounded(.up))
            throw Problem.tooManyTries(seconds)
        }
    }

    /// Takes back one try of each key: it was no failure. Those before it still count.
    public func giveBack(_ keys: [String]) {
        windows.withLock { windows in
            // A window that began anew meanwhile has nothing to give back.
            for key in keys { windows[key].map { windows[key]?.count = max(0, $0.count - 1) } }
        }
    }

    /// Forgets all failures of the keys.
    public func forgive(_ keys: [String]) {
        windows.withLock { windows in
            for key in keys { windows[key] = nil }
        }
    }
}
