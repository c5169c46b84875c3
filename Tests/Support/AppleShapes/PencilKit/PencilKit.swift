// Declarations of PencilKit, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Foundation
public import UIKit

/// The strokes on a canvas.
///
/// Apple: PKDrawing. iOS 13.0.
public struct PKDrawing: Hashable, Sendable {
    /// Apple: PKDrawing.bounds. iOS 13.0.
    public let bounds: CGRect

    init(bounds: CGRect) { self.bounds = bounds }

    /// Apple: image(from:scale:). iOS 13.0.
    public func image(from rect: CGRect, scale: CGFloat) -> UIImage {
        .recorded(Data("picture \(Int(rect.width * scale)) x \(Int(rect.height * scale))".utf8))
    }
}

/// The kinds of touches that draw.
///
/// Apple: PKCanvasViewDrawingPolicy. iOS 14.0.
public enum PKCanvasViewDrawingPolicy: Hashable, Sendable {
    case `default`, anyInput, pencilOnly
}

/// A view to draw on.
///
/// Apple: PKCanvasView. iOS 13.0.
@MainActor
public final class PKCanvasView: UIView, PKToolPickerObserver {
    /// Apple: PKCanvasView.drawing. iOS 13.0.
    public internal(set) var drawing = PKDrawing(bounds: .zero)
    /// Apple: drawingPolicy. iOS 14.0.
    public var drawingPolicy = PKCanvasViewDrawingPolicy.default
}

/// The receiver of a person's choice of tools.
///
/// Apple: PKToolPickerObserver. iOS 13.0.
@MainActor
public protocol PKToolPickerObserver: NSObjectProtocol {}

/// The system's pens and colors.
///
/// Apple: PKToolPicker. iOS 13.0.
@MainActor
public final class PKToolPicker: NSObject {
    /// Apple: addObserver(_:). iOS 13.0.
    public func addObserver(_ observer: any PKToolPickerObserver) {}
    /// Apple: setVisible(_:forFirstResponder:). iOS 13.0.
    public func setVisible(_ visible: Bool, forFirstResponder responder: UIResponder) {
        RecordedPicker.responder = visible ? responder : nil
    }
}
