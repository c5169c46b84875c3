import Foundation

/// An element of an XML or HTML document.
struct MarkupElement: Sendable, Hashable {
    /// The name without its namespace prefix, in the same form for QTI 2 and QTI 3: `qti-item-body` and `itemBody` are
    /// both `itembody`.
    let name: String
    private let attributes: [String: String]
    var content: [MarkupNode] = []

    init(name: String, attributes: [String: String]) {
        self.name = Self.common(name)
        self.attributes = Dictionary(attributes.map { (Self.common($0), $1) }) { first, _ in first }
    }

    private static func common(_ name: String) -> String {
        var name = name.split(separator: ":").last.map(String.init) ?? name
        if name.hasPrefix("qti-") { name.removeFirst(4) }
        return name.filter { $0 != "-" }.lowercased()
    }

    /// Returns an attribute by its common name: `responseidentifier`.
    subscript(_ attribute: String) -> String? { attributes[attribute] }

    /// The elements directly within this one.
    var elements: [MarkupElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The elements with a name directly within this one.
    func elements(_ name: String) -> [MarkupElement] { elements.filter { $0.name == name } }

    func first(_ name: String) -> MarkupElement? { elements.first { $0.name == name } }

    /// All elements within this one that a condition selects, in the order of the document. The inside of a selected
    /// element is not searched.
    func all(where isWanted: (MarkupElement) -> Bool) -> [MarkupElement] {
        elements.flatMap { isWanted($0) ? [$0] : $0.all(where: isWanted) }
    }

    /// The element without the white space between its elements.
    var withoutBlanks: MarkupElement {
        var copy = self
        copy.content = content.compactMap { node in
            switch node {
            case .element(let element): .element(element.withoutBlanks)
            case .text(let text): text.allSatisfy(\.isWhitespace) ? nil : node
            case .instruction: nil
            }
        }
        return copy
    }

    /// The characters within the element, without its tags.
    var text: String {
        content.reduce(into: "") { text, node in
            switch node {
            case .text(let part): text += part
            case .element(let element): text += element.text
            case .instruction: break
            }
        }
    }

    /// The characters within the element without outer blanks.
    var trimmedText: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}

/// A part of a document: an element, characters, or an instruction for a program.
enum MarkupNode: Sendable, Hashable {
    case element(MarkupElement)
    case text(String)
    /// A processing instruction: `<?name content?>`, here without its brackets.
    case instruction(String)
}

/// The reason why a document is not read.
enum MarkupFault: Error, Sendable, Hashable {
    /// The document is not well-formed, for instance because its end is missing.
    case malformed
    /// The document declares entities, which can make a short file huge or name other files.
    case declaresEntities
    /// The elements are nested too deeply, or there are too many.
    case tooLarge
}

/// Reads XML, and leniently HTML, from bytes.
///
/// Nothing outside of the bytes is read. Entities cannot be declared, so a document cannot grow. The tree's depth and the
/// number of its nodes are limited.
struct MarkupReader {
    /// The deepest nesting of elements.
    static let deepest = 200
    /// The most nodes of a document: 10,000 questions with 60 each.
    static let most = 600_000

    private let bytes: [UInt8]
    private let isHTML: Bool
    private var place = 0
    private var count = 0
    private var open: [MarkupElement] = [MarkupElement(name: "", attributes: [:])]

    private init(_ bytes: [UInt8], isHTML: Bool) {
        self.bytes = bytes
        self.isHTML = isHTML
    }

    /// Returns the root element of an XML document in UTF-8.
    static func xml(_ bytes: [UInt8]) throws(MarkupFault) -> MarkupElement {
        var reader = MarkupReader(bytes, isHTML: false)
        let document = try reader.read()
        guard document.elements.count == 1, let root = document.elements.first else { throw .malformed }
        let isOnlyRoot = document.content.allSatisfy {
            if case .text(let text) = $0 { text.allSatisfy(\.isWhitespace) } else { true }
        }
        guard isOnlyRoot else { throw .malformed }
        return root
    }

    /// Returns the nodes of a fragment of HTML. Tags that do not match are repaired or left out, as in browsers.
    static func html(_ text: String) throws(MarkupFault) -> [MarkupNode] {
        var reader = MarkupReader(Array(text.utf8), isHTML: true)
        return try reader.read().content
    }

    // MARK: - Reading

    private mutating func read() throws(MarkupFault) -> MarkupElement {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
        while place < bytes.count {
            if bytes[place] == Self.less, try readTag() { continue }
            try readText()
        }
        guard isHTML || open.count == 1 else { throw .malformed }
        while open.count > 1 { close() }
        return open[0]
    }

    private static let less = UInt8(ascii: "<")

    /// Reads what begins with `<`; `false` if it is a sign within HTML.
    private mutating func readTag() throws(MarkupFault) -> Bool {
        if starts(with: "<!--") {
            try skip(past: "-->", from: place + 4)
        } else if starts(with: "<![CDATA[") {
            let start = place + 9
            try skip(past: "]]>", from: start)
            try append(.text(string(start..<max(start, place - 3))))
        } else if starts(with: "<?") {
            let start = place + 2
            try skip(past: "?>", from: start)
            try append(.instruction(string(start..<max(start, place - 2))))
        } else if starts(with: "<!") {
            let start = place
            try skip(past: ">", from: place)
            if bytes[start..<place].contains(UInt8(ascii: "[")) { throw .declaresEntities }
        } else if starts(with: "</") {
            let start = place + 2
            try skip(past: ">", from: start)
            try end(string(start..<max(start, place - 1)))
        } else if place + 1 < bytes.count, Self.isLetter(bytes[place + 1]) {
            return try begin()
        } else if isHTML {
            return false
        } else {
            throw .malformed
        }
        return true
    }

    private mutating func begin() throws(MarkupFault) -> Bool {
        let start = place
        place += 1
        let name = word()
        var attributes: [String: String] = [:]
        while true {
            skipBlanks()
            guard place < bytes.count else {
                // In HTML, a sign that opens no tag is text.
                guard isHTML else { throw .malformed }
                place = start
                return false
            }
            if starts(with: "/>") {
                place += 2
                try append(.element(MarkupElement(name: name, attributes: attributes)))
                return true
            }
            if bytes[place] == UInt8(ascii: ">") {
                place += 1
                break
            }
            let attribute = word()
            guard !attribute.isEmpty else {
                guard isHTML else { throw .malformed }
                place += 1
                continue
            }
            attributes[attribute] = try value()
        }
        let element = MarkupElement(name: name, attributes: attributes)
        if isHTML, Self.void.contains(element.name) {
            try append(.element(element))
            return true
        }
        if isHTML, Self.closing.contains(element.name), open.last?.name == element.name { close() }
        guard open.count < Self.deepest else { throw .tooLarge }
        try counted()
        open.append(element)
        return true
    }

    /// The elements of HTML without an end.
    private static let void: Set<String> = [
        "area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr",
    ]
    /// The elements of HTML that end where the next one begins.
    private static let closing: Set<String> = ["li", "p", "td", "th", "tr", "dt", "dd", "option"]

    private mutating func value() throws(MarkupFault) -> String {
        skipBlanks()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
            guard isHTML else { throw .malformed }
            return ""
        }
        place += 1
        skipBlanks()
        guard place < bytes.count else {
            guard isHTML else { throw .malformed }
            return ""
        }
        let quote = bytes[place]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            guard isHTML else { throw .malformed }
            let start = place
            while place < bytes.count, !Self.isBlank(bytes[place]), bytes[place] != UInt8(ascii: ">") { place += 1 }
            return try decoded(start..<place)
        }
        let start = place + 1
        guard let end = bytes[start...].firstIndex(of: quote) else {
            guard isHTML else { throw .malformed }
            place = bytes.count
            return ""
        }
        place = end + 1
        return try decoded(start..<end)
    }

    private mutating func end(_ name: String) throws(MarkupFault) {
        let name = MarkupElement(
            name: name.trimmingCharacters(in: .whitespacesAndNewlines), attributes: [:]
        ).name
        guard isHTML else {
            guard open.count > 1, open.last?.name == name else { throw .malformed }
            return close()
        }
        guard open.dropFirst().contains(where: { $0.name == name }) else { return }
        while open.last?.name != name { close() }
        close()
    }

    private mutating func close() {
        let element = open.removeLast()
        open[open.count - 1].content.append(.element(element))
    }

    private mutating func readText() throws(MarkupFault) {
        let start = place
        repeat { place += 1 } while place < bytes.count && bytes[place] != Self.less
        try append(.text(try decoded(start..<place)))
    }

    private mutating func append(_ node: MarkupNode) throws(MarkupFault) {
        try counted()
        open[open.count - 1].content.append(node)
    }

    private mutating func counted() throws(MarkupFault) {
        count += 1
        if count > Self.most { throw .tooLarge }
    }

    // MARK: - Characters

    private func starts(with text: StaticString) -> Bool {
        place + text.utf8CodeUnitCount <= bytes.count
            && text.withUTF8Buffer { bytes[place..<(place + $0.count)].elementsEqual($0) }
    }

    private mutating func skip(past mark: StaticString, from start: Int) throws(MarkupFault) {
        place = start
        while place < bytes.count {
            if starts(with: mark) {
                place += mark.utf8CodeUnitCount
                return
            }
            place += 1
        }
        guard isHTML else { throw .malformed }
    }

    private mutating func skipBlanks() {
        while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
    }

    /// Reads the name of an element or attribute.
    private mutating func word() -> String {
        let start = place
        let ends: Set<UInt8> = [0x22, 0x27, 0x2F, 0x3C, 0x3D, 0x3E]
        while place < bytes.count, !Self.isBlank(bytes[place]), !ends.contains(bytes[place]) { place += 1 }
        return string(start..<place)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F || byte > 0x7F
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns characters with their references replaced: `&lt;`, `&#233;`, `&eacute;`.
    private func decoded(_ range: Range<Int>) throws(MarkupFault) -> String {
        guard bytes[range].contains(UInt8(ascii: "&")) else { return string(range) }
        var (text, rest) = ("", string(range)[...])
        while let sign = rest.firstIndex(of: "&") {
            text += rest[..<sign]
            let after = rest[rest.index(after: sign)...]
            if let end = after.prefix(12).firstIndex(of: ";"), let read = Self.character(after[..<end]) {
                text += read
                rest = after[after.index(after: end)...]
            } else {
                guard isHTML else { throw .malformed }
                text += "&"
                rest = after
            }
        }
        return text + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.first == "#" else { return entities[String(name)] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        return (isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)).flatMap(Unicode.Scalar.init).map {
            String(Character($0))
        }
    }

    /// The named characters: those of XML, of Latin 1 (HTML 4, section 24.2), and some of texts and formulas.
    private static let entities: [String: String] = {
        let latin = """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
            micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
            AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
            times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
            egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
            ugrave uacute ucirc uuml yacute thorn yuml
            """
        var known = [
            "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'", "OElig": "Œ", "oelig": "œ", "ndash": "–",
            "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "hellip": "…", "bull": "•",
            "euro": "€", "minus": "−", "le": "≤", "ge": "≥", "ne": "≠", "radic": "√", "infin": "∞", "pi": "π",
            "alpha": "α", "beta": "β", "Delta": "Δ", "rarr": "→", "larr": "←", "asymp": "≈", "thinsp": "\u{2009}",
        ]
        for (place, name) in latin.split(separator: " ").enumerated() {
            known[String(name)] = Unicode.Scalar(UInt32(0xA0 + place)).map { String(Character($0)) }
        }
        return known
    }()
}
