public import Foundation

/// Measures how long a task takes, even if the app is closed, the device sleeps, or its clock is changed.
///
/// Two clocks are read. The steady clock stops while a device sleeps and begins again with each start of the app. The
/// wall clock continues, but may be changed. Each reading adds the time since the last one: by the steady clock if both
/// agree or the wall clock went back, and by the wall clock if the steady one slept or belonged to another start.
public struct Stopwatch: Codable, Hashable, Sendable {
    /// A reading of both clocks, in seconds.
    public struct Moment: Codable, Hashable, Sendable {
        /// The seconds since 1970.
        public let wall: TimeInterval
        public let steady: TimeInterval
        /// The id of the start of the app to which `steady` belongs.
        public let launch: UUID

        public init(wall: TimeInterval, steady: TimeInterval, launch: UUID) {
            self.wall = wall
            self.steady = steady
            self.launch = launch
        }
    }
    /// The reason to ask a child for the real time.
    public enum Doubt: String, Codable, Sendable {
        /// The wall clock was changed while no other clock ran.
        case clock
        /// The time is unusually long, or was measured while nothing was shown.
        case long
    }

    /// The seconds so far, without pauses.
    public private(set) var spent: TimeInterval = 0
    /// The last reading.
    private var seen: Moment
    /// The longest time that only the wall clock measured.
    private var gap: TimeInterval = 0
    /// Whether the wall clock went back while no other clock ran.
    private var isUnsure = false

    /// The difference of the clocks above which one of them slept or was changed.
    private static let slack: TimeInterval = 1
    /// The gap from which the child is asked whether it was part of the task: ten minutes.
    private static let strange: TimeInterval = 600
    /// The time beyond which the child is asked.
    private static let hour: TimeInterval = 3600

    /// Starts at a moment.
    public init(at moment: Moment) { seen = moment }

    /// Adds the time until a moment.
    public mutating func read(_ moment: Moment) {
        let wall = moment.wall - seen.wall
        let steady = moment.steady - seen.steady
        let isSameLaunch = moment.launch == seen.launch && steady >= 0
        seen = moment
        if isSameLaunch, wall <= steady + Self.slack {
            spent += steady
            return
        }
        let step = max(0, wall)
        spent += step
        gap = max(gap, step - (isSameLaunch ? steady : 0))
        isUnsure = isUnsure || wall < 0
    }

    /// Continues after a pause. The time since the last reading does not count.
    public mutating func resume(at moment: Moment) { seen = moment }

    /// The reason to ask the child for the real time; `nil` if the time is reliable.
    public var doubt: Doubt? {
        if isUnsure { return .clock }
        return gap > Self.strange || spent > Self.hour ? .long : nil
    }
}
