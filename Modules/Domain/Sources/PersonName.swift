import Foundation

/// A person's name as the school writes it, in any script.
public struct PersonName: Hashable, Codable, Sendable {
    public var given: String
    public var family: String
    /// The name by which the person is called, if it is not the given name.
    public var preferred: String?

    /// Creates a name from its parts, which are trimmed. One of given and family name may be empty, because many
    /// people have one name.
    public init(given: String, family: String, preferred: String? = nil) {
        self.given = Self.trimmed(given)
        self.family = Self.trimmed(family)
        self.preferred = preferred.map(Self.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates a name from its parts and from the name as a client shows it.
    ///
    /// The text before the family name in `display` is the preferred name, if it is not the given name.
    public init(given: String, family: String, display: String?) {
        let (given, family, shown) = (Self.trimmed(given), Self.trimmed(family), Self.trimmed(display ?? ""))
        let called =
            !family.isEmpty && shown.hasSuffix(" \(family)") ? String(shown.dropLast(family.count + 1)) : shown
        self.init(
            given: given, family: family,
            preferred: called.isEmpty || called == given || called == family ? nil : called)
    }

    /// Creates a name from one text for the whole name. The last word becomes the family name.
    public init(fullName: String) {
        let words = fullName.split(whereSeparator: \.isWhitespace).map(String.init)
        self.init(
            given: words.count > 1 ? words.dropLast().joined(separator: " ") : words.first ?? "",
            family: words.count > 1 ? words.last ?? "" : "")
    }

    /// The name as it is shown: preferred or given name, then family name.
    public var display: String {
        [preferred ?? given, family].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The short name: the preferred name, else the given name, else the family name.
    public var called: String { preferred ?? (given.isEmpty ? family : given) }

    /// The letters, at most two, that stand for the name in an avatar.
    public var initials: String { Initials.of(display) }

    /// The key by which lists of people are sorted: by first name, without regard to case, accents and variants of
    /// letters.
    public var sortKey: String { NameFolding.fold(display) }

    /// The text that a search looks in: every part of the name, folded like the query.
    public var searchText: String {
        [given, preferred, family].compactMap { $0 }.map(NameFolding.fold).joined(separator: " ")
    }
}

extension PersonName {
    /// Returns a name without white space at its ends and without invisible characters at the ends of its words.
    ///
    /// Names that look alike are thus stored alike. Joiners within a word stay: Persian and the scripts of India need
    /// them.
    public static func trimmed(_ text: String) -> String {
        let whole = text.utf8
        let isPlain = whole.allSatisfy { $0 < 0x80 }
        if isPlain, let first = whole.first, let last = whole.last, first > 0x20, last > 0x20 { return text }
        let visible = isPlain ? text : InvisibleCharacters.removed(fromWordEndsOf: text)
        guard let start = visible.firstIndex(where: { !$0.isWhitespace }),
            let end = visible.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(visible[start...end])
    }
}

/// Characters that are invisible at the beginning or end of a word.
///
/// These are zero-width spaces and joiners, direction marks, soft hyphens, and Hangul fillers.
enum InvisibleCharacters {
    static func removed(fromWordEndsOf text: String) -> String {
        guard text.unicodeScalars.contains(where: isInvisible) else { return text }
        var result = String.UnicodeScalarView()
        // Characters that may be within a word, which the next visible character decides.
        var pending: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            if isInvisible(scalar) {
                // After a virama this joiner is visible: it forms the chillu letters at the end of many names in
                // Malayalam.
                let follows = pending.isEmpty ? result.last : nil
                if scalar == "\u{200D}", follows?.properties.canonicalCombiningClass == .virama {
                    result.append(scalar)
                } else if result.last.map({ !$0.properties.isWhitespace }) ?? false {
                    pending.append(scalar)
                }
                continue
            }
            if !scalar.properties.isWhitespace { result.append(contentsOf: pending) }
            pending = []
            result.append(scalar)
        }
        return String(result)
    }

    /// Tags and variation selectors do not count, because they select a flag or the form of a Chinese character.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0xAD, 0xE0000...: false
        case 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0: true
        default:
            scalar.properties.isDefaultIgnorableCodePoint && scalar.properties.generalCategory == .format
        }
    }
}

/// Makes spellings of one name equal: `ÉCOLE`, `école` and `ecole`; `Łukasz` and `lukasz`; `أحمد` and `احمد`.
public enum NameFolding {
    /// Returns the text in lower case without marks that people may omit when they type.
    ///
    /// Removed are accents, Arabic and Hebrew vowel signs, the hamza on its carrier, and the nukta. Marks that are
    /// letters, such as the vowels of Hindi or Thai, stay. Invisible characters at the ends of words are removed.
    public static func fold(_ text: String) -> String {
        // Most text is ASCII, especially in a search index, where only capitals must be folded.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let folded = InvisibleCharacters.removed(fromWordEndsOf: text).folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        guard folded.utf8.contains(where: { $0 > 0x7F }) else { return folded }
        // Composed again, because the system's folding leaves Korean syllables decomposed.
        let plain = String(folded.flatMap { letters[$0] ?? [$0] }).precomposedStringWithCanonicalMapping
        guard plain.unicodeScalars.contains(where: { isOfScriptWithOptionalMarks($0) }) else { return plain }
        return withoutOptionalMarks(plain)
    }

    /// Letters that have no decomposition in Unicode, although readers take them for their base letter.
    private static let letters: [Character: [Character]] = [
        "ø": ["o"], "ł": ["l"], "đ": ["d"], "ð": ["d"], "ħ": ["h"], "ı": ["i"], "ŧ": ["t"],
        "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"], "þ": ["t", "h"], "ŋ": ["n"],
        "’": ["'"], "ʼ": ["'"],
    ]

    /// Whether a scalar belongs to Hebrew, Arabic or a script of India, whose marks Foundation's folding leaves.
    private static func isOfScriptWithOptionalMarks(_ scalar: Unicode.Scalar) -> Bool {
        (0x0590...0x08FF).contains(scalar.value) || (0x0900...0x0DFF).contains(scalar.value)
            || (0xFB1D...0xFEFC).contains(scalar.value)
    }

    private static func withoutOptionalMarks(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        // The compatibility decomposition separates presentation forms, and the hamza from its carrier.
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars where !isOptional(scalar) {
            result.append(variants[scalar] ?? scalar)
        }
        return String(result).precomposedStringWithCanonicalMapping
    }

    /// Whether people may omit a mark when they type.
    ///
    /// These are points, vowel signs and cantillation of Hebrew; vowel signs, hamza above and below, and the tatweel of
    /// Arabic; the nukta of the scripts of India.
    private static func isOptional(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0591...0x05BD, 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7: true
        case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC, 0x06DF...0x06E8, 0x06EA...0x06ED:
            true
        case 0x093C, 0x09BC, 0x0A3C, 0x0ABC, 0x0B3C, 0x0CBC: true
        default: false
        }
    }

    /// Letters that are written in two ways: alef wasla, alef maksura, teh marbuta, the Persian yeh and kaf.
    private static let variants: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{0671}": "\u{0627}", "\u{0649}": "\u{064A}", "\u{06CC}": "\u{064A}", "\u{0629}": "\u{0647}",
        "\u{06A9}": "\u{0643}",
    ]
}
