import FeatureKit
import Foundation

/// Cleans the text of messages and splits it for display.
enum MessageText {
    /// The longest message, in bytes of UTF-8: 64 KB.
    static let byteLimit = 64 * 1024

    /// Reads and cleans the text of a message from a command's fields.
    static func read(_ fields: inout FieldReader, isRequired: Bool = true) -> String {
        let text = cleaned(fields.writing("text", max: byteLimit, isRequired: isRequired))
        fields.refuse("text", "required", unless: !isRequired || !isBlank(text))
        fields.refuse("text", "message.tooLong", unless: text.utf8.count <= byteLimit)
        return isBlank(text) ? "" : text
    }

    /// Removes control characters and characters that change the direction of the following text.
    ///
    /// The latter are explicit embeddings, overrides and isolates of the bidirectional algorithm (Unicode UAX #9).
    /// Joiners of emoji, line breaks and tabs stay.
    static func cleaned(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var before: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where before?.value == 0x0D: break
            case 0x0D, 0x85, 0x2028, 0x2029: scalars.append("\n")
            case 0x09, 0x0A: scalars.append(scalar)
            case 0x00...0x1F, 0x7F...0x9F: break
            case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: break
            case 0xFEFF, 0xFFF9...0xFFFB, 0xFFFE, 0xFFFF: break
            default: scalars.append(scalar)
            }
            before = scalar
        }
        return String(scalars).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether the text has no visible character.
    static func isBlank(_ text: String) -> Bool {
        !text.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// A part of a text: words or a link.
    enum Run: Sendable, Hashable {
        case words(String)
        case link(String)
    }

    /// Splits a text into words and links. Links are `http` and `https` addresses with a host.
    ///
    /// Only the first hundred candidates are checked, to limit the time for a long text.
    static func runs(of text: String) -> [Run] {
        var runs: [Run] = []
        var rest = text[...]
        var words = ""
        var tries = 0
        while tries < 100, let start = rest.firstRange(of: "http") {
            tries += 1
            let before = rest[..<start.lowerBound].last ?? words.last
            let isWordStart = before.map { !$0.isLetter && !$0.isNumber } ?? true
            let candidate = rest[start.lowerBound...].prefix(2001).prefix {
                !$0.isWhitespace && !"<>\"'`".contains($0)
            }
            let address = trimmed(candidate)
            guard isWordStart, isAddress(address) else {
                words += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                continue
            }
            words += rest[..<start.lowerBound]
            if !words.isEmpty { runs.append(.words(words)) }
            words = ""
            runs.append(.link(String(address)))
            rest = rest[address.endIndex...]
        }
        words += rest
        if !words.isEmpty { runs.append(.words(words)) }
        return runs
    }

    /// Removes punctuation after the address and a bracket that opened before it.
    private static func trimmed(_ candidate: Substring) -> Substring {
        var address = candidate
        while let last = address.last {
            let closes = last == ")" && !address.contains("(")
            guard closes || ".,;:!?…»".contains(last) else { break }
            address = address.dropLast()
        }
        return address
    }

    private static func isAddress(_ text: Substring) -> Bool {
        guard text.utf8.count <= 2000, text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F }),
            text.hasPrefix("https://") || text.hasPrefix("http://"), let url = URLComponents(string: String(text)),
            let host = url.host
        else { return false }
        return !host.isEmpty && url.user == nil && url.password == nil
    }

    /// The beginning of a text on one line, at most 90 characters.
    static func preview(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).prefix(40).joined(separator: " ")
        return line.count > 90 ? line.prefix(89) + "…" : line
    }
}
