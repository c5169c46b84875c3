public import Foundation

/// How long one secret (a password, a code) is locked after wrong tries in a row: not at all for the first
/// few, then for a time that doubles with each further one.
///
/// Pure: whoever uses it keeps the `State`, in a database where a restart must not forgive.
public struct LockOut: Sendable, Hashable {
    /// The wrong tries in a row after which the first lock begins.
    public let tries: Int
    /// Seconds of the first lock.
    public let first: TimeInterval
    /// Seconds that no lock exceeds.
    public let longest: TimeInterval
    /// Seconds without a try after which all is forgotten.
    public let memory: TimeInterval

    /// Seconds by which a kept instant may be off.
    private static let rounding: TimeInterval = 0.001

    public init(
        tries: Int = 5, first: TimeInterval = 30, longest: TimeInterval = 3600, memory: TimeInterval = 86_400
    ) {
        self.tries = tries
        self.first = first
        self.longest = longest
        self.memory = memory
    }

    /// What is remembered of the tries at one secret.
    public struct State: Sendable, Hashable {
        /// Wrong tries in a row, those that have not ended yet among them.
        public var failures: Int
        /// When the latest of them was.
        public var lastTry: Date

        public init(failures: Int, lastTry: Date) {
            self.failures = failures
            self.lastTry = lastTry
        }
    }

    /// Seconds of the lock that follows the given number of wrong tries in a row; 0 is none.
    public func duration(after failures: Int) -> TimeInterval {
        guard failures >= tries else { return 0 }
        // 2^40 times any length is longer than any limit; a larger power would only be slower to say so.
        return min(longest, first * pow(2, Double(min(failures - tries, 40))))
    }

    /// The state as the clock of now sees it. A try that lies ahead was counted before the clock was set back: it
    /// counts as made now, so that no lock lasts longer than its own duration. Store the result, otherwise the lock
    /// begins anew with each look.
    public func onClock(_ state: State?, at now: Date) -> State? {
        // A stored instant is rounded to milliseconds and may lie a little ahead of now.
        guard var state, state.lastTry.timeIntervalSince(now) > Self.rounding else { return state }
        state.lastTry = now
        return state
    }

    /// Until when the secret is locked, at most the lock's duration from now; `nil` where it may be tried.
    public func lockedUntil(_ state: State?, at now: Date) -> Date? {
        guard let state = onClock(state, at: now), case let seconds = duration(after: state.failures), seconds > 0
        else { return nil }
        let end = state.lastTry.addingTimeInterval(seconds)
        return end.timeIntervalSince(now) > Self.rounding ? end : nil
    }

    /// Counts a try before it is known how it ends, so that many at once count as many.
    ///
    /// Throws `Problem` 429 with the seconds to wait, and counts nothing, while the secret is locked.
    public func take(_ state: State?, at now: Date) throws -> State {
        if let end = lockedUntil(state, at: now) {
            throw Problem.tooManyTries(Int((end.timeIntervalSince(now) - Self.rounding).rounded(.up)))
        }
        guard let state, now.timeIntervalSince(state.lastTry) < memory else {
            return State(failures: 1, lastTry: now)
        }
        return State(failures: state.failures + 1, lastTry: now)
    }
}
