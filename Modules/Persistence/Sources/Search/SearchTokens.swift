import Domain
import FeatureKit
import Foundation

/// How texts become the words of an index, and a search the words that are looked for.
enum SearchTokens {
    /// More words than anybody types; the rest is left out.
    static let most = 8

    /// The words of a text for the index: those of `split`, and Arabic words also without their article, so that `احمد`
    /// finds `الأحمد`.
    static func indexed(_ text: String) -> [String] {
        split(text).flatMap { word in withoutArticle(word).map { [word, $0] } ?? [word] }
    }

    /// The words of a search. A word with the Arabic article is looked up without it: the index has both.
    static func sought(_ text: String) -> [String] {
        split(text).map { withoutArticle($0) ?? $0 }
    }

    /// An Arabic word without the article, alone or after one of the letters that are written together with it ("and",
    /// "in", "like", "so"); `nil` where fewer than three letters would be left.
    private static func withoutArticle(_ word: String) -> String? {
        for article in articles where word.hasPrefix(article) {
            let rest = word.dropFirst(article.count)
            return rest.count >= 3 ? String(rest) : nil
        }
        return nil
    }
    private static let articles = ["ال", "وال", "بال", "كال", "فال"]

    /// The words of a text: folded, apart at everything that is neither letter nor digit. Characters of scripts without
    /// spaces (Han, Kana, Hangul syllables) are words of their own, so that a name is found by any part of it.
    private static func split(_ text: String) -> [String] {
        let folded = NameFolding.fold(text)
        // Most text of an index has plain letters alone, and an index is made of millions of words.
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
                // "l'école" is found by "école" and by "l".
                end()
            }
        }
        end()
        return words
    }

    /// A folded letter or a digit.
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

    /// An audience as one word: letters and digits only.
    static func mark(_ audience: Audience) -> String {
        "r" + String(decoding: audience.tag.lowercased().utf8.filter(isPlain), as: UTF8.self)
    }

    /// What stands before the colon of an audience: `classroom`, `role`.
    static func kind(_ audience: Audience) -> String { String(audience.tag.prefix { $0 != ":" }) }
}

/// How far a typed word is from others. Keeps its rows between words: an index is asked for thousands.
struct Spelling {
    /// Mistakes that a word of this length may have.
    static func allowance(_ length: Int) -> Int { length < 4 ? 0 : length < 7 ? 1 : 2 }

    private let typed: [UInt8]
    private var (before, last, next): ([Int], [Int], [Int]) = ([], [], [])

    init(_ typed: String) { self.typed = Array(typed.utf8) }

    /// How many letters are wrong, missing, too many or swapped with their neighbour in what was typed, taken as the
    /// beginning of `word` (optimal string alignment); `nil` above `limit`.
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
