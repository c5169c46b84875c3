import Domain
import FeatureKit
import RosterInterface

/// Something to tell about a bundle, before it is put into words.
struct Finding: Sendable, Hashable {
    /// The sentence is `fault.roster.<code>` of the catalog.
    enum Code: String, Sendable, Hashable, CaseIterable {
        // Files
        case noManifest, wrongVersion, wrongManifestVersion, manifestValue, missingFile, doubleFile, deltaFile
        case tooLarge, utf16, emptyFile, noRows, tooManyRows, tooManyColumns
        // Rows and fields
        case notUTF8, control, strayQuote, textAfterQuote, openQuote, bareCarriageReturn, fieldTooLong, fieldCount
        case missingColumn, doubleColumn, missingValue, tooLong, severalLines
        case choice, boolean, date, instant, year, email
        // What rows say of each other
        case duplicateId, unknownReference, ownReference, circularReference
        // Notices
        case fileNotUsed, fileOnlyChecked, unknownColumn, columnNotUsed, toBeDeleted, leftOut, disabledUser
        case roleNotUsed, enrollmentRoleNotUsed, teacherWithoutRole, userWithoutRole, sameEmail
    }

    let file: String
    let line: Int
    let column: String?
    let code: Code
    let arguments: [Fault.Argument]

    func finding(_ words: Words) -> RosterFinding {
        RosterFinding(file: file, line: line, column: column, code: code.rawValue, sentence: sentence(words))
    }

    private func sentence(_ words: Words) -> String {
        words.text("fault.roster.\(code.rawValue)", arguments.map { $0.word(words) })
    }

    /// The same as a fault of a command's input.
    var fault: Fault {
        let place = "\(file)\(line > 0 ? ":\(line)" : "")\(column.map { " \($0)" } ?? "")"
        return Fault(place, "roster.\(code.rawValue)", arguments)
    }
}

/// Gathers findings: a bounded number whole, of the rest the count.
struct Findings: Sendable {
    private(set) var faults: [Finding] = []
    private(set) var faultCount = 0
    private(set) var notices: [Finding] = []
    private(set) var noticeCount = 0

    var isClean: Bool { faultCount == 0 }

    mutating func fault(
        _ code: Finding.Code, _ file: String, _ line: Int = 0, _ column: String? = nil,
        _ arguments: [Fault.Argument] = []
    ) {
        faultCount += 1
        guard faults.count < RosterReport.findingLimit else { return }
        faults.append(Finding(file: file, line: line, column: column, code: code, arguments: arguments))
    }

    mutating func notice(
        _ code: Finding.Code, _ file: String, _ line: Int = 0, _ column: String? = nil,
        _ arguments: [Fault.Argument] = []
    ) {
        noticeCount += 1
        guard notices.count < RosterReport.findingLimit else { return }
        notices.append(Finding(file: file, line: line, column: column, code: code, arguments: arguments))
    }
}

extension Fault.Argument {
    /// A value out of a file.
    static func shown(_ text: String) -> Fault.Argument { .text(text.shortened) }
}

extension String {
    /// Fit for a sentence, a page and a terminal: short, and without control characters.
    var shortened: String {
        let isLong = unicodeScalars.count > 60
        let kept = unicodeScalars.prefix(isLong ? 59 : 60).map { $0.isControl ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(kept)) + (isLong ? "…" : "")
    }
}

extension Unicode.Scalar {
    /// A control character or a line separator (Unicode categories Cc, Zl and Zp).
    var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
    }
}
