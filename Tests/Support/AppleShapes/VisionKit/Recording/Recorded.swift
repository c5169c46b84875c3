public import UIKit

/// The camera of the device.
@MainActor
public enum RecordedCamera {
    // Singleton: a device has one camera.
    public static var isThere = true
    // Singleton: a device has one camera.
    public static var isAllowed = true
    // Singleton: a device has one camera.
    public static var isBroken = false
}

extension VNDocumentCameraScan {
    /// A scan with these pages.
    public static func recorded(_ pages: [UIImage]) -> VNDocumentCameraScan { VNDocumentCameraScan(pages: pages) }
}

extension RecognizedItem {
    /// A code with a text, or one that cannot be read.
    public static func recorded(code text: String?) -> RecognizedItem { .barcode(Barcode(text)) }
}
