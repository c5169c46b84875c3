/// A stored value that changes the view around it.
///
/// Apple: DynamicProperty. iOS 13.0.
public protocol DynamicProperty {}

/// A value that SwiftUI stores for a view.
///
/// Apple: State. iOS 13.0.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    final class Link {
        let initial: Value
        var place: Place?
        init(_ initial: Value) { self.initial = initial }
    }
    struct Place {
        let recorder: ViewRecorder
        let key: String
        let path: String
    }
    let link: Link

    /// Apple: State.init(wrappedValue:). iOS 13.0.
    public init(wrappedValue value: Value) { link = Link(value) }
    /// Apple: State.init(initialValue:). iOS 13.0.
    public init(initialValue value: Value) { link = Link(value) }

    /// Apple: State.wrappedValue. iOS 13.0.
    @MainActor public var wrappedValue: Value {
        get {
            guard let place = link.place else { return link.initial }
            return place.recorder.state(at: place.key, initial: link.initial)
        }
        nonmutating set {
            guard let place = link.place else {
                preconditionFailure("a state was changed before its view was evaluated")
            }
            place.recorder.setState(newValue, at: place.key, of: place.path)
        }
    }

    /// Apple: State.projectedValue. iOS 13.0.
    @MainActor public var projectedValue: Binding<Value> {
        Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Apple: State.init(). iOS 13.0.
    public init() { self.init(wrappedValue: nil) }
}

extension State: LinkedProperty {
    func link(to recorder: ViewRecorder, at key: String, of path: String, in environment: EnvironmentValues) {
        if let place = link.place, place.key != key {
            preconditionFailure("one value of a view is at two places: \(place.key) and \(key)")
        }
        link.place = Place(recorder: recorder, key: key, path: path)
        _ = recorder.state(at: key, initial: link.initial)
    }
}

/// A connection to a value that is stored elsewhere.
///
/// Apple: Binding. iOS 13.0.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    private let read: @MainActor () -> Value
    private let write: @MainActor (Value) -> Void

    init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        read = get
        write = set
    }

    /// Apple: Binding.wrappedValue. iOS 13.0.
    @MainActor public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// Apple: Binding.projectedValue. iOS 13.0.
    public var projectedValue: Binding<Value> { self }

    /// Apple: Binding.subscript(dynamicMember:). iOS 13.0.
    @MainActor public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject>
    {
        Binding<Subject>(
            get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
    }
}

/// A value of the view's environment.
///
/// Apple: Environment. iOS 13.0.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    final class Link { var value: Value? }
    let link = Link()
    let read: (EnvironmentValues) -> Value

    /// Apple: Environment.init(_:). iOS 13.0.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

    /// Apple: Environment.wrappedValue. iOS 13.0.
    public var wrappedValue: Value {
        guard let value = link.value else {
            preconditionFailure("the environment was read before the view was evaluated")
        }
        return value
    }
}

extension Environment: LinkedProperty {
    func link(to recorder: ViewRecorder, at key: String, of path: String, in environment: EnvironmentValues) {
        link.value = read(environment)
    }
}

/// A number that grows with the text size that a person chose.
///
/// Apple: ScaledMetric. iOS 14.0.
@propertyWrapper
public struct ScaledMetric<Value: BinaryFloatingPoint>: DynamicProperty {
    final class Link { var factor: Value? }
    let link = Link()
    let base: Value

    /// Apple: ScaledMetric.init(wrappedValue:). iOS 14.0.
    public init(wrappedValue: Value) { base = wrappedValue }
    /// Apple: ScaledMetric.init(wrappedValue:relativeTo:). iOS 14.0.
    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) { base = wrappedValue }

    /// Apple: ScaledMetric.wrappedValue. iOS 14.0.
    public var wrappedValue: Value { base * (link.factor ?? 1) }
}

extension ScaledMetric: LinkedProperty {
    func link(to recorder: ViewRecorder, at key: String, of path: String, in environment: EnvironmentValues) {
        link.factor = Value(environment.dynamicTypeSize.bodyFactor)
    }
}

/// A standard text size.
///
/// Apple: DynamicTypeSize. iOS 15.0.
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

    /// Apple: DynamicTypeSize.isAccessibilitySize. iOS 15.0.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }

    /// The size of body text over its standard size (Apple: Human Interface Guidelines, Typography).
    var bodyFactor: Double {
        let points: [Double] = [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53]
        return points[Self.allCases.firstIndex(of: self) ?? 3] / 17
    }
}
