public import Foundation
import Synchronization

/// The texts of one feature in every language, read from its `.xcstrings` catalog.
///
/// The file is a string catalog of Xcode (JSON): `strings.<key>.localizations.<language>` with a `stringUnit` or
/// plural `variations`. Foundation on Linux cannot read it.
public struct StringCatalog: Sendable {
    /// A text of the catalog: one for every number, or one form for each plural category.
    public enum Entry: Sendable, Hashable {
        case text(String)
        case plural([String: String])
    }

    /// The error for a catalog file with a fault.
    public struct Malformed: Error, CustomStringConvertible {
        public let description: String
    }

    /// The texts of the catalog by language and key.
    public let entries: [Language: [String: Entry]]
    /// The same texts split at their placeholders, which all `Words` of the catalog share.
    fileprivate let templates: [Language: [String: Template]]

    /// Reads a string catalog from its file's bytes. Throws `Malformed` or `DecodingError`.
    public init(json: Data) throws {
        let file = try JSONDecoder().decode(File.self, from: json)
        var entries: [Language: [String: Entry]] = [:]
        for (key, string) in file.strings {
            for (code, localization) in string.localizations ?? [:] {
                guard let language = Language(rawValue: code) else { continue }
                if let unit = localization.stringUnit {
                    entries[language, default: [:]][key] = .text(unit.value)
                } else if let plural = localization.variations?.plural {
                    entries[language, default: [:]][key] = .plural(plural.mapValues(\.stringUnit.value))
                } else {
                    throw Malformed(
                        description: "the text '\(key)' has neither a value nor plural forms in \(code)")
                }
            }
        }
        self.entries = entries
        templates = entries.mapValues { $0.mapValues(Template.init) }
    }

    /// Reads the string catalog `Localizable.xcstrings` of a module's resource folder, once in a process.
    ///
    /// The tests compose a server several hundred times in one process, and reading all catalogs is a sixth of a start
    /// without optimization.
    public init(in bundle: Bundle) throws {
        self = try StringCatalog.read.withLock { read in
            if let catalog = read[bundle.bundlePath] { return catalog }
            guard
                let url = bundle.url(
                    forResource: "Localizable", withExtension: "xcstrings", subdirectory: "Resources")
            else { throw Malformed(description: "\(bundle.bundlePath) has no Resources/Localizable.xcstrings") }
            let catalog = try StringCatalog(json: Data(contentsOf: url))
            read[bundle.bundlePath] = catalog
            return catalog
        }
    }

    /// The catalogs by the paths of their bundles, which do not change while a process runs.
    private static let read = Mutex<[String: StringCatalog]>([:])

    private struct File: Decodable {
        let strings: [String: Entry]
        struct Entry: Decodable { let localizations: [String: Localization]? }
        struct Localization: Decodable {
            let stringUnit: Unit?
            let variations: Variations?
        }
        struct Variations: Decodable { let plural: [String: Form]? }
        struct Form: Decodable { let stringUnit: Unit }
        struct Unit: Decodable { let value: String }
    }
}

/// All texts of the product in one language, with the date and number formats of its locale.
///
/// Keys are unique over all features because each begins with its feature's area (`attendance.present`). A key that
/// no catalog has is returned between guillemets, which the tests that visit all pages reject.
public struct Words: Sendable {
    public let language: Language
    public let locale: Locale
    private let templates: [String: Template]
    private let times = TimeMemory()

    /// Combines catalogs. If two have the same key, the first one counts.
    public init(_ language: Language, _ catalogs: [StringCatalog]) {
        self.language = language
        locale = Locale(identifier: language.rawValue)
        templates = catalogs.reduce(into: [:]) { all, catalog in
            all.merge(catalog.templates[language] ?? [:]) { first, _ in first }
        }
    }

    /// Returns the text of a key with its placeholders `%@`, `%lld` and numbered forms (`%1$@`) replaced. The first
    /// integer argument selects the plural form.
    public func callAsFunction(_ key: String, _ arguments: any WordsArgument...) -> String {
        text(key, arguments)
    }

    /// Returns the text of a key with an array of arguments.
    public func text(_ key: String, _ arguments: [any WordsArgument]) -> String {
        switch templates[key] {
        case nil: return "«\(key)»"
        case .text(let format): return format.filled(with: arguments, self)
        case .plural(let forms):
            let count = arguments.lazy.compactMap { $0 as? Int }.first ?? 0
            guard let format = forms[category(of: count)] ?? forms["other"] else { return "«\(key)»" }
            return format.filled(with: arguments, self)
        }
    }

    /// Whether one of the string catalogs has a text with the key.
    public func has(_ key: String) -> Bool { templates[key] != nil }

    /// Returns a day as `Tuesday 12 November`, in the order of the language.
    public func longDate(_ day: Day) -> String {
        let style = Date.FormatStyle(locale: locale, timeZone: .gmt).weekday(.wide).day().month(.wide)
        return withOrdinal(day.midday(in: .gmt).formatted(style))
    }

    /// Returns the month of a day as `November 2026`, in the order of the language.
    public func month(_ day: Day) -> String {
        day.midday(in: .gmt).formatted(Date.FormatStyle(locale: locale, timeZone: .gmt).month(.wide).year())
    }

    /// Returns a day as `22 Nov 2026`, in the order of the language.
    public func shortDate(_ day: Day) -> String {
        withOrdinal(
            day.midday(in: .gmt).formatted(Date.FormatStyle(date: .abbreviated, locale: locale, timeZone: .gmt)))
    }

    /// Returns a day as `22 Nov`, in the order of the language.
    public func dayAndMonth(_ day: Day) -> String {
        withOrdinal(
            day.midday(in: .gmt).formatted(
                Date.FormatStyle(locale: locale, timeZone: .gmt).day().month(.abbreviated)))
    }

    /// Returns the day of the week as `Tue`.
    public func weekday(_ day: Day) -> String {
        day.midday(in: .gmt).formatted(Date.FormatStyle(locale: locale, timeZone: .gmt).weekday(.abbreviated))
    }

    /// Returns the day of the week as `Tuesday`.
    public func weekdayInFull(_ day: Day) -> String {
        day.midday(in: .gmt).formatted(Date.FormatStyle(locale: locale, timeZone: .gmt).weekday(.wide))
    }

    /// Returns the date and time of an instant in a time zone, in the language's form.
    public func dateAndTime(_ instant: Date, in timeZone: TimeZone) -> String {
        withOrdinal(
            instant.formatted(
                Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale, timeZone: timeZone)))
    }

    /// In French the first day of a month is an ordinal: `1er novembre`. The formats of Unicode have no such form.
    private func withOrdinal(_ date: String) -> String {
        guard language == .french else { return date }
        return date.hasPrefix("1 ") ? "1er " + date.dropFirst(2) : date.replacing(" 1 ", with: " 1er ")
    }

    /// Returns the time of an instant in a time zone, in the language's short form.
    public func time(_ instant: Date, in timeZone: TimeZone) -> String {
        times.text(of: instant, in: timeZone) {
            $0.formatted(Date.FormatStyle(date: .omitted, time: .shortened, locale: locale, timeZone: timeZone))
        }
    }

    /// The plural category (Unicode CLDR). French uses "one" for zero too.
    private func category(of count: Int) -> String {
        switch language {
        case .english: count == 1 ? "one" : "other"
        case .french: count == 0 || count == 1 ? "one" : "other"
        }
    }
}

/// A text with placeholders, parsed once because a page fills hundreds of them.
private enum Template: Sendable {
    case text(Format)
    case plural([String: Format])

    init(_ entry: StringCatalog.Entry) {
        self =
            switch entry {
            case .text(let text): .text(Format(text))
            case .plural(let forms): .plural(forms.mapValues(Format.init))
            }
    }
}

/// A text of a catalog, split at its placeholders.
private struct Format: Sendable {
    private enum Piece: Sendable {
        case words(String)
        /// The argument with this index.
        case gap(Int)
    }
    private let pieces: [Piece]
    /// Whether there is text besides the placeholders.
    private let isSentence: Bool

    init(_ format: String) {
        // Most texts have no placeholder, and parsing all texts letter by letter slows down the start of a server.
        guard format.utf8.contains(UInt8(ascii: "%")) else {
            pieces = [.words(format)]
            isSentence = true
            return
        }
        var pieces: [Piece] = []
        var words = ""
        var next = 0
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            words += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                words += "%"
                rest.removeFirst()
                continue
            }
            let afterPercent = rest
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            var position = next
            var isNumbered = false
            if let number = Int(digits), rest.dropFirst(digits.count).first == "$" {
                position = number - 1
                isNumbered = true
                rest = rest.dropFirst(digits.count + 1)
            }
            guard let specifier = ["lld", "@", "d"].first(where: rest.hasPrefix) else {
                // A percent sign of the text itself, as in "50 % done".
                rest = afterPercent
                words += "%"
                continue
            }
            rest = rest.dropFirst(specifier.count)
            if !isNumbered { next += 1 }
            pieces += [.words(words), .gap(position)]
            words = ""
        }
        pieces.append(.words(words + rest))
        self.pieces = pieces
        isSentence = pieces.contains { if case .words(let words) = $0 { !words.isEmpty } else { false } }
    }

    func filled(with arguments: [any WordsArgument], _ words: Words) -> String {
        if pieces.count == 1, case .words(let words) = pieces[0] { return words }
        var text = ""
        for piece in pieces {
            switch piece {
            case .words(let words): text += words
            case .gap(let position):
                guard arguments.indices.contains(position) else { continue }
                let shown = arguments[position].shown(in: words.locale)
                if words.language == .french, shown.beginsWithFrenchVowel, text.endsWithFrenchDe {
                    text.replaceSubrange(text.index(text.endIndex, offsetBy: -2)..., with: "’")
                }
                text += isSentence ? shown.isolated : shown
            }
        }
        return text
    }
}

/// A cache of formatted times by minute. A day's attendance marks share few of them, and formatting one is slow.
private final class TimeMemory: Sendable {
    private struct Minute: Hashable {
        let number: Int
        let timeZone: TimeZone
    }
    /// The largest number of cached minutes, more than a school day has.
    private static let limit = 1000
    private let texts = Mutex<[Minute: String]>([:])

    /// Returns the text of an instant, from the cache if possible.
    /// - Parameter write: formats an instant; the result must be the same for all instants of a minute.
    func text(of instant: Date, in timeZone: TimeZone, _ write: (Date) -> String) -> String {
        let seconds = (instant.timeIntervalSince1970 / 60).rounded(.down)
        guard abs(seconds) < 1e12 else { return write(instant) }
        let minute = Minute(number: Int(seconds), timeZone: timeZone)
        if let known = texts.withLock({ $0[minute] }) { return known }
        let text = write(instant)
        texts.withLock { texts in
            if texts.count >= TimeMemory.limit { texts = [:] }
            texts[minute] = text
        }
        return text
    }
}

extension String {
    /// The text with each line in directional isolates, if it has right-to-left letters or direction controls.
    ///
    /// The text and the sentence around it then keep their own order (Unicode Standard Annex 9, section 2.4.2).
    public var isolated: String {
        guard utf8.contains(where: { $0 >= 0xD6 }), unicodeScalars.contains(where: \.changesDirection) else {
            return self
        }
        return split(separator: "\n", omittingEmptySubsequences: false).map { "\u{2068}\($0)\u{2069}" }
            .joined(separator: "\n")
    }
}

extension String {
    /// Whether the text ends with the word "de" and a space. Before a vowel it becomes "d’", as in "la photo d’Ana".
    fileprivate var endsWithFrenchDe: Bool {
        guard hasSuffix("de ") || hasSuffix("De ") else { return false }
        return dropLast(3).last?.isLetter != true
    }

    /// Whether "de" becomes "d’" before the text.
    ///
    /// That is so where it begins with a vowel and is more than a letter: "d’Élise", but "de A". A "y" counts before a
    /// consonant: "d’Yves", but "de Yasmine". Before a name with "h" both forms are in use, and "de" stays.
    fileprivate var beginsWithFrenchVowel: Bool {
        guard let first, let second = dropFirst().first, second.isLetter else { return false }
        return first.isFrenchVowel || (first.lowercased() == "y" && !second.isFrenchVowel)
    }
}

extension Character {
    /// Whether the letter is a French vowel, with or without an accent. "Y" does not count.
    fileprivate var isFrenchVowel: Bool {
        switch self {
        case "a"..."z", "A"..."Z": "aeiouAEIOU".contains(self)
        default: "àâäéèêëîïôöùûüæœÀÂÄÉÈÊËÎÏÔÖÙÛÜÆŒ".contains(self)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar affects the direction of text.
    ///
    /// It belongs to a script written from right to left (Hebrew, Arabic, Syriac, Thaana, NKo, Adlam and others), or is a
    /// direction mark, embedding, override or isolate.
    fileprivate var changesDirection: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        case 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// A value for a placeholder: a string, or a number in the digits of the language.
public protocol WordsArgument: Sendable {
    func shown(in locale: Locale) -> String
}

extension String: WordsArgument {
    public func shown(in locale: Locale) -> String { self }
}

extension Int: WordsArgument {
    /// Returns the number in the digits and groups of the language. Numbers below a thousand have no groups, and are
    /// too frequent on pages for the slow formatter.
    public func shown(in locale: Locale) -> String {
        (0..<1000).contains(self) ? String(self) : formatted(.number.locale(locale))
    }
}
