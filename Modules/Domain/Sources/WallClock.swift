public import Foundation

/// Tells the time of day; tests pass one that stands still.
///
/// Not named `Clock`, because the standard library's protocol of that name measures durations.
public protocol WallClock: Sendable {
    var now: Date { get }
}

public struct SystemClock: WallClock {
    public init() {}
    public var now: Date { Date() }
}
