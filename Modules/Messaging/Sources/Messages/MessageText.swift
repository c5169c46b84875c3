import FeatureKit
import Foundation

/// What somebody wrote, made harmless and taken apart for showing.
enum MessageText {
    /// The longest message in bytes of UTF-8: 64 KB.
    static let byteLimit = 64 * 1024

    /// The text of a message out of a command's fields, made harmless.
    static func read(_ fields: inout FieldReader, isRequired: Bool = true) -> String {
        let text = cleaned(fields.writing("text", max: byteLimit, isRequired: isRequired))
        fields.refuse("text", "required", unless: !isRequired || !isBlank(text))
        fields.refuse("text", "message.tooLong", unless: text.utf8.count <= byteLimit)
        return isBlank(text) ? "" : text
    }

    /// Without what a reader cannot see and a page could be disturbed by: control characters, and the marks that turn
    /// the direction of everything after them (Unicode TR 9, explicit embeddings, overrides and isolates). What joins
    /// emoji stays, and so do line breaks and tabs.
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

    /// Whether there is anything to see in it.
    static func isBlank(_ text: String) -> Bool {
        !text.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// A part of a text: words, or the address of a page.
    enum Run: Sendable, Hashable {
        case words(String)
        case link(String)
    }

    /// The addresses in a text that a tap may open: `http` and `https` with a host, nothing else. Those after the
    /// hundredth stay words, so that no text takes long.
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

    /// Without the stop of the sentence that the address ends, and a bracket that was open before it.
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

    /// The beginning of a text on one line, for a list.
    static func preview(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).prefix(40).joined(separator: " ")
        return line.count > 90 ? line.prefix(89) + "…" : line
    }
}
