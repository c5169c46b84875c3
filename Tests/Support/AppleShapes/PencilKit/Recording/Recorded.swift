public import Foundation
public import UIKit

/// The tools on the screen.
@MainActor
public enum RecordedPicker {
    /// The object for which the tools are shown.
    // Singleton: a device shows the tools of one canvas.
    public internal(set) static var responder: UIResponder?
}

extension PKCanvasView {
    /// Draws strokes that fill a rectangle.
    public func draw(_ bounds: CGRect) { drawing = PKDrawing(bounds: bounds) }
}
