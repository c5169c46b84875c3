import Domain
import FeatureKit
import RosterInterface

extension BundleParser {
    /// Adds faults for people who are their own guardians, and for circular parents.
    mutating func refuseLoops(_ sheet: Sheet) {
        guard let idPlace = sheet.place("sourcedId") else { return }
        let file = sheet.kind.fileName
        if let place = sheet.place("agentSourcedIds") {
            for row in sheet.rows
            where row.fields[place].split(separator: ",").contains(where: { $0.trimmed == row.fields[idPlace] }) {
                bundle.findings.faults.add(
                    .ownReference, file, row.line, "agentSourcedIds", [.shown(row.fields[idPlace])])
            }
        }
        guard let place = sheet.place("parentSourcedId") else { return }
        var parents: [String: (parent: String, line: Int)] = [:]
        for row in sheet.rows where !row.fields[place].isEmpty {
            let (id, parent) = (row.fields[idPlace], row.fields[place])
            if id == parent {
                bundle.findings.faults.add(.ownReference, file, row.line, "parentSourcedId", [.shown(id)])
            } else {
                parents[id] = (parent, row.line)
            }
        }
        var settled: Set<String> = []
        for row in sheet.rows {
            var path: Set<String> = []
            var id = row.fields[idPlace]
            while let next = parents[id], !settled.contains(id) {
                if path.contains(id) {
                    bundle.findings.faults.add(.circularReference, file, next.line, "parentSourcedId", [.shown(id)])
                    break
                }
                path.insert(id)
                id = next.parent
            }
            settled.formUnion(path)
        }
    }

    // MARK: - Rows

    mutating func collect(_ sheet: Sheet) {
        let places = Dictionary(sheet.columns.map { ($0.column.name, $0.place) }) { first, _ in first }
        func reader(_ name: String) -> (CSVReader.Row) -> String {
            guard let place = places[name],
                let kind = sheet.columns.first(where: { $0.place == place })?.column.kind
            else { return { _ in "" } }
            return { Self.canonical($0.fields[place], kind) ?? $0.fields[place] }
        }
        let (id, status) = (reader("sourcedId"), reader("status"))
        func isToBeDeleted(_ row: CSVReader.Row) -> Bool { status(row) == "tobedeleted" }
        for row in sheet.rows where isToBeDeleted(row) {
            bundle.findings.stays.add(.toBeDeleted, sheet.kind.fileName, row.line, "status", [.shown(id(row))])
        }
        switch sheet.kind {
        case .users:
            let (given, family, preferred) = (
                reader("givenName"), reader("familyName"), reader("preferredGivenName")
            )
            let (email, enabled) = (reader("email"), reader("enabledUser"))
            let (identifier, grades) = (reader("identifier"), reader("grades"))
            let (agents, role) = (reader("agentSourcedIds"), reader("role"))
            bundle.users = sheet.rows.map { row in
                let (called, address) = (preferred(row).trimmed, email(row))
                return RosterBundle.User(
                    line: row.line, sourcedId: id(row), given: given(row).trimmed, family: family(row).trimmed,
                    preferred: called.isEmpty ? nil : called, email: address.isEmpty ? nil : address.lowercased(),
                    number: RosterBundle.nonBlank(identifier(row)), gradeLevel: RosterBundle.nonBlank(grades(row)),
                    agents: Self.parts(agents(row)),
                    isEnabled: enabled(row) == "true", isToBeDeleted: isToBeDeleted(row))
            }
            if version == .version11 {
                bundle.roles += sheet.rows.filter { !role($0).isEmpty }.map {
                    RosterBundle.RoleRow(
                        line: $0.line, userId: id($0), role: role($0), isToBeDeleted: isToBeDeleted($0))
                }
                bundle.roleFile = sheet.kind
            }
        case .classes:
            let (title, type, course) = (reader("title"), reader("classType"), reader("courseSourcedId"))
            let (terms, grades, subjects) = (reader("termSourcedIds"), reader("grades"), reader("subjects"))
            bundle.rooms = sheet.rows.map { row in
                RosterBundle.Room(
                    line: row.line, sourcedId: id(row), title: title(row).trimmed,
                    isToBeDeleted: isToBeDeleted(row), isScheduled: type(row) == "scheduled",
                    courseId: course(row), sessionIds: Self.parts(terms(row)),
                    gradeLevel: RosterBundle.nonBlank(grades(row)), subject: Self.parts(subjects(row)).first)
            }
        case .roles:
            let (user, role) = (reader("userSourcedId"), reader("role"))
            bundle.roleFile = sheet.kind
            bundle.roles += sheet.rows.map {
                RosterBundle.RoleRow(
                    line: $0.line, userId: user($0), role: role($0), isToBeDeleted: isToBeDeleted($0))
            }
        case .enrollments:
            let (room, user, role) = (reader("classSourcedId"), reader("userSourcedId"), reader("role"))
            let (primary, begin, end) = (reader("primary"), reader("beginDate"), reader("endDate"))
            bundle.enrollments = sheet.rows.map {
                RosterBundle.Enrollment(
                    line: $0.line, roomId: room($0), userId: user($0), role: role($0),
                    isPrimary: primary($0) == "true", begin: Day(begin($0)), end: Day(end($0)),
                    isToBeDeleted: isToBeDeleted($0))
            }
        case .academicSessions:
            let (title, type) = (reader("title"), reader("type"))
            let (first, last) = (reader("startDate"), reader("endDate"))
            for row in sheet.rows where id(row) != RosterExport.yearId && id(row) != RosterExport.termId {
                guard let start = Day(first(row)), let end = Day(last(row)) else { continue }
                if end < start {
                    bundle.findings.faults.add(
                        .dayOrder, sheet.kind.fileName, row.line, "endDate",
                        [.shown(last(row)), .shown(first(row))])
                }
                bundle.sessions.append(
                    RosterBundle.Session(
                        line: row.line, sourcedId: id(row), title: title(row).trimmed,
                        isYear: type(row) == "schoolYear", first: start, last: end,
                        isToBeDeleted: isToBeDeleted(row)))
            }
        case .courses:
            let (title, grades, subjects) = (reader("title"), reader("grades"), reader("subjects"))
            let session = reader("schoolYearSourcedId")
            bundle.courses = sheet.rows.filter { id($0) != RosterExport.courseId }.map { row in
                RosterBundle.CourseRow(
                    line: row.line, sourcedId: id(row), title: title(row).trimmed,
                    gradeLevel: RosterBundle.nonBlank(grades(row)), subject: Self.parts(subjects(row)).first,
                    sessionId: session(row), isToBeDeleted: isToBeDeleted(row))
            }
        case .orgs: break
        }
    }

    /// The values of a field that are separated by commas.
    private static func parts(_ text: String) -> [String] {
        text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    }
}
