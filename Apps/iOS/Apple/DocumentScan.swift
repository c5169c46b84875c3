import Foundation
import PDFKit
import ScreenUI
import SwiftUI
import UIKit
import VisionKit

/// The system's document camera, which ends with the sheets of paper as one PDF document.
struct DocumentScanView: UIViewControllerRepresentable {
    static var isAvailable: Bool { VNDocumentCameraViewController.isSupported }

    /// Receives the document, or `nil` if the person canceled or the camera failed.
    let onEnd: @MainActor (MadeFile?) -> Void

    init(onEnd: @escaping @MainActor (MadeFile?) -> Void) { self.onEnd = onEnd }

    func makeUIViewController(context: Context) -> VNDocumentCameraViewController {
        let camera = VNDocumentCameraViewController()
        camera.delegate = context.coordinator
        return camera
    }

    func updateUIViewController(_ camera: VNDocumentCameraViewController, context: Context) {}

    func makeCoordinator() -> Coordinator { Coordinator(onEnd: onEnd) }

    /// The receiver of the camera's pages, on the main thread.
    @MainActor
    final class Coordinator: NSObject, VNDocumentCameraViewControllerDelegate {
        private let onEnd: @MainActor (MadeFile?) -> Void

        init(onEnd: @escaping @MainActor (MadeFile?) -> Void) { self.onEnd = onEnd }

        nonisolated func documentCameraViewController(
            _ controller: VNDocumentCameraViewController, didFinishWith scan: VNDocumentCameraScan
        ) {
            let file = Self.document(of: (0..<scan.pageCount).map { scan.imageOfPage(at: $0) })
            MainActor.assumeIsolated { onEnd(file) }
        }

        nonisolated func documentCameraViewControllerDidCancel(_ controller: VNDocumentCameraViewController) {
            MainActor.assumeIsolated { onEnd(nil) }
        }

        nonisolated func documentCameraViewController(
            _ controller: VNDocumentCameraViewController, didFailWithError error: any Error
        ) {
            MainActor.assumeIsolated { onEnd(nil) }
        }

        /// The pages as one document; `nil` if there are none.
        nonisolated static func document(of pages: [UIImage]) -> MadeFile? {
            let document = PDFDocument()
            for page in pages.compactMap({ PDFPage(image: $0) }) { document.insert(page, at: document.pageCount) }
            guard document.pageCount > 0, let data = document.dataRepresentation() else { return nil }
            return MadeFile(name: "scan.pdf", mediaType: "application/pdf", content: data)
        }
    }
}
