/// Detects text that was read in the wrong encoding.
enum EncodingMistake {
    /// The intended text if UTF-8 was read as Windows-1252 and encoded again (`ZoÃ©` is `Zoé`); otherwise `nil`.
    static func decodedOnceMore(_ text: String) -> String? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = windows1252[scalar] ?? UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        guard let meant = String(validating: bytes, as: UTF8.self), meant != text else { return nil }
        return meant
    }

    /// Whether text read as Windows-1252 has symbols within words that are letters in other encodings.
    ///
    /// `C½ur` is `Cœur` in ISO-8859-15, `LŽa` is `Léa` in Mac Roman.
    static func isDoubtful(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.contains { place in
            let next = place + 1 < scalars.count ? scalars[place + 1] : nil
            if signs.contains(scalars[place]) { return next?.properties.isAlphabetic == true }
            guard capitals.contains(scalars[place]), place > 0 else { return false }
            let previous = scalars[place - 1].properties
            return previous.isLowercase || previous.isAlphabetic && next?.properties.isLowercase == true
        }
    }

    private static let signs: Set<Unicode.Scalar> = ["¼", "½", "¾", "¦", "¸", "ˆ", "‰", "•", "™", "ƒ"]
    /// The letters é, ä and ü of Mac Roman.
    private static let capitals: Set<Unicode.Scalar> = ["Ž", "Š", "Ÿ"]

    /// The bytes 0x80 to 0x9F (WHATWG Encoding, index windows-1252).
    private static let windows1252: [Unicode.Scalar: UInt8] = [
        "€": 0x80, "‚": 0x82, "ƒ": 0x83, "„": 0x84, "…": 0x85, "†": 0x86, "‡": 0x87, "ˆ": 0x88, "‰": 0x89,
        "Š": 0x8A,
        "‹": 0x8B, "Œ": 0x8C, "Ž": 0x8E, "‘": 0x91, "’": 0x92, "“": 0x93, "”": 0x94, "•": 0x95, "–": 0x96,
        "—": 0x97,
        "˜": 0x98, "™": 0x99, "š": 0x9A, "›": 0x9B, "œ": 0x9C, "ž": 0x9E, "Ÿ": 0x9F,
    ]
}
