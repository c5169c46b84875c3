import Domain
import FeatureKit
import RosterInterface

/// Reads a bundle in three steps: the manifest, the tables with the ids that they define, then all fields.
struct BundleParser {
    /// The rows of a file and its known columns.
    struct Sheet {
        let kind: RosterFileKind
        let rows: [CSVReader.Row]
        /// The known columns and their positions.
        let columns: [(column: RosterFileKind.Column, place: Int)]

        func place(_ name: String) -> Int? { columns.first { $0.column.name == name }?.place }

        /// The columns of a person's given and family name, of which each row needs one. Empty for other files.
        var nameParts: [Int] {
            kind == .users ? ["givenName", "familyName"].compactMap(place) : []
        }
    }

    private let limits: CSVReader.Limits
    var bundle = RosterBundle()
    private var sheets: [Sheet] = []
    /// The line of each id, by file.
    private var ids: [RosterFileKind: [String: Int]] = [:]
    /// Files whose ids are not completely known. References to them are not checked.
    private var unread: Set<RosterFileKind> = []
    private(set) var version = RosterFileKind.Version.version12
    private var unusedFiles: Set<String> = []
    private var vendorColumns: [(file: String, name: String)] = []

    init(limits: CSVReader.Limits) { self.limits = limits }

    mutating func parse(_ files: [RosterFile]) -> RosterBundle {
        let named = byName(files)
        if named.count > 1, named[Self.manifestName] == nil, let (file, column) = foreign(named) {
            bundle.findings.faults.add(.notOneRoster, file, 0, nil, [.text(column)])
            return bundle
        }
        let wanted = manifest(named[Self.manifestName])
        // The content decides the version, not the manifest: some systems declare another one.
        let hasRoleFile = named[RosterFileKind.roles.fileName] != nil
        let hasRoleColumn = header(named, .users).contains("role")
        version = hasRoleFile == hasRoleColumn ? version : hasRoleColumn ? .version11 : .version12
        if version == .version11 { bundle.findings.notices.add(.version11, Self.manifestName) }
        for kind in RosterFileKind.allCases {
            switch (wanted.map { $0[kind.rawValue] ?? "absent" } ?? "bulk", named[kind.fileName]) {
            case ("bulk", let bytes?): open(kind, bytes)
            case ("delta", let bytes?):
                bundle.deltas.insert(kind)
                open(kind, bytes)
            case ("bulk", nil), ("delta", nil):
                unread.insert(kind)
                if wanted != nil { bundle.findings.faults.add(.missingFile, kind.fileName) }
            case (_, .some):
                unread.insert(kind)
                bundle.findings.notices.add(.fileNotUsed, kind.fileName)
            case (_, nil):
                // Classes and people are required; the other files may be missing.
                if !kind.isUsed { unread.insert(kind) }
            }
        }
        bundle.isComplete = bundle.deltas.isEmpty
        let known = Set(RosterFileKind.allCases.map(\.fileName)).union([Self.manifestName])
        for name in named.keys.sorted() where !known.contains(name) {
            noteUnusedFile(name)
        }
        for sheet in sheets { read(sheet) }
        if let first = vendorColumns.first {
            let names = Set(vendorColumns.map(\.name)).sorted()
            bundle.findings.notices.add(
                .vendorColumns, first.file, 1, nil, [.text(names.prefix(10).joined(separator: ", "))])
        }
        return bundle
    }

    // MARK: - Files

    static let manifestName = "manifest.csv"

    /// The files by their names. A browser may send a path; only its last part counts, in any case.
    private mutating func byName(_ files: [RosterFile]) -> [String: [UInt8]] {
        var named: [String: [UInt8]] = [:]
        for file in files {
            let last = RosterSource.lastPart(of: file.name)
            let isManifest = last.lowercased() == Self.manifestName
            let name = RosterFileKind(fileName: last)?.fileName ?? (isManifest ? Self.manifestName : last)
            if named.updateValue(file.bytes, forKey: name) != nil { bundle.findings.faults.add(.doubleFile, name) }
        }
        return named
    }

    /// Notes once that a file is not read, whether the manifest names it, it was uploaded, or both.
    private mutating func noteUnusedFile(_ name: String) {
        guard unusedFiles.insert(name.lowercased()).inserted else { return }
        bundle.findings.notices.add(SensitiveData.isSensitive(file: name) ? .sensitiveFile : .fileNotUsed, name)
    }

    /// The column names in the first line of a file.
    private func header(_ named: [String: [UInt8]], _ kind: RosterFileKind) -> [String] {
        guard let bytes = named[kind.fileName], bytes.count <= limits.fileBytes else { return [] }
        let end = bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
        return CSVReader.read(Array(bytes[..<end]), limits: limits) { _ in }.header.map(kind.columnName)
    }

    /// A file and a required column that it lacks, if files without a manifest have OneRoster names but another format.
    private func foreign(_ named: [String: [UInt8]]) -> (file: String, column: String)? {
        for kind in RosterFileKind.allCases {
            let header = header(named, kind)
            let missing = [RosterFileKind.Version.version12, .version11].map { version in
                kind.columns(version).first { $0.isRequired && !header.contains($0.name) }
            }
            if !header.isEmpty, let first = missing[0], missing[1] != nil { return (kind.fileName, first.name) }
        }
        return nil
    }

    /// The mode of each file in the manifest, or `nil` if there is no valid manifest.
    private mutating func manifest(_ bytes: [UInt8]?) -> [String: String]? {
        let file = Self.manifestName
        guard let bytes else {
            bundle.findings.faults.add(.noManifest, file)
            return nil
        }
        let table = bundle.findings.read(bytes, file, limits: limits).table
        guard table.header == ["propertyName", "value"] else {
            for name in ["propertyName", "value"] where !table.header.contains(name) && !table.header.isEmpty {
                bundle.findings.faults.add(.missingColumn, file, 1, name)
            }
            return nil
        }
        var properties: [String: (line: Int, value: String)] = [:]
        for row in table.rows {
            if properties.updateValue((row.line, row.fields[1]), forKey: row.fields[0]) != nil {
                bundle.findings.faults.add(
                    .duplicateId, file, row.line, "propertyName", [.shown(row.fields[0]), .number(0)])
            }
        }
        func check(_ name: String, is value: String, _ code: Finding.Code) {
            let found = properties[name]
            if found?.value != value {
                bundle.findings.faults.add(
                    code, file, found?.line ?? 0, name, [.text(value), .shown(found?.value ?? "")])
            }
        }
        check("manifest.version", is: "1.0", .wrongManifestVersion)
        if properties["oneroster.version"]?.value == "1.1" {
            version = .version11
        } else {
            check("oneroster.version", is: "1.2", .wrongVersion)
        }
        var modes: [String: String] = [:]
        for (name, property) in properties.sorted(by: { $0.value.line < $1.value.line }) {
            guard name.hasPrefix("file.") else { continue }
            let kind = String(name.dropFirst("file.".count))
            guard ["absent", "bulk", "delta"].contains(property.value) else {
                bundle.findings.faults.add(
                    .manifestValue, file, property.line, name.shortened, [.shown(property.value)])
                continue
            }
            modes[kind] = property.value
            if property.value != "absent" && RosterFileKind(rawValue: kind) == nil {
                noteUnusedFile("\(kind.shortened).csv")
            }
        }
        return modes
    }

    private mutating func open(_ kind: RosterFileKind, _ bytes: [UInt8]) {
        let file = kind.fileName
        let (table, isWhole) = bundle.findings.read(bytes, file, limits: limits)
        if !isWhole { unread.insert(kind) }
        guard !table.header.isEmpty else {
            unread.insert(kind)
            return
        }
        if table.rows.isEmpty && table.lost.isEmpty && isWhole && !bundle.deltas.contains(kind) {
            bundle.findings.faults.add(.noRows, file)
        }
        var places: [String: Int] = [:]
        let header = table.header.map(kind.columnName)
        for (place, name) in header.enumerated() {
            if places[name] == nil {
                places[name] = place
            } else {
                bundle.findings.faults.add(.doubleColumn, file, 1, name.shortened)
            }
        }
        let columns = kind.columns(version)
        noteUnknown(header, of: columns, in: table, file)
        for column in columns where column.isRequired && places[column.name] == nil {
            bundle.findings.faults.add(.missingColumn, file, 1, column.name)
        }
        let sheet = Sheet(
            kind: kind, rows: table.rows,
            columns: columns.compactMap { column in places[column.name].map { (column, $0) } })
        sheets.append(sheet)
        switch kind {
        case .orgs: bundle.findings.notices.add(.fileOnlyChecked, file)
        case .academicSessions, .courses: bundle.courseFiles.append(kind)
        case .classes, .users, .roles, .enrollments: break
        }
        noteIds(of: sheet, lost: header.first == "sourcedId" ? table.lost : [])
    }

    /// Notes columns outside the standard. Vendor columns are noted once for all files.
    private mutating func noteUnknown(
        _ header: [String], of columns: [RosterFileKind.Column], in table: CSVReader.Table, _ file: String
    ) {
        let known = Set(columns.map(\.name))
        for (place, name) in header.enumerated() {
            if SensitiveData.isSensitive(column: name) {
                let count = table.rows.count { !$0.fields[place].isEmpty }
                if count > 0 {
                    bundle.findings.notices.add(.sensitive, file, 0, name.shortened, [.number(count)])
                }
            } else if known.contains(name) {
                continue
            } else if ["metadata.", "ext_", "ext:", "ext."].contains(where: { name.lowercased().hasPrefix($0) }) {
                vendorColumns.append((file, name.shortened))
            } else {
                bundle.findings.notices.add(.unknownColumn, file, 1, name.shortened)
            }
        }
    }

    private mutating func noteIds(of sheet: Sheet, lost: [String]) {
        guard let place = sheet.place("sourcedId") else {
            unread.insert(sheet.kind)
            return
        }
        var lines: [String: Int] = [:]
        lines.reserveCapacity(sheet.rows.count)
        for row in sheet.rows {
            let id = row.fields[place]
            guard !id.isEmpty else { continue }
            if let first = lines[id] {
                bundle.findings.faults.add(
                    .duplicateId, sheet.kind.fileName, row.line, "sourcedId", [.shown(id), .number(first)])
            } else {
                lines[id] = row.line
            }
        }
        for id in lost where lines[id] == nil { lines[id] = 0 }
        ids[sheet.kind] = lines
    }

    // MARK: - Fields

    private mutating func read(_ sheet: Sheet) {
        let file = sheet.kind.fileName
        var filled = [Int](repeating: 0, count: sheet.columns.count)
        let nameParts = sheet.nameParts
        for row in sheet.rows {
            for (index, (column, place)) in sheet.columns.enumerated() {
                let text = row.fields[place]
                if text.isEmpty || column.isRequired && text.isBlank {
                    if column.isRequired && !nameParts.contains(place) {
                        bundle.findings.faults.add(.missingValue, file, row.line, column.name)
                    }
                    continue
                }
                filled[index] += 1
                for (code, arguments) in complaints(about: text, in: column) {
                    switch code {
                    case .otherCase, .instant, .unknownAgent:
                        bundle.findings.notices.addOnce(code, file, row.line, column.name, arguments)
                    default: bundle.findings.faults.add(code, file, row.line, column.name, arguments)
                    }
                }
            }
            // The standard requires both names, but many people have only one.
            let isNameless = nameParts.allSatisfy {
                row.fields[$0].isBlank || row.fields[$0].trimmed == RosterExport.noName
            }
            if isNameless && nameParts.count == 2 {
                bundle.findings.faults.add(.nameMissing, file, row.line, "givenName")
            }
        }
        if sheet.kind != .orgs {
            for (index, (column, _)) in sheet.columns.enumerated()
            where !column.isUsed && filled[index] > 0 && !SensitiveData.isSensitive(column: column.name) {
                bundle.findings.notices.add(.columnNotUsed, file, 0, column.name, [.number(filled[index])])
            }
        }
        refuseLoops(sheet)
        collect(sheet)
    }

    /// A problem with a value, and the arguments of its sentence.
    typealias Complaint = (code: Finding.Code, arguments: [Fault.Argument])

    private func complaints(about text: String, in column: RosterFileKind.Column) -> [Complaint] {
        switch column.kind {
        case .id: return Self.complaints(aboutLine: text, max: 255)
        case .text(let max): return Self.complaints(aboutLine: text, max: max)
        case .status, .boolean, .choice: return Self.choice(text, column.kind)
        case .date:
            guard let day = Day(text) else { return [(.date, [.shown(text)])] }
            return Self.schoolYears.contains(day.year) ? [] : [(.farDay, [.shown(text)])]
        case .instant: return Self.isInstant(text) ? [] : [(.instant, [.shown(text)])]
        case .year:
            let isYear = text.utf8.count == 4 && Int(text).map { (1900...2999).contains($0) } == true
            return isYear ? [] : [(.year, [.shown(text)])]
        case .email:
            return text.utf8.count <= 254 && EmailAddress.isValid(text) ? [] : [(.email, [.shown(text)])]
        case .reference(let kind): return reference(text[...], to: kind)
        case .references(let kind): return text.split(separator: ",").flatMap { reference($0, to: kind) }
        case .agents:
            return text.split(separator: ",").flatMap { reference($0, to: .users) }
                .map { (.unknownAgent, Array($0.arguments.prefix(1))) }
        }
    }

    /// The accepted years. Others are mistakes, or stand for "no end".
    static let schoolYears = 1900...2199

    /// The problems with a text that must be one line of at most `max` characters.
    static func complaints(aboutLine text: String, max: Int) -> [Complaint] {
        var found: [Complaint] = []
        if text.utf8.count > max && text.unicodeScalars.count > max { found.append((.tooLong, [.number(max)])) }
        if text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) { found.append((.severalLines, [])) }
        // The CSV reader finds ASCII control characters. The others begin with one of these bytes in UTF-8.
        if text.utf8.contains(where: { $0 == 0xC2 || $0 == 0xE2 }),
            text.unicodeScalars.contains(where: { $0.value > 0x7F && $0.isControl })
        {
            found.append((.control, []))
        }
        return found
    }

    /// The value in the standard's spelling, or `nil` if the column does not allow it.
    static func canonical(_ text: String, _ kind: RosterFileKind.Column.Kind) -> String? {
        let choices: [String]
        switch kind {
        case .status: choices = ["active", "tobedeleted"]
        case .boolean: choices = ["true", "false"]
        case .choice(let all): choices = all
        case .id, .date, .instant, .year, .email, .text, .reference, .references, .agents: return text
        }
        if choices.contains(text) { return text }
        let folded = text.trimmed.lowercased()
        return choices.first { $0.lowercased() == folded }
    }

    private static func choice(_ text: String, _ kind: RosterFileKind.Column.Kind) -> [Complaint] {
        if let meant = canonical(text, kind) {
            return meant == text ? [] : [(.otherCase, [.shown(text), .text(meant)])]
        }
        switch kind {
        case .boolean: return [(.boolean, [.shown(text)])]
        // The standard allows own values with this prefix.
        case .choice where text.hasPrefix("ext:"): return []
        case .choice(let choices): return [(.choice, [.shown(text), .text(choices.joined(separator: ", "))])]
        default: return [(.choice, [.shown(text), .text("active, tobedeleted")])]
        }
    }

    private func reference(_ part: Substring, to kind: RosterFileKind) -> [Complaint] {
        guard !unread.contains(kind) else { return [] }
        let id = part.trimmed
        // A file of changes may refer to rows of the school, which the plan checks.
        return ids[kind]?[id] != nil || bundle.deltas.contains(kind)
            ? [] : [(.unknownReference, [.shown(id), .text(kind.fileName)])]
    }

    /// Whether the text is an instant such as `2026-08-24T10:00:00.000Z` (ISO 8601), or a date.
    private static func isInstant(_ text: String) -> Bool {
        guard Day(String(text.prefix(10))) != nil else { return false }
        let rest = text.dropFirst(10)
        guard rest.hasPrefix("T"), rest.hasSuffix("Z"), rest.utf8.count >= 10 else { return rest.isEmpty }
        let pattern = rest.dropFirst().dropLast().prefix(8).utf8.map {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) ? UInt8(ascii: "0") : $0
        }
        let fraction = rest.dropFirst(9).dropLast()
        return pattern.elementsEqual("00:00:00".utf8)
            && (fraction.isEmpty || fraction.first == "." && fraction.dropFirst().allSatisfy(\.isNumber))
    }
}
