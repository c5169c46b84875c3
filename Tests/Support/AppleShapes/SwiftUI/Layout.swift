public import Foundation

/// The position of a view across a horizontal axis.
///
/// Apple: HorizontalAlignment. iOS 13.0.
public struct HorizontalAlignment: Equatable, Sendable {
    let name: String
    /// Apple: HorizontalAlignment.leading. iOS 13.0.
    public static let leading = HorizontalAlignment(name: "leading")
    /// Apple: HorizontalAlignment.center. iOS 13.0.
    public static let center = HorizontalAlignment(name: "center")
    /// Apple: HorizontalAlignment.trailing. iOS 13.0.
    public static let trailing = HorizontalAlignment(name: "trailing")
}

/// The position of a view across a vertical axis.
///
/// Apple: VerticalAlignment. iOS 13.0.
public struct VerticalAlignment: Equatable, Sendable {
    let name: String
    /// Apple: VerticalAlignment.top. iOS 13.0.
    public static let top = VerticalAlignment(name: "top")
    /// Apple: VerticalAlignment.center. iOS 13.0.
    public static let center = VerticalAlignment(name: "center")
    /// Apple: VerticalAlignment.bottom. iOS 13.0.
    public static let bottom = VerticalAlignment(name: "bottom")
    /// Apple: VerticalAlignment.firstTextBaseline. iOS 13.0.
    public static let firstTextBaseline = VerticalAlignment(name: "firstTextBaseline")
}

/// The position of a view in both axes.
///
/// Apple: Alignment. iOS 13.0.
public struct Alignment: Equatable, Sendable {
    let name: String
    /// Apple: Alignment.center. iOS 13.0.
    public static let center = Alignment(name: "center")
    /// Apple: Alignment.leading. iOS 13.0.
    public static let leading = Alignment(name: "leading")
    /// Apple: Alignment.trailing. iOS 13.0.
    public static let trailing = Alignment(name: "trailing")
    /// Apple: Alignment.bottom. iOS 13.0.
    public static let bottom = Alignment(name: "bottom")
    /// Apple: Alignment.bottomTrailing. iOS 13.0.
    public static let bottomTrailing = Alignment(name: "bottomTrailing")
}

/// An edge of a rectangle.
///
/// Apple: Edge. iOS 13.0.
public enum Edge: Int8, CaseIterable, Sendable {
    case top, leading, bottom, trailing

    /// Several edges.
    ///
    /// Apple: Edge.Set. iOS 13.0.
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Apple: Edge.Set.top. iOS 13.0.
        public static let top = Set(rawValue: 1)
        /// Apple: Edge.Set.leading. iOS 13.0.
        public static let leading = Set(rawValue: 2)
        /// Apple: Edge.Set.bottom. iOS 13.0.
        public static let bottom = Set(rawValue: 4)
        /// Apple: Edge.Set.trailing. iOS 13.0.
        public static let trailing = Set(rawValue: 8)
        /// Apple: Edge.Set.all. iOS 13.0.
        public static let all: Set = [.top, .leading, .bottom, .trailing]
        /// Apple: Edge.Set.horizontal. iOS 13.0.
        public static let horizontal: Set = [.leading, .trailing]
        /// Apple: Edge.Set.vertical. iOS 13.0.
        public static let vertical: Set = [.top, .bottom]
    }
}

/// A horizontal edge.
///
/// Apple: HorizontalEdge. iOS 15.0.
public enum HorizontalEdge: Int8, CaseIterable, Sendable { case leading, trailing }

/// The horizontal or vertical dimension.
///
/// Apple: Axis. iOS 13.0.
public enum Axis: Int8, CaseIterable, Sendable {
    case horizontal, vertical

    /// Several axes.
    ///
    /// Apple: Axis.Set. iOS 13.0.
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Apple: Axis.Set.horizontal. iOS 13.0.
        public static let horizontal = Set(rawValue: 1)
        /// Apple: Axis.Set.vertical. iOS 13.0.
        public static let vertical = Set(rawValue: 2)
    }
}

/// Distances to the edges of a rectangle.
///
/// Apple: EdgeInsets. iOS 13.0.
public struct EdgeInsets: Equatable, Sendable {
    let top, leading, bottom, trailing: CGFloat

    /// Apple: EdgeInsets.init(top:leading:bottom:trailing:). iOS 13.0.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}

/// Whether something is shown.
///
/// Apple: Visibility. iOS 15.0.
public enum Visibility: Hashable, CaseIterable, Sendable { case automatic, visible, hidden }

/// A vertical arrangement.
///
/// Apple: VStack. iOS 13.0.
public struct VStack<Content: View>: RecordedPrimitive {
    let values: [RecordedValue]
    let content: Content

    /// Apple: VStack.init(alignment:spacing:content:). iOS 13.0.
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        values = [RecordedValue("alignment", alignment)] + (spacing.map { [RecordedValue("spacing", $0)] } ?? [])
        self.content = content()
    }

    public func record(in context: RecordingContext) -> [RecordedView] { context.box("VStack", values, content) }
}

/// A horizontal arrangement.
///
/// Apple: HStack. iOS 13.0.
public struct HStack<Content: View>: RecordedPrimitive {
    let values: [RecordedValue]
    let content: Content

    /// Apple: HStack.init(alignment:spacing:content:). iOS 13.0.
    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        values = [RecordedValue("alignment", alignment)] + (spacing.map { [RecordedValue("spacing", $0)] } ?? [])
        self.content = content()
    }

    public func record(in context: RecordingContext) -> [RecordedView] { context.box("HStack", values, content) }
}

/// An arrangement in depth.
///
/// Apple: ZStack. iOS 13.0.
public struct ZStack<Content: View>: RecordedPrimitive {
    let alignment: Alignment
    let content: Content

    /// Apple: ZStack.init(alignment:content:). iOS 13.0.
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        context.box("ZStack", [RecordedValue("alignment", alignment)], content)
    }
}

extension RecordingContext {
    /// A container with one content.
    func box(_ kind: String, _ values: [RecordedValue], _ content: some View) -> [RecordedView] {
        var inner = self
        inner.isRow = false
        var node = RecordedView(kind, in: self, children: inner.nodes(of: content, kind))
        node.values = values
        return [node]
    }
}

/// The size and spacing of a row or column of a grid.
///
/// Apple: GridItem. iOS 14.0.
public struct GridItem: Sendable {
    /// Apple: GridItem.Size. iOS 14.0.
    public enum Size: Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }
    let size: Size
    let spacing: CGFloat?

    /// Apple: GridItem.init(_:spacing:alignment:). iOS 14.0.
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        self.size = size
        self.spacing = spacing
    }
}

/// A grid that grows vertically and makes its items on demand.
///
/// Apple: LazyVGrid. iOS 14.0.
public struct LazyVGrid<Content: View>: RecordedPrimitive {
    let values: [RecordedValue]
    let content: Content

    /// Apple: LazyVGrid.init(columns:alignment:spacing:pinnedViews:content:). iOS 14.0.
    public init(
        columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        values = [RecordedValue("columns", columns)] + (spacing.map { [RecordedValue("spacing", $0)] } ?? [])
        self.content = content()
    }

    public func record(in context: RecordingContext) -> [RecordedView] { context.box("LazyVGrid", values, content) }
}

/// An arrangement of views in rows and columns.
///
/// Apple: Grid. iOS 16.0.
public struct Grid<Content: View>: RecordedPrimitive {
    let values: [RecordedValue]
    let content: Content

    /// Apple: Grid.init(alignment:horizontalSpacing:verticalSpacing:content:). iOS 16.0.
    public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        values =
            (horizontalSpacing.map { [RecordedValue("horizontalSpacing", $0)] } ?? [])
            + (verticalSpacing.map { [RecordedValue("verticalSpacing", $0)] } ?? [])
        self.content = content()
    }

    public func record(in context: RecordingContext) -> [RecordedView] { context.box("Grid", values, content) }
}

/// A row of a grid.
///
/// Apple: GridRow. iOS 16.0.
public struct GridRow<Content: View>: RecordedPrimitive {
    let content: Content

    /// Apple: GridRow.init(alignment:content:). iOS 16.0.
    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public func record(in context: RecordingContext) -> [RecordedView] { context.box("GridRow", [], content) }
}

/// A view that scrolls its content.
///
/// Apple: ScrollView. iOS 13.0.
public struct ScrollView<Content: View>: RecordedPrimitive {
    let axes: Axis.Set
    let content: Content

    /// Apple: ScrollView.init(_:showsIndicators:content:). iOS 13.0.
    public init(_ axes: Axis.Set = .vertical, @ViewBuilder content: () -> Content) {
        self.axes = axes
        self.content = content()
    }

    public func record(in context: RecordingContext) -> [RecordedView] {
        context.box("ScrollView", [RecordedValue("axes", axes)], content)
    }
}

/// A view that scrolls the scroll views in it by program.
///
/// Apple: ScrollViewReader. iOS 14.0.
public struct ScrollViewReader<Content: View>: RecordedPrimitive {
    let content: (ScrollViewProxy) -> Content

    /// Apple: ScrollViewReader.init(content:). iOS 14.0.
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }

    public func record(in context: RecordingContext) -> [RecordedView] {
        let recorder = context.recorder
        return context.box("ScrollViewReader", [], content(ScrollViewProxy { recorder.scrolls.append($0) }))
    }
}

/// Scrolls to a view.
///
/// Apple: ScrollViewProxy. iOS 14.0.
@MainActor
public struct ScrollViewProxy {
    let scroll: (AnyHashable) -> Void

    /// Apple: scrollTo(_:anchor:). iOS 14.0.
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) { scroll(AnyHashable(id)) }
}

/// A place in a rectangle, in parts of its sides.
///
/// Apple: UnitPoint. iOS 13.0.
public struct UnitPoint: Hashable, Sendable {
    let x: CGFloat
    let y: CGFloat
    /// Apple: UnitPoint.center. iOS 13.0.
    public static let center = UnitPoint(x: 0.5, y: 0.5)
}

/// A list of rows in one column.
///
/// Apple: List. iOS 13.0.
public struct List<SelectionValue, Content: View>: RecordedPrimitive {
    let content: Content

    public func record(in context: RecordingContext) -> [RecordedView] {
        var inner = context
        inner.isRow = true
        inner.isInList = true
        return [RecordedView("List", in: context, children: inner.nodes(of: content, "List"))]
    }
}

extension List where SelectionValue == Never {
    /// Apple: List.init(content:). iOS 13.0.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// A part of a list, with a header.
///
/// Apple: Section. iOS 13.0.
public struct Section<Parent: View, Content: View, Footer: View>: RecordedPrimitive {
    let content: Content
    let header: Parent

    public func record(in context: RecordingContext) -> [RecordedView] {
        var head = context
        head.isRow = false
        var node = RecordedView("Section", in: context, children: context.nodes(of: content, "content"))
        node.children = head.nodes(of: header, "header") + node.children
        return [node]
    }
}

extension Section where Footer == EmptyView {
    /// Apple: Section.init(content:header:). iOS 13.0.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.content = content()
        self.header = header()
    }
}

/// A flexible space.
///
/// Apple: Spacer. iOS 13.0.
public struct Spacer: RecordedPrimitive {
    /// Apple: Spacer.init(minLength:). iOS 13.0.
    nonisolated public init(minLength: CGFloat? = nil) {}

    public func record(in context: RecordingContext) -> [RecordedView] { [RecordedView("Spacer", in: context)] }
}

/// A line between contents.
///
/// Apple: Divider. iOS 13.0.
public struct Divider: RecordedPrimitive {
    /// Apple: Divider.init(). iOS 13.0.
    nonisolated public init() {}

    public func record(in context: RecordingContext) -> [RecordedView] { [RecordedView("Divider", in: context)] }
}

/// A view that shows the first of its children that fits.
///
/// Apple: ViewThatFits. iOS 16.0.
public struct ViewThatFits<Content: View>: RecordedPrimitive {
    let content: Content

    /// Apple: ViewThatFits.init(in:content:). iOS 16.0.
    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    /// The first child. Without a layout, every child fits; all are evaluated.
    public func record(in context: RecordingContext) -> [RecordedView] {
        let children = context.nodes(of: content, "ViewThatFits")
        return [RecordedView("ViewThatFits", in: context, children: Array(children.prefix(1)))]
    }
}

/// The size and coordinates of a container.
///
/// Apple: GeometryProxy. iOS 13.0.
public struct GeometryProxy {
    /// Apple: GeometryProxy.size. iOS 13.0.
    public let size: CGSize
}

/// A view whose content depends on its size.
///
/// Apple: GeometryReader. iOS 13.0.
public struct GeometryReader<Content: View>: RecordedPrimitive {
    let content: (GeometryProxy) -> Content

    /// Apple: GeometryReader.init(content:). iOS 13.0.
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

    /// The content at the width of a phone.
    public func record(in context: RecordingContext) -> [RecordedView] {
        context.box("GeometryReader", [], content(GeometryProxy(size: CGSize(width: 390, height: 100))))
    }
}

extension View {
    /// Apple: padding(_:_:). iOS 13.0.
    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        modified("padding", length.map { [RecordedValue("length", $0)] } ?? [])
    }
    /// Apple: frame(width:height:alignment:). iOS 13.0.
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View {
        modified("frame", recorded([("width", width), ("height", height)]))
    }
    /// Apple: frame(minWidth:idealWidth:maxWidth:minHeight:idealHeight:maxHeight:alignment:). iOS 13.0.
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        modified(
            "frame",
            recorded([
                ("minWidth", minWidth), ("idealWidth", idealWidth), ("maxWidth", maxWidth),
                ("minHeight", minHeight), ("idealHeight", idealHeight), ("maxHeight", maxHeight),
            ]))
    }
    /// Apple: aspectRatio(_:contentMode:). iOS 13.0.
    public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        modified("aspectRatio", [RecordedValue("contentMode", contentMode)])
    }
    /// Apple: overlay(alignment:content:). iOS 15.0.
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        let content = content()
        return modified("overlay", [RecordedValue("alignment", alignment)]) { modifier, context in
            modifier.content = context.nodes(of: content, "overlay")
        }
    }
    /// Apple: rotationEffect(_:anchor:). iOS 13.0.
    public func rotationEffect(_ angle: Angle) -> some View {
        modified("rotationEffect", [RecordedValue("", angle)])
    }
    /// Apple: opacity(_:). iOS 13.0.
    public func opacity(_ opacity: Double) -> some View { modified("opacity", [RecordedValue("", opacity)]) }

    private func recorded(_ lengths: [(String, CGFloat?)]) -> [RecordedValue] {
        lengths.compactMap { label, length in length.map { RecordedValue(label, $0) } }
    }
}

/// The way in which content fills a space.
///
/// Apple: ContentMode. iOS 13.0.
public enum ContentMode: Hashable, CaseIterable, Sendable { case fit, fill }

/// A geometric angle.
///
/// Apple: Angle. iOS 13.0.
public struct Angle: Hashable, Sendable {
    let degrees: Double
    /// Apple: Angle.degrees(_:). iOS 13.0.
    public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
}

// MARK: - Lists

/// A type that gives lists their look.
///
/// Apple: ListStyle. iOS 13.0.
public protocol ListStyle {}

/// The plain list style.
///
/// Apple: PlainListStyle. iOS 13.0.
public struct PlainListStyle: ListStyle {}

extension ListStyle where Self == PlainListStyle {
    /// Apple: plain. iOS 15.0.
    public static var plain: PlainListStyle { PlainListStyle() }
}

extension View {
    /// Apple: listStyle(_:). iOS 13.0.
    public func listStyle<S: ListStyle>(_ style: S) -> some View { modified("listStyle") }
    /// Apple: listRowSeparator(_:edges:). iOS 15.0.
    public func listRowSeparator(_ visibility: Visibility) -> some View { modified("listRowSeparator") }
    /// Apple: listRowBackground(_:). iOS 13.0.
    public func listRowBackground<V: View>(_ view: V?) -> some View {
        modified("listRowBackground") { modifier, context in
            modifier.content = view.map { context.nodes(of: $0, "background") } ?? []
        }
    }
    /// Apple: listRowInsets(_:). iOS 13.0.
    public func listRowInsets(_ insets: EdgeInsets?) -> some View {
        modified("listRowInsets", [RecordedValue("", insets as Any)])
    }
    /// Apple: scrollContentBackground(_:). iOS 16.0.
    public func scrollContentBackground(_ visibility: Visibility) -> some View {
        modified("scrollContentBackground")
    }

    /// Apple: swipeActions(edge:allowsFullSwipe:content:). iOS 15.0.
    public func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
    ) -> some View {
        let content = content()
        return modified("swipeActions", [RecordedValue("allowsFullSwipe", allowsFullSwipe)]) { modifier, context in
            // Elsewhere a device ignores the modifier.
            modifier.values.append(RecordedValue("isRow", context.isRow))
            modifier.content = context.outside.nodes(of: content, "swipe")
        }
    }
}
