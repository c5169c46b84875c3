/// One element of the interface, as a test sees it after `ViewRecorder` evaluated the bodies of the app's views.
@MainActor
public struct RecordedView {
    /// The name of the type: `Text`, `Button`, or a view of the app.
    public let kind: String
    /// The place of the element in its tree. It is the same in two recordings as long as the element is the same.
    public let path: String
    /// The text of a `Text`, the name of an image.
    public var text: String?
    /// Other values that the element was given, such as the role of a button or the spacing of a stack.
    public var values: [RecordedValue] = []
    public var modifiers: [RecordedModifier] = []
    public var children: [RecordedView] = []
    /// The action of a button.
    public var action: (@MainActor () -> Void)?
    /// The value that a control edits.
    public var input: RecordedInput?
    /// The items of a menu, which are shown only after it was opened.
    public var items: [RecordedView] = []
    /// The environment in which the element was evaluated.
    public let environment: EnvironmentValues

    init(_ kind: String, in context: RecordingContext, children: [RecordedView] = []) {
        self.kind = kind
        self.path = context.path
        self.children = children
        environment = context.environment
    }

    /// The element and all elements in it, also those in its modifiers and menus.
    public var all: [RecordedView] {
        [self] + (children + items).flatMap(\.all) + modifiers.flatMap { $0.content.flatMap(\.all) }
    }

    /// The elements of a kind in this one.
    public func all(_ kind: String) -> [RecordedView] { all.filter { $0.kind == kind } }

    /// The last modifier with a name, which is the outermost one.
    public func modifier(_ name: String) -> RecordedModifier? { modifiers.last { $0.name == name } }

    /// Whether assistive technologies skip the element.
    public var isHidden: Bool { modifiers.contains { $0.name == "accessibilityHidden" && $0.value() == true } }

    /// All texts that the element shows, from top to bottom.
    public var texts: [String] { (kind == "Text" ? [text ?? ""] : []) + children.flatMap(\.texts) }

    /// The text that a screen reader says for the element: its label, or else the texts that it contains.
    public var spoken: String {
        if isHidden { return "" }
        if let label: String = modifier("accessibilityLabel")?.value() { return label }
        if kind == "Text" { return text ?? "" }
        return children.map(\.spoken).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Whether a person can use the control.
    public var isEnabled: Bool { environment.isEnabled }

    /// Performs the action of a button, as a tap does. Stops if the element has none or is disabled.
    public func press() {
        guard let action else { preconditionFailure("\(kind) '\(spoken)' has no action to perform") }
        guard isEnabled else { preconditionFailure("\(kind) '\(spoken)' is disabled and cannot be pressed") }
        action()
    }

    /// Enters a value into a control, as typing or choosing does. Stops if the element takes no such value.
    public func enter<Value>(_ value: Value) {
        guard let input else { preconditionFailure("\(kind) '\(spoken)' takes no input") }
        guard isEnabled else { preconditionFailure("\(kind) '\(spoken)' is disabled and takes no input") }
        input.set(value)
    }
}

/// A value with the label under which it was given.
public struct RecordedValue {
    public let label: String
    public let value: Any

    init(_ label: String, _ value: Any) {
        self.label = label
        self.value = value
    }
}

/// A modifier that was applied to an element, with its arguments and the elements that it adds.
@MainActor
public struct RecordedModifier {
    public let name: String
    public var values: [RecordedValue] = []
    /// The elements of an overlay, a menu, a sheet or a bar.
    public var content: [RecordedView] = []
    /// The action of a modifier that runs one, such as `refreshable`.
    public var work: (@MainActor () async -> Void)?

    init(_ name: String, _ values: [RecordedValue] = []) {
        self.name = name
        self.values = values
    }

    /// The argument with a label; the first one without a label.
    public func value<Value>(_ label: String = "") -> Value? {
        values.first { $0.label == label }?.value as? Value
    }
}

/// The value that a control edits, without its type.
@MainActor
public struct RecordedInput {
    private let read: @MainActor () -> Any
    let set: @MainActor (Any) -> Void

    init<Value>(_ binding: Binding<Value>) {
        read = { binding.wrappedValue }
        set = { value in
            guard let value = value as? Value else {
                preconditionFailure("the control takes a \(Value.self), not '\(value)'")
            }
            binding.wrappedValue = value
        }
    }

    /// The present value of the control.
    public var value: Any { read() }
}
