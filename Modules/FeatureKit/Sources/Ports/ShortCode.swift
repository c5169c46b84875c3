/// Codes that people type, read aloud and write down.
///
/// They consist of letters and digits that are not mistaken for others (Crockford's Base32). Each has five random
/// bits.
public enum ShortCode {
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// Makes a random code of a length.
    public static func make(length: Int, _ ids: any IDGenerator) -> String {
        String(ids.randomBytes(length).map { letters[Int($0) % letters.count] })
    }

    /// Whether a text is a short code of a length as it is stored, without hyphens.
    public static func isOne(_ text: String, length: Int) -> Bool {
        text.count == length && text.allSatisfy(letters.contains)
    }

    /// Returns the code in a text that was typed or scanned.
    ///
    /// Accepts lower case, white space and hyphens (also those of `unbroken`), O for zero, I or L for one, and a link
    /// whose last part is the code.
    public static func normalized(_ text: String) -> String {
        let last = text.split(separator: "/").last.map(String.init) ?? text
        return String(
            last.uppercased().filter { $0 != "-" && $0 != "\u{2011}" && !$0.isWhitespace }.map { letter in
                switch letter {
                case "O": "0"
                case "I", "L": "1"
                default: letter
                }
            })
    }

    /// Returns a code in groups, as it is shown: "4K7QP-9XW2M".
    public static func grouped(_ code: String, by length: Int) -> String {
        var groups: [Substring] = []
        var rest = code[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }

    /// Returns a code in groups for a sentence: its hyphens (U+2011) do not end a line.
    public static func unbroken(_ code: String, by length: Int) -> String {
        String(grouped(code, by: length).map { $0 == "-" ? "\u{2011}" : $0 })
    }
}
