import Foundation

/// The comparison of typed answers with accepted ones.
///
/// Never significant: case, outer and repeated blanks, the Unicode form, invisible characters, and typographic twins
/// such as `don't` and `don’t`, or `"oui"` and `« oui »`. Accents are significant, unless the teacher says no.
public enum AnswerText {
    /// Whether a typed answer equals one of the accepted ones.
    public static func matches(_ typed: String, _ accepted: [String], ignoringAccents: Bool) -> Bool {
        let text = folded(typed, ignoringAccents: ignoringAccents)
        guard !text.isEmpty else { return false }
        return accepted.contains { folded($0, ignoringAccents: ignoringAccents) == text }
    }

    /// Returns a text in the form in which answers are compared.
    public static func folded(_ typed: String, ignoringAccents: Bool) -> String {
        var text = ""
        for scalar in visible(typed).unicodeScalars { append(scalar, to: &text) }
        if ignoringAccents {
            var plain = ""
            for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars where !isAccent(scalar) {
                plain += withoutStroke[scalar] ?? String(scalar)
            }
            text = plain
        }
        text = text.uppercased().lowercased()
        // French sets blanks before these signs and inside quotation marks; English does not.
        for sign in ["?", "!", ":", ";"] { text = text.replacing(" " + sign, with: sign) }
        text = text.replacing("\u{E000} ", with: "\"").replacing(" \u{E001}", with: "\"")
            .replacing("\u{E000}", with: "\"").replacing("\u{E001}", with: "\"")
        return text.precomposedStringWithCanonicalMapping
    }

    /// Returns the text without invisible characters, with each run of blanks as one, and without outer blanks.
    static func visible(_ typed: String) -> String {
        var text = ""
        var isAfterBlank = true
        for scalar in typed.unicodeScalars where !isInvisible(scalar) {
            if scalar.properties.isWhitespace {
                if !isAfterBlank { text += " " }
                isAfterBlank = true
            } else {
                text.unicodeScalars.append(scalar)
                isAfterBlank = false
            }
        }
        return isAfterBlank ? String(text.dropLast(text.hasSuffix(" ") ? 1 : 0)) : text
    }

    /// Appends a character, or the plain one for which it stands. The opening and closing guillemets become two
    /// private characters, until the blanks inside them are gone.
    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar.value {
        case 0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0x02BC, 0x00B4, 0x0060, 0xFF07: text += "'"
        case 0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0xFF02: text += "\""
        case 0x00AB: text += "\u{E000}"
        case 0x00BB: text += "\u{E001}"
        case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63: text += "-"
        case 0x2026: text += "..."
        case 0x00B7, 0x22C5, 0x2219: text += "·"
        case 0x0152, 0x0153: text += scalar.value == 0x0152 ? "OE" : "oe"
        case 0xFB00...0xFB06: text += String(scalar).precomposedStringWithCompatibilityMapping
        // Full-width signs of ASCII.
        case 0xFF01...0xFF5E: text += Unicode.Scalar(scalar.value - 0xFEE0).map(String.init) ?? ""
        default: text.unicodeScalars.append(scalar)
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00AD, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF: true
        default: false
        }
    }

    /// The letters whose stroke or ligature has no decomposition in Unicode.
    private static let withoutStroke: [Unicode.Scalar: String] = [
        "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "ħ": "h", "Ħ": "H", "ı": "i", "æ": "ae",
        "Æ": "AE",
    ]
}
