public import Foundation

/// A height at which a sheet rests.
///
/// Apple: PresentationDetent. iOS 16.0.
public struct PresentationDetent: Hashable, Sendable {
    let name: String
    /// Apple: PresentationDetent.medium. iOS 16.0.
    public static let medium = PresentationDetent(name: "medium")
    /// Apple: PresentationDetent.large. iOS 16.0.
    public static let large = PresentationDetent(name: "large")
    /// Apple: PresentationDetent.fraction(_:). iOS 16.0.
    public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
        PresentationDetent(name: "fraction \(fraction)")
    }
}

extension View {
    /// Apple: sheet(item:onDismiss:content:). iOS 13.0.
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        modified("sheet") { modifier, context in
            guard let shown = item.wrappedValue else { return }
            var inner = context.outside
            inner.environment.set(
                dismiss: DismissAction {
                    item.wrappedValue = nil
                    onDismiss?()
                })
            modifier.content = inner.nodes(of: content(shown), "\(shown.id)")
        }
    }
    /// Apple: presentationDetents(_:). iOS 16.0.
    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
        modified("presentationDetents", [RecordedValue("", detents)])
    }
    /// Apple: presentationDragIndicator(_:). iOS 16.0.
    public func presentationDragIndicator(_ visibility: Visibility) -> some View {
        modified("presentationDragIndicator", [RecordedValue("", visibility)])
    }
    /// Apple: confirmationDialog(_:isPresented:titleVisibility:actions:message:). iOS 15.0.
    public func confirmationDialog<A: View, M: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
    ) -> some View {
        let (actions, message) = (actions(), message())
        return modified("confirmationDialog", [RecordedValue("", title.string)]) { modifier, context in
            guard isPresented.wrappedValue else { return }
            let outside = context.outside
            // A device closes the dialog before it performs an action.
            modifier.content = outside.nodes(of: actions, "actions").map {
                $0.before { isPresented.wrappedValue = false }
            }
            modifier.content += outside.nodes(of: message, "message")
        }
    }
    /// Apple: contextMenu(menuItems:). iOS 13.0.
    public func contextMenu<MenuItems: View>(@ViewBuilder menuItems: () -> MenuItems) -> some View {
        let items = menuItems()
        return modified("contextMenu") { modifier, context in
            modifier.content = context.outside.nodes(of: items, "items")
        }
    }
    /// Apple: refreshable(action:). iOS 15.0.
    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
        modified("refreshable") { modifier, _ in modifier.work = { await action() } }
    }
    /// Apple: searchable(text:placement:prompt:). iOS 15.0.
    public func searchable(
        text: Binding<String>, prompt: Text? = nil
    ) -> some View {
        modified("searchable", prompt.map { [RecordedValue("prompt", $0.string)] } ?? []) { modifier, context in
            var field = RecordedView("SearchField", in: context)
            field.text = prompt?.string
            field.input = RecordedInput(text)
            modifier.content = [field]
        }
    }
    /// Apple: navigationTitle(_:). iOS 14.0.
    public func navigationTitle(_ title: Text) -> some View {
        modified("navigationTitle", [RecordedValue("", title.string)])
    }
    /// Apple: toolbar(content:). iOS 14.0.
    public func toolbar<Content: ToolbarContent>(@ToolbarContentBuilder content: () -> Content) -> some View {
        let items = content().items
        return modified("toolbar") { modifier, context in
            modifier.content = items.enumerated().flatMap { context.outside.nodes(of: $1, "\($0)") }
        }
    }
    /// Apple: task(id:priority:_:). iOS 15.0.
    public func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated,
        _ action: @escaping @MainActor @Sendable () async -> Void
    ) -> some View {
        modified("task", [RecordedValue("id", value)]) { modifier, _ in modifier.work = action }
    }
    /// Apple: onAppear(perform:). iOS 13.0.
    public func onAppear(perform action: @escaping @MainActor () -> Void) -> some View {
        modified("onAppear") { _, context in
            context.recorder.observe(true, at: context.path, initial: true) { _, _ in action() }
        }
    }
    /// Apple: onDisappear(perform:). iOS 13.0.
    public func onDisappear(perform action: @escaping @MainActor () -> Void) -> some View {
        modified("onDisappear") { _, context in context.recorder.leave(context.path, action) }
    }
    /// Apple: onChange(of:initial:_:). iOS 17.0.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping @MainActor (V, V) -> Void
    ) -> some View {
        modified("onChange") { _, context in
            context.recorder.observe(value, at: context.path, initial: initial, action)
        }
    }
}

extension RecordedView {
    /// The element with another action before its own.
    func before(_ first: @escaping @MainActor () -> Void) -> RecordedView {
        var node = self
        node.children = children.map { $0.before(first) }
        if let action {
            node.action = {
                first()
                action()
            }
        }
        return node
    }
}

/// The content of a bar.
///
/// Apple: ToolbarContent. iOS 14.0.
@MainActor @preconcurrency
public protocol ToolbarContent {
    /// The items as views. A device evaluates `body` instead; the app uses the system's items only.
    var items: [any View] { get }
}

/// The place of an item in a bar.
///
/// Apple: ToolbarItemPlacement. iOS 14.0.
public struct ToolbarItemPlacement: Sendable {
    /// Apple: ToolbarItemPlacement.primaryAction. iOS 14.0.
    public static let primaryAction = ToolbarItemPlacement()
    /// Apple: ToolbarItemPlacement.topBarLeading. iOS 14.0.
    public static let topBarLeading = ToolbarItemPlacement()
}

/// An item in a bar.
///
/// Apple: ToolbarItem. iOS 14.0.
public struct ToolbarItem<ID, Content: View>: ToolbarContent {
    let content: Content

    public var items: [any View] { [content] }
}

extension ToolbarItem where ID == () {
    /// Apple: ToolbarItem.init(placement:content:). iOS 14.0.
    public init(placement: ToolbarItemPlacement, @ViewBuilder content: () -> Content) { self.content = content() }
}

/// A result builder for the items of a bar.
///
/// Apple: ToolbarContentBuilder. iOS 14.0.
@resultBuilder
public struct ToolbarContentBuilder {
    public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> some ToolbarContent { content }
}

// MARK: - Motion

/// The way in which a change is animated.
///
/// Apple: Animation. iOS 13.0.
public struct Animation: Hashable, Sendable {
    let values: [Double]
    /// Apple: spring(response:dampingFraction:blendDuration:). iOS 13.0.
    public static func spring(
        response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: TimeInterval = 0
    ) -> Animation { Animation(values: [response, dampingFraction, blendDuration]) }
    /// Apple: timingCurve(_:_:_:_:duration:). iOS 13.0.
    public static func timingCurve(
        _ p1x: Double, _ p1y: Double, _ p2x: Double, _ p2y: Double, duration: TimeInterval = 0.35
    ) -> Animation { Animation(values: [p1x, p1y, p2x, p2y, duration]) }
}

/// Apple: withAnimation(_:_:). iOS 13.0.
@MainActor
public func withAnimation<Result>(_ animation: Animation?, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

/// A transition whose type is erased.
///
/// Apple: AnyTransition. iOS 13.0.
public struct AnyTransition {
    let name: String
    /// Apple: opacity. iOS 13.0.
    public static var opacity: AnyTransition { AnyTransition(name: "opacity") }
    /// Apple: scale(scale:anchor:). iOS 13.0.
    public static func scale(scale: CGFloat) -> AnyTransition { AnyTransition(name: "scale \(scale)") }
    /// Apple: offset(x:y:). iOS 13.0.
    public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition {
        AnyTransition(name: "offset \(x) \(y)")
    }
    /// Apple: combined(with:). iOS 13.0.
    public func combined(with other: AnyTransition) -> AnyTransition {
        AnyTransition(name: "\(name) + \(other.name)")
    }
}

/// Haptic or audio feedback.
///
/// Apple: SensoryFeedback. iOS 17.0.
public struct SensoryFeedback: Equatable, Sendable {
    /// Apple: SensoryFeedback.Weight. iOS 17.0.
    public struct Weight: Hashable, Sendable {
        let name: String
        /// Apple: SensoryFeedback.Weight.light. iOS 17.0.
        public static let light = Weight(name: "light")
    }
    /// Apple: SensoryFeedback.Flexibility. iOS 17.0.
    public struct Flexibility: Hashable, Sendable {
        let name: String
        /// Apple: SensoryFeedback.Flexibility.soft. iOS 17.0.
        public static let soft = Flexibility(name: "soft")
    }
    let name: String
    /// Apple: SensoryFeedback.success. iOS 17.0.
    public static let success = SensoryFeedback(name: "success")
    /// Apple: SensoryFeedback.warning. iOS 17.0.
    public static let warning = SensoryFeedback(name: "warning")
    /// Apple: impact(weight:intensity:). iOS 17.0.
    public static func impact(weight: Weight, intensity: Double = 1.0) -> SensoryFeedback {
        SensoryFeedback(name: "impact \(weight.name)")
    }
    /// Apple: impact(flexibility:intensity:). iOS 17.0.
    public static func impact(flexibility: Flexibility, intensity: Double = 1.0) -> SensoryFeedback {
        SensoryFeedback(name: "impact \(flexibility.name)")
    }
}

extension View {
    /// Apple: animation(_:value:). iOS 13.0.
    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View {
        modified("animation", [RecordedValue("", animation as Any)])
    }
    /// Apple: transition(_:). iOS 13.0.
    public func transition(_ t: AnyTransition) -> some View { modified("transition", [RecordedValue("", t)]) }
    /// Apple: sensoryFeedback(trigger:_:). iOS 17.0.
    public func sensoryFeedback<T: Equatable>(
        trigger: T, _ feedback: @escaping (T, T) -> SensoryFeedback?
    ) -> some View {
        modified("sensoryFeedback", [RecordedValue("trigger", trigger)]) { _, context in
            let recorder = context.recorder
            recorder.observe(trigger, at: context.path, initial: false) { old, new in
                if let played = feedback(old, new) { recorder.played.append(played) }
            }
        }
    }
}

// MARK: - Accessibility

/// Traits of an element for assistive technologies.
///
/// Apple: AccessibilityTraits. iOS 13.0.
public struct AccessibilityTraits: SetAlgebra, Sendable {
    var names: Set<String> = []

    /// Apple: AccessibilityTraits.isHeader. iOS 13.0.
    public static let isHeader = AccessibilityTraits(names: ["isHeader"])
    /// Apple: AccessibilityTraits.isSelected. iOS 13.0.
    public static let isSelected = AccessibilityTraits(names: ["isSelected"])
    /// Apple: AccessibilityTraits.isImage. iOS 13.0.
    public static let isImage = AccessibilityTraits(names: ["isImage"])

    /// Apple: AccessibilityTraits.updatesFrequently. iOS 13.0.
    public static let updatesFrequently = AccessibilityTraits(names: ["updatesFrequently"])

    public init() {}
    init(names: Set<String>) { self.names = names }
    public func contains(_ member: AccessibilityTraits) -> Bool { names.isSuperset(of: member.names) }
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits {
        AccessibilityTraits(names: names.union(other.names))
    }
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
        AccessibilityTraits(names: names.intersection(other.names))
    }
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
        AccessibilityTraits(names: names.symmetricDifference(other.names))
    }
    public mutating func insert(
        _ newMember: AccessibilityTraits
    ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
        defer { formUnion(newMember) }
        return (!contains(newMember), newMember)
    }
    public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
        defer { names.subtract(member.names) }
        return contains(member) ? member : nil
    }
    public mutating func update(with newMember: AccessibilityTraits) -> AccessibilityTraits? {
        insert(newMember).inserted ? nil : newMember
    }
    public mutating func formUnion(_ other: AccessibilityTraits) { names.formUnion(other.names) }
    public mutating func formIntersection(_ other: AccessibilityTraits) { names.formIntersection(other.names) }
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {
        names.formSymmetricDifference(other.names)
    }
}

/// The effect of an accessibility element on its children.
///
/// Apple: AccessibilityChildBehavior. iOS 13.0.
public struct AccessibilityChildBehavior: Hashable, Sendable {
    let name: String
    /// Apple: AccessibilityChildBehavior.ignore. iOS 13.0.
    public static let ignore = AccessibilityChildBehavior(name: "ignore")
    /// Apple: AccessibilityChildBehavior.combine. iOS 13.0.
    public static let combine = AccessibilityChildBehavior(name: "combine")
    /// Apple: AccessibilityChildBehavior.contain. iOS 13.0.
    public static let contain = AccessibilityChildBehavior(name: "contain")
}

extension View {
    /// Apple: accessibilityLabel(_:). iOS 14.0.
    public func accessibilityLabel(_ label: Text) -> some View {
        modified("accessibilityLabel", [RecordedValue("", label.string)])
    }
    /// Apple: accessibilityValue(_:). iOS 14.0.
    public func accessibilityValue(_ value: Text) -> some View {
        modified("accessibilityValue", [RecordedValue("", value.string)])
    }
    /// Apple: accessibilityHidden(_:). iOS 14.0.
    public func accessibilityHidden(_ hidden: Bool) -> some View {
        modified("accessibilityHidden", [RecordedValue("", hidden)])
    }
    /// Apple: accessibilityAddTraits(_:). iOS 14.0.
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        modified("accessibilityAddTraits", [RecordedValue("", traits)])
    }
    /// Apple: accessibilityElement(children:). iOS 13.0.
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        modified("accessibilityElement", [RecordedValue("children", children)])
    }
}
