public import Foundation

extension RecordedView {
    /// Touches the element and moves to a place in it.
    public func drag(to place: CGPoint) {
        guard let follow: @MainActor (CGPoint) -> Void = modifier("gesture")?.value("perform") else {
            preconditionFailure("\(kind) '\(spoken)' follows no touch")
        }
        follow(place)
    }

    /// Taps the element a number of times. Fewer or more taps than it expects do nothing.
    public func tap(count: Int) {
        for modifier in modifiers where modifier.name == "onTapGesture" {
            guard let expected: Int = modifier.value("count"), expected == count,
                let action: @MainActor () -> Void = modifier.value("perform")
            else { continue }
            action()
        }
    }

    /// Changes the value of the element with a screen reader.
    public func adjust(_ direction: AccessibilityAdjustmentDirection) {
        guard
            let adjust: @MainActor (AccessibilityAdjustmentDirection) -> Void = modifier(
                "accessibilityAdjustableAction")?.value("perform")
        else { preconditionFailure("\(kind) '\(spoken)' cannot be adjusted") }
        adjust(direction)
    }

    /// Performs an action of assistive technologies, such as the tap with two fingers.
    public func perform(_ kind: AccessibilityActionKind) {
        for modifier in modifiers where modifier.name == "accessibilityAction" {
            guard let own: AccessibilityActionKind = modifier.value("kind"), own == kind,
                let action: @MainActor () -> Void = modifier.value("perform")
            else { continue }
            action()
        }
    }
}
