public import Foundation
public import SwiftUI
public import Synchronization

/// The requests of the app for new timelines.
public enum RecordedReloads {
    public static let count = Mutex(0)
}

/// The folders that an app shares with its widgets, by the names of the groups.
public enum RecordedGroups {
    public static let folders = Mutex<[String: URL]>([:])
}

extension TimelineProviderContext {
    /// The context of a widget in the list of widgets, or on the home screen.
    public static func recorded(isPreview: Bool = false) -> TimelineProviderContext { .init(isPreview: isPreview) }
}

extension TimelineReloadPolicy {
    /// The moment of the next timeline.
    public var moment: Date { date }
}

extension EnvironmentValues {
    /// The environment of a widget with a size.
    @MainActor public static func recorded(
        family: WidgetFamily, colorScheme: ColorScheme = .light
    ) -> EnvironmentValues {
        var values = EnvironmentValues.recorded(colorScheme: colorScheme)
        values.set(family)
        return values
    }
}
