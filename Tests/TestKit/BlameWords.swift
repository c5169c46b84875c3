public import Domain

/// Words that judge people. Texts for children and families must not contain them.
public enum BlameWords {
    public static let all: [Language: [String]] = [
        .english: [
            "fail", "lazy", "bad", "poor", "should", "must", "forgot", "missed", "late", "behind", "refus", "only",
            "never", "unfortunately", "wrong", "problem",
        ],
        .french: [
            "échou", "échec", "paresse", "mauvais", "devrait", "doit", "oubli", "manqu", "retard", "refus",
            "seulement", "jamais", "malheureusement", "tort", "problème",
        ],
    ]

    /// Returns the judging words in a text, in lower or upper case.
    public static func found(in text: String, _ language: Language) -> [String] {
        let text = text.lowercased()
        return (all[language] ?? []).filter(text.contains)
    }
}
