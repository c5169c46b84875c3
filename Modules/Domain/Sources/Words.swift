public import Foundation

/// The texts of one feature in every language, read from its `.xcstrings` catalog.
///
/// The file is Xcode's string catalog (JSON): `strings.<key>.localizations.<language>`, either one
/// `stringUnit` or plural `variations`. Linux has no reader of its own for it.
public struct StringCatalog: Sendable {
    /// One text: the same for every number, or one form for each plural category.
    public enum Entry: Sendable, Hashable {
        case text(String)
        case plural([String: String])
    }

    /// What is wrong with a catalog file.
    public struct Malformed: Error, CustomStringConvertible {
        public let description: String
    }

    public let entries: [Language: [String: Entry]]

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
    }

    /// Reads the `Localizable.xcstrings` of a module's resource folder.
    public init(in bundle: Bundle) throws {
        guard
            let url = bundle.url(forResource: "Localizable", withExtension: "xcstrings", subdirectory: "Resources")
        else { throw Malformed(description: "\(bundle.bundlePath) has no Resources/Localizable.xcstrings") }
        try self.init(json: Data(contentsOf: url))
    }

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

/// All texts in one language, with the dates and numbers of its locale.
///
/// Keys are unique over all features because each begins with its feature's area
/// (`attendance.present`). A key that no catalog holds shows as itself between guillemets, which the
/// page crawl of the tests rejects.
public struct Words: Sendable {
    public let language: Language
    private let entries: [String: StringCatalog.Entry]

    public init(_ language: Language, _ catalogs: [StringCatalog]) {
        self.language = language
        entries = catalogs.reduce(into: [:]) { all, catalog in
            all.merge(catalog.entries[language] ?? [:]) { first, _ in first }
        }
    }

    public var locale: Locale { Locale(identifier: language.rawValue) }

    /// The text of `key`, with `%@`, `%lld` and their numbered forms (`%1$@`) replaced in turn. The
    /// first integer argument chooses the plural form.
    public func callAsFunction(_ key: String, _ arguments: any WordsArgument...) -> String {
        text(key, arguments)
    }

    /// The same, with the arguments as an array.
    public func text(_ key: String, _ arguments: [any WordsArgument]) -> String {
        switch entries[key] {
        case nil: return "«\(key)»"
        case .text(let format): return fill(format, arguments)
        case .plural(let forms):
            let count = arguments.lazy.compactMap { $0 as? Int }.first ?? 0
            let format = forms[category(of: count)] ?? forms["other"] ?? "«\(key)»"
            return fill(format, arguments)
        }
    }

    public func has(_ key: String) -> Bool { entries[key] != nil }

    /// `Tuesday 12 November` in the language's own order.
    public func longDate(_ day: Day) -> String {
        let style = Date.FormatStyle(locale: locale, timeZone: .gmt).weekday(.wide).day().month(.wide)
        return day.midday(in: .gmt).formatted(style)
    }

    /// Medium date and short time, in the school's time zone.
    public func dateAndTime(_ instant: Date, in timeZone: TimeZone) -> String {
        instant.formatted(
            Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale, timeZone: timeZone))
    }

    /// Short time, in the school's time zone.
    public func time(_ instant: Date, in timeZone: TimeZone) -> String {
        instant.formatted(Date.FormatStyle(date: .omitted, time: .shortened, locale: locale, timeZone: timeZone))
    }

    /// The plural category (Unicode CLDR): French counts zero with one.
    private func category(of count: Int) -> String {
        switch language {
        case .english: count == 1 ? "one" : "other"
        case .french: count == 0 || count == 1 ? "one" : "other"
        }
    }

    private func fill(_ format: String, _ arguments: [any WordsArgument]) -> String {
        guard format.utf8.contains(UInt8(ascii: "%")) else { return format }
        var result = ""
        var next = 0
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
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
                result += "%"
                continue
            }
            rest = rest.dropFirst(specifier.count)
            if !isNumbered { next += 1 }
            result += arguments.indices.contains(position) ? arguments[position].shown(in: locale) : ""
        }
        return result + rest
    }
}

/// What may stand in a text's gap: a string as it is, or a number in the language's own digits.
public protocol WordsArgument: Sendable {
    func shown(in locale: Locale) -> String
}

extension String: WordsArgument {
    public func shown(in locale: Locale) -> String { self }
}

extension Int: WordsArgument {
    public func shown(in locale: Locale) -> String { formatted(.number.locale(locale)) }
}
