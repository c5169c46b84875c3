/// Links JavaScript modules: replaces the names in their imports by hashed paths.
struct ModuleGraph {
    struct Module {
        let name: String
        let bytes: [UInt8]
        /// The modules of this graph that come with it, without those that it asks for later by `import()`.
        let imports: Set<String>
    }

    private let names: [String]
    private let first: String
    private let offered: [String: String]
    private let read: (String) throws -> String
    private var done: [String: Module] = [:]
    private var order: [Module] = []

    /// - Parameters:
    /// - first: the module that a page loads.
    /// - offered: paths of other modules that these may import, by the name in the import.
    init(
        _ names: [String], first: String, offered: [String: String] = [:], read: @escaping (String) throws -> String
    ) {
        self.names = names
        self.first = first
        self.offered = offered
        self.read = read
    }

    /// All modules, imported ones before those that import them; the main one is last.
    mutating func linked() throws -> [Module] {
        for name in names where name != first { try link(name, above: []) }
        try link(first, above: [])
        return order
    }

    /// The names of the modules that come with the first one.
    var early: Set<String> {
        var found: Set<String> = []
        var open = [first]
        while let name = open.popLast() {
            for other in done[name]?.imports ?? [] where found.insert(other).inserted { open.append(other) }
        }
        return found
    }

    private mutating func link(_ name: String, above: [String]) throws {
        guard done[name] == nil else { return }
        guard !above.contains(name) else {
            throw Resource.Missing(
                description: "modules import each other: \((above + [name]).joined(separator: " > "))")
        }
        // Module names are found between quotation marks. Searching each source for each name took a quarter of a
        // server's start.
        let parts = ModuleGraph.stripped(try read(name)).utf8
            .split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        var bytes = Array(parts[0])
        var imports: Set<String> = []
        for (place, part) in parts.enumerated().dropFirst() {
            bytes.append(UInt8(ascii: "\""))
            let isQuoted = place < parts.count - 1
            let text = isQuoted ? String(Substring(part)) : ""
            if let address = isQuoted ? try address(text, above: above + [name]) : nil {
                if offered[text] == nil, !Substring(parts[place - 1]).hasSuffix("import(") {
                    imports.insert(String(text.dropFirst(2)))
                }
                bytes += address.utf8
            } else {
                bytes += part
            }
        }
        let module = Module(name: name, bytes: bytes, imports: imports)
        done[name] = module
        order.append(module)
    }

    /// The path of the module that a text names; `nil` for any other text.
    private mutating func address(_ text: String, above: [String]) throws -> String? {
        if let path = offered[text] { return path }
        guard text.hasPrefix("./"), let other = names.first(where: { $0 == text.dropFirst(2) }) else { return nil }
        try link(other, above: above)
        return done[other].map { Assets.hashed(other, $0.bytes) }
    }

    /// The source without indentation, blank lines and comments on lines of their own. The modules use single-line
    /// template literals only, so no line begins inside a string.
    static func stripped(_ source: String) -> String {
        var result = ""
        var isInComment = false
        for line in source.utf8.split(separator: UInt8(ascii: "\n")) {
            let text = Substring(line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
            if isInComment {
                isInComment = !text.contains("*/")
            } else if text.hasPrefix("/*"), !text.contains("*/") {
                isInComment = true
            } else if text.isEmpty || text.hasPrefix("//") || (text.hasPrefix("/*") && text.hasSuffix("*/")) {
                continue
            } else {
                result += squeezed(text) + "\n"
            }
        }
        return result
    }

    /// Whether a byte is a sign beside which blanks are spare. Looked up once for each byte, so it is no set.
    private static let signs = {
        var signs = [Bool](repeating: false, count: 256)
        for byte in "=><&|?:,(){};!".utf8 { signs[Int(byte)] = true }
        return signs
    }()

    /// The bytes after which a slash begins a regular expression and is no division.
    private static let beforeExpressions = Set("(,=:[!&|?{;>".utf8)

    /// A line without JSDoc casts and blanks around signs; strings, the texts of templates and regular expressions stay
    /// unchanged.
    private static func squeezed(_ line: Substring) -> String {
        let (single, double, template) = (UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"))
        let (brace, braceEnd, dollar) = (UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "$"))
        let (slash, star) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
        let (bracket, bracketEnd) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        let bytes = Array(line.utf8)
        var result: [UInt8] = []
        // The open strings, templates, regular expressions and their sets (`[/ ]`), and the open braces of code in a template:
        // `${a}`.
        var open: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if let quote = open.last, quote != brace {
                result.append(byte)
                if byte == UInt8(ascii: "\\"), place + 1 < bytes.count {
                    place += 1
                    result.append(bytes[place])
                } else if byte == (quote == bracket ? bracketEnd : quote) {
                    open.removeLast()
                } else if quote == slash, byte == bracket {
                    open.append(bracket)
                } else if quote == template, byte == dollar, place + 1 < bytes.count, bytes[place + 1] == brace {
                    place += 1
                    result.append(brace)
                    open.append(brace)
                }
            } else if byte == slash, bytes[place...].starts(with: "/** @".utf8) {
                // The comment ends on this line, since longer ones have lines of their own.
                place += "/** ".utf8.count
                while place < bytes.count, !(bytes[place] == slash && bytes[place - 1] == star) { place += 1 }
            } else if byte == UInt8(ascii: " ") {
                let isSpare =
                    result.last.map { signs[Int($0)] || $0 == byte } ?? true
                    || place + 1 < bytes.count && signs[Int(bytes[place + 1])]
                if !isSpare { result.append(byte) }
            } else {
                let isExpression =
                    byte == slash
                    && (result.last.map(beforeExpressions.contains) ?? true
                        || result.suffix(7).elementsEqual("return ".utf8))
                if byte == single || byte == double || byte == template || byte == brace && !open.isEmpty
                    || isExpression
                {
                    open.append(byte)
                }
                if byte == braceEnd, open.last == brace { open.removeLast() }
                result.append(byte)
            }
            place += 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}
