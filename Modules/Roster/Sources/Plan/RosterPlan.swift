import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface

/// The changes that bring a school up to a bundle.
///
/// Nothing is deleted: people and places that are missing in the bundle or marked `tobedeleted` stay. Only an
/// enrollment that has ended ends a student's stay. An empty field leaves the school's value unchanged.
struct RosterPlan: Sendable {
    /// A role that the bundle gives to a person.
    struct RoleAssignment: Sendable, Hashable {
        let personId: UUID
        let role: Role
    }

    /// The current data of the school.
    struct Holdings: Sendable {
        var people: [ImportedPerson]
        var classrooms: ClassroomHoldings
        var families: Set<FamilyLink>
        var roles: Set<RoleAssignment>
        /// `nil` if the school has no courses.
        var courses: CourseHoldings?
    }

    /// One change, before it becomes a sentence.
    struct Step: Sendable {
        let file: String
        let line: Int
        let kind: RosterChange.Kind
        let arguments: [Argument]
        /// The changed columns of something that existed before.
        var fields: [RosterChange.Field] = []

        /// A part of the sentence.
        enum Argument: Sendable {
            case name(String)
            case role(Role)
        }
    }

    /// The same thing before and after the import.
    struct Difference<Thing: Sendable>: Sendable {
        let before: Thing
        let after: Thing
    }

    private(set) var newPeople: [ImportedPerson] = []
    private(set) var changedPeople: [Difference<Person>] = []
    var classrooms = ClassroomAdditions()
    /// The former names of renamed classrooms.
    private(set) var formerNames: [UUID: String] = [:]
    var assignments: [RoleAssignment] = []
    var families: [FamilyLink] = []
    var newTerms: [ImportedTerm] = []
    var changedTerms: [Difference<ImportedTerm>] = []
    var newCourses: [ImportedCourse] = []
    var changedCourses: [Difference<ImportedCourse>] = []
    var coursePlaces: [CoursePlace] = []
    /// The first days of new places in courses, as far as the files have them.
    var courseFirstDays: [CoursePlace: Day] = [:]
    /// The places in courses that end, with their last days.
    var courseDepartures: [CoursePlace: Day] = [:]
    /// The first days of the places that end.
    var formerFirstDays: [CoursePlace: Day] = [:]
    /// The lines of enrollments that have ended and of which the school has nothing, with their last days.
    var unusedEnds: [Int: Day] = [:]
    var counts = RosterCounts()
    var steps: [Step] = []
    var findings: Findings

    var isEmpty: Bool { steps.isEmpty }

    /// The classrooms that are new, renamed, or change members.
    var touchedClassrooms: Set<UUID> {
        Set(classrooms.newClassrooms.map(\.id)).union(classrooms.renamedClassrooms.map(\.id))
            .union(classrooms.guidePlaces.map(\.classroomId)).union(classrooms.studentPlaces.map(\.classroomId))
            .union(classrooms.departures.keys.map(\.classroomId))
    }

    /// Compares a bundle with the school. The plan is empty if the bundle has faults.
    init(
        _ bundle: RosterBundle, against holdings: Holdings, of orgId: UUID, now: Date, today: Day,
        newId: () -> UUID
    ) {
        findings = bundle.findings
        guard bundle.findings.isClean else { return }
        var bundle = bundle
        judgeReferences(bundle, holdings)
        bundle.users = settleAddresses(bundle, holdings)
        guard findings.isClean else { return }
        let people = comparePeople(bundle, holdings.people, orgId, now, newId)
        let classroomIds = Set(holdings.classrooms.classrooms.map { $0.externalId ?? $0.id.text })
        let sections = holdings.courses.map {
            Sections(bundle, classrooms: classroomIds, known: $0.courses)
        }
        let enrollments = Enrollments(bundle, today: today)
        let rooms = compareRooms(bundle, holdings.classrooms.classrooms, sections?.scheduled ?? [], newId)
        var students: [(personId: UUID, file: String, line: Int)] = []
        compareRoles(bundle, people, holdings.roles, holdings.classrooms.guidePlaces, &students)
        let places =
            compareEnrollments(bundle, enrollments, people, rooms, sections, holdings.classrooms, &students)
            + compareEnds(bundle, enrollments, people, rooms, holdings.classrooms)
        addStudents(students, holdings.classrooms.students, people)
        compareFamilies(bundle, people, holdings)
        if let courses = holdings.courses, let sections {
            compareCourses(bundle, people, sections, courses, enrollments, newId)
        } else {
            for kind in bundle.courseFiles { findings.notices.add(.fileOnlyChecked, kind.fileName) }
        }
        noteUnusedEnds(bundle)
        askWhetherManyLeave(holdings)
        askForConfirmation(bundle)
        noteMissingRows(bundle, people, rooms, holdings)
        // A student must be added before she joins a classroom, so these steps come last.
        steps += places
        counts.peopleCreated = newPeople.count
        counts.peopleUpdated = changedPeople.count
        counts.classroomsCreated = classrooms.newClassrooms.count
        counts.classroomsRenamed = classrooms.renamedClassrooms.count
        counts.studentsAdded = classrooms.students.count
        counts.guidesAssigned = classrooms.guidePlaces.count
        counts.studentsEnrolled = classrooms.studentPlaces.count
        counts.studentsLeft = classrooms.departures.count
        counts.rolesGiven = assignments.count
        counts.guardiansLinked = families.count
        counts.termsCreated = newTerms.count
        counts.coursesCreated = newCourses.count
        counts.coursesUpdated = changedCourses.count + changedTerms.count
        counts.coursePlaces = coursePlaces.count
        counts.coursePlacesEnded = courseDepartures.count
    }

    /// Adds a step.
    mutating func step(
        _ kind: RosterChange.Kind, _ file: String, _ line: Int, _ arguments: Step.Argument...,
        fields: [RosterChange.Field] = []
    ) {
        steps.append(Step(file: file, line: line, kind: kind, arguments: arguments, fields: fields))
    }

    /// The differences between two states of a person, by the columns of `users.csv`.
    private static func fields(_ before: Person, _ after: Person) -> [RosterChange.Field] {
        let columns = [
            ("givenName", before.name.given, after.name.given),
            ("familyName", before.name.family, after.name.family),
            ("preferredGivenName", before.name.preferred ?? "", after.name.preferred ?? ""),
            ("email", before.email ?? "", after.email ?? ""),
            ("identifier", before.number ?? "", after.number ?? ""),
            ("grades", before.gradeLevel ?? "", after.gradeLevel ?? ""),
        ]
        return columns.filter { $0.1 != $0.2 }.map { .init(column: $0.0, before: $0.1, after: $0.2) }
    }

    /// Adds faults for references of a file of changes to rows that neither it nor the school has.
    private mutating func judgeReferences(_ bundle: RosterBundle, _ holdings: Holdings) {
        guard !bundle.deltas.isEmpty else { return }
        let users = Set(bundle.users.lazy.map(\.sourcedId)).union(
            holdings.people.lazy.map { $0.externalId ?? $0.person.id.text })
        let rooms = Set(bundle.rooms.lazy.map(\.sourcedId)).union(
            holdings.classrooms.classrooms.lazy.map { $0.externalId ?? $0.id.text })
        let courses = Set((holdings.courses?.courses ?? []).map(Sections.key))
        func judge(
            _ id: String, _ known: Set<String>, _ kind: RosterFileKind, _ file: String, _ line: Int,
            _ column: String
        ) {
            if !known.contains(id) {
                findings.faults.add(.unknownReference, file, line, column, [.shown(id), .text(kind.fileName)])
            }
        }
        for row in bundle.roles where !row.isToBeDeleted && bundle.roleFile == .roles {
            judge(row.userId, users, .users, bundle.file(.roles), row.line, "userSourcedId")
        }
        for row in bundle.enrollments where !row.isToBeDeleted {
            judge(row.userId, users, .users, bundle.file(.enrollments), row.line, "userSourcedId")
            if courses.contains(Sections.externalId(ofClass: row.roomId)) { continue }
            judge(row.roomId, rooms, .classes, bundle.file(.enrollments), row.line, "classSourcedId")
        }
    }

    // MARK: - People

    /// The people of the bundle, by their ids in it.
    typealias People = [String: Person]

    private mutating func comparePeople(
        _ bundle: RosterBundle, _ present: [ImportedPerson], _ orgId: UUID, _ now: Date, _ newId: () -> UUID
    ) -> People {
        let file = bundle.file(.users)
        var known: People = [:]
        for one in present {
            if let id = one.externalId {
                known[id] = one.person
                continue
            }
            // Our own export identifies people without an external id by our ids.
            known[one.person.id.text] = one.person
        }
        var result: People = bundle.deltas.contains(.users) ? known : [:]
        result.reserveCapacity(bundle.users.count)
        for user in bundle.users {
            guard var person = known[user.sourcedId] else {
                if user.isToBeDeleted { continue }
                let id = newId()
                let person = Person(
                    id: id, orgId: orgId, name: user.name(over: nil), email: user.email, number: user.number,
                    gradeLevel: user.gradeLevel, avatarTint: Tint(for: id), createdAt: now)
                newPeople.append(
                    ImportedPerson(person: person, externalId: user.keepsId ? user.sourcedId : nil))
                result[user.sourcedId] = person
                step(.personCreated, file, user.line, .name(person.name.display))
                continue
            }
            let before = person
            if !user.isToBeDeleted {
                person.name = user.name(over: before.name)
                person.email = user.email ?? person.email
                person.number = user.number ?? person.number
                person.gradeLevel = user.gradeLevel ?? person.gradeLevel
            }
            result[user.sourcedId] = person
            if person == before {
                counts.peopleUnchanged += 1
            } else {
                changedPeople.append(Difference(before: before, after: person))
                step(
                    .personUpdated, file, user.line, .name(before.name.display), .name(person.name.display),
                    fields: Self.fields(before, person))
            }
        }
        noteSharedNumbers(bundle, result, present)
        return result
    }

    /// Notes numbers that two people share. They are imported: only a person knows which one is wrong.
    private mutating func noteSharedNumbers(
        _ bundle: RosterBundle, _ people: People, _ present: [ImportedPerson]
    ) {
        var byId = Dictionary(present.map { ($0.person.id, $0.person) }) { first, _ in first }
        for person in people.values { byId[person.id] = person }
        let holders = Dictionary(grouping: byId.values.filter { $0.number != nil }) { $0.number ?? "" }
            .filter { $0.value.count > 1 }
        for user in bundle.users {
            guard let person = people[user.sourcedId], let number = person.number,
                let other = holders[number]?.first(where: { $0.id != person.id })
            else { continue }
            findings.notices.add(
                .sameNumber, bundle.file(.users), user.line, "identifier",
                [.shown(other.name.display), .shown(number)])
        }
    }

    // MARK: - Rooms

    private mutating func compareRooms(
        _ bundle: RosterBundle, _ present: [ImportedClassroom], _ courses: Set<String>, _ newId: () -> UUID
    ) -> [String: ImportedClassroom] {
        let file = bundle.file(.classes)
        let known = Dictionary(
            present.map { room in (room.externalId ?? room.id.text, room) },
            uniquingKeysWith: { first, _ in first })
        var result: [String: ImportedClassroom] = bundle.deltas.contains(.classes) ? known : [:]
        for room in bundle.rooms where !courses.contains(room.sourcedId) {
            guard var classroom = known[room.sourcedId] else {
                if room.isToBeDeleted { continue }
                let new = ImportedClassroom(
                    id: newId(), name: room.title, externalId: room.keepsId ? room.sourcedId : nil)
                classrooms.newClassrooms.append(new)
                result[room.sourcedId] = new
                step(.classroomCreated, file, room.line, .name(room.title))
                continue
            }
            if classroom.name == room.title || room.isToBeDeleted {
                counts.classroomsUnchanged += 1
            } else {
                step(.classroomRenamed, file, room.line, .name(classroom.name), .name(room.title))
                formerNames[classroom.id] = classroom.name
                classroom.name = room.title
                classrooms.renamedClassrooms.append(classroom)
            }
            result[room.sourcedId] = classroom
        }
        return result
    }

    // MARK: - Questions

    /// Asks for a confirmation if no new person has a role or most lack a name part: a column was probably not
    /// recognized.
    private mutating func askForConfirmation(_ bundle: RosterBundle) {
        guard !newPeople.isEmpty else { return }
        let placed = Set(classrooms.students).union(assignments.map(\.personId))
            .union(classrooms.guidePlaces.map(\.personId))
        if !newPeople.contains(where: { placed.contains($0.person.id) }) {
            findings.questions.add(.nobodyHasRole, bundle.file(.users), 0, nil, [.number(newPeople.count)])
        }
        let halves = newPeople.count { $0.person.name.given.isEmpty || $0.person.name.family.isEmpty }
        if halves * 2 > newPeople.count {
            findings.questions.add(.halfNames, bundle.file(.users), 0, nil, [.number(halves)])
        }
    }

    // MARK: - Missing rows

    /// Notes the people and places that came from the other system and are missing in the bundle. They stay.
    private mutating func noteMissingRows(
        _ bundle: RosterBundle, _ people: People, _ rooms: [String: ImportedClassroom], _ holdings: Holdings
    ) {
        guard bundle.isComplete else { return }
        let named = Set(bundle.users.lazy.map(\.sourcedId))
        let linked = holdings.people.filter { $0.externalId != nil }
        for one in linked.filter({ !named.contains($0.externalId ?? "") }).sorted(by: {
            Person.precedes($0.person, $1.person)
        }) {
            findings.stays.add(.personNotInFile, bundle.file(.users), 0, nil, [.shown(one.person.name.display)])
        }
        let present = people.mapValues(\.id)
        var wanted: [String: Set<ClassroomPlace>] = [:]
        // Rows marked `tobedeleted` have their own notes.
        for row in bundle.enrollments {
            guard let person = present[row.userId], let room = rooms[row.roomId] else { continue }
            wanted[row.role, default: []].insert(ClassroomPlace(classroomId: room.id, personId: person))
        }
        let names = Dictionary(
            linked.filter { named.contains($0.externalId ?? "") }.map { ($0.person.id, $0.person.name) }
        ) { first, _ in first }
        let titles = Dictionary(
            holdings.classrooms.classrooms.filter { $0.externalId != nil || bundle.listFile != nil }
                .map { ($0.id, $0.name) }
        ) { first, _ in first }
        for (code, role, places) in [
            (Finding.Code.guideNotInFile, "teacher", holdings.classrooms.guidePlaces),
            (.studentNotInFile, "student", holdings.classrooms.studentPlaces),
        ] {
            let left = places.subtracting(wanted[role] ?? []).compactMap {
                place -> (key: String, Finding.Code, [Fault.Argument])? in
                guard let name = names[place.personId], let title = titles[place.classroomId] else { return nil }
                return (
                    "\(title)\n\(name.sortKey)\n\(place.personId.text)", code,
                    [.shown(name.display), .shown(title)]
                )
            }
            for (_, code, arguments) in left.sorted(by: { $0.key < $1.key }) {
                findings.stays.add(code, bundle.file(.enrollments), 0, nil, arguments)
            }
        }
    }
}

extension RosterBundle.User {
    /// - Parameter present: The school's name, which fills the parts that the bundle leaves empty.
    fileprivate func name(over present: PersonName?) -> PersonName {
        func value(_ text: String, else present: String?) -> String {
            // The text that our export writes for a missing name.
            text == RosterExport.noName ? "" : text.isEmpty ? present ?? "" : text
        }
        let called = preferred ?? present?.preferred
        let (given, family) = (value(given, else: present?.given), value(family, else: present?.family))
        return PersonName(given: given, family: family, preferred: called == given ? nil : called)
    }
}
