import SwiftUI
import VisionKit

/// The camera, which reads a QR code or barcode and ends with its text.
struct CodeScanView: UIViewControllerRepresentable {
    /// Whether the device can read codes, and the person allows the camera.
    static var isAvailable: Bool { DataScannerViewController.isSupported && DataScannerViewController.isAvailable }

    /// Receives the text, or `nil` if the camera failed.
    let onEnd: @MainActor (String?) -> Void

    init(onEnd: @escaping @MainActor (String?) -> Void) { self.onEnd = onEnd }

    func makeUIViewController(context: Context) -> DataScannerViewController {
        let scanner = DataScannerViewController(recognizedDataTypes: [.barcode()], isHighlightingEnabled: true)
        scanner.delegate = context.coordinator
        return scanner
    }

    func updateUIViewController(_ scanner: DataScannerViewController, context: Context) {
        guard !scanner.isScanning else { return }
        do {
            try scanner.startScanning()
        } catch {
            // Later, because this update of the view must not change what is on the screen.
            let coordinator = context.coordinator
            Task { coordinator.end(nil) }
        }
    }

    func makeCoordinator() -> Coordinator { Coordinator(onEnd: onEnd) }

    /// The receiver of the camera's codes. Only the first code counts.
    @MainActor
    final class Coordinator: DataScannerViewControllerDelegate {
        private var onEnd: (@MainActor (String?) -> Void)?

        init(onEnd: @escaping @MainActor (String?) -> Void) { self.onEnd = onEnd }

        func dataScanner(
            _ dataScanner: DataScannerViewController, didAdd addedItems: [RecognizedItem],
            allItems: [RecognizedItem]
        ) {
            for case .barcode(let code) in addedItems {
                guard let text = code.payloadStringValue else { continue }
                dataScanner.stopScanning()
                return end(text)
            }
        }

        func end(_ text: String?) {
            let onEnd = onEnd
            self.onEnd = nil
            onEnd?(text)
        }
    }
}
