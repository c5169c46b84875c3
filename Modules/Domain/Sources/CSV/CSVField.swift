import Foundation

/// One field of separated values (RFC 4180) in a file that people open in a spreadsheet. What was written is read back
/// as the same value. Files of a standard, which programs exchange, hold their values as they are.
public enum CSVField {
    /// Quoted where it must be. A spreadsheet runs a text that begins like a formula; an apostrophe in front keeps it a
    /// text.
    /// - Parameter isText: whether it is no number or date of ours.
    public static func written(_ text: String, isText: Bool = true) -> String {
        let safe = isText && looksLikeFormula(text) ? "'\(text)" : text
        guard safe.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" || $0 == "\r" || $0 == "\n" }) else {
            return safe
        }
        return "\"\(safe.replacingOccurrences(of: "\"", with: "\"\""))\""
    }

    /// The value of a field that `written` wrote, after its quotes were taken off.
    public static func value(_ field: String) -> String {
        field.unicodeScalars.first == "'" && looksLikeFormula(field)
            ? String(field.unicodeScalars.dropFirst()) : field
    }

    /// Whether a spreadsheet would take the text for a formula, apostrophes before it not counted: it begins with one of
    /// the signs of the OWASP list on CSV injection, full width or not, or with a tab or a line end.
    static func looksLikeFormula(_ text: String) -> Bool {
        text.unicodeScalars.drop { $0 == "'" }.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
    }
}
