import Domain
import FeatureKit
import RosterInterface

/// A fault, notice or question about a bundle.
struct Finding: Sendable, Hashable {
    /// The kind of finding. Its sentence is `fault.roster.<code>` in the catalog.
    enum Code: String, Sendable, Hashable, CaseIterable {
        // Files
        case noManifest, notOneRoster, wrongVersion, wrongManifestVersion, manifestValue, missingFile, doubleFile
        case tooLarge, utf16, binary, emptyFile, noRows, tooManyRows, tooManyColumns
        // ZIP files
        case zipDamaged, zipEncrypted, zipInParts, zipMethod, zipTooManyFiles, zipTooLarge, zipPath, zipNested
        case zipEmpty, spreadsheet
        // Rows and fields
        case notUTF8, twiceEncoded, doubtfulLetters, control, strayQuote, textAfterQuote, openQuote,
            bareCarriageReturn, fieldTooLong, fieldCount
        case missingColumn, doubleColumn, missingValue, tooLong, severalLines
        case choice, boolean, date, farDay, year, email
        // References between rows
        case dayOrder, duplicateId, unknownReference, ownReference, circularReference
        // Plain lists
        case noNameColumn, nameMissing, listRole, listDate, ambiguousDate, samePerson, severalPeople, severalRooms
        case sameAddress, addressTaken, exportedCell
        // Notices
        case readAsWindows1252, readAsUTF16, placeWithoutRole, placeUnclear
        case fileNotUsed, fileOnlyChecked, unknownColumn, columnNotUsed, leftOut, disabledUser
        case roleNotUsed, enrollmentRoleNotUsed, teacherWithoutRole, userWithoutRole, sameEmail, sameNumber
        case version11, otherCase, instant, vendorColumns, sensitive, sensitiveColumn, sensitiveFile, unknownAgent,
            unclearAgent
        case usedName, addressOfAdult, enrollmentEnded, enrollmentToCome, wouldLeave
        case changedSince, removedSince
        // Questions
        case nobodyHasRole, halfNames, manyLeave, conflict
        // Rows that are missing in the bundle
        case toBeDeleted, personNotInFile, guideNotInFile, studentNotInFile, guardianNotInFile
    }

    let file: String
    let line: Int
    let column: String?
    let code: Code
    let arguments: [Fault.Argument]
    /// The number of occurrences. The place is that of the first.
    var times = 1
    /// The lines of the first occurrences.
    var lines: [Int] = []

    static let shownLines = 5

    /// The finding as a row of the report, with its sentence.
    func finding(_ words: Words) -> RosterFinding {
        RosterFinding(file: file, line: line, column: column, code: code.rawValue, sentence: sentence(words))
    }

    private func sentence(_ words: Words) -> String {
        let sentence = words.text("fault.roster.\(code.rawValue)", arguments.map { $0.word(words) })
        guard times > 1 else { return sentence }
        let counted = "\(sentence) \(words("roster.times", times))"
        guard lines.count > 1 else { return counted }
        let shown = lines.map(String.init).joined(separator: ", ")
        return "\(counted) \(words("roster.lines", times > lines.count ? "\(shown)…" : shown))"
    }

    /// The finding as a fault of a command's input.
    var fault: Fault {
        let place = "\(file)\(line > 0 ? ":\(line)" : "")\(column.map { " \($0)" } ?? "")"
        return Fault(place, "roster.\(code.rawValue)", arguments)
    }
}

/// Findings of one severity: the first ones in full, and the count of all.
struct FindingList: Sendable {
    private(set) var first: [Finding] = []
    private(set) var count = 0

    mutating func add(
        _ code: Finding.Code, _ file: String, _ line: Int = 0, _ column: String? = nil,
        _ arguments: [Fault.Argument] = []
    ) {
        count += 1
        guard first.count < RosterReport.findingLimit else { return }
        first.append(
            Finding(
                file: file, line: line, column: column, code: code, arguments: arguments,
                lines: line > 0 ? [line] : []))
    }

    /// Adds a finding, or counts it if one with the same code, file, column and key exists.
    ///
    /// - Parameter key: Distinguishes findings of the same code and column.
    mutating func addOnce(
        _ code: Finding.Code, _ file: String, _ line: Int, _ column: String?, _ arguments: [Fault.Argument] = [],
        key: String = ""
    ) {
        let same = Repeated(code: code, file: file, column: column, key: key)
        if let place = places[same] {
            first[place].times += 1
            if line > 0, first[place].lines.count < Finding.shownLines { first[place].lines.append(line) }
            return
        }
        if first.count < RosterReport.findingLimit { places[same] = first.count }
        add(code, file, line, column, arguments)
    }

    private struct Repeated: Hashable {
        let code: Finding.Code
        let file: String
        let column: String?
        let key: String
    }
    private var places: [Repeated: Int] = [:]
}

/// All findings about a bundle.
struct Findings: Sendable {
    var faults = FindingList()
    var notices = FindingList()
    /// People and places that are missing in the bundle, which stay in the school.
    var stays = FindingList()
    /// Likely mistakes in the whole file. The import waits for a confirmation.
    var questions = FindingList()

    var isClean: Bool { faults.count == 0 }

    /// Reads a CSV file and adds its faults. `isWhole` is `false` if some rows could not be read.
    mutating func read(
        _ bytes: [UInt8], _ file: String, separators: [UInt8] = [CSVReader.comma], limits: CSVReader.Limits,
        allowsSeparatorAtEnd: Bool = false
    ) -> (table: CSVReader.Table, isWhole: Bool) {
        var faults: [CSVReader.Fault] = []
        let table = CSVReader.read(
            bytes, separators: separators, limits: limits, allowsSeparatorAtEnd: allowsSeparatorAtEnd
        ) { fault in
            if faults.count <= RosterReport.findingLimit { faults.append(fault) }
        }
        switch table.encoding {
        case .utf8: break
        case .utf16: notices.add(.readAsUTF16, file)
        case .windows1252: notices.add(.readAsWindows1252, file)
        }
        refuseWrongEncodings(table, file)
        var isWhole = true
        for fault in faults {
            let column = fault.column.map { $0 < table.header.count ? table.header[$0].shortened : String($0 + 1) }
            func add(_ code: Finding.Code, _ numbers: Int...) {
                self.faults.add(code, file, fault.line, column, numbers.map(Fault.Argument.number))
            }
            switch fault.kind {
            case .tooLarge(let limit): add(.tooLarge, limit / 1_048_576)
            case .utf16: add(.utf16)
            case .binary: add(.binary)
            case .notUTF8: add(.notUTF8)
            case .control: add(.control)
            case .strayQuote: add(.strayQuote)
            case .textAfterQuote: add(.textAfterQuote)
            case .openQuote: add(.openQuote)
            case .bareCarriageReturn: add(.bareCarriageReturn)
            case .fieldTooLong(let limit): add(.fieldTooLong, limit / 1024)
            case .tooManyColumns(let limit): add(.tooManyColumns, limit)
            case .tooManyRows(let limit): add(.tooManyRows, limit)
            case .fieldCount(let found, let expected): add(.fieldCount, expected, found)
            case .empty: add(.emptyFile)
            }
            switch fault.kind {
            case .tooLarge, .utf16, .binary, .openQuote, .tooManyColumns, .tooManyRows, .empty: isWhole = false
            default: break
            }
        }
        return (table, isWhole)
    }

    /// Adds faults for text in the wrong encoding.
    private mutating func refuseWrongEncodings(_ table: CSVReader.Table, _ file: String) {
        func check(_ fields: [String], _ line: Int) {
            for (place, text) in fields.enumerated() where text.utf8.contains(where: { $0 >= 0x80 }) {
                let column = place < table.header.count ? table.header[place].shortened : nil
                if let meant = EncodingMistake.decodedOnceMore(text) {
                    faults.add(.twiceEncoded, file, line, column, [.shown(text), .shown(meant)])
                } else if table.encoding == .windows1252, EncodingMistake.isDoubtful(text) {
                    faults.add(.doubtfulLetters, file, line, column, [.shown(text)])
                }
            }
        }
        check(table.header, 1)
        for row in table.rows { check(row.fields, row.line) }
    }
}

extension Fault.Argument {
    /// A value from a file, shortened.
    static func shown(_ text: String) -> Fault.Argument { .text(text.shortened) }
}

extension String {
    /// The text without control characters and with at most 60 characters, for reports.
    var shortened: String {
        let isLong = unicodeScalars.count > 60
        let scalars = unicodeScalars.prefix(isLong ? 59 : 60).map { $0.isControl ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars)) + (isLong ? "…" : "")
    }
}

extension Unicode.Scalar {
    /// Whether the character is a control character, a line separator (Unicode categories Cc, Zl and Zp), or a
    /// bidirectional override.
    var isControl: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || [0x2028, 0x2029, 0x202D, 0x202E].contains(value)
    }

    /// Whether the character is visible. Joiners and zero-width spaces are not.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
        default: !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
        }
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        guard let from = firstIndex(where: { !$0.isWhitespace }), let to = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[from...to])
    }

    /// Whether no character is visible. Control characters count as visible, so that they are reported by name.
    var isBlank: Bool {
        // Most texts begin with an ASCII letter.
        if let first = utf8.first, (0x21...0x7E).contains(first) { return false }
        return !unicodeScalars.contains { $0.isVisible || $0.isControl && !$0.properties.isWhitespace }
    }
}
