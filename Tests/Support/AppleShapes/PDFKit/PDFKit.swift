// Declarations of PDFKit, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Foundation
public import UIKit

/// A PDF document.
///
/// Apple: PDFDocument. iOS 11.0.
public final class PDFDocument: NSObject {
    var pages: [PDFPage] = []

    /// Apple: pageCount. iOS 11.0.
    public var pageCount: Int { pages.count }
    /// Apple: insert(_:at:). iOS 11.0.
    public func insert(_ page: PDFPage, at index: Int) { pages.insert(page, at: index) }
    /// Apple: dataRepresentation(). iOS 11.0.
    public func dataRepresentation() -> Data? {
        pages.reduce(into: Data("%PDF".utf8)) { $0 += $1.image.pngData() ?? Data() }
    }
}

/// A page of a PDF document.
///
/// Apple: PDFPage. iOS 11.0.
public final class PDFPage: NSObject {
    let image: UIImage

    /// Apple: init(image:). iOS 11.0.
    public init?(image: UIImage) { self.image = image }
}
