// Declarations of VisionKit, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Foundation
public import UIKit

/// The system's camera for documents.
///
/// Apple: VNDocumentCameraViewController. iOS 13.0.
@MainActor
public final class VNDocumentCameraViewController: UIViewController {
    /// Apple: VNDocumentCameraViewController.isSupported. iOS 13.0.
    public static var isSupported: Bool { RecordedCamera.isThere }
    /// Apple: VNDocumentCameraViewController.delegate. iOS 13.0.
    public weak var delegate: (any VNDocumentCameraViewControllerDelegate)?
}

/// The sheets of paper that a person scanned.
///
/// Apple: VNDocumentCameraScan. iOS 13.0.
public final class VNDocumentCameraScan: NSObject {
    let pages: [UIImage]

    init(pages: [UIImage]) { self.pages = pages }

    /// Apple: pageCount. iOS 13.0.
    public var pageCount: Int { pages.count }
    /// Apple: imageOfPage(at:). iOS 13.0.
    public func imageOfPage(at index: Int) -> UIImage { pages[index] }
}

/// The receiver of scans.
///
/// Apple: VNDocumentCameraViewControllerDelegate. iOS 13.0.
public protocol VNDocumentCameraViewControllerDelegate: NSObjectProtocol {
    /// Apple: documentCameraViewController(_:didFinishWith:). iOS 13.0.
    func documentCameraViewController(
        _ controller: VNDocumentCameraViewController, didFinishWith scan: VNDocumentCameraScan)
    /// Apple: documentCameraViewControllerDidCancel(_:). iOS 13.0.
    func documentCameraViewControllerDidCancel(_ controller: VNDocumentCameraViewController)
    /// Apple: documentCameraViewController(_:didFailWithError:). iOS 13.0.
    func documentCameraViewController(
        _ controller: VNDocumentCameraViewController, didFailWithError error: any Error)
}

/// The system's camera for codes and text.
///
/// Apple: DataScannerViewController. iOS 16.0.
@MainActor
public final class DataScannerViewController: UIViewController {
    /// A kind of thing that the camera finds.
    ///
    /// Apple: DataScannerViewController.RecognizedDataType. iOS 16.0.
    public struct RecognizedDataType: Hashable, Sendable {
        let name: String

        /// Apple: barcode(symbologies:). iOS 16.0.
        public static func barcode() -> RecognizedDataType { RecognizedDataType(name: "barcode") }
    }

    /// Apple: DataScannerViewController.isSupported. iOS 16.0.
    public static var isSupported: Bool { RecordedCamera.isThere }
    /// Apple: DataScannerViewController.isAvailable. iOS 16.0.
    public static var isAvailable: Bool { RecordedCamera.isAllowed }

    /// Apple: DataScannerViewController.delegate. iOS 16.0.
    public weak var delegate: (any DataScannerViewControllerDelegate)?
    /// Apple: isScanning. iOS 16.0.
    public private(set) var isScanning = false
    let types: Set<RecognizedDataType>

    /// Apple: init(recognizedDataTypes:qualityLevel:recognizesMultipleItems:isHighFrameRateTrackingEnabled:isPinchToZoomEnabled:isGuidanceEnabled:isHighlightingEnabled:). iOS 16.0.
    public init(recognizedDataTypes: Set<RecognizedDataType>, isHighlightingEnabled: Bool) {
        types = recognizedDataTypes
    }

    /// Apple: startScanning(). iOS 16.0.
    public func startScanning() throws {
        if RecordedCamera.isBroken { throw CocoaError(.featureUnsupported) }
        isScanning = true
    }
    /// Apple: stopScanning(). iOS 16.0.
    public func stopScanning() { isScanning = false }
}

/// A thing that the camera found.
///
/// Apple: RecognizedItem. iOS 16.0.
public enum RecognizedItem: Sendable {
    /// A text in the picture.
    ///
    /// Apple: RecognizedItem.Text. iOS 16.0.
    public struct Text: Sendable {}
    /// A code in the picture.
    ///
    /// Apple: RecognizedItem.Barcode. iOS 16.0.
    public struct Barcode: Sendable {
        /// Apple: payloadStringValue. iOS 16.0.
        public let payloadStringValue: String?

        init(_ text: String?) { payloadStringValue = text }
    }
    case text(Text)
    case barcode(Barcode)
}

/// The receiver of what the camera found.
///
/// Apple: DataScannerViewControllerDelegate. iOS 16.0.
@MainActor
public protocol DataScannerViewControllerDelegate: AnyObject {
    /// Apple: dataScanner(_:didAdd:allItems:). iOS 16.0.
    func dataScanner(
        _ dataScanner: DataScannerViewController, didAdd addedItems: [RecognizedItem], allItems: [RecognizedItem])
}
