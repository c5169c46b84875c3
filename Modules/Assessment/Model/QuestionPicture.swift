public import Domain
public import Foundation

/// A picture of a question, which is a file of the school.
public struct QuestionPicture: Codable, Sendable, Hashable {
    /// The name by which the texts of the question show the picture: `![A map of the coast](map.jpg)`.
    public let name: String
    /// The hash of the file, a JPEG.
    public let hash: BlobHash
    /// The width and the height in pixels.
    public let width: Int
    public let height: Int

    public init(name: String, hash: BlobHash, width: Int, height: Int) {
        self.name = name
        self.hash = hash
        self.width = width
        self.height = height
    }

    /// The most pictures of a question.
    public static let most = 20
    /// The longer side of a stored picture in pixels.
    public static let side = 1600
    /// The most characters of a text alternative.
    public static let longestAlternative = 300

    /// The address of the picture for those who may see it in a quiz.
    public func path(of quizId: UUID) -> String {
        "/quizzes/\(quizId.text)/pictures/\(hash)"
    }

    /// Returns a name for a file that means the same in every format and is not in use: `map.jpg`, `map-2.jpg`.
    public static func name(for file: String, besides used: Set<String>) -> String {
        let last = file.split { $0 == "/" || $0 == "\\" }.last ?? ""
        let stem = last.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: "-")
        var plain = ""
        for character in (stem.isEmpty ? String(last) : stem).lowercased() {
            if character.isASCII, character.isLetter || character.isNumber {
                plain.append(character)
            } else if !plain.isEmpty, plain.last != "-" {
                plain.append("-")
            }
        }
        while plain.last == "-" { plain.removeLast() }
        plain = plain.isEmpty ? "picture" : String(plain.prefix(40))
        var (name, number) = ("\(plain).jpg", 2)
        while used.contains(name) {
            name = "\(plain)-\(number).jpg"
            number += 1
        }
        return name
    }

    /// Returns the Markdown that shows the picture.
    public func markdown(alternative: String) -> String { Self.markdown(name, alternative: alternative) }

    /// Returns the Markdown that shows a picture with a name.
    static func markdown(_ name: String, alternative: String) -> String {
        let words = alternative.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let escaped = words.reduce(into: "") { all, character in
            if "[]\\`*_!<$".contains(character) { all.append("\\") }
            all.append(character)
        }
        return "![\(escaped)](\(name))"
    }
}

extension Question {
    /// The question without pictures that none of its texts names.
    public var withoutUnusedPictures: Question {
        var question = self
        let texts = [text, explanation ?? ""] + options.map(\.text)
        question.pictures = pictures.filter { picture in texts.contains { $0.contains("](\(picture.name))") } }
        return question
    }

    /// The formulas of all texts that cannot be read, as they were typed.
    public var unreadableFormulas: [String] {
        ([text, explanation ?? ""] + options.map(\.text)).flatMap { FormulaText($0).unreadable }
    }
}

/// The text of an option: as it was typed, apart from pictures of its question and formulas.
///
/// Other marks of Markdown mean themselves, so that `2*3*4` stays what it is.
public struct OptionText: Sendable, Hashable {
    /// A part of an option.
    public enum Part: Sendable, Hashable {
        case text(String)
        case picture(QuestionPicture, alternative: String)
        case formula(Formula)
    }

    public let parts: [Part]

    /// Finds the pictures and formulas of an option.
    public init(_ text: String, pictures: [QuestionPicture]) {
        var parts: [Part] = []
        let known = Dictionary(pictures.map { ($0.name, $0) }) { first, _ in first }
        func add(_ text: some StringProtocol) {
            guard !text.isEmpty else { return }
            let text = String(text)
            parts.append(.text(text.utf8.contains(UInt8(ascii: "\\")) ? text.replacing("\\$", with: "$") : text))
        }
        for part in FormulaText(text).parts {
            switch part {
            case .formula(let formula): parts.append(.formula(formula))
            case .unreadable(let typed): parts.append(.text(typed))
            case .text(let typed):
                // Most options have no picture, and matching the expression costs more than all else here.
                guard typed.utf8.contains(UInt8(ascii: "!")) else {
                    add(typed)
                    continue
                }
                var rest = typed[...]
                while let found = rest.firstMatch(of: /!\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/) {
                    guard let picture = known[String(found.2)] else {
                        add(rest[..<found.range.upperBound])
                        rest = rest[found.range.upperBound...]
                        continue
                    }
                    add(rest[..<found.range.lowerBound])
                    parts.append(.picture(picture, alternative: Self.unescaped(found.1)))
                    rest = rest[found.range.upperBound...]
                }
                add(rest)
            }
        }
        self.parts = parts
    }

    private static func unescaped(_ text: Substring) -> String {
        var (result, isEscaped) = ("", false)
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            isEscaped = false
            result.append(character)
        }
        return result
    }

    /// Whether the option has a picture or a formula.
    public var isRich: Bool {
        parts.contains { if case .text = $0 { false } else { true } }
    }

    /// The option as words, with the alternatives of its pictures and its formulas on one line.
    public var plainText: String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .picture(_, let alternative): alternative
            case .formula(let formula): formula.plainText
            }
        }.joined()
    }
}
