/// Codes that people type, read out and write down: letters and digits that are not taken for others
/// (Crockford's Base32). Each has five random bits.
public enum ShortCode {
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    public static func make(length: Int, _ ids: any IDGenerator) -> String {
        String(ids.randomBytes(length).map { letters[Int($0) % letters.count] })
    }

    /// Whether a text is such a code as it is stored: without hyphens.
    public static func isOne(_ text: String, length: Int) -> Bool {
        text.count == length && text.allSatisfy(letters.contains)
    }

    /// The code in what somebody typed, read out or scanned: in small letters, with blanks or hyphens, with O for zero
    /// and I or L for one, or as the link that carries it.
    public static func normalized(_ text: String) -> String {
        let last = text.split(separator: "/").last.map(String.init) ?? text
        return String(
            last.uppercased().filter { $0 != "-" && !$0.isWhitespace }.map { letter in
                switch letter {
                case "O": "0"
                case "I", "L": "1"
                default: letter
                }
            })
    }

    /// In groups, as it is shown: "4K7QP-9XW2M".
    public static func grouped(_ code: String, by length: Int) -> String {
        var groups: [Substring] = []
        var rest = code[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }
}
