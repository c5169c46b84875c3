// Declarations of SwiftUI, for Linux only: exactly those that Apps/iOS uses. Each names the title of its page in Apple's
// documentation and the first version of iOS that has it; docs/ios.md lists them. See Tests/Support/AppleShapes/README.md.

/// A type that represents part of the app's interface.
///
/// Apple: View. iOS 13.0.
@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View

    /// The content and behavior of the view.
    ///
    /// Apple: body. iOS 13.0.
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public typealias Body = Never
    public var body: Never { fatalError("Never has no body") }
}

/// A modifier that makes another version of a view.
///
/// Apple: ViewModifier. iOS 13.0.
@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}

/// The view that a modifier was applied to.
///
/// Apple: ViewModifier.Content. iOS 13.0.
public struct _ViewModifier_Content<Modifier: ViewModifier>: RecordedPrimitive {
    let content: any View

    public func record(in context: RecordingContext) -> [RecordedView] { context.nodes(of: content, "content") }
}

/// A result builder that makes views from closures.
///
/// Apple: ViewBuilder. iOS 13.0.
@resultBuilder
public struct ViewBuilder {
    @MainActor public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    @MainActor public static func buildBlock() -> EmptyView { EmptyView() }
    @MainActor public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    @MainActor public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        var children: [any View] = []
        repeat children.append(each content)
        return TupleView(children: children)
    }
    @MainActor public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    @MainActor public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { _ConditionalContent(content: first, branch: "true") }
    @MainActor public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { _ConditionalContent(content: second, branch: "false") }
}

/// A view from a conditional statement of a view builder.
public struct _ConditionalContent<TrueContent: View, FalseContent: View>: RecordedPrimitive {
    let content: any View
    let branch: String

    public func record(in context: RecordingContext) -> [RecordedView] { context.nodes(of: content, branch) }
}

/// A view from several expressions of a view builder.
///
/// Apple: TupleView. iOS 13.0.
public struct TupleView<T>: RecordedPrimitive {
    let children: [any View]

    public func record(in context: RecordingContext) -> [RecordedView] {
        children.enumerated().flatMap { context.nodes(of: $1, "\($0)") }
    }
}

extension Optional: View where Wrapped: View {
    public typealias Body = Never
    public var body: Never { fatalError("an optional view is recorded and has no body") }
}

extension Optional: RecordedPrimitive where Wrapped: View {
    public func record(in context: RecordingContext) -> [RecordedView] {
        map { context.nodes(of: $0, "some") } ?? []
    }
}

/// A view without content.
///
/// Apple: EmptyView. iOS 13.0.
public struct EmptyView: RecordedPrimitive {
    /// Apple: EmptyView.init(). iOS 13.0.
    nonisolated public init() {}

    public func record(in context: RecordingContext) -> [RecordedView] { [] }
}

/// A view whose type is erased.
///
/// Apple: AnyView. iOS 13.0.
public struct AnyView: RecordedPrimitive {
    let view: any View

    /// Apple: AnyView.init(_:). iOS 13.0.
    public init<V: View>(_ view: V) { self.view = view }

    public func record(in context: RecordingContext) -> [RecordedView] {
        context.nodes(of: view, "\(type(of: view))")
    }
}

/// Several views as one.
///
/// Apple: Group. iOS 13.0.
public struct Group<Content: View>: RecordedPrimitive {
    let content: Content

    /// Apple: Group.init(content:). iOS 13.0.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public func record(in context: RecordingContext) -> [RecordedView] { context.nodes(of: content, "group") }
}

/// Views that are made on demand from a collection of identified data.
///
/// Apple: ForEach. iOS 13.0.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: RecordedPrimitive {
    let data: Data
    let id: (Data.Element) -> ID
    let content: (Data.Element) -> Content

    /// Apple: ForEach.init(_:id:content:). iOS 13.0.
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.data = data
        self.id = { $0[keyPath: id] }
        self.content = content
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        var seen: Set<ID> = []
        return data.flatMap { element in
            let id = id(element)
            if !seen.insert(id).inserted {
                context.recorder.fault("ForEach: the id \(id) occurs multiple times, which gives undefined results")
            }
            // A slash begins another step of a path.
            return context.nodes(of: content(element), "\(id)".replacing("/", with: "|"))
        }
    }
}

extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
    /// Apple: ForEach.init(_:content:). iOS 13.0.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        id = { $0.id }
        self.content = content
    }
}

/// A view that is compared with its former value by `==`, and evaluated only if they differ.
///
/// Apple: EquatableView. iOS 13.0.
public struct EquatableView<Content: View & Equatable>: RecordedPrimitive {
    let content: Content

    public func record(in context: RecordingContext) -> [RecordedView] {
        context.recorder.nodes(of: content, in: context.step("equatable"), isEquatable: true)
    }
}

extension View where Self: Equatable {
    /// Apple: equatable(). iOS 13.0.
    public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}

/// A view to which a modifier of the shapes was applied.
struct Modified<Content: View>: RecordedPrimitive {
    let content: Content
    let name: String
    var values: [RecordedValue] = []
    var change: ((inout RecordingContext) -> Void)?
    /// Evaluates what the modifier adds, such as the elements of an overlay.
    var complete: ((inout RecordedModifier, RecordingContext) -> Void)?

    func record(in context: RecordingContext) -> [RecordedView] {
        var inner = context
        change?(&inner)
        var modifier = RecordedModifier(name, values)
        context.recorder.tracking(context.path) { complete?(&modifier, context.step(name)) }
        return inner.nodes(of: content, "_").map { node in
            var node = node
            node.modifiers.append(modifier)
            return node
        }
    }
}

extension View {
    func modified(
        _ name: String, _ values: [RecordedValue] = [], change: @escaping (inout RecordingContext) -> Void
    ) -> Modified<Self> {
        Modified(content: self, name: name, values: values, change: change)
    }

    func modified(
        _ name: String, _ values: [RecordedValue] = [],
        complete: ((inout RecordedModifier, RecordingContext) -> Void)? = nil
    ) -> Modified<Self> {
        Modified(content: self, name: name, values: values, complete: complete)
    }

    /// Apple: modifier(_:). iOS 13.0.
    public func modifier<T: ViewModifier>(_ modifier: T) -> some View {
        ModifierView(content: self, modifier: modifier)
    }
}

/// A view that evaluates a modifier of the app, as a body that may have state.
private struct ModifierView<Content: View, Modifier: ViewModifier>: RecordedPrimitive {
    let content: Content
    let modifier: Modifier

    func record(in context: RecordingContext) -> [RecordedView] {
        context.recorder.visit(context.path)
        context.recorder.link(modifier, at: context.path, in: context.environment)
        let body = context.recorder.tracking(context.path) {
            modifier.body(content: _ViewModifier_Content(content: content))
        }
        return context.nodes(of: body, "modifier")
    }
}
