public import Domain

/// Words that judge. What children and families read is curious and kind, and has none of them.
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

    /// Those that a text holds, in whatever case.
    public static func found(in text: String, _ language: Language) -> [String] {
        let text = text.lowercased()
        return (all[language] ?? []).filter(text.contains)
    }
}
