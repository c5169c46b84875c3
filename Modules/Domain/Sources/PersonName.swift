import Foundation

/// A person's name as the school writes it, in any script.
public struct PersonName: Hashable, Codable, Sendable {
    public var given: String
    public var family: String
    /// What the person is called, where that is not the given name.
    public var preferred: String?

    public init(given: String, family: String, preferred: String? = nil) {
        self.given = given
        self.family = family
        self.preferred = preferred
    }

    /// From the name as a client shows and sends it: what stands before the family name is what the person
    /// is called, where that is not the given name.
    public init(given: String, family: String, display: String?) {
        let shown = display ?? ""
        let called =
            !family.isEmpty && shown.hasSuffix(" \(family)") ? String(shown.dropLast(family.count + 1)) : shown
        self.init(
            given: given, family: family,
            preferred: called.isEmpty || called == given || called == family ? nil : called)
    }

    /// From one field for the whole name: the last word is the family's.
    public init(fullName: String) {
        let words = fullName.split(whereSeparator: \.isWhitespace).map(String.init)
        self.init(
            given: words.count > 1 ? words.dropLast().joined(separator: " ") : words.first ?? "",
            family: words.count > 1 ? words.last ?? "" : "")
    }

    /// The name in full, in the usual order of a list: given name, then family name.
    public var display: String {
        [preferred ?? given, family].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// At most two letters that stand for the name in an avatar.
    public var initials: String {
        [preferred ?? given, family].compactMap { $0.first.map { String($0).uppercased() } }.joined()
    }

    /// Orders people as they are shown and called, by first name: case, accents and letter variants do
    /// not count.
    public var sortKey: String { NameFolding.fold(display) }

    /// What a search looks in: every part of the name, folded as the query will be.
    public var searchText: String {
        [given, preferred, family].compactMap { $0 }.map(NameFolding.fold).joined(separator: " ")
    }
}

/// Brings spellings of one name together: `ÉCOLE`, `école` and `ecole`; `Łukasz` and `lukasz`.
public enum NameFolding {
    public static func fold(_ text: String) -> String {
        // Most text has nothing to fold but capitals, and is much more of a search index than names.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let folded = text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        guard folded.utf8.contains(where: { $0 > 0x7F }) else { return folded }
        return String(folded.flatMap { letters[$0] ?? [$0] })
    }

    /// Letters that Unicode gives no decomposition, though readers take them for their base letter.
    private static let letters: [Character: [Character]] = [
        "ø": ["o"], "ł": ["l"], "đ": ["d"], "ð": ["d"], "ħ": ["h"], "ı": ["i"], "ŧ": ["t"],
        "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"], "þ": ["t", "h"], "ŋ": ["n"],
        "’": ["'"], "ʼ": ["'"],
    ]
}
