public import Foundation

/// The rule by which a secret (a password, a code) is locked after wrong tries in a row.
///
/// The first tries lock nothing; then each further one doubles the time of the lock. The rule has no state of its
/// own: its user stores the `State`, in a database if a restart must not reset it.
public struct LockOut: Sendable, Hashable {
    /// The number of wrong tries in a row that are allowed before the first lock.
    public let tries: Int
    /// The duration in seconds of the first lock after too many wrong attempts.
    public let first: TimeInterval
    /// The longest duration of a lock in seconds.
    public let longest: TimeInterval
    /// The number of seconds without a try after which the count of wrong tries begins again.
    public let memory: TimeInterval

    /// Seconds by which a stored instant may be rounded.
    private static let rounding: TimeInterval = 0.001

    public init(
        tries: Int = 5, first: TimeInterval = 30, longest: TimeInterval = 3600, memory: TimeInterval = 86_400
    ) {
        self.tries = tries
        self.first = first
        self.longest = longest
        self.memory = memory
    }

    /// The record of the wrong tries at one secret (a password, a code), to be stored by the code that checks the
    /// secret.
    public struct State: Sendable, Hashable {
        /// The number of wrong tries in a row, including tries whose result is not known yet.
        public var failures: Int
        /// The time of the latest wrong try.
        public var lastTry: Date

        public init(failures: Int, lastTry: Date) {
            self.failures = failures
            self.lastTry = lastTry
        }
    }

    /// The duration in seconds of the lock after a number of wrong tries in a row; 0 for no lock.
    public func duration(after failures: Int) -> TimeInterval {
        guard failures >= tries else { return 0 }
        // Any duration times 2^40 exceeds every limit, so larger powers need not be computed.
        return min(longest, first * pow(2, Double(min(failures - tries, 40))))
    }

    /// Returns the state corrected for a clock that was set back.
    ///
    /// A try that is in the future counts as made now, so that no lock lasts longer than its duration. Store the
    /// result; otherwise each call starts the lock again.
    public func onClock(_ state: State?, at now: Date) -> State? {
        // Rounding to milliseconds may put a stored instant a little ahead of now.
        guard var state, state.lastTry.timeIntervalSince(now) > Self.rounding else { return state }
        state.lastTry = now
        return state
    }

    /// Returns the end of the lock, at most the lock's duration from now; `nil` if the secret is not locked.
    public func lockedUntil(_ state: State?, at now: Date) -> Date? {
        guard let state = onClock(state, at: now), case let seconds = duration(after: state.failures), seconds > 0
        else { return nil }
        let end = state.lastTry.addingTimeInterval(seconds)
        return end.timeIntervalSince(now) > Self.rounding ? end : nil
    }

    /// Counts a try before its result is known, so that many simultaneous tries are all counted.
    /// - Throws: `Problem` 429 with the seconds to wait while the secret is locked; the try is not counted.
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
