import Foundation

/// Writes and reads the fields of CSV files (RFC 4180) that people open in a spreadsheet.
///
/// A written value never runs as a formula there, and reading it gives the same value. Do not use this for files that
/// programs exchange by a standard, which contain their values unchanged.
public enum CSVField {
    /// Returns a field with quotation marks if it needs them.
    ///
    /// A text that begins like a formula gets an apostrophe in front, so that spreadsheets do not run it.
    /// - Parameter isText: `false` for numbers and dates that the program wrote itself.
    public static func written(_ text: String, isText: Bool = true) -> String {
        let safe = isText && looksLikeFormula(text) ? "'\(text)" : text
        guard safe.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" || $0 == "\r" || $0 == "\n" }) else {
            return safe
        }
        return "\"\(safe.replacingOccurrences(of: "\"", with: "\"\""))\""
    }

    /// Returns a line of texts, separated by commas and with its line break.
    public static func line(_ fields: some Sequence<String>) -> String {
        fields.map { written($0) }.joined(separator: ",") + "\r\n"
    }

    /// Returns the value of a field that `written` wrote, after its quotation marks were removed.
    public static func value(_ field: String) -> String {
        field.unicodeScalars.first == "'" && looksLikeFormula(field)
            ? String(field.unicodeScalars.dropFirst()) : field
    }

    /// Whether a spreadsheet could take a text for a formula.
    ///
    /// That is so if, after any apostrophes, it begins with a character of the OWASP list on CSV injection, also in
    /// full width, or with a tab or line break.
    static func looksLikeFormula(_ text: String) -> Bool {
        text.unicodeScalars.drop { $0 == "'" }.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
    }
}
