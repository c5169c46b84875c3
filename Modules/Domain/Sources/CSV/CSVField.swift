import Foundation

/// One field of separated values (RFC 4180) as it is written.
public enum CSVField {
    /// Quoted where it must be. A spreadsheet runs a text that begins like a formula; an apostrophe keeps it text.
    /// - Parameter isText: whether it is no number or date of ours.
    public static func written(_ text: String, isText: Bool = true) -> String {
        let isFormula = isText && (text.first.map { "=+-@\t\r".contains($0) } ?? false)
        let safe = isFormula ? "'\(text)" : text
        guard safe.contains(where: { ",\"\r\n".contains($0) || $0 == "\r\n" }) else { return safe }
        return "\"\(safe.replacingOccurrences(of: "\"", with: "\"\""))\""
    }
}
