public import Foundation

/// The current time. Tests use a clock that stands still.
///
/// Not named `Clock`, because the standard library's protocol of that name measures durations.
public protocol WallClock: Sendable {
    var now: Date { get }
}

/// A clock that returns the current time of the system.
public struct SystemClock: WallClock {
    public init() {}
    public var now: Date { Date() }
}
