extension Rule {
    static let comments = Rule(
        "comments",
        "The first sentence of a public declaration's documentation says what it is, in at most 25 plain words."
    ) { tree in
        let retired = tree.text(Glossary.path).map { Glossary(text: $0.text).retired } ?? []
        return tree.inEachSource(where: { !$0.path.hasPrefix("Tests/") }) { file in
            PublicComment.all(in: file.text).flatMap { comment in
                comment.faults(retired: retired).map { Violation(file.path, comment.line, $0) }
            }
        }
    }
}

/// The project's glossary, as far as the rules read it.
struct Glossary {
    static let path = "docs/glossary.md"

    /// Words and phrases that documentation comments avoid: those in backquotes below the heading "Retired words".
    let retired: [String]

    init(text: String) {
        let section =
            text.firstRange(of: "## Retired words").map { text[$0.upperBound...].prefix { $0 != "#" } } ?? ""
        retired = section.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    /// The given words that a text contains as whole words, whatever their case.
    static func found(_ words: [String], in text: String) -> [String] {
        let plain = " " + text.lowercased().map { $0.isLetter || $0 == "'" || $0 == "’" ? $0 : " " } + " "
        return words.filter { plain.contains(" \($0.lowercased()) ") }
    }
}

/// The documentation comment of a public declaration.
struct PublicComment {
    /// The line of the comment's beginning, from 1.
    let line: Int
    /// The comment's text up to the end of its first sentence.
    let firstSentence: String
    /// The whole comment, on one line.
    let text: String

    /// Words with which neither a noun phrase nor a verb in the third person begins.
    private static let openings: Set<String> = [
        "And", "As", "At", "Because", "Below", "Beside", "But", "By", "Everybody", "Everything", "For", "From",
        "Here",
        "How", "If", "In", "It", "Nobody", "Nothing", "Of", "On", "Or", "So", "Somebody", "Something", "That",
        "There",
        "Those", "To", "Until", "We", "What", "When", "Where", "Which", "Who", "Whoever", "Whom", "Why", "With",
        "Without", "You",
        // An imperative instead of the third person.
        "Add", "Check", "Create", "Delete", "Find", "Get", "Make", "Read", "Remove", "Return", "Send", "Set",
        "Show",
        "Start", "Stop", "Take", "Write",
    ]
    private static let longest = 25

    /// What is wrong with the comment, a sentence each.
    func faults(retired: [String]) -> [String] {
        var faults: [String] = []
        let words = firstSentence.split(separator: " ")
        if let first = words.first, Self.openings.contains(String(first)) {
            faults.append(
                "begin with a noun phrase or a verb ('The days on which', 'Returns'), not with '\(first)'")
        }
        if words.count > Self.longest {
            faults.append("the first sentence has \(words.count) words; at most \(Self.longest)")
        }
        return faults + Glossary.found(retired, in: text).map { "'\($0)' is retired: see \(Glossary.path)" }
    }

    /// The comments of a file before public declarations: also before the requirements of public protocols and the
    /// cases of public enumerations, which have no modifier of their own.
    static func all(in text: String) -> [PublicComment] {
        let whole = text.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = whole.map { $0.drop(while: \.isWhitespace) }
        let typeStart = #/^public (indirect )?(protocol|enum) /#
        var found: [PublicComment] = []
        var start: Int?
        // The indentations of the public protocols and enumerations around a line.
        var types: [Int] = []
        for (index, line) in lines.enumerated() {
            let indent = whole[index].count - line.count
            if !line.isEmpty { types.removeAll { indent <= $0 && !(line.hasPrefix("}") && indent == $0) } }
            defer {
                if line.hasSuffix("{"), line.contains(typeStart) {
                    types.append(indent)
                }
            }
            if line.hasPrefix("///") {
                if start == nil { start = index }
            } else if let first = start, !line.hasPrefix("@") {
                start = nil
                let isMember = types.last.map { indent == $0 + 4 } ?? false
                guard
                    line.hasPrefix("public ") || line.hasPrefix("open ")
                        || (isMember && !line.hasPrefix("private "))
                else { continue }
                let comment = lines[first..<index].filter { $0.hasPrefix("///") }.map { $0.dropFirst(3) }
                let paragraph = comment.prefix { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix(" - ") }
                found.append(
                    PublicComment(
                        line: first + 1, firstSentence: sentence(paragraph.joined()), text: comment.joined()))
            }
        }
        return found
    }

    private static let end = Pattern(/[.!?](?=\s+[A-Z`]|\s*$)/)

    /// A text up to the first full stop that ends a sentence.
    private static func sentence(_ text: String) -> String {
        guard let end = text.firstMatch(of: end.regex) else { return text }
        return String(text[..<end.range.upperBound])
    }
}
