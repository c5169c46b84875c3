import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import Foundation
import OrganizationInterface
import RosterInterface

/// What taking an import back does to a school as it is now.
///
/// Each thing is judged by itself: it is taken back where it still is as the import left it, and stays where
/// somebody has changed it since. Whoever stays keeps what hangs on them.
struct UndoPlan: Sendable {
    /// Why something stays.
    enum Reason: String, Sendable, Hashable, CaseIterable {
        case edited, account, role, student, placed, family, notes, records, inUse, courseInUse, termInUse, oneself,
            gone
    }

    /// What the school and the directory have.
    struct Present: Sendable {
        let holdings: RosterPlan.Holdings
        /// The roles of the directory.
        let assigned: [UUID: Set<Role>]
        /// The kinds of records about people that came from elsewhere.
        let traces: [UUID: String]
        /// Who takes the import back.
        let actor: UUID?
    }

    struct Step: Sendable {
        let kind: RosterChange.Kind
        let arguments: [RosterPlan.Step.Argument]
    }

    struct Kept: Sendable {
        let reason: Reason
        let name: String
        /// The key of the kind of record, for `records`.
        var records: String?
    }

    private(set) var removedPeople: [UUID] = []
    private(set) var restoredPeople: [Person] = []
    private(set) var classrooms = ClassroomAdditions()
    private(set) var removedTerms: [UUID] = []
    private(set) var restoredTerms: [ImportedTerm] = []
    private(set) var removedCourses: [UUID] = []
    private(set) var restoredCourses: [ImportedCourse] = []
    private(set) var coursePlaces: [CoursePlace] = []
    /// The links of guardians that end.
    private(set) var families: [FamilyLink] = []
    /// The roles that are not noted any more, and those of them that the directory must take.
    private(set) var forgottenRoles: [RosterPlan.RoleGift] = []
    /// Rows whose things are as they were before the import, or gone.
    private(set) var settled: [Int] = []
    /// Rows of roles that leave the directory.
    private(set) var leaving: [Int] = []
    private(set) var steps: [Step] = []
    private(set) var kept: [Kept] = []

    var isEmpty: Bool { settled.isEmpty && leaving.isEmpty }

    var touchedClassrooms: Set<UUID> {
        Set(classrooms.newClassrooms.map(\.id)).union(classrooms.renamedClassrooms.map(\.id))
            .union(classrooms.guidePlaces.map(\.classroomId)).union(classrooms.studentPlaces.map(\.classroomId))
            .union(classrooms.departures.keys.map(\.classroomId))
    }

    private let present: Present
    private let people: [UUID: ImportedPerson]
    private let rooms: [UUID: ImportedClassroom]
    /// People and students who stay, with what the import gave them.
    private var staying: Set<UUID> = []
    private var stayingStudents: Set<UUID> = []

    init(_ rows: [ImportRow], in present: Present) {
        self.present = present
        people = Dictionary(present.holdings.people.map { ($0.person.id, $0) }) { first, _ in first }
        rooms = Dictionary(present.holdings.classrooms.classrooms.map { ($0.id, $0) }) { first, _ in first }
        let byKind = Dictionary(grouping: rows, by: \.kind)
        keepPeople(byKind)
        keepStudents(byKind)
        takeFamilies(byKind[.guardianLinked] ?? [])
        takeCourses(byKind)
        takePlaces(byKind[.guideAssigned] ?? [], .guideAssigned)
        takePlaces(byKind[.studentEnrolled] ?? [], .studentEnrolled)
        giveBackPlaces(byKind[.studentLeft] ?? [])
        takeStudents(byKind[.studentAdded] ?? [])
        takeRoles(byKind[.roleGiven] ?? [])
        takeRooms(byKind)
        restorePeople(byKind[.personUpdated] ?? [])
        takePeople(byKind[.personCreated] ?? [])
    }

    private mutating func undo(_ row: ImportRow, _ arguments: RosterPlan.Step.Argument...) {
        settled.append(row.number)
        steps.append(Step(kind: row.kind, arguments: arguments))
    }

    private mutating func keep(_ reason: Reason, _ name: String, records: String? = nil) {
        kept.append(Kept(reason: reason, name: name, records: records))
    }

    /// Somebody has taken it away already: there is nothing to do, and it is told once.
    private mutating func gone(_ row: ImportRow, _ name: String) {
        settled.append(row.number)
        keep(.gone, name)
    }

    private func name(_ id: UUID?) -> String { id.flatMap { people[$0] }?.person.name.display ?? "" }

    // MARK: - Who stays

    private mutating func keepPeople(_ rows: [RosterChange.Kind: [ImportRow]]) {
        let added = Set((rows[.studentAdded] ?? []).compactMap(\.personId))
        let places = Places(rows)
        var given: [UUID: Set<Role>] = [:]
        for row in rows[.roleGiven] ?? [] {
            if let id = row.personId, let role = row.role { given[id, default: []].insert(role) }
        }
        let elsewhere = placedElsewhere(places)
        let linkedElsewhere = Set(
            present.holdings.families.subtracting((rows[.guardianLinked] ?? []).compactMap(\.link))
                .flatMap { [$0.guardianId, $0.childId] })
        for row in rows[.personCreated] ?? [] {
            guard let id = row.personId, let one = people[id] else { continue }
            let (name, students) = (one.person.name.display, present.holdings.classrooms.students)
            let reason: Reason? =
                if one.hasAccount {
                    .account
                } else if present.traces[id] != nil {
                    .records
                } else if present.holdings.classrooms.notedStudents.contains(id) {
                    .notes
                } else if row.after?.areThose(of: one.person) != true {
                    .edited
                } else if !(present.assigned[id] ?? []).isSubset(of: given[id] ?? []) {
                    .role
                } else if students.contains(id) && !added.contains(id) {
                    .student
                } else if elsewhere.contains(id) {
                    .placed
                } else if linkedElsewhere.contains(id) {
                    .family
                } else {
                    nil
                }
            guard let reason else { continue }
            staying.insert(id)
            keep(reason, name, records: reason == .records ? present.traces[id] : nil)
        }
    }

    /// Students whom the import made of people who were there before.
    private mutating func keepStudents(_ rows: [RosterChange.Kind: [ImportRow]]) {
        let created = Set((rows[.personCreated] ?? []).compactMap(\.personId))
        let elsewhere = placedElsewhere(Places(rows))
        for row in rows[.studentAdded] ?? [] {
            guard let id = row.personId, people[id] != nil, !created.contains(id) else { continue }
            let reason: Reason? =
                if present.traces[id] != nil {
                    .records
                } else if present.holdings.classrooms.notedStudents.contains(id) {
                    .notes
                } else if elsewhere.contains(id) {
                    .placed
                } else {
                    nil
                }
            guard let reason else { continue }
            stayingStudents.insert(id)
            keep(reason, name(id), records: reason == .records ? present.traces[id] : nil)
        }
    }

    /// The places that an import gave.
    private struct Places {
        let guides: Set<ClassroomPlace>
        let students: Set<ClassroomPlace>
        let courses: Set<CoursePlace>
        /// The teachers that courses have by the import.
        let teachers: [UUID: [UUID]]

        init(_ rows: [RosterChange.Kind: [ImportRow]]) {
            guides = Set((rows[.guideAssigned] ?? []).compactMap(\.place))
            students = Set((rows[.studentEnrolled] ?? []).compactMap(\.place))
            courses = Set((rows[.courseEnrolled] ?? []).compactMap(\.coursePlace))
            let taught = ((rows[.courseCreated] ?? []) + (rows[.courseUpdated] ?? [])).compactMap {
                $0.after?.course
            }
            teachers = Dictionary(taught.map { ($0.id, $0.teacherIds) }) { first, _ in first }
        }
    }

    /// The people who have a place that this import did not give.
    private func placedElsewhere(_ places: Places) -> Set<UUID> {
        let classrooms = present.holdings.classrooms
        return Set(classrooms.guidePlaces.subtracting(places.guides).map(\.personId))
            .union(classrooms.studentPlaces.subtracting(places.students).map(\.personId))
            .union((present.holdings.courses?.places ?? []).subtracting(places.courses).map(\.personId))
            .union(
                (present.holdings.courses?.courses ?? []).flatMap { course in
                    course.teacherIds.filter { places.teachers[course.id]?.contains($0) != true }
                })
    }

    // MARK: - What goes

    private mutating func takeCourses(_ rows: [RosterChange.Kind: [ImportRow]]) {
        guard let held = present.holdings.courses else { return }
        let courses = Dictionary(held.courses.map { ($0.id, $0) }) { first, _ in first }
        takeCoursePlaces(rows[.courseEnrolled] ?? [], courses, held)
        let left = Set(held.places.subtracting(coursePlaces).map(\.courseId))
        for row in rows[.courseCreated] ?? [] {
            guard let course = row.courseId.flatMap({ courses[$0] }) else {
                gone(row, row.after?.course?.name ?? "")
                continue
            }
            if course != row.after?.course || held.filled.contains(course.id) {
                keep(.edited, course.name)
            } else if left.contains(course.id) || course.teacherIds.contains(where: staying.contains) {
                keep(.courseInUse, course.name)
            } else {
                removedCourses.append(course.id)
                undo(row, .name(course.name))
            }
        }
        for row in rows[.courseUpdated] ?? [] {
            guard let course = row.courseId.flatMap({ courses[$0] }), let before = row.before?.course else {
                gone(row, row.after?.course?.name ?? "")
                continue
            }
            guard course == row.after?.course else {
                keep(.edited, course.name)
                continue
            }
            restoredCourses.append(before)
            undo(row, .name(course.name))
        }
        takeTerms((rows[.termCreated] ?? []) + (rows[.termUpdated] ?? []), held)
    }

    private mutating func takeCoursePlaces(
        _ rows: [ImportRow], _ courses: [UUID: ImportedCourse], _ held: RosterPlan.CourseHoldings
    ) {
        for row in rows {
            guard let place = row.coursePlace, let person = people[place.personId],
                let course = courses[place.courseId]
            else {
                settled.append(row.number)
                continue
            }
            if staying.contains(place.personId) || stayingStudents.contains(place.personId) { continue }
            if let records = present.traces[place.personId] {
                // Marks or messages that came since may be of this course.
                keep(.records, person.person.name.display, records: records)
            } else if held.places.contains(place) {
                coursePlaces.append(place)
                undo(row, .name(person.person.name.display), .name(course.name))
            } else {
                gone(row, "\(person.person.name.display) – \(course.name)")
            }
        }
    }

    private mutating func takeTerms(_ rows: [ImportRow], _ held: RosterPlan.CourseHoldings) {
        let terms = Dictionary(held.terms.map { ($0.id, $0) }) { first, _ in first }
        let restored = Dictionary(restoredCourses.map { ($0.id, $0) }) { first, _ in first }
        let removed = Set(removedCourses)
        let taught = Set(
            held.courses.lazy.filter { !removed.contains($0.id) }.compactMap { (restored[$0.id] ?? $0).termId })
        for row in rows {
            guard let term = row.courseId.flatMap({ terms[$0] }) else {
                gone(row, row.after?.term?.name ?? "")
                continue
            }
            if term != row.after?.term {
                keep(.edited, term.name)
            } else if let before = row.before?.term {
                restoredTerms.append(before)
                undo(row, .name(term.name))
            } else if taught.contains(term.id) {
                keep(.termInUse, term.name)
            } else {
                removedTerms.append(term.id)
                undo(row, .name(term.name))
            }
        }
    }

    private mutating func takeFamilies(_ rows: [ImportRow]) {
        for row in rows {
            guard let link = row.link, let guardian = people[link.guardianId], let child = people[link.childId]
            else {
                settled.append(row.number)
                continue
            }
            // Whoever stays keeps their family, as far as it stays.
            if staying.contains(link.guardianId) || staying.contains(link.childId) { continue }
            guard present.holdings.families.contains(link) else {
                gone(row, "\(guardian.person.name.display) – \(child.person.name.display)")
                continue
            }
            families.append(link)
            undo(row, .name(guardian.person.name.display), .name(child.person.name.display))
        }
    }

    private mutating func takePlaces(_ rows: [ImportRow], _ kind: RosterChange.Kind) {
        let isStudents = kind == .studentEnrolled
        let held = isStudents ? present.holdings.classrooms.studentPlaces : present.holdings.classrooms.guidePlaces
        for row in rows {
            guard let place = row.place, let person = people[place.personId], let room = rooms[place.classroomId]
            else {
                // The person or the classroom is gone, and tells so.
                settled.append(row.number)
                continue
            }
            if staying.contains(place.personId) || isStudents && stayingStudents.contains(place.personId) {
                continue
            }
            guard held.contains(place) else {
                gone(row, "\(person.person.name.display) – \(room.name)")
                continue
            }
            if isStudents {
                classrooms.studentPlaces.append(place)
            } else {
                classrooms.guidePlaces.append(place)
            }
            undo(row, .name(person.person.name.display), .name(room.name))
        }
    }

    /// Students who left by the import get their places back, unless they have them again.
    private mutating func giveBackPlaces(_ rows: [ImportRow]) {
        let classrooms = present.holdings.classrooms
        for row in rows {
            guard let place = row.place, let lastDay = row.after?.lastDay, let person = people[place.personId],
                let room = rooms[place.classroomId], classrooms.students.contains(place.personId)
            else {
                settled.append(row.number)
                continue
            }
            guard !classrooms.studentPlaces.contains(place) else {
                gone(row, "\(person.person.name.display) – \(room.name)")
                continue
            }
            self.classrooms.departures[place] = lastDay
            undo(row, .name(person.person.name.display), .name(room.name))
        }
    }

    private mutating func takeStudents(_ rows: [ImportRow]) {
        for row in rows {
            guard let id = row.personId, people[id] != nil, present.holdings.classrooms.students.contains(id) else {
                settled.append(row.number)
                continue
            }
            if staying.contains(id) || stayingStudents.contains(id) { continue }
            classrooms.students.append(id)
            undo(row, .name(name(id)))
        }
    }

    private mutating func takeRoles(_ rows: [ImportRow]) {
        let noted = present.holdings.roles
        for row in rows {
            guard let id = row.personId, let role = row.role, people[id] != nil else {
                settled.append(row.number)
                continue
            }
            if staying.contains(id) { continue }
            if id == present.actor {
                keep(.oneself, name(id))
                continue
            }
            let gift = RosterPlan.RoleGift(personId: id, role: role)
            if noted.contains(gift) { forgottenRoles.append(gift) }
            guard present.assigned[id]?.contains(role) == true else {
                // Never given, or taken by hand since.
                settled.append(row.number)
                continue
            }
            leaving.append(row.number)
            steps.append(Step(kind: .roleGiven, arguments: [.name(name(id)), .role(role)]))
        }
    }

    private mutating func takeRooms(_ rows: [RosterChange.Kind: [ImportRow]]) {
        let left = present.holdings.classrooms.guidePlaces.subtracting(classrooms.guidePlaces)
            .union(present.holdings.classrooms.studentPlaces.subtracting(classrooms.studentPlaces))
            .union(classrooms.departures.keys)
        let inUse = Set(left.map(\.classroomId))
        for row in rows[.classroomCreated] ?? [] {
            guard let room = row.classroomId.flatMap({ rooms[$0] }) else {
                gone(row, row.after?.title ?? "")
                continue
            }
            if room.name != row.after?.title {
                keep(.edited, room.name)
            } else if inUse.contains(room.id) {
                keep(.inUse, room.name)
            } else {
                classrooms.newClassrooms.append(room)
                undo(row, .name(room.name))
            }
        }
        for row in rows[.classroomRenamed] ?? [] {
            guard var room = row.classroomId.flatMap({ rooms[$0] }), let before = row.before?.title else {
                gone(row, row.after?.title ?? "")
                continue
            }
            guard room.name == row.after?.title else {
                keep(.edited, room.name)
                continue
            }
            let name = room.name
            room.name = before
            classrooms.renamedClassrooms.append(room)
            undo(row, .name(name), .name(before))
        }
    }

    private mutating func restorePeople(_ rows: [ImportRow]) {
        for row in rows {
            guard var person = row.personId.flatMap({ people[$0] })?.person, let before = row.before else {
                gone(row, row.after?.name.display ?? "")
                continue
            }
            let name = person.name.display
            guard row.after?.areThose(of: person) == true else {
                keep(.edited, name)
                continue
            }
            before.restore(&person)
            restoredPeople.append(person)
            undo(row, .name(name), .name(person.name.display))
        }
    }

    private mutating func takePeople(_ rows: [ImportRow]) {
        for row in rows {
            guard let id = row.personId, let one = people[id] else {
                gone(row, row.after?.name.display ?? "")
                continue
            }
            if staying.contains(id) { continue }
            removedPeople.append(id)
            undo(row, .name(one.person.name.display))
        }
    }
}

extension ImportRow {
    fileprivate var coursePlace: CoursePlace? {
        guard let courseId, let personId else { return nil }
        return CoursePlace(courseId: courseId, personId: personId)
    }

    fileprivate var link: FamilyLink? {
        guard let personId, let childId else { return nil }
        return FamilyLink(guardianId: personId, childId: childId)
    }

    fileprivate var place: ClassroomPlace? {
        guard let classroomId, let personId else { return nil }
        return ClassroomPlace(classroomId: classroomId, personId: personId)
    }
}

extension UndoPlan {
    /// The plan in a person's language.
    func told(_ importId: UUID, _ words: Words, isApplied: Bool = false) -> RosterUndo {
        RosterUndo(
            importId: importId, isApplied: isApplied,
            steps: steps.prefix(RosterReport.changeLimit).map { step in
                RosterUndo.Step(
                    kind: step.kind,
                    sentence: words.text("roster.undo.\(step.kind.rawValue)", step.arguments.map { $0.word(words) })
                )
            }, stepCount: steps.count,
            kept: kept.prefix(RosterReport.findingLimit).map { $0.sentence(words) }, keptCount: kept.count)
    }
}

extension UndoPlan.Kept {
    fileprivate func sentence(_ words: Words) -> String {
        guard let records else { return words("roster.kept.\(reason.rawValue)", name) }
        return words("roster.kept.records", name, words(records))
    }
}
