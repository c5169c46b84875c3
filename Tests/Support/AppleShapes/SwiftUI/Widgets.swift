public import Foundation

/// A small view of the app on the home screen.
///
/// Apple: Widget. iOS 14.0.
@MainActor @preconcurrency
public protocol Widget {
    associatedtype Body: WidgetConfiguration
    init()
    var body: Body { get }
}

/// The declaration of a widget's content and of its place in the list of widgets.
///
/// Apple: WidgetConfiguration. iOS 14.0.
@MainActor @preconcurrency
public protocol WidgetConfiguration {
    associatedtype Body: WidgetConfiguration
    var body: Body { get }
}

extension Never: WidgetConfiguration {}

/// The widgets of an extension.
///
/// Apple: WidgetBundle. iOS 14.0.
@MainActor @preconcurrency
public protocol WidgetBundle {
    associatedtype Body: Widget
    init()
    @WidgetBundleBuilder var body: Body { get }
}

extension WidgetBundle {
    /// Starts the extension.
    ///
    /// Apple: WidgetBundle.main(). iOS 14.0.
    public static func main() { preconditionFailure("only a device runs the extension") }
}

/// A result builder of the widgets of an extension.
///
/// Apple: WidgetBundleBuilder. iOS 14.0.
@resultBuilder
public struct WidgetBundleBuilder {
    @MainActor public static func buildBlock<C0: Widget, C1: Widget>(_ c0: C0, _ c1: C1) -> some Widget {
        WidgetPair<C0, C1>()
    }
}

/// Two widgets of an extension.
struct WidgetPair<First: Widget, Second: Widget>: Widget, RecordedWidgets {
    var body: Never { fatalError("a pair of widgets has no configuration of its own") }
    var configurations: [any WidgetConfiguration] { [First().body, Second().body] }
}

/// A declaration of a widget that remembers what it was given.
struct ChangedConfiguration<Content: WidgetConfiguration>: RecordedWidgetConfiguration {
    let content: Content
    let change: (inout RecordedWidget) -> Void

    func record() -> RecordedWidget {
        var widget = RecordedWidget(content)
        change(&widget)
        return widget
    }
}

extension WidgetConfiguration {
    /// Apple: configurationDisplayName(_:). iOS 14.0.
    public func configurationDisplayName(_ displayName: Text) -> some WidgetConfiguration {
        ChangedConfiguration(content: self) { $0.name = displayName.string }
    }

    /// Apple: description(_:). iOS 14.0.
    public func description(_ description: Text) -> some WidgetConfiguration {
        ChangedConfiguration(content: self) { $0.explanation = description.string }
    }
}

/// A control that opens an address.
///
/// Apple: Link. iOS 14.0.
public struct Link<Label: View>: RecordedPrimitive {
    let destination: URL
    let label: Label

    /// Apple: Link.init(destination:label:). iOS 14.0.
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        var node = RecordedView("Link", in: context, children: context.nodes(of: label, "label"))
        node.values = [RecordedValue("destination", destination)]
        node.action = { context.environment.openURL(destination) }
        return [node]
    }
}

/// The place of a container's background.
///
/// Apple: ContainerBackgroundPlacement. iOS 17.0.
public struct ContainerBackgroundPlacement: Hashable, Sendable {
    let name: String

    init(_ name: String) { self.name = name }
}

extension View {
    /// Apple: widgetURL(_:). iOS 14.0.
    public func widgetURL(_ url: URL?) -> some View {
        modified("widgetURL", [RecordedValue("", url as Any)])
    }

    /// Apple: privacySensitive(_:). iOS 15.0.
    public func privacySensitive() -> some View { modified("privacySensitive", [RecordedValue("", true)]) }

    /// Apple: containerBackground(_:for:). iOS 17.0.
    public func containerBackground<S: ShapeStyle>(_ style: S, for container: ContainerBackgroundPlacement)
        -> some View
    {
        modified("containerBackground", [RecordedValue("", style)])
    }
}
