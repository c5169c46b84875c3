import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import Foundation
import OrganizationInterface
import RosterInterface

/// The changes that undo an import in the current school.
///
/// Each change of the import is judged separately: it is undone if the value is still that of the import, and skipped
/// if it was changed since. People who stay keep what belongs to them.
struct UndoPlan: Sendable {
    /// The reason why something is not undone.
    enum Reason: String, Sendable, Hashable, CaseIterable {
        case edited, account, role, student, placed, family, notes, records, inUse, courseInUse, termInUse, oneself,
            gone
    }

    /// The current data of the school and the directory.
    struct Present: Sendable {
        let holdings: RosterPlan.Holdings
        /// The roles in the directory.
        let assigned: [UUID: Set<Role>]
        /// The catalog key of the first kind of record about each person.
        let traces: [UUID: String]
        /// The person who undoes the import.
        let actor: UUID?
    }

    /// One change, before it becomes a sentence.
    struct Step: Sendable {
        let kind: RosterChange.Kind
        let arguments: [RosterPlan.Step.Argument]
    }

    /// Something that is not undone.
    struct Skipped: Sendable {
        let reason: Reason
        let name: String
        /// The catalog key of the kind of record, for the reason `records`.
        var records: String?
    }

    private(set) var removedPeople: [UUID] = []
    private(set) var restoredPeople: [Person] = []
    private(set) var classrooms = ClassroomAdditions()
    var removedTerms: [UUID] = []
    var restoredTerms: [ImportedTerm] = []
    var removedCourses: [UUID] = []
    var restoredCourses: [ImportedCourse] = []
    var coursePlaces: [CoursePlace] = []
    /// The places in courses that the import ended, with their first days.
    var reopenedCoursePlaces: [CoursePlace: Day] = [:]
    /// The family links to remove.
    private(set) var families: [FamilyLink] = []
    /// The roles to delete from the school's notes.
    private(set) var removedRoles: [RosterPlan.RoleAssignment] = []
    /// The numbers of rows that are undone or obsolete.
    var settled: [Int] = []
    /// The numbers of rows whose roles are to be removed from the directory.
    private(set) var leaving: [Int] = []
    private(set) var steps: [Step] = []
    private(set) var skipped: [Skipped] = []

    var isEmpty: Bool { settled.isEmpty && leaving.isEmpty }

    var touchedClassrooms: Set<UUID> {
        Set(classrooms.newClassrooms.map(\.id)).union(classrooms.renamedClassrooms.map(\.id))
            .union(classrooms.guidePlaces.map(\.classroomId)).union(classrooms.studentPlaces.map(\.classroomId))
            .union(classrooms.departures.keys.map(\.classroomId))
    }

    let present: Present
    let people: [UUID: ImportedPerson]
    private let rooms: [UUID: ImportedClassroom]
    /// The people and students who stay, with everything that the import gave them.
    var staying: Set<UUID> = []
    var stayingStudents: Set<UUID> = []

    init(_ rows: [ImportRow], in present: Present) {
        self.present = present
        people = Dictionary(present.holdings.people.map { ($0.person.id, $0) }) { first, _ in first }
        rooms = Dictionary(present.holdings.classrooms.classrooms.map { ($0.id, $0) }) { first, _ in first }
        let byKind = Dictionary(grouping: rows, by: \.kind)
        findStayingPeople(byKind)
        findStayingStudents(byKind)
        undoFamilies(byKind[.guardianLinked] ?? [])
        undoCourses(byKind)
        undoPlaces(byKind[.guideAssigned] ?? [], .guideAssigned)
        undoPlaces(byKind[.studentEnrolled] ?? [], .studentEnrolled)
        undoDepartures(byKind[.studentLeft] ?? [])
        undoStudents(byKind[.studentAdded] ?? [])
        undoRoles(byKind[.roleGiven] ?? [])
        undoRooms(byKind)
        restorePeople(byKind[.personUpdated] ?? [])
        undoPeople(byKind[.personCreated] ?? [])
    }

    mutating func undo(_ row: ImportRow, _ arguments: RosterPlan.Step.Argument...) {
        settled.append(row.number)
        steps.append(Step(kind: row.kind, arguments: arguments))
    }

    mutating func skip(_ reason: Reason, _ name: String, records: String? = nil) {
        skipped.append(Skipped(reason: reason, name: name, records: records))
    }

    /// Skips a row whose thing has been removed by hand.
    mutating func skipRemoved(_ row: ImportRow, _ name: String) {
        settled.append(row.number)
        skip(.gone, name)
    }

    private func name(_ id: UUID?) -> String { id.flatMap { people[$0] }?.person.name.display ?? "" }

    // MARK: - People who stay

    private mutating func findStayingPeople(_ rows: [RosterChange.Kind: [ImportRow]]) {
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
            skip(reason, name, records: reason == .records ? present.traces[id] : nil)
        }
    }

    /// Finds the people who became students by the import and must stay students.
    private mutating func findStayingStudents(_ rows: [RosterChange.Kind: [ImportRow]]) {
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
            skip(reason, name(id), records: reason == .records ? present.traces[id] : nil)
        }
    }

    /// The places that the import gave.
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

    /// The people with a place that the import did not give.
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

    // MARK: - Undoing

    private mutating func undoFamilies(_ rows: [ImportRow]) {
        for row in rows {
            guard let link = row.link, let guardian = people[link.guardianId], let child = people[link.childId]
            else {
                settled.append(row.number)
                continue
            }
            // People who stay keep their family links.
            if staying.contains(link.guardianId) || staying.contains(link.childId) { continue }
            guard present.holdings.families.contains(link) else {
                skipRemoved(row, "\(guardian.person.name.display) – \(child.person.name.display)")
                continue
            }
            families.append(link)
            undo(row, .name(guardian.person.name.display), .name(child.person.name.display))
        }
    }

    private mutating func undoPlaces(_ rows: [ImportRow], _ kind: RosterChange.Kind) {
        let isStudents = kind == .studentEnrolled
        let held = isStudents ? present.holdings.classrooms.studentPlaces : present.holdings.classrooms.guidePlaces
        for row in rows {
            guard let place = row.place, let person = people[place.personId], let room = rooms[place.classroomId]
            else {
                // The missing person or classroom has its own message.
                settled.append(row.number)
                continue
            }
            if staying.contains(place.personId) || isStudents && stayingStudents.contains(place.personId) {
                continue
            }
            guard held.contains(place) else {
                skipRemoved(row, "\(person.person.name.display) – \(room.name)")
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

    /// Restores the places of students whose stay the import ended, unless they have them again.
    private mutating func undoDepartures(_ rows: [ImportRow]) {
        let classrooms = present.holdings.classrooms
        for row in rows {
            guard let place = row.place, let lastDay = row.after?.lastDay, let person = people[place.personId],
                let room = rooms[place.classroomId], classrooms.students.contains(place.personId)
            else {
                settled.append(row.number)
                continue
            }
            guard !classrooms.studentPlaces.contains(place) else {
                skipRemoved(row, "\(person.person.name.display) – \(room.name)")
                continue
            }
            self.classrooms.departures[place] = lastDay
            undo(row, .name(person.person.name.display), .name(room.name))
        }
    }

    private mutating func undoStudents(_ rows: [ImportRow]) {
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

    private mutating func undoRoles(_ rows: [ImportRow]) {
        let noted = present.holdings.roles
        for row in rows {
            guard let id = row.personId, let role = row.role, people[id] != nil else {
                settled.append(row.number)
                continue
            }
            if staying.contains(id) { continue }
            if id == present.actor {
                skip(.oneself, name(id))
                continue
            }
            let assignment = RosterPlan.RoleAssignment(personId: id, role: role)
            if noted.contains(assignment) { removedRoles.append(assignment) }
            guard present.assigned[id]?.contains(role) == true else {
                // The role was never given, or was removed by hand.
                settled.append(row.number)
                continue
            }
            leaving.append(row.number)
            steps.append(Step(kind: .roleGiven, arguments: [.name(name(id)), .role(role)]))
        }
    }

    private mutating func undoRooms(_ rows: [RosterChange.Kind: [ImportRow]]) {
        let left = present.holdings.classrooms.guidePlaces.subtracting(classrooms.guidePlaces)
            .union(present.holdings.classrooms.studentPlaces.subtracting(classrooms.studentPlaces))
            .union(classrooms.departures.keys)
        let inUse = Set(left.map(\.classroomId))
        for row in rows[.classroomCreated] ?? [] {
            guard let room = row.classroomId.flatMap({ rooms[$0] }) else {
                skipRemoved(row, row.after?.title ?? "")
                continue
            }
            if room.name != row.after?.title {
                skip(.edited, room.name)
            } else if inUse.contains(room.id) {
                skip(.inUse, room.name)
            } else {
                classrooms.newClassrooms.append(room)
                undo(row, .name(room.name))
            }
        }
        for row in rows[.classroomRenamed] ?? [] {
            guard var room = row.classroomId.flatMap({ rooms[$0] }), let before = row.before?.title else {
                skipRemoved(row, row.after?.title ?? "")
                continue
            }
            guard room.name == row.after?.title else {
                skip(.edited, room.name)
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
                skipRemoved(row, row.after?.name.display ?? "")
                continue
            }
            let name = person.name.display
            guard row.after?.areThose(of: person) == true else {
                skip(.edited, name)
                continue
            }
            before.restore(&person)
            restoredPeople.append(person)
            undo(row, .name(name), .name(person.name.display))
        }
    }

    private mutating func undoPeople(_ rows: [ImportRow]) {
        for row in rows {
            guard let id = row.personId, let one = people[id] else {
                skipRemoved(row, row.after?.name.display ?? "")
                continue
            }
            if staying.contains(id) { continue }
            removedPeople.append(id)
            undo(row, .name(one.person.name.display))
        }
    }
}

extension ImportRow {
    var coursePlace: CoursePlace? {
        guard let courseId, let personId else { return nil }
        return CoursePlace(courseId: courseId, personId: personId)
    }

    var link: FamilyLink? {
        guard let personId, let childId else { return nil }
        return FamilyLink(guardianId: personId, childId: childId)
    }

    var place: ClassroomPlace? {
        guard let classroomId, let personId else { return nil }
        return ClassroomPlace(classroomId: classroomId, personId: personId)
    }
}
