public import Foundation

/// A key of a value in the environment.
///
/// Apple: EnvironmentKey. iOS 13.0.
public protocol EnvironmentKey {
    associatedtype Value
    /// Apple: EnvironmentKey.defaultValue. iOS 13.0.
    static var defaultValue: Value { get }
}

/// The values of a view's environment.
///
/// Apple: EnvironmentValues. iOS 13.0.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// Apple: EnvironmentValues.init(). iOS 13.0.
    public init() {}

    /// Apple: EnvironmentValues.subscript(_:). iOS 13.0.
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    @MainActor func isSame(as other: EnvironmentValues) -> Bool {
        values.count == other.values.count
            && values.allSatisfy { key, value in other.values[key].map { Sameness.areSame(value, $0) } ?? false }
    }
}

/// Whether the interface is light or dark.
///
/// Apple: ColorScheme. iOS 13.0.
public enum ColorScheme: CaseIterable, Hashable, Sendable { case light, dark }

/// Whether the interface is narrow or wide.
///
/// Apple: UserInterfaceSizeClass. iOS 13.0.
public enum UserInterfaceSizeClass: Hashable, Sendable { case compact, regular }

private enum Keys {
    enum Scheme: EnvironmentKey { static var defaultValue: ColorScheme { .light } }
    enum TextSize: EnvironmentKey { static var defaultValue: DynamicTypeSize { .large } }
    enum ReduceMotion: EnvironmentKey { static var defaultValue: Bool { false } }
    enum WidthClass: EnvironmentKey { static var defaultValue: UserInterfaceSizeClass? { .compact } }
    enum Enabled: EnvironmentKey { static var defaultValue: Bool { true } }
    enum OpenURL: EnvironmentKey {
        static var defaultValue: OpenURLAction {
            OpenURLAction { url in preconditionFailure("no view handles the link \(url)") }
        }
    }
    enum Dismiss: EnvironmentKey { static var defaultValue: DismissAction { DismissAction() } }
    enum Style: EnvironmentKey { static var defaultValue: AnyButtonStyle? { nil } }
}

/// The button style of a part of the tree, which compares by its type.
struct AnyButtonStyle: Equatable {
    let name: String
    /// Makes the button's look.
    let make: @MainActor (ButtonStyleConfiguration) -> any View

    static func == (left: AnyButtonStyle, right: AnyButtonStyle) -> Bool { left.name == right.name }
}

extension EnvironmentValues {
    /// Apple: colorScheme. iOS 13.0.
    public var colorScheme: ColorScheme {
        get { self[Keys.Scheme.self] }
        set { self[Keys.Scheme.self] = newValue }
    }
    /// Apple: dynamicTypeSize. iOS 15.0.
    public var dynamicTypeSize: DynamicTypeSize {
        get { self[Keys.TextSize.self] }
        set { self[Keys.TextSize.self] = newValue }
    }
    /// Apple: accessibilityReduceMotion. iOS 13.0.
    public var accessibilityReduceMotion: Bool { self[Keys.ReduceMotion.self] }
    /// Apple: horizontalSizeClass. iOS 13.0.
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { self[Keys.WidthClass.self] }
        set { self[Keys.WidthClass.self] = newValue }
    }
    /// Apple: isEnabled. iOS 13.0.
    public var isEnabled: Bool {
        get { self[Keys.Enabled.self] }
        set { self[Keys.Enabled.self] = newValue }
    }
    /// Apple: openURL. iOS 14.0.
    public var openURL: OpenURLAction {
        get { self[Keys.OpenURL.self] }
        set { self[Keys.OpenURL.self] = newValue }
    }
    /// Apple: dismiss. iOS 15.0.
    public var dismiss: DismissAction { self[Keys.Dismiss.self] }

    /// Sets a preference that only the system sets on a device.
    mutating func set(reducesMotion: Bool) { self[Keys.ReduceMotion.self] = reducesMotion }
    mutating func set(dismiss: DismissAction) { self[Keys.Dismiss.self] = dismiss }
    var buttonStyle: AnyButtonStyle? {
        get { self[Keys.Style.self] }
        set { self[Keys.Style.self] = newValue }
    }
}

/// An action that opens a URL.
///
/// Apple: OpenURLAction. iOS 15.0.
public struct OpenURLAction {
    /// The result of a handler that opens URLs.
    ///
    /// Apple: OpenURLAction.Result. iOS 15.0.
    public struct Result: Sendable {
        let name: String
        /// Apple: OpenURLAction.Result.handled. iOS 15.0.
        public static var handled: Result { Result(name: "handled") }
    }
    private let handler: (URL) -> Result

    /// Apple: OpenURLAction.init(handler:). iOS 15.0.
    public init(handler: @escaping (URL) -> Result) { self.handler = handler }

    /// Apple: OpenURLAction.callAsFunction(_:). iOS 15.0.
    @MainActor public func callAsFunction(_ url: URL) { _ = handler(url) }
}

/// An action that closes a presentation.
///
/// Apple: DismissAction. iOS 15.0.
public struct DismissAction {
    var close: (() -> Void)?

    init(close: (() -> Void)? = nil) { self.close = close }

    /// Apple: DismissAction.callAsFunction(). iOS 15.0.
    @MainActor public func callAsFunction() { close?() }
}

extension View {
    /// Apple: environment(_:_:). iOS 13.0.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        modified("environment", change: { $0.environment[keyPath: keyPath] = value })
    }

    /// Apple: disabled(_:). iOS 13.0.
    public func disabled(_ disabled: Bool) -> some View {
        modified(
            "disabled", [RecordedValue("", disabled)],
            change: { if disabled { $0.environment.isEnabled = false } })
    }
}
