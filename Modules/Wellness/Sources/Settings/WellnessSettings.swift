import Domain
import FeatureKit
import Foundation

/// The choices of a school about check-ins and requests for help.
struct WellnessSettings: Codable, Sendable, Hashable {
    /// The longest text in Unicode scalars.
    static let textLength = 1000

    /// Whether children can check in. Switching it off deletes nothing.
    var isOn = true
    /// Whether children can share check-ins with their parents.
    var allowsParents = false
    /// Whom a child can speak to while nobody is named, in the school's words.
    var advice = ""
    /// The numbers to call, one on each line.
    var numbers = ""

    /// The version of the settings and the named adults, for the form that edits both.
    func version(naming adultIds: Set<UUID>) -> ContentVersion {
        ContentVersion(
            ["\(isOn)", "\(allowsParents)", advice, numbers] + adultIds.map(\.text).sorted().map { $0 })
    }

    static func read(in sql: any SQLReading) throws -> WellnessSettings {
        guard let row = try sql.row("SELECT * FROM wellness_settings WHERE id = 'school'") else {
            return WellnessSettings()
        }
        return try WellnessSettings(
            isOn: row.get("is_on"), allowsParents: row.get("allows_parents"), advice: row.get("advice"),
            numbers: row.get("numbers"))
    }
}

/// A line of the school's numbers, as a page shows it.
struct HelpLine: Sendable, Hashable {
    let text: String
    /// The digits to dial; `nil` for a line without a number.
    let number: String?

    /// Reads the lines of the school's text. The number of a line is its longest run of digits, with spaces, dots, dashes,
    /// parentheses and a leading plus sign; the last one of equally long runs. Times of service such as "24 h" and "24/7"
    /// are not numbers.
    static func lines(of text: String) -> [HelpLine] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let text = line.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty else { return nil }
            return HelpLine(text: text, number: number(in: text))
        }
    }

    private static func number(in text: String) -> String? {
        // "24/7", "24 h", "24h/24", "8 h 30", "7j/7", "24 hours", each up to the end of a word.
        let service =
            #/\b[0-9]{1,2}(?:/(?:7|24)|[ \u{A0}]?(?:h(?:(?:ou)?rs?|eures?)?|days?|j(?:ours?)?)(?:[ \u{A0}]?[0-5][0-9])?(?:/[0-9]+)?)\b/#
            .ignoresCase()
        // A number continues over parentheses only if they contain digits alone: "(514) 555-0100", but not "(room 4)".
        let run = #/\+?(?:\([0-9]+\)|[0-9]+)(?:[ \u{A0}.\-]*(?:\([0-9]+\)|[0-9]+))*/#
        let dialed = text.replacing(service, with: ";").matches(of: run).map { match in
            // After a country code, the zero in parentheses is not dialed: "+33 (0)1".
            let run = String(match.output)
            let number = run.hasPrefix("+") ? run.replacing("(0)", with: "") : run
            return number.filter { $0.isNumber || $0 == "+" }
        }
        return dialed.reduce(nil) { longest, one in one.count >= longest?.count ?? 0 ? one : longest }
    }
}
