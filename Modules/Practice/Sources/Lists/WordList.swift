import Domain
import FeatureKit
import Foundation

/// A list of words to spell.
struct WordList: Identifiable, Codable, Sendable, Hashable {
    /// The largest length of a name in Unicode scalars.
    static let longestName = 80

    let id: UUID
    /// The person whose own list it is; `nil` for the list of a course.
    var ownerId: UUID?
    /// The course whose members practice the list; `nil` for the owner's own list.
    var courseId: UUID?
    var name: String
    var language: WordLanguage
    let createdAt: Date
}

/// A word of a list.
struct ListedWord: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let word: String
    /// A sentence with the word, or about it; `nil` for none.
    let hint: String?
    /// The recorded voice; `nil` if the browser's speech is used.
    let recording: BlobHash?

    /// The address of the recording. It contains the hash, so that a new recording has a new address.
    var recordingPath: String? { recording.map { "/tools/spelling/words/\(id.text)/\($0.text)" } }
}

/// The language in which the words of a list are spoken.
enum WordLanguage: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    case arabic = "ar"
    case chinese = "zh"
    case dutch = "nl"
    case english = "en"
    case french = "fr"
    case german = "de"
    case hebrew = "he"
    case hindi = "hi"
    case italian = "it"
    case portuguese = "pt"
    case russian = "ru"
    case spanish = "es"
    case ukrainian = "uk"

    /// The name of the language in the reader's language.
    func title(_ words: Words) -> String { words("practice.language.\(rawValue)") }
}

/// The words of a list as a person types them: one a line, with a hint after a tab or an equals sign.
struct WordListText: Sendable, Hashable {
    struct Line: Sendable, Hashable {
        let word: String
        let hint: String?
    }

    /// The most words of a list.
    static let mostWords = 2000
    /// The longest word and hint in characters.
    static let longestWord = 60
    static let longestHint = 200

    let lines: [Line]

    init(_ lines: [Line]) { self.lines = lines }

    /// Reads a text. A word that appears twice counts once. Throws `Problem` 422 for the first line that has no word.
    init(reading text: String, field: String) throws {
        var (lines, seen): ([Line], Set<String>) = ([], [])
        for (place, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        {
            let parts = line.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "\t" || $0 == "=" }
            let word = Self.trimmed(parts[0])
            let hint = parts.count > 1 ? Self.trimmed(parts[1]) : ""
            if word.isEmpty, hint.isEmpty { continue }
            func refuse(_ code: String, _ more: [Fault.Argument]) -> Problem {
                .invalid(field, code, [.number(place + 1)] + more)
            }
            guard word.count <= Self.longestWord else {
                throw refuse("practice.longWord", [.number(Self.longestWord)])
            }
            guard hint.count <= Self.longestHint else {
                throw refuse("practice.longHint", [.number(Self.longestHint)])
            }
            guard Self.isWord(word) else {
                throw refuse("practice.notAWord", [.text(word.isEmpty ? hint : word)])
            }
            guard !hint.unicodeScalars.contains(where: \.properties.isEmojiPresentation) else {
                throw refuse("practice.emojiHint", [.text(word)])
            }
            if seen.insert(word).inserted { lines.append(Line(word: word, hint: hint.isEmpty ? nil : hint)) }
        }
        guard !lines.isEmpty else { throw Problem.invalid(field, "practice.noWords") }
        guard lines.count <= Self.mostWords else {
            throw Problem.invalid(field, "practice.manyWords", [.number(lines.count), .number(Self.mostWords)])
        }
        self.lines = lines
    }

    /// The text as a person edits it.
    var text: String {
        lines.map { $0.hint.map { [word = $0.word] in "\(word) = \($0)" } ?? $0.word }.joined(separator: "\n")
    }

    private static func trimmed(_ text: Substring) -> String {
        text.trimmingCharacters(in: .whitespaces).precomposedStringWithCanonicalMapping
    }

    /// Whether a text has letters of any script, and besides them only what words are written with.
    static func isWord(_ text: String) -> Bool {
        var hasLetter = false
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
                hasLetter = true
            case .nonspacingMark, .spacingMark:
                // The signs that turn a letter or a digit into an emoji.
                if (0xFE00...0xFE0F).contains(scalar.value) || scalar.value == 0x20E3 { return false }
            default:
                guard "’'ʼ‘-‐‑·. \u{00A0}\u{200C}\u{200D}\u{05F3}\u{05F4}\u{05BE}".unicodeScalars.contains(scalar)
                else { return false }
            }
        }
        return hasLetter
    }
}
