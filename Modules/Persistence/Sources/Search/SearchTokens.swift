import Domain
import FeatureKit
import Foundation

/// Splits texts and search queries into the words of the index.
enum SearchTokens {
    /// The most words of a query; the rest is ignored.
    static let most = 8

    /// The words of a text for the index. Arabic words are indexed with and without their article, so that `احمد` finds
    /// `الأحمد`.
    static func indexed(_ text: String) -> [String] {
        split(text).flatMap { word in withoutArticle(word).map { [word, $0] } ?? [word] }
    }

    /// The words of a query. Arabic words lose their article: the index has both forms.
    static func sought(_ text: String) -> [String] {
        split(text).map { withoutArticle($0) ?? $0 }
    }

    /// An Arabic word without its article, also when one of the letters for "and", "in", "like" or "so" precedes it.
    /// Returns `nil` if fewer than three letters would be left.
    private static func withoutArticle(_ word: String) -> String? {
        for article in articles where word.hasPrefix(article) {
            let rest = word.dropFirst(article.count)
            return rest.count >= 3 ? String(rest) : nil
        }
        return nil
    }
    private static let articles = ["ال", "وال", "بال", "كال", "فال"]

    /// Folds a text and splits it at everything that is neither a letter nor a digit. Each character of a script
    /// without spaces (Han, Kana, Hangul syllables) is a word, so that any part of a name is found.
    private static func split(_ text: String) -> [String] {
        let folded = NameFolding.fold(text)
        // Most texts are ASCII, and an index has millions of words.
        if folded.utf8.allSatisfy({ $0 < 0x80 }) {
            return folded.utf8.split { !isPlain($0) }.map { String(Substring($0)) }
        }
        var words: [String] = []
        var word = ""
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for scalar in folded.unicodeScalars {
            if isWord(scalar) {
                end()
                words.append(String(scalar))
            } else if isPart(scalar) {
                word.unicodeScalars.append(scalar)
            } else {
                // "l'école" is found as "école" and as "l".
                end()
            }
        }
        end()
        return words
    }

    /// Whether the byte is an ASCII digit or lowercase letter.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isPlain(UInt8(truncatingIfNeeded: scalar.value)) }
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil { return true }
        return properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// An audience as one word of letters and digits.
    static func mark(_ audience: Audience) -> String {
        "r" + String(decoding: audience.tag.lowercased().utf8.filter(isPlain), as: UTF8.self)
    }

    /// The part of an audience before the colon: `classroom`, `role`.
    static func kind(_ audience: Audience) -> String { String(audience.tag.prefix { $0 != ":" }) }
}

/// Computes the distance of a typed word from other words. Reuses its rows, because an index has thousands of words.
struct Spelling {
    /// The number of mistakes allowed in a word of this length.
    static func allowance(_ length: Int) -> Int { length < 4 ? 0 : length < 7 ? 1 : 2 }

    private let typed: [UInt8]
    private var (before, last, next): ([Int], [Int], [Int]) = ([], [], [])

    init(_ typed: String) { self.typed = Array(typed.utf8) }

    /// The number of wrong, missing, extra or transposed letters in the typed word, compared with the beginning of
    /// `word` (optimal string alignment distance). Returns `nil` above `limit`.
    mutating func distance(toBeginningOf word: inout String, limit: Int) -> Int? {
        word.withUTF8 { distance($0, limit) }
    }

    private mutating func distance(_ word: UnsafeBufferPointer<UInt8>, _ limit: Int) -> Int? {
        guard typed.count <= word.count + limit else { return nil }
        let width = min(word.count, typed.count + limit)
        if last.count <= width {
            let empty = [Int](repeating: 0, count: width + 1)
            (before, last, next) = (empty, empty, empty)
        }
        for column in 0...width { last[column] = column }
        for (row, letter) in typed.enumerated() {
            next[0] = row + 1
            var least = row + 1
            for column in 0..<width {
                var best = min(
                    last[column] + (letter == word[column] ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, letter == word[column - 1], typed[row - 1] == word[column] {
                    best = min(best, before[column - 1] + 1)
                }
                next[column + 1] = best
                least = min(least, best)
            }
            guard least <= limit else { return nil }
            swap(&before, &last)
            swap(&last, &next)
        }
        let best = last[0...width].min() ?? typed.count
        return best <= limit ? best : nil
    }
}
