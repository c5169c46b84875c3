public import Foundation
public import UniformTypeIdentifiers

extension UIImage {
    /// A picture with these bytes as its file.
    public static func recorded(_ png: Data) -> UIImage { UIImage(png: png) }
    /// The bytes of the picture.
    public var recordedContent: Data { png }
}

extension UIDocumentPickerViewController {
    public var recordedTypes: [UTType] { types }
    public var recordedCopies: Bool { copies }
}
