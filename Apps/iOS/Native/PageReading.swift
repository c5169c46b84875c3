public import Foundation
public import Observation
public import SwiftUI

/// The time at which the page in front was read from the server.
///
/// A native view of an island draws the commands over the page that ran later or wait. It is an object, so that only the
/// views that read the time are evaluated when it changes.
@MainActor @Observable
public final class PageReading {
    /// The time of the reading; the distant past while no page is shown.
    public var readAt = Date.distantPast

    public init() {}
}

extension EnvironmentValues {
    /// The reading of the page in front; `nil` outside of a page of the server.
    public var pageReading: PageReading? {
        get { self[PageReadingKey.self] }
        set { self[PageReadingKey.self] = newValue }
    }
}

private enum PageReadingKey: EnvironmentKey {
    static var defaultValue: PageReading? { nil }
}

extension PageReading: Equatable {
    /// Whether both are the reading of the same page, so that a view is not evaluated again without a reason.
    nonisolated public static func == (left: PageReading, right: PageReading) -> Bool { left === right }
}
