import DesignTokens

/// The style sheet: the tokens, then the rules of every component, minified.
struct Stylesheet {
    let css: String

    /// The files in cascade order: base rules first, exceptions last.
    static let order = [
        "base", "page", "button", "menu", "avatar", "attendance", "list", "content", "rich", "grid", "form",
        "choice", "rooms",
        "sheet",
        "states", "photo", "voice", "video", "talk", "code", "focused", "art", "layout", "last",
    ]

    init(_ tokens: Tokens) throws {
        let known = try Resource.names("css", ending: ".css")
        let listed = Stylesheet.order.map { $0 + ".css" }
        guard Set(known) == Set(listed) else {
            throw Resource.Missing(
                description: "Resources/css holds \(known.joined(separator: ", ")), the order names "
                    + listed.joined(separator: ", "))
        }
        var rules = tokens.css
        for name in listed {
            rules += try Stylesheet.resolved(Resource.text("css/\(name)"), tokens.breakpoints, in: name)
        }
        css = Stylesheet.minified(rules)
    }

    /// Replaces `$wide`, `$narrow` and `$tight`, because media queries cannot read custom properties.
    static func resolved(_ css: String, _ breakpoints: [String: String], in name: String) throws -> String {
        var result = ""
        var rest = css[...]
        while let mark = rest.firstIndex(of: "$") {
            result += rest[..<mark]
            let word = rest[rest.index(after: mark)...].prefix { $0.isLetter }
            guard let width = breakpoints[String(word)] else {
                throw Resource.Missing(description: "\(name) names an unknown width '$\(word)'")
            }
            result += width
            rest = rest[word.endIndex...]
        }
        return result + rest
    }

    /// The CSS without comments and without insignificant white space.
    static func minified(_ css: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(css.utf8.count)
        let source = Array(css.utf8)
        var index = 0
        var quote: UInt8?
        while index < source.count {
            let byte = source[index]
            if let open = quote {
                bytes.append(byte)
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                bytes.append(byte)
            } else if byte == UInt8(ascii: "/"), index + 1 < source.count, source[index + 1] == UInt8(ascii: "*") {
                index += 2
                while index + 1 < source.count,
                    !(source[index] == UInt8(ascii: "*") && source[index + 1] == UInt8(ascii: "/"))
                { index += 1 }
                index += 1
            } else if isBlank(byte) {
                while index + 1 < source.count, isBlank(source[index + 1]) { index += 1 }
                let isLoose =
                    bytes.last.map { !isTight($0) && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") } ?? false
                if isLoose, index + 1 < source.count, !isTight(source[index + 1]) {
                    bytes.append(UInt8(ascii: " "))
                }
            } else {
                if byte == UInt8(ascii: "}"), bytes.last == UInt8(ascii: ";") { bytes.removeLast() }
                bytes.append(byte)
            }
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // Comparisons, because a collection that is asked about each byte took a tenth of a server's start in a build
    // without optimization.
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }
    private static func isTight(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: ";")
            || byte == UInt8(ascii: ",")
    }
}
