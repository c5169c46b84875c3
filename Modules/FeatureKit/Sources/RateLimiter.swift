import Domain
public import Foundation
import Synchronization

/// Counts failed tries per key and refuses further ones for a while. The counts are in memory; a restart clears them.
public final class RateLimiter: Sendable {
    private struct Window {
        var count: Int
        var endsAt: Date
    }
    private let limit: Int
    private let period: TimeInterval
    private let windows = Mutex<[String: Window]>([:])

    /// Creates a limiter of failed tries that has counted none.
    /// - Parameters:
    ///   - limit: the failures that are allowed within a period.
    ///   - period: seconds from the first failure until the count starts again. No refusal lasts longer, even if
    ///     the clock is set back.
    public init(limit: Int, period: TimeInterval) {
        self.limit = limit
        self.period = period
    }

    /// Counts a try for each key before its result is known, so that many simultaneous tries are all counted.
    /// - Throws: `Problem` 429 with the seconds to wait if a key has reached its limit; then the try is not counted.
    public func take(_ keys: [String], at now: Date) throws {
        let wait = windows.withLock { windows -> TimeInterval in
            // A window that ends later than one period from now began before the clock was set back.
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

    /// Uncounts one try of each key, because it did not fail. Earlier failures still count.
    public func giveBack(_ keys: [String]) {
        windows.withLock { windows in
            // A window that began meanwhile has nothing to uncount.
            for key in keys { windows[key].map { windows[key]?.count = max(0, $0.count - 1) } }
        }
    }

    /// Clears all counted failed tries of the keys.
    public func forgive(_ keys: [String]) {
        windows.withLock { windows in
            for key in keys { windows[key] = nil }
        }
    }
}
