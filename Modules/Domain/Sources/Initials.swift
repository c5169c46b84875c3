/// The letters that stand for a name in an avatar. They follow from the name as it is shown, so that somebody has the same
/// ones where only that is known, such as in a search.
public enum Initials {
    /// The first letters of the first and the last word; a letter is what a reader takes for one, with all its marks.
    /// The page runtime draws the same while a name is typed (`fields.js`).
    public static func of(_ name: String) -> String {
        let words = name.split(whereSeparator: \.isWhitespace)
        return (words.prefix(1) + words.dropFirst().suffix(1)).compactMap(letter).joined()
    }

    /// Signs before the first letter do not count: `(Ana)`, `’t Hooft`.
    private static func letter(_ word: Substring) -> String? {
        (word.first { $0.isLetter || $0.isNumber } ?? word.first)?.uppercased()
    }
}
