import Domain
import FeatureKit
import Foundation

/// Which passwords are refused although they are long enough: those that whoever breaks into accounts tries first (NIST
/// SP 800-63B, section 5.1.1.2). The same rule holds wherever a password is set.
struct PasswordRule: Sendable {
    static let shortest = 10

    enum Weakness: String, Sendable, CaseIterable {
        /// It is a common word (`commonWords`), also with digits and signs around it or in the place of letters.
        case common = "auth.passwordCommon"
        /// It is made of the person's own name or address, or of the school's or this product's name.
        case own = "auth.passwordOwn"
        /// It repeats or counts on, or is all digits.
        case simple = "auth.passwordSimple"
    }

    /// Words that say where the account is.
    private static let places = [
        "pinktower", "wolfwhale", "wolfwhalelms", "pgease", "timequest", "montessori", "school", "ecole", "college",
        "lycee",
        "classroom", "classe", "teacher", "professeur", "student", "eleve",
    ]
    /// Keys side by side, and letters and digits in their order.
    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop",
        "qsdfghjklm", "wxcvbn", "qwertzuiop",
        "1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm",
    ]
    /// What stands for a letter in "p@ssw0rd".
    private static let lookalikes: [Character: Character] = [
        "@": "a", "4": "a", "0": "o", "1": "l", "!": "i", "3": "e", "$": "s", "5": "s", "7": "t",
    ]

    /// Refuses a weak password with the reason, at its field.
    /// - Parameter terms: names and addresses of the person and of their school.
    func check(_ password: String, of terms: [String]) throws {
        if let weakness = weakness(of: password, of: terms) {
            throw Problem.invalid("password", weakness.rawValue)
        }
    }

    func weakness(of password: String, of terms: [String]) -> Weakness? {
        let folded = Self.folded(password)
        let common = Self.commonWords
        if folded.allSatisfy(\.isNumber) || Self.repeats(folded) || Self.countsOn(folded) { return .simple }
        // As it stands, and with signs and digits read as the letters that they look like.
        let plain = folded.filter(\.isLetter)
        let trimmed = folded.drop { !$0.isLetter }.reversed().drop { !$0.isLetter }.reversed()
        let read = String(trimmed.map { Self.lookalikes[$0] ?? $0 }).filter(\.isLetter)
        let own = (terms.flatMap(Self.words) + Self.places).sorted { ($0.count, $1) > ($1.count, $0) }
        for letters in [plain, read] {
            if common.contains(letters) || Self.isRepeated(letters, common) { return .common }
            let rest = own.reduce(letters) { $0.replacingOccurrences(of: $1, with: "") }
            guard rest != letters else { continue }
            // "montessori2026", "anakovac12": hardly anything is left that had to be guessed.
            if rest.count <= 3 || common.contains(rest) { return .own }
        }
        return nil
    }

    /// The words of a name or an address: "ana.kovac@maple.example" gives all but its ending.
    private static func words(_ term: String) -> [String] {
        let named = term.split(separator: "@").enumerated().flatMap { index, part in
            index == 0 ? [part] : part.split(separator: ".").dropLast().map { $0 }
        }
        let words = named.flatMap { $0.split { !$0.isLetter } }.map { folded(String($0)) }
        let joined = named.map { folded(String($0)).filter(\.isLetter) }
        return (words + joined).filter { $0.count >= 3 }
    }

    /// In small letters, without accents and blanks.
    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .lowercased()
            .filter { !$0.isWhitespace }
    }

    /// Whether it is made of four different characters at most, or of one short piece again and again.
    private static func repeats(_ text: String) -> Bool {
        if Set(text).count <= 4 { return true }
        let characters = Array(text)
        return (1...max(1, characters.count / 3)).contains { length in
            characters.indices.allSatisfy { characters[$0] == characters[$0 % length] }
        }
    }

    /// Whether it is one common word again and again.
    private static func isRepeated(_ text: String, _ common: Set<String>) -> Bool {
        guard text.count >= 8, text.count.isMultiple(of: 2) else { return false }
        let half = String(text.prefix(text.count / 2))
        return half + half == text && common.contains(half)
    }

    /// Whether nearly every character stands beside the one before it on the keyboard or in the alphabet.
    private static func countsOn(_ text: String) -> Bool {
        let characters = Array(text)
        guard characters.count > 1 else { return true }
        let steps = zip(characters, characters.dropFirst()).count { first, second in
            rows.contains { $0.contains("\(first)\(second)") || $0.contains("\(second)\(first)") }
        }
        return steps * 10 >= (characters.count - 1) * 8
    }
}
