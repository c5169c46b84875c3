// Declarations of WidgetKit, for Linux only: exactly those that Apps/iOS uses. Each names the title of its page in Apple's
// documentation and the first version of iOS that has it; docs/ios.md lists them. See Tests/Support/AppleShapes/README.md.

public import Foundation
public import SwiftUI
import Synchronization

/// The content of a widget at a moment.
///
/// Apple: TimelineEntry. iOS 14.0.
public protocol TimelineEntry {
    /// Apple: TimelineEntry.date. iOS 14.0.
    var date: Date { get }
}

/// The moments at which a widget changes.
///
/// Apple: Timeline. iOS 14.0.
public struct Timeline<EntryType: TimelineEntry> {
    /// Apple: Timeline.entries. iOS 14.0.
    public let entries: [EntryType]
    /// Apple: Timeline.policy. iOS 14.0.
    public let policy: TimelineReloadPolicy

    /// Apple: Timeline.init(entries:policy:). iOS 14.0.
    public init(entries: [EntryType], policy: TimelineReloadPolicy) {
        self.entries = entries
        self.policy = policy
    }
}

/// The moment at which the system asks for the next timeline.
///
/// Apple: TimelineReloadPolicy. iOS 14.0.
public struct TimelineReloadPolicy: Equatable, Sendable {
    let date: Date

    /// Apple: TimelineReloadPolicy.after(_:). iOS 14.0.
    public static func after(_ date: Date) -> TimelineReloadPolicy { TimelineReloadPolicy(date: date) }
}

/// A type that tells the system when a widget changes.
///
/// Apple: TimelineProvider. iOS 14.0.
public protocol TimelineProvider {
    associatedtype Entry: TimelineEntry
    /// Apple: TimelineProvider.Context. iOS 14.0.
    typealias Context = TimelineProviderContext

    /// Apple: placeholder(in:). iOS 14.0.
    func placeholder(in context: Context) -> Entry
    /// Apple: getSnapshot(in:completion:). iOS 14.0.
    func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
    /// Apple: getTimeline(in:completion:). iOS 14.0.
    func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}

/// The system's description of the widget that it asks for.
///
/// Apple: TimelineProviderContext. iOS 14.0.
public struct TimelineProviderContext {
    /// Apple: TimelineProviderContext.isPreview. iOS 14.0.
    public let isPreview: Bool

    init(isPreview: Bool) { self.isPreview = isPreview }
}

/// The sizes of widgets.
///
/// Apple: WidgetFamily. iOS 14.0.
public enum WidgetFamily: Hashable, Sendable {
    case systemSmall, systemMedium
}

/// A widget without settings.
///
/// Apple: StaticConfiguration. iOS 14.0.
public struct StaticConfiguration<Provider: TimelineProvider, Content: View>: RecordedWidgetConfiguration {
    let kind: String
    let provider: Provider
    let content: (Provider.Entry) -> Content

    /// Apple: StaticConfiguration.init(kind:provider:content:). iOS 14.0.
    public init(kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content) {
        self.kind = kind
        self.provider = provider
        self.content = content
    }

    public func record() -> RecordedWidget {
        let content = content
        return RecordedWidget(kind: kind, provider: provider) { entry in
            guard let entry = entry as? Provider.Entry else { preconditionFailure("\(entry) is another entry") }
            return AnyView(content(entry))
        }
    }
}

extension WidgetConfiguration {
    /// Apple: supportedFamilies(_:). iOS 14.0.
    public func supportedFamilies(_ families: [WidgetFamily]) -> some WidgetConfiguration {
        recording { $0.families = families.map { "\($0)" } }
    }
}

extension EnvironmentValues {
    /// Apple: widgetFamily. iOS 14.0.
    public var widgetFamily: WidgetFamily { self[FamilyKey.self] }

    mutating func set(_ family: WidgetFamily) { self[FamilyKey.self] = family }
}

private enum FamilyKey: EnvironmentKey {
    static var defaultValue: WidgetFamily { .systemSmall }
}

extension ContainerBackgroundPlacement {
    /// Apple: widget. iOS 17.0.
    public static var widget: ContainerBackgroundPlacement { .recorded("widget") }
}

/// The app's connection to its widgets.
///
/// Apple: WidgetCenter. iOS 14.0.
public final class WidgetCenter: Sendable {
    // Singleton: so is Apple's.
    /// Apple: shared. iOS 14.0.
    public static let shared = WidgetCenter()

    /// Asks for new timelines of all widgets.
    ///
    /// Apple: reloadAllTimelines(). iOS 14.0.
    public func reloadAllTimelines() { RecordedReloads.count.withLock { $0 += 1 } }
}

extension FileManager {
    /// A function of Foundation on Apple's systems.
    ///
    /// Apple: containerURL(forSecurityApplicationGroupIdentifier:). iOS 7.0.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        RecordedGroups.folders.withLock { $0[groupIdentifier] }
    }
}
