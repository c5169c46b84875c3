/// The letters that stand for a name in an avatar.
///
/// They follow from the name as it is shown, so that they are the same where only that is known, such as in a search.
public enum Initials {
    /// Returns the first letters of the first and the last word, each with all its combining marks.
    ///
    /// The page script `fields.js` does the same while a name is typed.
    public static func of(_ name: String) -> String {
        let words = name.split(whereSeparator: \.isWhitespace)
        return (words.prefix(1) + words.dropFirst().suffix(1)).compactMap(letter).joined()
    }

    /// Returns the first letter of a word; punctuation before it is skipped: `(Ana)`, `’t Hooft`.
    private static func letter(_ word: Substring) -> String? {
        (word.first { $0.isLetter || $0.isNumber } ?? word.first)?.uppercased()
    }
}
