public import Observation

/// A view that shows a root view and the views that were opened from it.
///
/// Apple: NavigationStack. iOS 16.0.
public struct NavigationStack<Data, Root: View>: RecordedPrimitive {
    let root: Root
    let elements: @MainActor () -> [AnyHashable]

    public func record(in context: RecordingContext) -> [RecordedView] {
        var node = RecordedView("NavigationStack", in: context, children: context.nodes(of: root, "root"))
        let destination = node.all.flatMap(\.modifiers).last { $0.name == "navigationDestination" }
        // A device keeps the views below the last one; only the last one is seen.
        let elements = context.recorder.tracking(context.path) { self.elements() }
        for (place, element) in elements.enumerated() {
            guard let make: @MainActor (AnyHashable) -> (any View)? = destination?.value("make"),
                let view = make(element)
            else {
                context.recorder.fault("NavigationStack: no navigationDestination presents '\(element)'")
                continue
            }
            node.children += context.nodes(of: view, "\(place) \(element)".replacing("/", with: "|"))
        }
        node.values = [RecordedValue("depth", elements.count)]
        return [node]
    }
}

extension NavigationStack
where
    Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection,
    Data.Element: Hashable
{
    /// Apple: NavigationStack.init(path:root:). iOS 16.0.
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root) {
        self.root = root()
        elements = { path.wrappedValue.map { AnyHashable($0) } }
    }
}

extension View {
    /// Apple: navigationDestination(for:destination:). iOS 16.0.
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping @MainActor (D) -> C
    ) -> some View {
        let make: @MainActor (AnyHashable) -> (any View)? = { element in
            (element.base as? D).map { destination($0) }
        }
        return modified("navigationDestination", [RecordedValue("make", make)])
    }
}

/// A view that switches between views with tabs.
///
/// Apple: TabView. iOS 13.0.
public struct TabView<SelectionValue: Hashable, Content: View>: RecordedPrimitive {
    let selection: Binding<SelectionValue>
    let content: Content

    /// Apple: TabView.init(selection:content:). iOS 13.0.
    public init(selection: Binding<SelectionValue>?, @ViewBuilder content: () -> Content) {
        guard let selection else { preconditionFailure("the app always selects a tab") }
        self.selection = selection
        self.content = content()
    }

    /// All tabs, because a device keeps those that were opened.
    public func record(in context: RecordingContext) -> [RecordedView] {
        var node = RecordedView("TabView", in: context, children: context.nodes(of: content, "tabs"))
        node.input = RecordedInput(selection)
        let tags = node.children.compactMap { $0.modifier("tag")?.value() as SelectionValue? }
        let selected = context.recorder.tracking(context.path) { selection.wrappedValue }
        if !tags.contains(selected) {
            context.recorder.fault("TabView: no tab has the selected tag '\(selected)'")
        }
        return [node]
    }
}

extension View {
    /// Apple: tabItem(_:). iOS 13.0.
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
        let label = label()
        return modified("tabItem") { modifier, context in
            modifier.content = context.outside.nodes(of: label, "tabItem")
        }
    }
    /// Apple: badge(_:). iOS 15.0.
    public func badge(_ count: Int) -> some View { modified("badge", [RecordedValue("", count)]) }
    /// Apple: interactiveDismissDisabled(_:). iOS 15.0.
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        modified("interactiveDismissDisabled", [RecordedValue("", isDisabled)])
    }
}

/// A connection to the properties of an observed object.
///
/// Apple: Bindable. iOS 17.0.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
    /// Apple: Bindable.wrappedValue. iOS 17.0.
    public var wrappedValue: Value
    /// Apple: Bindable.projectedValue. iOS 17.0.
    public var projectedValue: Bindable<Value> { self }

    init(object: Value) { wrappedValue = object }

    /// Apple: Bindable.subscript(dynamicMember:). iOS 17.0.
    @MainActor
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> {
        Binding(get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
    }
}

extension Bindable where Value: AnyObject & Observable {
    /// Apple: Bindable.init(wrappedValue:). iOS 17.0.
    public init(wrappedValue: Value) { self.init(object: wrappedValue) }
}
