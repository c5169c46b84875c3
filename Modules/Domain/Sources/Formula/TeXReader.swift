/// Reads formulas in the notation of TeX.
///
/// Read are: letters, numbers and signs; `^`, `_`, `'` and groups in braces; `\frac`, `\dfrac`, `\tfrac`, `\binom`,
/// `\sqrt`; Greek letters, operators, relations and arrows by their names; `\sum`, `\int` and others with limits; `\sin`
/// and other functions; `\left` and `\right`; `\text`, `\mathrm`, `\operatorname`, `\mathbf`, `\mathbb`, `\mathcal`,
/// `\mathfrak`, `\mathsf`; accents, `\underline`, `\overset`, `\underset`; spaces; and the environments of matrices,
/// `cases` and `aligned`. Definitions, packages and other commands are not read.
struct TeXReader {
    /// The deepest nesting of groups.
    private static let deepest = 30

    private struct Unreadable: Error {}
    /// Where a row ends.
    private enum End { case formula, brace, bracket, right, cell }

    private let characters: [Character]
    private var place = 0
    private var depth = 0

    private init(_ text: String) { characters = Array(text) }

    /// Returns the structure of a formula; `nil` if it cannot be read.
    static func read(_ text: String) -> MathNode? {
        guard text.count <= Formula.longest, text.contains(where: { !$0.isWhitespace }), !text.contains("{{blank}}")
        else { return nil }
        var reader = TeXReader(text)
        do { return MathNode(.mrow, try reader.row(until: .formula)) } catch { return nil }
    }

    private var next: Character? { place < characters.count ? characters[place] : nil }

    private mutating func skipBlanks() {
        while next?.isWhitespace == true { place += 1 }
    }

    private func follows(_ text: String) -> Bool { characters[place...].starts(with: text) }

    /// Reads nodes up to an end, which is read too, except that of a cell.
    private mutating func row(until end: End) throws(Unreadable) -> [MathNode] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw Unreadable() }
        var nodes: [MathNode] = []
        while true {
            skipBlanks()
            guard let character = next else {
                if end == .formula { return nodes }
                throw Unreadable()
            }
            switch (character, end) {
            case ("}", .brace), ("]", .bracket):
                place += 1
                return nodes
            case ("}", _): throw Unreadable()
            case ("&", .cell): return nodes
            case ("\\", .cell) where follows("\\\\") || follows("\\end"): return nodes
            case ("\\", .right) where follows("\\right") && !follows("\\rightarrow") && !follows("\\rightleft"):
                return nodes
            default: nodes.append(try scripted())
            }
        }
    }

    /// Reads a part with what stands above and below it.
    private mutating func scripted() throws(Unreadable) -> MathNode {
        let base: MathNode
        if let character = next, "^_'".contains(character) { base = MathNode(.mrow, []) } else { base = try atom() }
        var (sub, sup): (MathNode?, MathNode?) = (nil, nil)
        var primes = 0
        while true {
            skipBlanks()
            if next == "^", sup == nil {
                place += 1
                sup = try argument()
            } else if next == "_", sub == nil {
                place += 1
                sub = try argument()
            } else if next == "'" {
                place += 1
                primes += 1
            } else if next == "^" || next == "_" {
                throw Unreadable()
            } else {
                break
            }
        }
        if primes > 0 {
            let sign = MathNode(.mo, primes == 1 ? "′" : primes == 2 ? "″" : "‴")
            sup = sup.map { MathNode(.mrow, [sign, $0]) } ?? sign
        }
        let isLimits = base.attributes[.movablelimits] != nil
        switch (sub, sup) {
        case (nil, nil): return base
        case (let sub?, nil): return MathNode(isLimits ? .munder : .msub, [base, sub])
        case (nil, let sup?): return MathNode(isLimits ? .mover : .msup, [base, sup])
        case (let sub?, let sup?): return MathNode(isLimits ? .munderover : .msubsup, [base, sub, sup])
        }
    }

    /// Reads a group in braces, or a single sign.
    private mutating func argument() throws(Unreadable) -> MathNode {
        skipBlanks()
        guard let character = next else { throw Unreadable() }
        if character == "{" { return try group() }
        if "^_'}&".contains(character) { throw Unreadable() }
        if character.isNumber {
            place += 1
            return MathNode(.mn, String(character))
        }
        return try atom()
    }

    private mutating func group() throws(Unreadable) -> MathNode {
        place += 1
        return MathNode.row(try row(until: .brace))
    }

    private mutating func atom() throws(Unreadable) -> MathNode {
        guard let character = next else { throw Unreadable() }
        if character.isNumber { return number() }
        switch character {
        case "{": return try group()
        case "\\":
            place += 1
            return try command()
        case "$", "#", "&", "`": throw Unreadable()
        default: place += 1
        }
        switch character {
        case "(", ")", "[", "]", "|": return MathNode(.mo, String(character), [.stretchy: "false"])
        case "-": return MathNode(.mo, "−")
        case "*": return MathNode(.mo, "∗")
        case "~": return MathNode(.mspace, "", [.width: "0.33em"])
        default:
            return MathNode(
                character.isLetter || character == "∞" || character == "°" ? .mi : .mo, String(character))
        }
    }

    /// Reads a number: `12.5`, and `12{,}5` for a decimal comma.
    private mutating func number() -> MathNode {
        var text = ""
        while let character = next {
            let after = place + 1 < characters.count ? characters[place + 1] : " "
            if character.isNumber {
                text.append(character)
                place += 1
            } else if character == ".", after.isNumber {
                text.append(".")
                place += 1
            } else if follows("{,}"), place + 3 < characters.count, characters[place + 3].isNumber {
                text.append(",")
                place += 3
            } else {
                break
            }
        }
        return MathNode(.mn, text)
    }

    // MARK: - Commands

    private mutating func name() -> String {
        guard let first = next else { return "" }
        place += 1
        guard first.isASCII, first.isLetter else { return String(first) }
        var name = String(first)
        while let character = next, character.isASCII, character.isLetter {
            name.append(character)
            place += 1
        }
        return name
    }

    private mutating func command() throws(Unreadable) -> MathNode {
        let name = name()
        if let sign = TeXSymbols.letters[name] {
            return MathNode(.mi, sign, name.first?.isUppercase == true ? [.mathvariant: "normal"] : [:])
        }
        if let sign = TeXSymbols.operators[name] {
            return MathNode(.mo, sign, TeXReader.fences.contains(sign) ? [.stretchy: "false"] : [:])
        }
        if let sign = TeXSymbols.large[name] { return MathNode(.mo, sign, [.movablelimits: "true"]) }
        if let sign = TeXSymbols.integrals[name] { return MathNode(.mo, sign) }
        if TeXSymbols.functions.contains(name) { return MathNode(.mi, name) }
        if TeXSymbols.limits.contains(name) { return MathNode(.mo, name, [.movablelimits: "true"]) }
        if let width = TeXSymbols.spaces[name] { return MathNode(.mspace, "", [.width: width]) }
        if let accent = TeXSymbols.accents[name] {
            let isWide = name.hasPrefix("wide") || name.hasPrefix("over")
            return MathNode(
                .mover, [try argument(), MathNode(.mo, accent, [.stretchy: isWide ? "true" : "false"])],
                [.accent: "true"])
        }
        switch name {
        case "frac": return MathNode(.mfrac, [try argument(), try argument()])
        case "dfrac", "tfrac":
            let fraction = MathNode(.mfrac, [try argument(), try argument()])
            return MathNode(.mstyle, [fraction], [.displaystyle: name == "dfrac" ? "true" : "false"])
        case "binom":
            let pair = MathNode(.mfrac, [try argument(), try argument()], [.linethickness: "0"])
            return MathNode(.mrow, [MathNode(.mo, "("), pair, MathNode(.mo, ")")])
        case "sqrt":
            skipBlanks()
            guard next == "[" else { return MathNode(.msqrt, [try argument()]) }
            place += 1
            let degree = MathNode.row(try row(until: .bracket))
            return MathNode(.mroot, [try argument(), degree])
        case "left": return try fenced()
        case "begin": return try table()
        case "text", "textrm", "textit", "textbf", "mbox": return MathNode(.mtext, try words())
        case "mathrm", "operatorname": return Self.upright(try words())
        case "mathbf", "boldsymbol", "mathbb", "mathcal", "mathfrak", "mathsf": return try styled(name)
        case "mathit": return try argument()
        case "underline":
            return MathNode(.munder, [try argument(), MathNode(.mo, "_", [.stretchy: "true"])])
        case "overset", "stackrel":
            let above = try argument()
            return MathNode(.mover, [try argument(), above])
        case "underset":
            let below = try argument()
            return MathNode(.munder, [try argument(), below])
        default: throw Unreadable()
        }
    }

    private static let fences: Set<String> = ["{", "}", "⟨", "⟩", "⌊", "⌋", "⌈", "⌉", "‖", "|"]

    private static func upright(_ words: String) -> MathNode {
        // One letter alone would be set in italics.
        MathNode(.mi, words, words.count == 1 ? [.mathvariant: "normal"] : [:])
    }

    /// Reads the characters between braces.
    private mutating func words() throws(Unreadable) -> String {
        skipBlanks()
        guard next == "{" else { throw Unreadable() }
        place += 1
        var text = ""
        while let character = next {
            place += 1
            switch character {
            case "}": return text
            case "{", "$": throw Unreadable()
            case "\\":
                guard let escaped = next, "%$&#_{} ".contains(escaped) else { throw Unreadable() }
                text.append(escaped)
                place += 1
            case "~": text.append("\u{A0}")
            default: text.append(character)
            }
        }
        throw Unreadable()
    }

    private mutating func styled(_ style: String) throws(Unreadable) -> MathNode {
        skipBlanks()
        let text: String
        if next == "{" {
            text = try words()
        } else {
            guard let character = next else { throw Unreadable() }
            place += 1
            text = String(character)
        }
        var nodes: [MathNode] = []
        for character in text where !character.isWhitespace {
            guard let sign = TeXSymbols.styled(character, style) else { throw Unreadable() }
            nodes.append(MathNode(character.isNumber ? .mn : .mi, sign))
        }
        return MathNode.row(nodes)
    }

    /// Reads the sign after `\left` or `\right`; empty for a dot.
    private mutating func fence() throws(Unreadable) -> String {
        skipBlanks()
        guard let character = next else { throw Unreadable() }
        place += 1
        if character == "." { return "" }
        if "()[]|/".contains(character) { return String(character) }
        guard character == "\\", let sign = TeXSymbols.operators[name()], Self.fences.contains(sign) else {
            throw Unreadable()
        }
        return sign
    }

    private mutating func fenced() throws(Unreadable) -> MathNode {
        var nodes: [MathNode] = []
        let left = try fence()
        if !left.isEmpty { nodes.append(MathNode(.mo, left, [.stretchy: "true"])) }
        nodes += try row(until: .right)
        place += "\\right".count
        let right = try fence()
        if !right.isEmpty { nodes.append(MathNode(.mo, right, [.stretchy: "true"])) }
        return MathNode(.mrow, nodes)
    }

    private mutating func table() throws(Unreadable) -> MathNode {
        let environment = try words()
        guard let (left, right) = TeXSymbols.tables[environment] else { throw Unreadable() }
        var rows: [MathNode] = []
        var cells: [MathNode] = []
        func ended(_ cells: [MathNode]) -> MathNode { MathNode(.mtr, cells) }
        while true {
            cells.append(MathNode(.mtd, try row(until: .cell)))
            if next == "&" {
                place += 1
            } else if follows("\\\\") {
                place += 2
                rows.append(ended(cells))
                cells = []
                skipBlanks()
                if follows("\\end") { break }
            } else {
                rows.append(ended(cells))
                break
            }
        }
        place += "\\end".count
        guard try words() == environment else { throw Unreadable() }
        let alignment: [MathNode.Attribute: String] =
            environment == "cases"
            ? [.columnalign: "left"] : environment.hasPrefix("align") ? [.columnalign: "right left"] : [:]
        var nodes = [MathNode(.mtable, rows, alignment)]
        if !left.isEmpty { nodes.insert(MathNode(.mo, left, [.stretchy: "true"]), at: 0) }
        if !right.isEmpty { nodes.append(MathNode(.mo, right, [.stretchy: "true"])) }
        return MathNode.row(nodes)
    }
}
