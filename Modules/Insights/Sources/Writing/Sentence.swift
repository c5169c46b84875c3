import Domain
import Foundation

/// A record on which a sentence is based.
struct Source: Codable, Sendable, Hashable {
    enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        case observation, work, habit, material, absence
    }
    let kind: Kind
    /// The id of the observation, the lesson or task, the habit or the material.
    let id: UUID?
    let day: Day?

    init(_ kind: Kind, _ id: UUID? = nil, on day: Day? = nil) {
        self.kind = kind
        self.id = id
        self.day = day
    }
}

/// A sentence with its source records.
///
/// Except for the child's name, the days of the period and the catalog's words, it contains only what is in them.
struct Sentence: Codable, Sendable, Hashable {
    let text: String
    let sources: [Source]
}

/// A text in paragraphs.
struct ComposedText: Sendable, Hashable {
    let paragraphs: [[Sentence]]
    /// Whether the text says more than that there is nothing to report.
    let hasContent: Bool

    var sentences: [Sentence] { paragraphs.flatMap(\.self) }
    var text: String {
        paragraphs.map { $0.map(\.text).joined(separator: " ") }.joined(separator: "\n\n")
    }
}

/// Quotes a guide's notes.
enum Quotation {
    static let limit = 200

    /// Returns the first sentence on one line, cut between words if it is longer than `limit` characters.
    static func of(_ content: String) -> String {
        let line = content.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var sentence = line[...]
        var index = line.startIndex
        while index < line.endIndex {
            let next = line.index(after: index)
            if ".!?…。！？".contains(line[index]), next == line.endIndex || line[next] == " " || line[index].isWide {
                sentence = line[..<next]
                break
            }
            index = next
        }
        guard sentence.count > limit else { return String(sentence) }
        let head = sentence.prefix(limit - 1)
        return (head.lastIndex(of: " ").map { head[..<$0] } ?? head) + "…"
    }
}

extension Character {
    /// Whether the character ends a sentence without a following space, as in Chinese and Japanese.
    fileprivate var isWide: Bool { "。！？".contains(self) }
}

/// Finds names in a text.
enum NamesInText {
    /// The ranges in which a name occurs as a word of its own, ignoring case and accents.
    static func ranges(of name: String, in text: String) -> [Range<String.Index>] {
        let name = name.trimmingCharacters(in: .whitespaces)
        guard name.count > 1 || name.first?.isUnspaced == true else { return [] }
        var found: [Range<String.Index>] = []
        var start = text.startIndex
        while start < text.endIndex,
            let range = text.range(
                of: name, options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
                range: start..<text.endIndex)
        {
            let before = range.lowerBound == text.startIndex ? nil : text[text.index(before: range.lowerBound)]
            let after = range.upperBound == text.endIndex ? nil : text[range.upperBound]
            let isWord = before?.joins(name.first) != true && after?.joins(name.last) != true
            if isWord, !range.isEmpty { found.append(range) }
            start = range.upperBound > start ? range.upperBound : text.index(after: start)
        }
        return found
    }

    static func contains(_ name: String, in text: String) -> Bool { !ranges(of: name, in: text).isEmpty }
}

extension Character {
    /// Whether the script puts no space between words, or joins small words to a name (Hebrew, Arabic).
    fileprivate var isUnspaced: Bool {
        guard let scalar = unicodeScalars.first, isLetter else { return false }
        return !scalar.properties.isCased && !(0x0900...0x0DFF).contains(scalar.value)
    }

    /// Whether the character forms one word with its neighbor.
    fileprivate func joins(_ neighbor: Character?) -> Bool {
        isLetter && !isUnspaced && neighbor?.isUnspaced != true
    }
}
