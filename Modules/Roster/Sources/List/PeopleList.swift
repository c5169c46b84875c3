import ClassroomInterface
import Domain
import FeatureKit
import OrganizationInterface
import RosterInterface

/// A plain list of people: one CSV file with a row per person, from a spreadsheet or our own export.
///
/// People are identified by an id if the list has one, and otherwise by name. An ambiguous name is a fault, never a
/// guess.
struct PeopleList: Sendable {
    /// A row of the list.
    struct Row: Sendable {
        let line: Int
        var id = ""
        var given = ""
        /// The family name that the school uses: the name of usage (nom d'usage) if the list has one.
        var family = ""
        /// The family name at birth, if it differs from the name of usage.
        var birthFamily: String?
        var preferred = ""
        var email = ""
        var number = ""
        var gradeLevel = ""
        /// OneRoster names of roles.
        var roles: [String] = []
        var classrooms: [String] = []
        var guardian = ""
        var guardianEmail = ""
        /// What the row contained when this school exported it; `nil` if the list is not our export.
        var exported: ExportedValues?

        var name: String { PersonName(given: given, family: family).display }
        /// The full name with the family name at birth, which the school may have from an earlier list.
        var birthName: String? { birthFamily.map { PersonName(given: given, family: $0).display } }
    }

    let file: String
    private(set) var rows: [Row] = []
    private(set) var hasIds = false
    /// All columns of the file, with their meaning or `nil`.
    private(set) var columns: [(title: String, column: ListColumn?)] = []
    private(set) var findings: Findings

    static let separators = [CSVReader.comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]

    /// Reads a list and finds all faults that show without the school's data.
    ///
    /// - Parameter language: The language of the dates: in French, 3/4/2015 is the third of April.
    init(
        _ list: RosterFile, language: Language, findings: Findings = Findings(),
        choices: ColumnChoices = ColumnChoices(), limits: CSVReader.Limits = CSVReader.Limits()
    ) {
        self.findings = findings
        file = RosterSource.lastPart(of: list.name)
        let (table, isWhole) = self.findings.read(
            list.bytes, file, separators: Self.separators, limits: limits, allowsSeparatorAtEnd: true)
        guard !table.header.isEmpty else { return }
        let places = columns(table.header, choices)
        hasIds = places[.id] != nil
        if places[.given] == nil && places[.family] == nil && places[.wholeName] == nil {
            self.findings.faults.add(.noNameColumn, file, 1)
            return
        }
        let filled = table.rows.filter { !$0.fields.allSatisfy { $0.trimmed.isEmpty } }
        if filled.isEmpty && table.lost.isEmpty && isWhole { self.findings.faults.add(.noRows, file) }
        read(filled, places, table.header)
        checkUnused(filled, places, table.header, language)
    }

    // MARK: - Reading

    private mutating func columns(_ header: [String], _ choices: ColumnChoices) -> [ListColumn: Int] {
        var places: [ListColumn: Int] = [:]
        for (place, name) in header.enumerated() {
            let known = ListColumn(header: name)
            let column = known ?? choices.choices[place]?.flatMap(\.self)
            columns.append((name.shortened, column))
            guard let column else {
                if !name.isBlank && choices.choices[place] == nil {
                    findings.notices.add(
                        SensitiveData.isSensitive(column: name) ? .sensitiveColumn : .unknownColumn, file, 1,
                        name.shortened)
                }
                continue
            }
            // A list may have several columns of middle names, which are not imported.
            if column == .middleNames && places[column] != nil { continue }
            if places[column] == nil {
                places[column] = place
            } else {
                findings.faults.add(.doubleColumn, file, 1, name.shortened)
            }
        }
        return places
    }

    private mutating func read(_ rows: [CSVReader.Row], _ places: [ListColumn: Int], _ header: [String]) {
        var lines: [String: Int] = [:]
        var usedNames = 0
        for row in rows {
            func field(_ column: ListColumn) -> String {
                places[column].map { CSVField.value(row.fields[$0].trimmed) } ?? ""
            }
            func title(_ column: ListColumn) -> String? { places[column].map { header[$0].shortened } }
            var read = Row(line: row.line)
            read.id = field(.id)
            let whole = PersonName(fullName: field(.wholeName))
            read.given = field(.given).isEmpty && field(.family).isEmpty ? whole.given : field(.given)
            read.family = field(.given).isEmpty && field(.family).isEmpty ? whole.family : field(.family)
            let (listed, used) = (read.family, field(.usedName))
            if !used.isBlank && NameFolding.fold(used) != NameFolding.fold(listed) {
                (read.birthFamily, read.family) = (listed, used)
                usedNames += 1
            }
            read.preferred = field(.preferred)
            read.email = field(.email).lowercased()
            (read.number, read.gradeLevel) = (field(.number), field(.grade))
            (read.guardian, read.guardianEmail) = (field(.guardian), field(.guardianEmail).lowercased())
            for (column, text) in [
                (ListColumn.id, read.id), (.given, read.given), (.family, listed), (.usedName, used),
                (.preferred, read.preferred), (.number, read.number), (.grade, read.gradeLevel),
                (.guardian, read.guardian),
            ] {
                for (code, arguments) in BundleParser.complaints(aboutLine: text, max: column.longest) {
                    findings.faults.add(code, file, row.line, title(column) ?? title(.wholeName), arguments)
                }
            }
            if read.name.isBlank && read.id.isEmpty {
                findings.faults.add(
                    .nameMissing, file, row.line, title(.given) ?? title(.family) ?? title(.wholeName))
            }
            for (column, email) in [(ListColumn.email, read.email), (.guardianEmail, read.guardianEmail)]
            where !email.isEmpty && (email.utf8.count > 254 || !EmailAddress.isValid(email)) {
                findings.faults.add(.email, file, row.line, title(column), [.shown(email)])
            }
            for text in Self.parts(field(.roles)) {
                if let role = ListRole.oneRosterName(text) {
                    if !read.roles.contains(role) { read.roles.append(role) }
                } else {
                    findings.faults.add(.listRole, file, row.line, title(.roles), [.shown(text)])
                }
            }
            for text in Self.parts(field(.classrooms)) {
                for (code, arguments) in BundleParser.complaints(aboutLine: text, max: 200) {
                    findings.faults.add(code, file, row.line, title(.classrooms), arguments)
                }
                read.classrooms.append(text)
            }
            if !field(.exported).isEmpty {
                read.exported = ExportedValues(text: field(.exported))
                if read.exported == nil {
                    findings.faults.add(.exportedCell, file, row.line, title(.exported))
                }
            }
            if !read.id.isEmpty, let first = lines.updateValue(row.line, forKey: read.id) {
                findings.faults.add(.duplicateId, file, row.line, title(.id), [.shown(read.id), .number(first)])
            }
            self.rows.append(read)
        }
        if usedNames > 0, let place = places[.usedName] {
            findings.notices.add(.usedName, file, 0, header[place].shortened, [.number(usedNames)])
        }
    }

    /// Notes columns that are not imported, with their number of values. A date that is invalid or ambiguous is a
    /// fault.
    private mutating func checkUnused(
        _ rows: [CSVReader.Row], _ places: [ListColumn: Int], _ header: [String], _ language: Language
    ) {
        for column in ListColumn.allCases where !column.isUsed && column != .exported {
            guard let place = places[column] else { continue }
            let title = header[place].shortened
            let values = rows.map { (line: $0.line, text: $0.fields[place].trimmed) }.filter { !$0.text.isEmpty }
            if !values.isEmpty { findings.notices.add(.columnNotUsed, file, 0, title, [.number(values.count)]) }
            guard column == .birthDate else { continue }
            let days = WrittenDays(values.lazy.map(\.text), language: language)
            for (line, text) in values {
                switch days.read(text) {
                case .day(let day) where BundleParser.schoolYears.contains(day.year): break
                case .day: findings.faults.add(.farDay, file, line, title, [.shown(text)])
                case .ambiguous: findings.faults.add(.ambiguousDate, file, line, title, [.shown(text)])
                case .none: findings.faults.add(.listDate, file, line, title, [.shown(text)])
                }
            }
        }
    }

    /// Splits a field at semicolons. A doubled semicolon belongs to a name, as our export writes it.
    static func parts(_ text: String) -> [String] {
        guard text.contains(";") else { return text.isEmpty ? [] : [text] }
        return text.replacing(";;", with: "\u{1}").split(separator: ";")
            .map { $0.replacing("\u{1}", with: ";").trimmed }.filter { !$0.isEmpty }
    }
}
