import Foundation

/// Converts the HTML of questions from other programs to Markdown.
///
/// Paragraphs, line breaks, emphasis, code, lists, quotes, headings, tables and links have counterparts. Other elements
/// become their text. Pictures and formulas become those of `Question.text`. What would be missing from the text, such as
/// a film, is a reason to leave the question out.
enum QuestionMarkup {
    /// Returns HTML as Markdown. Throws the reason why it has no counterpart.
    static func markdown(
        html: String, _ pictures: PictureFinder = PictureFinder()
    ) throws(ImportedQuestions.LeftOut.Reason) -> String {
        try markdown(nodes(html), pictures) { _ in nil }
    }

    /// Returns the plain text of HTML. Throws the reason why it has no counterpart.
    static func plain(
        html: String, _ pictures: PictureFinder = PictureFinder()
    ) throws(ImportedQuestions.LeftOut.Reason) -> String {
        try plain(nodes(html), pictures)
    }

    private static func nodes(_ html: String) throws(ImportedQuestions.LeftOut.Reason) -> [MarkupNode] {
        do { return try MarkupReader.html(html) } catch { throw .unreadable }
    }

    /// Returns nodes as Markdown.
    ///
    /// - Parameter special: returns the Markdown of an element that stands for something else, such as a blank.
    static func markdown(
        _ nodes: [MarkupNode], _ pictures: PictureFinder, special: @escaping (MarkupElement) -> String?
    ) throws(ImportedQuestions.LeftOut.Reason) -> String {
        try check(nodes, pictures)
        var writer = MarkdownWriter(pictures: pictures, special: special)
        writer.write(nodes)
        return writer.finished
    }

    /// Returns the text of an option (`OptionText`).
    static func plain(
        _ nodes: [MarkupNode], _ pictures: PictureFinder
    ) throws(ImportedQuestions.LeftOut.Reason) -> String {
        try check(nodes, pictures)
        var lines = [""]
        func add(_ text: String) {
            for part in pictures.readsTeX ? FormulaMarkup.parts(text) : [(text, false)] {
                if part.isFormula {
                    lines[lines.count - 1].append(formula: part.text)
                } else {
                    let text = part.text.count { $0 == "$" } > 1 ? part.text.replacing("$", with: "\\$") : part.text
                    lines[lines.count - 1].append(afterFormula: collapsed(text))
                }
            }
        }
        func gather(_ nodes: [MarkupNode]) {
            for node in nodes {
                switch node {
                case .text(let text): add(text)
                case .element(let element):
                    if let shown = picture(element, pictures) {
                        lines[lines.count - 1] += shown
                        continue
                    }
                    if element.name == "math" {
                        lines[lines.count - 1].append(formula: FormulaMarkup.source(element) ?? "")
                        continue
                    }
                    if isBlock(element.name) || element.name == "br" { lines.append("") }
                    gather(element.content)
                    if isBlock(element.name) { lines.append("") }
                case .instruction: break
                }
            }
        }
        gather(nodes)
        return lines.map { collapsed($0).trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    /// Throws if the nodes contain what a text cannot show.
    private static func check(
        _ nodes: [MarkupNode], _ pictures: PictureFinder
    ) throws(ImportedQuestions.LeftOut.Reason) {
        for case .element(let element) in nodes {
            switch element.name {
            case "img": guard element["src"].flatMap(pictures.name) != nil else { throw .picture }
            case "picture", "svg", "canvas": throw .picture
            case "math": guard FormulaMarkup.source(element) != nil else { throw .formula }
            case "object", "embed", "audio", "video", "iframe", "applet": throw .media
            default: try check(element.content, pictures)
            }
        }
    }

    /// Returns the Markdown of a picture; `nil` for another element.
    static func picture(_ element: MarkupElement, _ pictures: PictureFinder) -> String? {
        guard element.name == "img", let name = element["src"].flatMap(pictures.name) else { return nil }
        let alternative = String((element["alt"] ?? "").prefix(QuestionPicture.longestAlternative))
        return QuestionPicture.markdown(name, alternative: alternative)
    }

    static func isBlock(_ name: String) -> Bool {
        [
            "p", "div", "ul", "ol", "li", "table", "tr", "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6",
            "hr",
            "prompt", "section", "article", "caption", "dl", "dt", "dd", "center", "tbody", "thead",
        ].contains(name)
    }

    /// Returns a text in which white space, also a line break, is one blank. Non-breaking spaces stay.
    static func collapsed(_ text: String) -> String {
        var (result, isBlank) = ("", false)
        for character in text {
            if character == " " || character == "\t" || character.isNewline {
                if !isBlank { result.append(" ") }
                isBlank = true
            } else {
                result.append(character)
                isBlank = false
            }
        }
        return result
    }

    /// Returns a text whose characters mean themselves in Markdown.
    static func escaped(_ text: String) -> String {
        var result = ""
        let characters = Array(text.replacing(Blanks.mark, with: "{\\{blank}}"))
        let hasDollars = text.count { $0 == "$" } > 1
        for (place, character) in characters.enumerated() {
            let before = place > 0 ? characters[place - 1] : " "
            let after = place + 1 < characters.count ? characters[place + 1] : " "
            let isSpecial =
                switch character {
                case "`": true
                // Two of them could be a formula.
                case "$": hasDollars
                case "*": !(before.isWhitespace && after.isWhitespace)
                case "_": !(isWord(before) && isWord(after)) && !(before.isWhitespace && after.isWhitespace)
                case "~": before == "~" || after == "~"
                case "]": after == "(" || after == "[" || after == ":"
                // The escape of a blank is not escaped again.
                case "\\":
                    after.isASCII && (after.isPunctuation || after.isSymbol)
                        && !(before == "{" && after == "{")
                case "&": after.isLetter || after == "#"
                default: false
                }
            if isSpecial { result.append("\\") }
            result.append(character)
        }
        return result
    }

    private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}

/// Writes Markdown in paragraphs.
private struct MarkdownWriter {
    let pictures: PictureFinder
    let special: (MarkupElement) -> String?
    /// The finished paragraphs, and whether each belongs close to the one before.
    private var blocks: [(text: String, isTight: Bool)] = []
    private var line = ""

    init(pictures: PictureFinder, special: @escaping (MarkupElement) -> String?) {
        self.pictures = pictures
        self.special = special
    }

    var finished: String {
        var copy = self
        copy.endLine()
        return copy.blocks.enumerated().map { place, block in
            (place == 0 ? "" : block.isTight ? "\n" : "\n\n") + block.text
        }.joined()
    }

    private mutating func endLine(isTight: Bool = false) {
        let lines = line.split(separator: "\n", omittingEmptySubsequences: false).map {
            Self.withoutBlockSigns(QuestionMarkup.collapsed(String($0)).trimmingCharacters(in: .whitespaces))
        }
        let text = lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
        if !text.isEmpty { blocks.append((text, isTight)) }
        line = ""
    }

    /// Escapes what would begin a heading, a list, a quote or a line.
    private static func withoutBlockSigns(_ line: String) -> String {
        guard let first = line.first else { return line }
        if "#>+-=".contains(first) { return "\\" + line }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let rest = line.dropFirst(digits.count)
        if !digits.isEmpty, let sign = rest.first, sign == "." || sign == ")",
            rest.dropFirst().first.map({ $0 == " " }) ?? true
        {
            return "\(digits)\\\(rest)"
        }
        return line
    }

    mutating func write(_ nodes: [MarkupNode]) {
        for node in nodes {
            switch node {
            case .text(let text): write(text)
            case .element(let element): write(element)
            case .instruction: break
            }
        }
    }

    private mutating func write(_ text: String) {
        for part in pictures.readsTeX ? FormulaMarkup.parts(text) : [(text, false)] {
            if part.isFormula {
                line.append(formula: part.text)
            } else {
                line.append(afterFormula: QuestionMarkup.escaped(QuestionMarkup.collapsed(part.text)))
            }
        }
    }

    private mutating func write(_ element: MarkupElement) {
        if let text = special(element) ?? QuestionMarkup.picture(element, pictures) {
            line += text
            return
        }
        if element.name == "math" {
            line.append(formula: FormulaMarkup.source(element) ?? "")
            return
        }
        switch element.name {
        case "script", "style", "head", "title", "stylesheet": break
        case "br": line += "\n"
        case "b", "strong": emphasize(element, "**")
        case "i", "em": emphasize(element, "*")
        case "s", "del", "strike": emphasize(element, "~~")
        case "code", "tt", "kbd":
            let code = QuestionMarkup.collapsed(element.text)
            if code.contains("`") {
                line += QuestionMarkup.escaped(code)
            } else if !code.isEmpty {
                line += "`\(code)`"
            }
        case "a":
            let words = inline(element)
            let address = element["href"] ?? ""
            let isSafe = ["http://", "https://", "mailto:"].contains { address.lowercased().hasPrefix($0) }
            let isPlain = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>\\".utf8.contains($0) }
            line += isSafe && isPlain && !words.isEmpty ? "[\(words)](\(address))" : words
        case "pre":
            endLine()
            let code = element.text.trimmingCharacters(in: .newlines)
            if !code.contains("```"), !code.isEmpty {
                blocks.append(("```\n\(code)\n```", false))
            } else {
                line = code
            }
            endLine()
        case "h1", "h2", "h3", "h4", "h5", "h6":
            endLine()
            let words = inline(element)
            if !words.isEmpty { blocks.append(("\(element.name == "h1" ? "#" : "##") \(words)", false)) }
        case "hr":
            endLine()
            blocks.append(("---", false))
        case "ul", "ol": list(element)
        case "blockquote":
            endLine()
            prefix(nested(element.content), first: "> ", rest: "> ")
        case "table": table(element)
        default:
            let isBlock = QuestionMarkup.isBlock(element.name)
            if isBlock { endLine() }
            write(element.content)
            if isBlock { endLine() }
        }
    }

    private func nested(_ nodes: [MarkupNode]) -> String {
        var inner = MarkdownWriter(pictures: pictures, special: special)
        inner.write(nodes)
        return inner.finished
    }

    /// Returns the content of an element in one line.
    private func inline(_ element: MarkupElement) -> String {
        nested(element.content).split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private mutating func emphasize(_ element: MarkupElement, _ mark: String) {
        let hasBlocks = element.elements.contains { QuestionMarkup.isBlock($0.name) || $0.name == "br" }
        let words = hasBlocks ? "" : inline(element)
        guard !words.isEmpty, !words.contains(Blanks.mark), element.text.first?.isWhitespace != true,
            element.text.last?.isWhitespace != true
        else { return write(element.content) }
        line += mark + words + mark
    }

    private mutating func prefix(_ text: String, first: String, rest: String, isTight: Bool = false) {
        guard !text.isEmpty else { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let marked = lines.enumerated().map { place, line in (place == 0 ? first : rest) + line }
        blocks.append((marked.joined(separator: "\n"), isTight))
    }

    private mutating func list(_ element: MarkupElement) {
        endLine()
        for (place, item) in element.elements("li").enumerated() {
            let mark = element.name == "ol" ? "\(place + 1). " : "- "
            let indent = String(repeating: " ", count: mark.count)
            prefix(nested(item.content), first: mark, rest: indent, isTight: place > 0)
        }
    }

    private mutating func table(_ element: MarkupElement) {
        endLine()
        if let caption = element.first("caption") { prefix(inline(caption), first: "", rest: "") }
        let rows = element.all { $0.name == "tr" }.map { row in
            row.elements.filter { $0.name == "td" || $0.name == "th" }.map {
                inline($0).replacing("|", with: "\\|")
            }
        }
        guard let width = rows.map(\.count).max(), width > 0 else { return }
        var lines = rows.map { row in
            "| " + (row + Array(repeating: "", count: width - row.count)).joined(separator: " | ") + " |"
        }
        lines.insert("|" + String(repeating: " --- |", count: width), at: 1)
        blocks.append((lines.joined(separator: "\n"), false))
    }
}

extension String {
    /// Appends a formula, with a blank where its dollar sign would follow a letter or a digit and mean a price.
    fileprivate mutating func append(formula: String) {
        if let last, last.isLetter || last.isNumber || last == "$" { append(" ") }
        append(formula)
    }

    /// Appends text, with a blank where a digit would follow the dollar sign of a formula.
    fileprivate mutating func append(afterFormula text: String) {
        if last == "$", let first = text.first, first.isNumber || first == "$" { append(" ") }
        append(text)
    }
}
