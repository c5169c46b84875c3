import Domain
import Foundation

/// A record that a sentence rests on.
struct Source: Codable, Sendable, Hashable {
    enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        case observation, work, habit, material, absence
    }
    let kind: Kind
    /// Of the observation, the lesson or task, the habit or the material.
    let id: UUID?
    let day: Day?

    init(_ kind: Kind, _ id: UUID? = nil, on day: Day? = nil) {
        self.kind = kind
        self.id = id
        self.day = day
    }
}

/// A sentence and the records behind it. Beside the child's name, the days that were asked for and the words of the
/// catalog it holds nothing that is not in them.
struct Sentence: Codable, Sendable, Hashable {
    let text: String
    let sources: [Source]
}

/// A text of paragraphs.
struct Telling: Sendable, Hashable {
    let paragraphs: [[Sentence]]
    /// Whether anything was told beside that there is nothing to tell.
    let hasContent: Bool

    var sentences: [Sentence] { paragraphs.flatMap(\.self) }
    var text: String {
        paragraphs.map { $0.map(\.text).joined(separator: " ") }.joined(separator: "\n\n")
    }
}

/// A guide's own words, as they are quoted.
enum Quotation {
    static let limit = 200

    /// The first sentence on one line, cut between words where it is longer than `limit`.
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
    /// Ends a sentence without a space after it, as Chinese and Japanese write.
    fileprivate var isWide: Bool { "。！？".contains(self) }
}

/// Finds names in what somebody wrote.
enum NamesInText {
    /// Where a name stands as a word of its own; case and accents do not count.
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
    /// Of a script that puts no space between words, or joins small words to a name (Hebrew, Arabic).
    fileprivate var isUnspaced: Bool {
        guard let scalar = unicodeScalars.first, isLetter else { return false }
        return !scalar.properties.isCased && !(0x0900...0x0DFF).contains(scalar.value)
    }

    /// Whether it makes one word with the letter beside it.
    fileprivate func joins(_ neighbour: Character?) -> Bool {
        isLetter && !isUnspaced && neighbour?.isUnspaced != true
    }
}
