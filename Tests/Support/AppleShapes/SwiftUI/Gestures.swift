public import Foundation

/// A series of touches that the app follows.
///
/// Apple: Gesture. iOS 13.0.
@MainActor @preconcurrency
public protocol Gesture<Value> {
    /// Apple: Gesture.Value. iOS 13.0.
    associatedtype Value
}

/// A gesture that a test performs.
@MainActor
protocol RecordedGesture {
    func follow(_ place: CGPoint)
}

/// A touch that moves.
///
/// Apple: DragGesture. iOS 13.0.
public struct DragGesture: Gesture {
    /// Apple: DragGesture.Value. iOS 13.0.
    public struct Value: Equatable, Sendable {
        /// Apple: DragGesture.Value.location. iOS 13.0.
        public var location: CGPoint
    }

    /// Apple: DragGesture.init(minimumDistance:coordinateSpace:). iOS 13.0.
    public init(minimumDistance: CGFloat = 10) {}
}

/// A gesture with an action for each change of its value.
///
/// Apple: onChanged(_:). iOS 13.0.
public struct _ChangedGesture<Content: Gesture>: Gesture, RecordedGesture {
    public typealias Value = Content.Value
    let action: @MainActor (CGPoint) -> Void

    func follow(_ place: CGPoint) { action(place) }
}

extension DragGesture {
    /// Apple: onChanged(_:). iOS 13.0.
    public func onChanged(_ action: @escaping @MainActor (Value) -> Void) -> _ChangedGesture<DragGesture> {
        _ChangedGesture { action(Value(location: $0)) }
    }
}

/// The direction in which assistive technologies change a value.
///
/// Apple: AccessibilityAdjustmentDirection. iOS 13.0.
public enum AccessibilityAdjustmentDirection: Sendable {
    /// Apple: AccessibilityAdjustmentDirection.increment. iOS 13.0.
    case increment
    /// Apple: AccessibilityAdjustmentDirection.decrement. iOS 13.0.
    case decrement
}

/// An action of assistive technologies.
///
/// Apple: AccessibilityActionKind. iOS 13.0.
public struct AccessibilityActionKind: Equatable, Sendable {
    let name: String
    /// Apple: AccessibilityActionKind.magicTap. iOS 13.0.
    public static let magicTap = AccessibilityActionKind(name: "magicTap")
}

extension View {
    /// Apple: gesture(_:including:). iOS 13.0.
    public func gesture<T: Gesture>(_ gesture: T) -> some View {
        guard let recorded = gesture as? any RecordedGesture else {
            preconditionFailure("a gesture without an action does nothing")
        }
        let follow: @MainActor (CGPoint) -> Void = { recorded.follow($0) }
        return modified("gesture", [RecordedValue("perform", follow)])
    }
    /// Apple: onTapGesture(count:perform:). iOS 13.0.
    public func onTapGesture(count: Int = 1, perform action: @escaping @MainActor () -> Void) -> some View {
        modified("onTapGesture", [RecordedValue("count", count), RecordedValue("perform", action)])
    }
    /// Apple: accessibilityAdjustableAction(_:). iOS 13.0.
    public func accessibilityAdjustableAction(
        _ handler: @escaping @MainActor (AccessibilityAdjustmentDirection) -> Void
    ) -> some View {
        modified("accessibilityAdjustableAction", [RecordedValue("perform", handler)])
    }
    /// Apple: accessibilityAction(_:_:). iOS 13.0.
    public func accessibilityAction(
        _ actionKind: AccessibilityActionKind, _ handler: @escaping @MainActor () -> Void
    ) -> some View {
        modified("accessibilityAction", [RecordedValue("kind", actionKind), RecordedValue("perform", handler)])
    }
}
