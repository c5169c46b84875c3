public import Foundation

/// A color, gradient or other style of a shape.
///
/// Apple: ShapeStyle. iOS 13.0.
public protocol ShapeStyle: Sendable {
    associatedtype Resolved: ShapeStyle = Never

    /// Apple: ShapeStyle.resolve(in:). iOS 17.0.
    func resolve(in environment: EnvironmentValues) -> Resolved
}

extension Never: ShapeStyle {}

extension ShapeStyle where Resolved == Never {
    public func resolve(in environment: EnvironmentValues) -> Never {
        fatalError("\(Self.self) is resolved by the system")
    }
}

/// A color that adapts to its context.
///
/// Apple: Color. iOS 13.0.
public struct Color: ShapeStyle, Hashable, RecordedPrimitive {
    /// A profile that says how to read the components of a color.
    ///
    /// Apple: Color.RGBColorSpace. iOS 13.0.
    public enum RGBColorSpace: Hashable, Sendable { case sRGB, sRGBLinear, displayP3 }

    let components: [Double]

    /// Apple: Color.init(_:red:green:blue:opacity:). iOS 13.0.
    nonisolated public init(
        _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) {
        components = [red, green, blue, opacity]
    }

    /// Apple: Color.clear. iOS 13.0.
    nonisolated public static let clear = Color(red: 0, green: 0, blue: 0, opacity: 0)

    public func record(in context: RecordingContext) -> [RecordedView] {
        var node = RecordedView("Color", in: context)
        node.values = [RecordedValue("color", self)]
        return [node]
    }
}

/// The outline of a shape.
///
/// Apple: Path. iOS 13.0.
public struct Path: Equatable, Sendable {
    var points: [CGPoint] = []
    var rectangles: [CGRect] = []

    /// Apple: Path.init(). iOS 13.0.
    public init() {}

    /// Apple: move(to:). iOS 13.0.
    public mutating func move(to end: CGPoint) { points.append(end) }
    /// Apple: addLine(to:). iOS 13.0.
    public mutating func addLine(to end: CGPoint) {
        // A device prints an error and draws nothing.
        precondition(!points.isEmpty, "a path needs a current point before a line is added")
        points.append(end)
    }
    /// Apple: addRect(_:transform:). iOS 13.0.
    public mutating func addRect(_ rect: CGRect) { rectangles.append(rect) }

    /// Apple: Path.isEmpty. iOS 13.0.
    public var isEmpty: Bool { points.isEmpty && rectangles.isEmpty }
}

/// A two-dimensional shape.
///
/// Apple: Shape. iOS 13.0.
public protocol Shape: Sendable, View {
    /// Apple: path(in:). iOS 13.0.
    nonisolated func path(in rect: CGRect) -> Path
}

extension Shape {
    /// The shape as a view, filled with the foreground style.
    public var body: some View { StyledShape(shape: self, style: nil, values: []) }

    /// Apple: fill(_:style:). iOS 13.0.
    public func fill<S: ShapeStyle>(_ content: S) -> some View {
        StyledShape(shape: self, style: content, values: [RecordedValue("fill", content)])
    }
    /// Apple: stroke(_:lineWidth:). iOS 13.0.
    public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View {
        StyledShape(
            shape: self, style: content,
            values: [RecordedValue("stroke", content), RecordedValue("lineWidth", lineWidth)])
    }
    /// Apple: stroke(_:style:). iOS 13.0.
    public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> some View {
        StyledShape(
            shape: self, style: content,
            values: [RecordedValue("stroke", content), RecordedValue("lineWidth", style.lineWidth)])
    }
    /// Apple: trim(from:to:). iOS 13.0.
    public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> some Shape {
        TrimmedShape(shape: self, start: startFraction, end: endFraction)
    }
}

/// Apple: StrokeStyle. iOS 13.0.
public struct StrokeStyle: Equatable, Sendable {
    /// Apple: StrokeStyle.lineWidth. iOS 13.0.
    public var lineWidth: CGFloat

    /// Apple: StrokeStyle.init(lineWidth:lineCap:lineJoin:miterLimit:dash:dashPhase:). iOS 13.0.
    public init(lineWidth: CGFloat = 1) { self.lineWidth = lineWidth }
}

private struct StyledShape<S: Shape>: RecordedPrimitive {
    let shape: S
    let style: (any ShapeStyle)?
    let values: [RecordedValue]

    func record(in context: RecordingContext) -> [RecordedView] {
        var node = RecordedView(String(describing: S.self), in: context)
        node.values = values + [RecordedValue("shape", shape)]
        if let style { node.values += context.resolved(style) }
        return [node]
    }
}

extension RecordingContext {
    /// The color that a style resolves to in the environment.
    func resolved(_ style: some ShapeStyle) -> [RecordedValue] {
        if let color = style as? Color { return [RecordedValue("color", color)] }
        return resolved(style.resolve(in: environment))
    }
}

private struct TrimmedShape<S: Shape>: Shape {
    let shape: S
    let start: CGFloat
    let end: CGFloat

    nonisolated func path(in rect: CGRect) -> Path { shape.path(in: rect) }
}

/// A rectangle.
///
/// Apple: Rectangle. iOS 13.0.
public struct Rectangle: Shape {
    /// Apple: Rectangle.init(). iOS 13.0.
    nonisolated public init() {}
    nonisolated public func path(in rect: CGRect) -> Path {
        var path = Path()
        path.addRect(rect)
        return path
    }
}

/// A rectangle with rounded corners.
///
/// Apple: RoundedRectangle. iOS 13.0.
public struct RoundedRectangle: Shape {
    let cornerRadius: CGFloat
    /// Apple: RoundedRectangle.init(cornerRadius:style:). iOS 13.0.
    nonisolated public init(cornerRadius: CGFloat) { self.cornerRadius = cornerRadius }
    nonisolated public func path(in rect: CGRect) -> Path { Rectangle().path(in: rect) }
}

/// Apple: Capsule. iOS 13.0.
public struct Capsule: Shape {
    /// Apple: Capsule.init(style:). iOS 13.0.
    nonisolated public init() {}
    nonisolated public func path(in rect: CGRect) -> Path { Rectangle().path(in: rect) }
}

/// Apple: Circle. iOS 13.0.
public struct Circle: Shape {
    /// Apple: Circle.init(). iOS 13.0.
    nonisolated public init() {}
    nonisolated public func path(in rect: CGRect) -> Path { Rectangle().path(in: rect) }
}

extension View {
    /// Apple: foregroundStyle(_:). iOS 15.0.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { styled("foregroundStyle", style) }
    /// Apple: background(_:ignoresSafeAreaEdges:). iOS 15.0.
    public func background<S: ShapeStyle>(_ style: S) -> some View { styled("background", style) }
    /// Apple: background(_:in:fillStyle:). iOS 15.0.
    public func background<S: ShapeStyle, T: Shape>(_ style: S, in shape: T) -> some View {
        styled("background", style, [RecordedValue("shape", shape)])
    }
    /// Apple: tint(_:). iOS 16.0.
    public func tint<S: ShapeStyle>(_ tint: S?) -> some View {
        modified("tint", [RecordedValue("style", tint as Any)])
    }
    /// Apple: clipShape(_:style:). iOS 13.0.
    public func clipShape<S: Shape>(_ shape: S) -> some View {
        modified("clipShape", [RecordedValue("shape", shape)])
    }
    /// Apple: contentShape(_:eoFill:). iOS 13.0.
    public func contentShape<S: Shape>(_ shape: S) -> some View {
        modified("contentShape", [RecordedValue("shape", shape)])
    }

    private func styled(_ name: String, _ style: some ShapeStyle, _ values: [RecordedValue] = []) -> some View {
        modified(name, [RecordedValue("style", style)] + values) { modifier, context in
            modifier.values += context.resolved(style)
        }
    }
}
