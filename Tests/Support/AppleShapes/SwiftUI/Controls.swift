public import Foundation

/// The purpose of a button.
///
/// Apple: ButtonRole. iOS 15.0.
public struct ButtonRole: Equatable, Sendable {
    let name: String
    /// Apple: ButtonRole.destructive. iOS 15.0.
    public static let destructive = ButtonRole(name: "destructive")
    /// Apple: ButtonRole.cancel. iOS 15.0.
    public static let cancel = ButtonRole(name: "cancel")
}

/// A control that performs an action.
///
/// Apple: Button. iOS 13.0.
public struct Button<Label: View>: RecordedPrimitive {
    let role: ButtonRole?
    let action: @MainActor () -> Void
    let label: Label

    /// Apple: Button.init(action:label:). iOS 13.0.
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(role: nil, action: action, label: label)
    }

    /// Apple: Button.init(role:action:label:). iOS 15.0.
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.role = role
        self.action = action
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        if context.isInLabel { context.recorder.fault("a button in the label of a button receives no taps") }
        var inner = context
        inner.isInLabel = true
        inner.isRow = false
        let style = context.environment.buttonStyle
        // In a row with the automatic style, a tap anywhere on the row performs the actions of all its buttons.
        if context.isInList, style == nil { context.recorder.fault("a button in a list row has no style") }
        inner.environment.buttonStyle = nil
        inner.isInList = false
        let content: any View =
            style.map { style in
                style.make(ButtonStyleConfiguration(role: role, label: .init(content: label), isPressed: false))
            } ?? label
        var node = RecordedView("Button", in: context, children: inner.nodes(of: content, "label"))
        node.action = action
        if let role { node.values.append(RecordedValue("role", role)) }
        return [node]
    }
}

/// A type that gives buttons their look.
///
/// Apple: ButtonStyle. iOS 13.0.
@MainActor @preconcurrency
public protocol ButtonStyle {
    associatedtype Body: View
    /// Apple: makeBody(configuration:). iOS 13.0.
    @ViewBuilder @MainActor @preconcurrency func makeBody(configuration: Configuration) -> Body
    typealias Configuration = ButtonStyleConfiguration
}

/// The properties of a button.
///
/// Apple: ButtonStyleConfiguration. iOS 13.0.
public struct ButtonStyleConfiguration {
    /// The label of a button, without its type.
    ///
    /// Apple: ButtonStyleConfiguration.Label. iOS 13.0.
    public struct Label: RecordedPrimitive {
        let content: any View

        public func record(in context: RecordingContext) -> [RecordedView] { context.nodes(of: content, "content") }
    }
    /// Apple: ButtonStyleConfiguration.role. iOS 15.0.
    public let role: ButtonRole?
    /// Apple: ButtonStyleConfiguration.label. iOS 13.0.
    public let label: Label
    /// Apple: ButtonStyleConfiguration.isPressed. iOS 13.0.
    public let isPressed: Bool
}

extension View {
    /// Apple: buttonStyle(_:). iOS 13.0.
    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        modified(
            "buttonStyle",
            change: { context in
                context.environment.buttonStyle = AnyButtonStyle(name: "\(style)") {
                    style.makeBody(configuration: $0)
                }
            })
    }
}

/// A control that presents a menu.
///
/// Apple: Menu. iOS 14.0.
public struct Menu<Label: View, Content: View>: RecordedPrimitive {
    let content: Content
    let label: Label

    /// Apple: Menu.init(content:label:). iOS 14.0.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.content = content()
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        var inner = context
        inner.isInLabel = true
        var node = RecordedView("Menu", in: context, children: inner.nodes(of: label, "label"))
        node.items = context.outside.nodes(of: content, "items")
        return [node]
    }
}

/// A control that is on or off.
///
/// Apple: Toggle. iOS 13.0.
public struct Toggle<Label: View>: RecordedPrimitive {
    let isOn: Binding<Bool>
    let label: Label

    /// Apple: Toggle.init(isOn:label:). iOS 13.0.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] { context.control("Toggle", isOn, label) }
}

/// A control for text.
///
/// Apple: TextField. iOS 13.0.
public struct TextField<Label: View>: RecordedPrimitive {
    let text: Binding<String>
    let prompt: Text?
    let axis: Axis
    let label: Label

    /// Apple: TextField.init(text:prompt:label:). iOS 15.0.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(text: text, prompt: prompt, axis: .horizontal, label: label)
    }

    /// Apple: TextField.init(text:prompt:axis:label:). iOS 16.0.
    public init(text: Binding<String>, prompt: Text? = nil, axis: Axis, @ViewBuilder label: () -> Label) {
        self.text = text
        self.prompt = prompt
        self.axis = axis
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        context.control("TextField", text, label).map { node in
            var node = node
            node.values =
                [RecordedValue("axis", axis)] + (prompt.map { [RecordedValue("prompt", $0.string)] } ?? [])
            return node
        }
    }
}

/// A control for a secret text.
///
/// Apple: SecureField. iOS 13.0.
public struct SecureField<Label: View>: RecordedPrimitive {
    let text: Binding<String>
    let label: Label

    /// Apple: SecureField.init(text:prompt:label:). iOS 15.0.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        context.control("SecureField", text, label)
    }
}

/// A control for one of several values.
///
/// Apple: Picker. iOS 13.0.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: RecordedPrimitive {
    let selection: Binding<SelectionValue>
    let content: Content
    let label: Label

    /// Apple: Picker.init(selection:content:label:). iOS 13.0.
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.content = content()
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        context.control("Picker", selection, label).map { node in
            var node = node
            node.items = context.outside.nodes(of: content, "items")
            let tags = node.items.compactMap { $0.modifier("tag")?.value() as SelectionValue? }
            if tags.count < node.items.count || !tags.contains(selection.wrappedValue) {
                context.recorder.fault(
                    "Picker: the selection '\(selection.wrappedValue)' is invalid and has no tag")
            }
            return node
        }
    }
}

/// The components of a date that a person can edit.
///
/// Apple: DatePickerComponents. iOS 13.0.
public struct DatePickerComponents: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Apple: DatePickerComponents.date. iOS 13.0.
    public static let date = DatePickerComponents(rawValue: 1)
}

/// A control for a date.
///
/// Apple: DatePicker. iOS 13.0.
public struct DatePicker<Label: View>: RecordedPrimitive {
    let selection: Binding<Date>
    let label: Label

    /// Apple: DatePicker.init(selection:displayedComponents:label:). iOS 13.0.
    public init(
        selection: Binding<Date>, displayedComponents: DatePickerComponents, @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        context.control("DatePicker", selection, label)
    }
}

/// A view that shows or hides content.
///
/// Apple: DisclosureGroup. iOS 14.0.
public struct DisclosureGroup<Label: View, Content: View>: RecordedPrimitive {
    let isExpanded: Binding<Bool>
    let content: () -> Content
    let label: Label

    /// Apple: DisclosureGroup.init(isExpanded:content:label:). iOS 14.0.
    public init(
        isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.isExpanded = isExpanded
        self.content = content
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        context.control("DisclosureGroup", isExpanded, label).map { node in
            var node = node
            if isExpanded.wrappedValue { node.children += context.nodes(of: content(), "content") }
            return node
        }
    }
}

/// A view that shows the progress of a task.
///
/// Apple: ProgressView. iOS 14.0.
public struct ProgressView: RecordedPrimitive {
    /// Apple: ProgressView.init(). iOS 14.0.
    public init() {}

    public func record(in context: RecordingContext) -> [RecordedView] {
        [RecordedView("ProgressView", in: context)]
    }
}

/// A view that presents the share sheet.
///
/// Apple: ShareLink. iOS 16.0.
public struct ShareLink<Label: View>: RecordedPrimitive {
    let item: Any
    let label: Label

    /// Apple: ShareLink.init(item:subject:message:label:). iOS 16.0.
    public init(item: String, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label) {
        self.item = item
        self.label = label()
    }

    /// Apple: ShareLink.init(item:subject:message:label:). iOS 16.0.
    public init(item: URL, subject: Text? = nil, message: Text? = nil, @ViewBuilder label: () -> Label) {
        self.item = item
        self.label = label()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        var node = RecordedView("ShareLink", in: context, children: context.nodes(of: label, "label"))
        node.values = [RecordedValue("item", item)]
        return [node]
    }
}

extension RecordingContext {
    /// A control that edits a value.
    func control(_ kind: String, _ binding: Binding<some Any>, _ label: some View) -> [RecordedView] {
        var node = RecordedView(kind, in: self, children: outside.nodes(of: label, "label"))
        node.input = RecordedInput(binding)
        return [node]
    }

    /// The context of content that is not part of the row or label around it.
    var outside: RecordingContext {
        var context = self
        context.isRow = false
        context.isInList = false
        context.isInLabel = false
        return context
    }
}

extension View {
    /// Apple: tag(_:). iOS 13.0.
    public func tag<V: Hashable>(_ tag: V) -> some View { modified("tag", [RecordedValue("", tag)]) }
    /// Apple: pickerStyle(_:). iOS 13.0.
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View {
        modified("pickerStyle", [RecordedValue("", style)])
    }
    /// Apple: onSubmit(of:_:). iOS 15.0.
    public func onSubmit(_ action: @escaping () -> Void) -> some View {
        modified("onSubmit") { modifier, _ in modifier.work = { action() } }
    }
    /// Apple: submitLabel(_:). iOS 15.0.
    public func submitLabel(_ submitLabel: SubmitLabel) -> some View { modified("submitLabel") }
    /// Apple: autocorrectionDisabled(_:). iOS 16.0.
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        modified("autocorrectionDisabled", [RecordedValue("", disable)])
    }
    /// Apple: textInputAutocapitalization(_:). iOS 15.0.
    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        modified("textInputAutocapitalization", [RecordedValue("", autocapitalization as Any)])
    }
    /// Apple: keyboardType(_:). iOS 13.0.
    public func keyboardType(_ type: UIKeyboardType) -> some View {
        modified("keyboardType", [RecordedValue("", type)])
    }
    /// Apple: textContentType(_:). iOS 13.0.
    public func textContentType(_ textContentType: UITextContentType?) -> some View {
        modified("textContentType", [RecordedValue("", textContentType as Any)])
    }
}

/// A type that gives pickers their look.
///
/// Apple: PickerStyle. iOS 13.0.
public protocol PickerStyle {}
/// Apple: MenuPickerStyle. iOS 14.0.
public struct MenuPickerStyle: PickerStyle {}

extension PickerStyle where Self == MenuPickerStyle {
    /// Apple: menu. iOS 14.0.
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}

/// A label of the return key.
///
/// Apple: SubmitLabel. iOS 15.0.
public struct SubmitLabel: Sendable {
    /// Apple: SubmitLabel.search. iOS 15.0.
    public static var search: SubmitLabel { SubmitLabel() }
    /// Apple: SubmitLabel.next. iOS 15.0.
    public static var next: SubmitLabel { SubmitLabel() }
}

/// The kind of autocapitalization.
///
/// Apple: TextInputAutocapitalization. iOS 15.0.
public struct TextInputAutocapitalization: Hashable, Sendable {
    let name: String
    /// Apple: TextInputAutocapitalization.never. iOS 15.0.
    public static var never: TextInputAutocapitalization { TextInputAutocapitalization(name: "never") }
    /// Apple: TextInputAutocapitalization.characters. iOS 15.0.
    public static var characters: TextInputAutocapitalization { TextInputAutocapitalization(name: "characters") }
    /// Apple: TextInputAutocapitalization.sentences. iOS 15.0.
    public static var sentences: TextInputAutocapitalization { TextInputAutocapitalization(name: "sentences") }
}

/// The type of a keyboard. SwiftUI exports it from UIKit.
///
/// Apple: UIKeyboardType. iOS 2.0.
public enum UIKeyboardType: Int, Sendable { case `default`, decimalPad, emailAddress }

/// The meaning of a text field. SwiftUI exports it from UIKit.
///
/// Apple: UITextContentType. iOS 10.0.
public struct UITextContentType: Hashable, Sendable {
    let name: String
    /// Apple: UITextContentType.username. iOS 11.0.
    public static let username = UITextContentType(name: "username")
    /// Apple: UITextContentType.emailAddress. iOS 10.0.
    public static let emailAddress = UITextContentType(name: "emailAddress")
    /// Apple: UITextContentType.password. iOS 11.0.
    public static let password = UITextContentType(name: "password")
    /// Apple: UITextContentType.newPassword. iOS 12.0.
    public static let newPassword = UITextContentType(name: "newPassword")
    /// Apple: UITextContentType.oneTimeCode. iOS 12.0.
    public static let oneTimeCode = UITextContentType(name: "oneTimeCode")
    /// Apple: UITextContentType.givenName. iOS 10.0.
    public static let givenName = UITextContentType(name: "givenName")
    /// Apple: UITextContentType.familyName. iOS 10.0.
    public static let familyName = UITextContentType(name: "familyName")
    /// Apple: UITextContentType.name. iOS 10.0.
    public static let name = UITextContentType(name: "name")
}
