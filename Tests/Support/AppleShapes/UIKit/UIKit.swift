// Declarations of UIKit, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Foundation
public import UniformTypeIdentifiers

/// An object that handles events.
///
/// Apple: UIResponder. iOS 2.0.
@MainActor
open class UIResponder: NSObject {
    /// Whether the object was asked to become the first responder.
    var isFirst = false

    /// Apple: becomeFirstResponder(). iOS 2.0.
    open func becomeFirstResponder() -> Bool {
        isFirst = true
        return true
    }
}

/// An object that manages a hierarchy of views.
///
/// Apple: UIViewController. iOS 2.0.
@MainActor
open class UIViewController: UIResponder {}

/// A rectangle on the screen with content.
///
/// Apple: UIView. iOS 2.0.
@MainActor
open class UIView: UIResponder {}

/// A picture.
///
/// Apple: UIImage. iOS 2.0.
public final class UIImage: NSObject, Sendable {
    let png: Data
    /// Apple: UIImage.size. iOS 2.0.
    public let size: CGSize

    init(png: Data, size: CGSize = .zero) {
        self.png = png
        self.size = size
    }

    /// Apple: init(contentsOfFile:). iOS 2.0.
    public convenience init?(contentsOfFile path: String) {
        // A test writes "4000x3000" for a photo of that size, and anything else for a file that is no picture.
        guard let data = FileManager.default.contents(atPath: path),
            let found = String(decoding: data, as: UTF8.self).wholeMatch(of: /(\d+)x(\d+)/),
            let width = Double(found.1), let height = Double(found.2)
        else { return nil }
        self.init(png: data, size: CGSize(width: width, height: height))
    }

    /// Apple: pngData(). iOS 2.0.
    public func pngData() -> Data? { png }
    /// Apple: preparingThumbnail(of:). iOS 15.0.
    public func preparingThumbnail(of size: CGSize) -> UIImage? {
        UIImage(png: Data("\(Int(size.width))x\(Int(size.height))".utf8), size: size)
    }
    /// Apple: jpegData(compressionQuality:). iOS 2.0.
    public func jpegData(compressionQuality: CGFloat) -> Data? { png }
}

/// The browser of files, which belongs to the system.
///
/// Apple: UIDocumentPickerViewController. iOS 8.0.
@MainActor
public final class UIDocumentPickerViewController: UIViewController {
    let types: [UTType]
    let copies: Bool
    /// Apple: init(forOpeningContentTypes:asCopy:). iOS 14.0.
    public init(forOpeningContentTypes contentTypes: [UTType], asCopy: Bool) {
        types = contentTypes
        copies = asCopy
    }
    /// Apple: UIDocumentPickerViewController.delegate. iOS 8.0.
    public weak var delegate: (any UIDocumentPickerDelegate)?
    /// Apple: allowsMultipleSelection. iOS 11.0.
    public var allowsMultipleSelection = false
}

/// The receiver of the files that a person chose.
///
/// Apple: UIDocumentPickerDelegate. iOS 8.0.
@MainActor
public protocol UIDocumentPickerDelegate: NSObjectProtocol {
    /// Apple: documentPicker(_:didPickDocumentsAt:). iOS 11.0.
    func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL])
    /// Apple: documentPickerWasCancelled(_:). iOS 8.0.
    func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController)
}
