import Domain
import FeatureKit
import Foundation

/// Refuses passwords that are long enough but easy to guess (NIST SP 800-63B, section 5.1.1.2). Applies wherever a
/// password is set.
struct PasswordRule: Sendable {
    static let shortest = 10

    /// Why a password is refused; the raw value is the code of the fault.
    enum Weakness: String, Sendable, CaseIterable {
        /// It is a common word, also with digits and signs around it or as substitutes for letters.
        case common = "auth.passwordCommon"
        /// It consists of the person's name or address, or the name of the school or of this product.
        case own = "auth.passwordOwn"
        /// It repeats itself, follows the keyboard or the alphabet, or has only digits.
        case simple = "auth.passwordSimple"
    }

    /// Words of this product and of schools, which are easy to guess here.
    private static let places = [
        "pinktower", "wolfwhale", "wolfwhalelms", "pgease", "timequest", "montessori", "school", "ecole", "college",
        "lycee",
        "classroom", "classe", "teacher", "professeur", "student", "eleve",
    ]
    /// Rows of keys, and letters and digits in order.
    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop",
        "qsdfghjklm", "wxcvbn", "qwertzuiop",
        "1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm",
    ]
    /// Signs and digits that stand for letters, as in "p@ssw0rd".
    private static let lookalikes: [Character: Character] = [
        "@": "a", "4": "a", "0": "o", "1": "l", "!": "i", "3": "e", "$": "s", "5": "s", "7": "t",
    ]

    /// Throws `Problem` 422 at `password` with the reason for a weak password.
    /// - Parameter terms: names and addresses of the person and of their school.
    func check(_ password: String, of terms: [String]) throws {
        if let weakness = weakness(of: password, of: terms) {
            throw Problem.invalid("password", weakness.rawValue)
        }
    }

    func weakness(of password: String, of terms: [String]) -> Weakness? {
        let folded = Self.folded(password)
        let common = Self.commonWords
        if folded.allSatisfy(\.isNumber) || Self.isRepetitive(folded) || Self.isSequential(folded) {
            return .simple
        }
        // Checked twice: as written, and with signs and digits read as letters.
        let plain = folded.filter(\.isLetter)
        let trimmed = folded.drop { !$0.isLetter }.reversed().drop { !$0.isLetter }.reversed()
        let read = String(trimmed.map { Self.lookalikes[$0] ?? $0 }).filter(\.isLetter)
        let own = (terms.flatMap(Self.words) + Self.places).sorted { ($0.count, $1) > ($1.count, $0) }
        for letters in [plain, read] {
            if common.contains(letters) || Self.isDoubled(letters, common) { return .common }
            let rest = own.reduce(letters) { $0.replacingOccurrences(of: $1, with: "") }
            guard rest != letters else { continue }
            // After the known words, "montessori2026" and "anakovac12" leave almost nothing to guess.
            if rest.count <= 3 || common.contains(rest) { return .own }
        }
        return nil
    }

    /// The words of a name or an address, without an address's last label: "ana.kovac@maple.example" gives "ana",
    /// "kovac", "maple".
    private static func words(_ term: String) -> [String] {
        let named = term.split(separator: "@").enumerated().flatMap { index, part in
            index == 0 ? [part] : part.split(separator: ".").dropLast().map { $0 }
        }
        let words = named.flatMap { $0.split { !$0.isLetter } }.map { folded(String($0)) }
        let joined = named.map { folded(String($0)).filter(\.isLetter) }
        return (words + joined).filter { $0.count >= 3 }
    }

    /// The text in lower case, without accents and white space.
    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .lowercased()
            .filter { !$0.isWhitespace }
    }

    /// Whether the text has at most four different characters or repeats a short piece.
    private static func isRepetitive(_ text: String) -> Bool {
        if Set(text).count <= 4 { return true }
        let characters = Array(text)
        return (1...max(1, characters.count / 3)).contains { length in
            characters.indices.allSatisfy { characters[$0] == characters[$0 % length] }
        }
    }

    /// Whether the text is a common word twice.
    private static func isDoubled(_ text: String, _ common: Set<String>) -> Bool {
        guard text.count >= 8, text.count.isMultiple(of: 2) else { return false }
        let half = String(text.prefix(text.count / 2))
        return half + half == text && common.contains(half)
    }

    /// Whether at least 80 % of neighboring characters are also neighbors on a keyboard or in the alphabet.
    private static func isSequential(_ text: String) -> Bool {
        let characters = Array(text)
        guard characters.count > 1 else { return true }
        let steps = zip(characters, characters.dropFirst()).count { first, second in
            rows.contains { $0.contains("\(first)\(second)") || $0.contains("\(second)\(first)") }
        }
        return steps * 10 >= (characters.count - 1) * 8
    }
}
