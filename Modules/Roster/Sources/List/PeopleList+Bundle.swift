import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

extension PeopleList {
    /// Converts the list to a bundle, matching its people and classrooms with those of the school.
    func bundle(against holdings: RosterPlan.Holdings, of orgId: UUID) -> RosterBundle {
        var bundle = RosterBundle()
        bundle.listFile = file
        bundle.isComplete = hasIds
        bundle.findings = findings
        guard findings.isClean else { return bundle }
        let present = People(holdings.people, students: holdings.classrooms.students)
        var rooms = Rooms(holdings.classrooms.classrooms)
        /// The lines of the people that a row has named already.
        var seen: [String: Int] = [:]
        /// The rows of new people, by name.
        var new: [String: [Row]] = [:]
        let sheet = PeopleSheet(holdings)
        for listed in rows {
            guard let row = merged(listed, with: present.byKey[listed.id], of: orgId, sheet, &bundle.findings),
                let user = present.user(row, &bundle.findings, file)
            else { continue }
            // Two new people of the same name need different addresses.
            let twin = user.keepsId ? nil : new[row.nameKey]?.first { $0.isSamePerson(as: row) }?.line
            if let first = seen[user.sourcedId] ?? twin {
                bundle.findings.faults.add(
                    .samePerson, file, row.line, nil, [.text(row.name.shortened), .number(first)])
                continue
            }
            seen[user.sourcedId] = row.line
            if !user.keepsId { new[row.nameKey, default: []].append(row) }
            bundle.users.append(user)
            add(row, user, present.byKey[user.sourcedId], holdings.classrooms, &rooms, to: &bundle)
        }
        bundle.rooms = rooms.named
        addGuardians(present, seen, to: &bundle)
        return bundle
    }

    /// The row without the values that its writer left as exported and that someone has changed in the school since.
    ///
    /// A value that both have changed is a question. Returns `nil` for someone who has been removed since.
    private func merged(
        _ row: Row, with known: ImportedPerson?, of orgId: UUID, _ sheet: PeopleSheet, _ findings: inout Findings
    ) -> Row? {
        guard let exported = row.exported, exported.isFrom(orgId.text) else { return row }
        guard let known else {
            findings.notices.add(.removedSince, file, row.line, nil, [.text(row.name.shortened)])
            return nil
        }
        var merged = row
        let school = sheet.values(of: known)
        for (column, path) in Row.compared where !row[keyPath: path].isEmpty {
            let (value, present) = (row[keyPath: path], school[column] ?? "")
            let title = columns.first { $0.column == column }?.title
            switch exported.judge(column.rawValue, file: value, school: present) {
            case .usesFile: continue
            case .staysInSchool:
                findings.notices.addOnce(.changedSince, file, row.line, title)
                merged[keyPath: path] = ""
            case .conflict:
                findings.questions.add(
                    .conflict, file, row.line, title,
                    [.text(known.person.name.display.shortened), .shown(present), .shown(value)])
            }
        }
        return merged
    }

    /// Adds the guardians of the children in the list: one person per address, or per name if there is no address.
    private func addGuardians(_ present: People, _ lines: [String: Int], to bundle: inout RosterBundle) {
        let children = Dictionary(lines.map { ($0.value, $0.key) }) { first, _ in first }
        var places = Dictionary(bundle.users.enumerated().map { ($1.sourcedId, $0) }) { first, _ in first }
        let students = Set(bundle.roles.lazy.filter { $0.role == "student" }.map(\.userId))
        let adults = bundle.users.filter { !students.contains($0.sourcedId) }
        let named = Dictionary(adults.compactMap { user in user.email.map { ($0, user.sourcedId) } }) { first, _ in
            first
        }
        for row in rows where !row.guardian.isEmpty || !row.guardianEmail.isEmpty {
            guard let childId = children[row.line], let place = places[childId] else { continue }
            // A person with a guardian is a student.
            if row.roles.isEmpty && row.classrooms.isEmpty {
                bundle.roles.append(RosterBundle.RoleRow(line: row.line, userId: childId, role: "student"))
            }
            let (email, name) = (row.guardianEmail, row.guardian.isEmpty ? row.guardianEmail : row.guardian)
            let isNamed = named[email].map { $0 != childId } ?? false
            let known = present.adults[email]
            let key =
                (isNamed ? named[email] : nil) ?? known
                ?? "guardian \(email.isEmpty ? "called \(NameFolding.fold(name))" : "at \(email)")"
            bundle.users[place].agents.append(key)
            guard places[key] == nil else { continue }
            places[key] = bundle.users.count
            let parts = known == nil ? PersonName(fullName: name) : PersonName(given: "", family: "")
            bundle.users.append(
                RosterBundle.User(
                    line: row.line, sourcedId: key, given: parts.given, family: parts.family, preferred: nil,
                    email: RosterBundle.nonBlank(email), keepsId: false))
            bundle.roles.append(RosterBundle.RoleRow(line: row.line, userId: key, role: "parent"))
        }
    }

    private func add(
        _ row: Row, _ user: RosterBundle.User, _ known: ImportedPerson?, _ holdings: ClassroomHoldings,
        _ rooms: inout Rooms, to bundle: inout RosterBundle
    ) {
        var roles = row.roles
        if roles.isEmpty && !row.classrooms.isEmpty {
            // A person in a class list without a role guides the class if she already guides one, and is a student
            // otherwise.
            let guides = known.map { one in holdings.guidePlaces.contains { $0.personId == one.person.id } }
            let learns = known.map { holdings.students.contains($0.person.id) }
            roles = [guides == true && learns != true ? "teacher" : "student"]
        }
        bundle.roles += roles.map { RosterBundle.RoleRow(line: row.line, userId: user.sourcedId, role: $0) }
        let places = roles.filter { $0 == "student" || $0 == "teacher" }
        for name in row.classrooms {
            guard let room = rooms.key(name, line: row.line, &bundle.findings, file) else { continue }
            if let known, let id = room.id {
                let place = ClassroomPlace(classroomId: id, personId: known.person.id)
                let isThere = [
                    "teacher": holdings.guidePlaces.contains(place),
                    "student": holdings.studentPlaces.contains(place),
                ]
                let held = isThere.filter(\.value).keys.sorted()
                if places.count != 1 && !held.isEmpty {
                    bundle.enrollments += held.map {
                        RosterBundle.Enrollment(line: row.line, roomId: room.key, userId: user.sourcedId, role: $0)
                    }
                    continue
                }
            }
            guard let role = places.first, places.count == 1 else {
                bundle.findings.notices.add(
                    places.isEmpty ? .placeWithoutRole : .placeUnclear, file, row.line, nil,
                    [.text(row.name.shortened), .shown(name)])
                continue
            }
            bundle.enrollments.append(
                RosterBundle.Enrollment(line: row.line, roomId: room.key, userId: user.sourcedId, role: role))
        }
    }

    // MARK: - Whom the school has

    /// The people of the school, by the ids and names that a list may use.
    private struct People {
        let byKey: [String: ImportedPerson]
        private let byName: [String: [ImportedPerson]]

        /// The keys of people who are no students, by their addresses.
        let adults: [String: String]

        init(_ people: [ImportedPerson], students: Set<UUID>) {
            let adults = people.filter { !students.contains($0.person.id) }
            self.adults = Dictionary(
                adults.compactMap { one in
                    one.person.email.map { ($0.lowercased(), one.externalId ?? one.person.id.text) }
                }
            ) { first, _ in first }
            byKey = Dictionary(people.map { ($0.externalId ?? $0.person.id.text, $0) }) { first, _ in first }
            var byName: [String: [ImportedPerson]] = [:]
            for one in people {
                let name = one.person.name
                for key in Set([PersonName(given: name.given, family: name.family).display, name.display]) {
                    byName[NameFolding.fold(key), default: []].append(one)
                }
            }
            self.byName = byName
        }

        /// The person that a row names, existing or new. Returns `nil` after adding a fault.
        func user(_ row: Row, _ findings: inout Findings, _ file: String) -> RosterBundle.User? {
            let (email, called) = (RosterBundle.nonBlank(row.email), RosterBundle.nonBlank(row.preferred))
            let (number, gradeLevel) = (RosterBundle.nonBlank(row.number), RosterBundle.nonBlank(row.gradeLevel))
            if !row.id.isEmpty {
                guard byKey[row.id] != nil || !row.name.isEmpty else {
                    findings.faults.add(.nameMissing, file, row.line)
                    return nil
                }
                return RosterBundle.User(
                    line: row.line, sourcedId: row.id, given: row.given, family: row.family, preferred: called,
                    email: email, number: number, gradeLevel: gradeLevel)
            }
            let birthKey = row.birthName.map(NameFolding.fold)
            let key = byName[row.nameKey] == nil ? birthKey ?? row.nameKey : row.nameKey
            var found = byName[key] ?? []
            if found.count > 1 { found = found.filter { email != nil && $0.person.email?.lowercased() == email } }
            if found.isEmpty, byName[key] != nil {
                findings.faults.add(.severalPeople, file, row.line, nil, [.text(row.name.shortened)])
                return nil
            }
            guard let one = found.first else {
                return RosterBundle.User(
                    line: row.line, sourcedId: "line \(row.line)", given: row.given, family: row.family,
                    preferred: called, email: email, number: number, gradeLevel: gradeLevel, keepsId: false)
            }
            // The person was found by name, so the school's spelling stays. A name of usage replaces one of birth.
            return RosterBundle.User(
                line: row.line, sourcedId: one.externalId ?? one.person.id.text, given: "",
                family: key == row.nameKey ? "" : row.family,
                preferred: called, email: email, number: number, gradeLevel: gradeLevel)
        }
    }

    /// The classrooms of the school and of the list, by name.
    private struct Rooms {
        private var byName: [String: [(key: String, id: UUID?)]] = [:]
        private let present: [String: ImportedClassroom]
        /// The classrooms that the list names.
        private(set) var named: [RosterBundle.Room] = []
        private var seen: Set<String> = []

        init(_ rooms: [ImportedClassroom]) {
            present = Dictionary(rooms.map { ($0.externalId ?? $0.id.text, $0) }) { first, _ in first }
            for room in rooms {
                byName[NameFolding.fold(room.name), default: []].append((room.externalId ?? room.id.text, room.id))
            }
        }

        /// The key of a classroom in the bundle and its id, if it exists. Returns `nil` after adding a fault.
        mutating func key(
            _ name: String, line: Int, _ findings: inout Findings, _ file: String
        ) -> (key: String, id: UUID?)? {
            let folded = NameFolding.fold(name)
            let found = byName[folded] ?? []
            guard found.count < 2 else {
                findings.faults.add(.severalRooms, file, line, nil, [.shown(name)])
                return nil
            }
            let room = found.first ?? ("classroom \(folded)", nil)
            byName[folded] = [room]
            if seen.insert(room.key).inserted {
                named.append(
                    RosterBundle.Room(
                        line: line, sourcedId: room.key, title: present[room.key]?.name ?? name,
                        keepsId: room.id != nil))
            }
            return room
        }
    }
}

extension PeopleList.Row {
    /// The values that an export writes and that may have changed in the school since.
    fileprivate static let compared: [(ListColumn, any WritableKeyPath<Self, String> & Sendable)] = [
        (.given, \.given), (.family, \.family), (.preferred, \.preferred), (.email, \.email), (.number, \.number),
        (.grade, \.gradeLevel), (.roles, \.roleText), (.classrooms, \.classroomText),
    ]
    private var roleText: String {
        get { PeopleSheet.text(roles) }
        set { roles = PeopleList.parts(newValue) }
    }
    private var classroomText: String {
        get { PeopleSheet.text(classrooms) }
        set { classrooms = PeopleList.parts(newValue) }
    }
    fileprivate var nameKey: String { NameFolding.fold(name) }
    /// Whether two rows of the same name may be the same person.
    fileprivate func isSamePerson(as other: Self) -> Bool {
        email.isEmpty || other.email.isEmpty || email == other.email
    }
}
