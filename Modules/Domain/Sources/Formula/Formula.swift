/// A formula that a person typed in the notation of TeX, with its structure as MathML.
///
/// The notation that is read is listed in `TeXReader`.
public struct Formula: Codable, Hashable, Sendable {
    /// The most characters of a formula.
    public static let longest = 2000

    /// The formula as it was typed, without the dollar signs around it.
    public let typed: String
    /// Whether the formula is on a line of its own.
    public let isDisplay: Bool
    public let root: MathNode

    /// Reads a formula; `nil` if it contains what is not in the notation.
    public init?(_ typed: String, isDisplay: Bool = false) {
        guard let root = TeXReader.read(typed) else { return nil }
        self.typed = typed
        self.isDisplay = isDisplay
        self.root = root
    }

    /// The formula on one line, for people who do not see it and where no formula can be shown.
    public var plainText: String {
        root.line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }

    /// The formula with its dollar signs, as it stands in a text.
    public var source: String { isDisplay ? "$$\(typed)$$" : "$\(typed)$" }
}

/// A text with formulas between dollar signs: `$x^2$` in a line, `$$x^2$$` on a line of its own.
///
/// As in Pandoc, an opening sign has no blank after it, and a closing one no blank before it and no digit after it. An
/// opening sign also follows no letter and no digit. Prices such as `$5 and $10`, `5$` and `US$5` therefore stay. Code
/// between backticks has no formulas, and `\$` is a dollar sign.
public struct FormulaText: Hashable, Sendable {
    /// A part of a text: characters, a formula, or what looks like a formula and cannot be read.
    public enum Part: Hashable, Sendable {
        case text(String)
        case formula(Formula)
        /// A formula that cannot be read, with its dollar signs. It is shown as it was typed.
        case unreadable(String)
    }

    /// The most formulas of a text; further ones stay as they were typed.
    public static let most = 300

    public let parts: [Part]

    /// Finds the formulas of a text.
    public init(_ text: String) {
        guard text.utf8.contains(UInt8(ascii: "$")) else {
            parts = text.isEmpty ? [] : [.text(text)]
            return
        }
        var finder = FormulaFinder(text)
        parts = finder.parts()
    }

    /// The formulas that cannot be read, as they were typed.
    public var unreadable: [String] {
        parts.compactMap { if case .unreadable(let typed) = $0 { typed } else { nil } }
    }

    /// Whether the text contains a formula.
    public var hasFormula: Bool {
        parts.contains { if case .formula = $0 { true } else { false } }
    }
}

private struct FormulaFinder {
    private let characters: [Character]
    private var found: [FormulaText.Part] = []
    private var open = ""
    private var count = 0

    init(_ text: String) { characters = Array(text) }

    mutating func parts() -> [FormulaText.Part] {
        var place = 0
        while place < characters.count {
            switch characters[place] {
            case "\\":
                open.append(contentsOf: characters[place..<min(place + 2, characters.count)])
                place += 2
            case "`":
                let end = endOfCode(place)
                open.append(contentsOf: characters[place..<end])
                place = end
            case "$": place = dollar(place)
            default:
                open.append(characters[place])
                place += 1
            }
        }
        close()
        return found
    }

    private mutating func close() {
        if !open.isEmpty { found.append(.text(open)) }
        open = ""
    }

    private func at(_ place: Int) -> Character? { characters.indices.contains(place) ? characters[place] : nil }

    /// Returns the place after a code span, or after the backticks if nothing ends it.
    private func endOfCode(_ start: Int) -> Int {
        func run(_ place: Int) -> Int { characters[place...].prefix { $0 == "`" }.count }
        let length = run(start)
        var place = start + length
        while place < characters.count {
            guard characters[place] == "`" else {
                place += 1
                continue
            }
            let other = run(place)
            place += other
            if other == length { return place }
        }
        return start + length
    }

    /// Reads what follows a dollar sign, and returns the place after it.
    private mutating func dollar(_ start: Int) -> Int {
        let isDisplay = at(start + 1) == "$"
        let width = isDisplay ? 2 : 1
        let first = start + width
        let isOpening =
            !(at(start - 1).map { $0.isLetter || $0.isNumber } ?? false)
            && at(first).map { isDisplay || !$0.isWhitespace && $0 != "$" } ?? false
        guard isOpening, count < FormulaText.most, let end = end(from: first, isDisplay) else {
            open.append(contentsOf: characters[start..<min(first, characters.count)])
            return first
        }
        let typed = String(characters[first..<end]).trimmingBlanks
        let source = String(characters[start..<(end + width)])
        guard !typed.isEmpty, isDisplay || !isProse(typed) else {
            open.append(contentsOf: characters[start..<first])
            return first
        }
        close()
        count += 1
        found.append(Formula(typed, isDisplay: isDisplay).map { .formula($0) } ?? .unreadable(source))
        return end + width
    }

    /// Returns the place of the closing sign; `nil` if there is none before an empty line.
    private func end(from first: Int, _ isDisplay: Bool) -> Int? {
        var place = first
        while let character = at(place), place - first <= Formula.longest {
            if character == "\\" {
                place += 2
                continue
            }
            if character.isNewline, at(place + 1)?.isNewline ?? true { return nil }
            guard character == "$" else {
                place += 1
                continue
            }
            if isDisplay {
                if at(place + 1) == "$" { return place }
                return nil
            }
            let isClosing = at(place - 1)?.isWhitespace == false && at(place + 1)?.isNumber != true
            return isClosing ? place : nil
        }
        return nil
    }

    /// Whether a text consists of words rather than of a formula: `5, not 6`.
    private func isProse(_ typed: String) -> Bool {
        guard !typed.contains("\\") else { return false }
        return typed.split(separator: " ").count > 1
            && typed.split { !$0.isLetter }.contains { $0.count > 2 && $0.allSatisfy(\.isLowercase) }
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        // A blank after a backslash is a space of TeX.
        while text.last?.isWhitespace == true, text.dropLast().last != "\\" { text.removeLast() }
        return String(text)
    }
}
