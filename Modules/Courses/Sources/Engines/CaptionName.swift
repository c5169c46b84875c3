import Foundation

/// Finds the language of captions in their file name: `film.fr.vtt`, `film.pt-BR.vtt`.
enum CaptionName {
    /// Returns the language as in BCP 47; `nil` without one.
    ///
    /// Only two-letter codes count, so that `film.new.vtt` is not taken for Newari.
    static func language(_ name: String) -> String? {
        guard let tag = name.split(separator: ".").dropLast().last else { return nil }
        let parts = tag.split(whereSeparator: { "-_".contains($0) })
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(isLetter) }),
            Locale.LanguageCode(parts[0].lowercased()).isISOLanguage
        else { return nil }
        return ([parts[0].lowercased()] + parts.dropFirst().map { $0.uppercased() }).joined(separator: "-")
    }

    /// Returns the name without its extension.
    static func stem(_ name: String) -> String {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        return stem.isEmpty ? name : stem
    }

    private static func isLetter(_ letter: Character) -> Bool { letter.isASCII && letter.isLetter }
}
