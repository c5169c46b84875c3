public import Domain
public import Foundation

/// The waiting times between attempts: doubled each time, with jitter, so that many devices do not return at once.
public struct Backoff: Sendable, Hashable {
    /// The seconds before the second attempt.
    public var first: TimeInterval
    /// The longest wait in seconds.
    public var longest: TimeInterval

    public init(first: TimeInterval = 1, longest: TimeInterval = 60) {
        self.first = first
        self.longest = longest
    }

    /// Returns the seconds after a number of failed attempts.
    ///
    /// - Parameter random: A number from 0 to 1. The wait is between half of the doubled time and all of it.
    public func delay(after attempts: Int, random: Double) -> TimeInterval {
        // 2^20 s are beyond any limit; larger exponents would overflow.
        let whole = min(longest, first * pow(2, Double(min(max(attempts, 1) - 1, 20))))
        return whole * (0.5 + 0.5 * min(max(random, 0), 1))
    }
}

/// The largest amounts of passages, days and messages that the stores hold in memory and on disk.
///
/// When a store has more, it drops the oldest; the server still has them.
public struct MemoryBounds: Sendable, Hashable {
    /// The largest number of passages. The oldest are dropped once there are a quarter more.
    public var passages: Int
    /// The largest number of days whose attendance is held. The earliest are dropped.
    public var days: Int
    /// The largest number of messages. Those of the conversations that were not opened for the longest time are dropped.
    public var messages: Int
    /// The most bytes of the files of one form that waits for the network.
    public var formFileBytes: Int
    /// The most bytes of the files of all forms that wait.
    public var waitingFileBytes: Int

    public init(
        passages: Int = 20_000, days: Int = 62, messages: Int = 5_000, formFileBytes: Int = 300 << 20,
        waitingFileBytes: Int = 600 << 20
    ) {
        self.passages = passages
        self.days = days
        self.messages = messages
        self.formFileBytes = formFileBytes
        self.waitingFileBytes = waitingFileBytes
    }
}

/// The surroundings of the stores, which tests replace.
public struct ClientEnvironment: Sendable {
    public var clock: any WallClock
    /// Returns a number from 0 to 1.
    public var random: @Sendable () -> Double
    /// Returns a new id.
    public var newId: @Sendable (Date) -> UUID
    public var sleep: @Sendable (TimeInterval) async throws -> Void
    public var backoff: Backoff
    /// The time zone of the school, by which days are counted.
    public var timeZone: TimeZone
    /// The number of requests that are sent at the same time.
    public var lanes: Int
    public var bounds: MemoryBounds
    /// Returns the seconds on a clock that cannot be set, and that stops while the device sleeps.
    public var steady: @Sendable () -> TimeInterval

    public init(
        clock: any WallClock = SystemClock(), random: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        newId: @escaping @Sendable (Date) -> UUID = { .v7(at: $0, random: SystemRandomNumberGenerator()) },
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        },
        backoff: Backoff = Backoff(), timeZone: TimeZone = .current, lanes: Int = 4,
        bounds: MemoryBounds = MemoryBounds(),
        steady: @escaping @Sendable () -> TimeInterval = ClientEnvironment.suspendingClock()
    ) {
        self.clock = clock
        self.random = random
        self.newId = newId
        self.sleep = sleep
        self.backoff = backoff
        self.timeZone = timeZone
        self.lanes = lanes
        self.bounds = bounds
        self.steady = steady
    }

    /// Returns a function that tells the seconds in which this device was awake, from now on.
    public static func suspendingClock() -> @Sendable () -> TimeInterval {
        let begin = SuspendingClock.now
        return { begin.duration(to: .now) / .seconds(1) }
    }
}
