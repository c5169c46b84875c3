import DesignSystem
import Domain
import Foundation
import PencilKit
import ScreenUI
import SwiftUI
import UIKit

/// A canvas for pen and finger with the system's tools, which ends with the drawing as a picture.
struct DrawingView: View {
    /// Receives the picture, or `nil` if the person canceled.
    let onEnd: @MainActor (MadeFile?) -> Void
    @State private var canvas = Canvas()
    @Environment(\.design) private var design

    init(onEnd: @escaping @MainActor (MadeFile?) -> Void) { self.onEnd = onEnd }

    var body: some View {
        VStack {
            HStack {
                ToolButton(title: design.words("app.cancel"), icon: .x) { onEnd(nil) }
                Spacer()
                ToolButton(title: design.words("app.drawing.done"), icon: .check) { onEnd(canvas.picture) }
            }
            CanvasView(canvas: canvas).accessibilityLabel(Text(verbatim: design.words("app.drawing.canvas")))
        }
    }

    /// The canvas and its tools, which belong together.
    @MainActor
    final class Canvas {
        let view = PKCanvasView()
        private let picker = PKToolPicker()

        /// Shows the tools beside the canvas.
        func begin() {
            // Fingers draw too, also on a tablet with a pen.
            view.drawingPolicy = .anyInput
            picker.addObserver(view)
            picker.setVisible(true, forFirstResponder: view)
            _ = view.becomeFirstResponder()
        }

        /// The drawing as a picture; `nil` for an empty canvas.
        var picture: MadeFile? {
            let bounds = view.drawing.bounds
            guard !bounds.isEmpty, let data = view.drawing.image(from: bounds, scale: Self.scale).pngData() else {
                return nil
            }
            return MadeFile(name: "drawing.png", mediaType: "image/png", content: data)
        }

        /// The pixels of the picture for each point of the canvas.
        private static let scale: CGFloat = 2
    }
}

private struct CanvasView: UIViewRepresentable {
    let canvas: DrawingView.Canvas

    func makeUIView(context: Context) -> PKCanvasView {
        canvas.begin()
        return canvas.view
    }

    func updateUIView(_ view: PKCanvasView, context: Context) {}
}
