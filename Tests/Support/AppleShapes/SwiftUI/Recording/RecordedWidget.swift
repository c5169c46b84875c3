/// A widget, as its declaration describes it.
@MainActor
public struct RecordedWidget {
    public let kind: String
    public var name = ""
    public var explanation = ""
    /// The sizes of the widget, by the names of Apple's values.
    public var families: [String] = []
    /// The provider of the widget's timeline.
    public let provider: Any
    /// Returns the view for an entry.
    public let view: (Any) -> AnyView

    public init(kind: String, provider: Any, view: @escaping (Any) -> AnyView) {
        self.kind = kind
        self.provider = provider
        self.view = view
    }

    /// Reads a declaration of the app.
    public init(_ configuration: some WidgetConfiguration) {
        if let recorded = configuration as? any RecordedWidgetConfiguration {
            self = recorded.record()
        } else {
            self.init(configuration.body)
        }
    }

    /// The widgets of an extension.
    public static func all(of bundle: some WidgetBundle) -> [RecordedWidget] {
        guard let widgets = bundle.body as? any RecordedWidgets else {
            preconditionFailure("the shapes know an extension with two widgets")
        }
        return widgets.configurations.map { RecordedWidget($0) }
    }
}

/// A declaration that the shapes read themselves. It has no body.
@MainActor
public protocol RecordedWidgetConfiguration: WidgetConfiguration where Body == Never {
    func record() -> RecordedWidget
}

extension RecordedWidgetConfiguration {
    public var body: Never { fatalError("\(Self.self) is recorded and has no body") }
}

extension WidgetConfiguration {
    /// The declaration with further values.
    public func recording(_ change: @escaping (inout RecordedWidget) -> Void) -> some WidgetConfiguration {
        ChangedConfiguration(content: self, change: change)
    }
}

extension ContainerBackgroundPlacement {
    /// A place that another framework names.
    public static func recorded(_ name: String) -> ContainerBackgroundPlacement { .init(name) }
}

/// Several widgets as one.
@MainActor
protocol RecordedWidgets {
    var configurations: [any WidgetConfiguration] { get }
}
