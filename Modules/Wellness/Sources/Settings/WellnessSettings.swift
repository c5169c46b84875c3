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

    /// Reads the lines of the school's text. The number of a line is its last run of digits, with spaces, dots, dashes,
    /// parentheses and a leading plus sign.
    static func lines(of text: String) -> [HelpLine] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let text = line.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty else { return nil }
            return HelpLine(text: text, number: number(in: text))
        }
    }

    private static func number(in text: String) -> String? {
        let runs = text.split { !($0.isASCII && $0.isNumber || " \u{A0}.-()+".contains($0)) }
        guard let run = runs.last(where: { $0.contains(where: \.isNumber) }).map(String.init) else { return nil }
        // After a country code, the zero in parentheses is not dialed: "+33 (0)1".
        let dialed = run.contains("+") ? run.replacing("(0)", with: "") : run
        return dialed.filter { $0.isNumber || $0 == "+" }
    }
}
