import Domain

extension CardLines {
    /// Returns cards as CSV (RFC 4180) for spreadsheets, with a byte order mark and a line of titles. `CardLines` reads the
    /// same cards from it.
    public static func csv(_ cards: [Card], titles: Card) -> String {
        "\u{FEFF}" + ([titles] + cards).map { CSVField.line([$0.front, $0.back]) }.joined()
    }

    /// Returns cards as text, as Anki reads it.
    ///
    /// Two lines name the separator and say that there is no HTML. Then one line is one card: front, tab, back. A side with a tab, a line break or a quotation mark is in quotation marks, which are
    /// doubled within it. `CardLines` reads the same cards from it.
    public static func text(_ cards: [Card]) -> String {
        "#separator:tab\n#html:false\n"
            + cards.map { "\(field($0.front))\t\(field($0.back))\n" }.joined()
    }

    private static func field(_ side: String) -> String {
        guard side.unicodeScalars.contains(where: { ["\t", "\n", "\r", "\""].contains($0) }) else { return side }
        return "\"\(side.replacing("\"", with: "\"\""))\""
    }
}
