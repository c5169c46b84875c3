import Foundation

/// Marks a PDF as tagged and sets its language.
///
/// Cairo before 1.18 writes the structure but not the mark, and readers then ignore it.
enum PDFCatalog {
    /// Appends the changed catalog as an incremental update (ISO 32000-1, 7.5.6). Returns a file of another layout,
    /// such as a later cairo's, unchanged.
    static func marked(_ bytes: [UInt8], language: String) -> [UInt8] {
        let file = Data(bytes)
        guard let trailer = file.range(of: Data("trailer".utf8), options: .backwards),
            let tail = String(bytes: file[trailer.lowerBound...], encoding: .ascii),
            let root = number(after: "/Root ", in: tail), let size = number(after: "/Size ", in: tail),
            let previous = number(after: "startxref", in: tail),
            let object = file.range(of: Data("\n\(root) 0 obj".utf8), options: .backwards),
            let end = file.range(of: Data("endobj".utf8), in: object.upperBound..<file.endIndex),
            let catalog = String(bytes: file[object.upperBound..<end.lowerBound], encoding: .ascii),
            !catalog.contains("/MarkInfo"), let close = catalog.range(of: ">>", options: .backwards)
        else { return bytes }
        let info = number(after: "/Info ", in: tail).map { " /Info \($0) 0 R" } ?? ""
        let changed =
            "\(root) 0 obj\(catalog[..<close.lowerBound])   /MarkInfo << /Marked true >>\n   /Lang (\(language))\n>>\nendobj\n"
        let place = String(bytes.count)
        let padded = String(repeating: "0", count: max(0, 10 - place.count)) + place
        let update = """
            \(changed)xref
            \(root) 1
            \(padded) 00000 n\u{20}
            trailer
            << /Size \(size) /Root \(root) 0 R\(info) /Prev \(previous) >>
            startxref
            \(bytes.count + changed.utf8.count)
            %%EOF

            """
        return bytes + Array(update.utf8)
    }

    private static func number(after key: String, in text: String) -> Int? {
        guard let place = text.range(of: key, options: .backwards) else { return nil }
        return Int(text[place.upperBound...].drop { $0.isWhitespace }.prefix { $0.isNumber })
    }
}
