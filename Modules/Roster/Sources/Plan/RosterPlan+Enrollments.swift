import ClassroomInterface
import CoursesInterface
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation
import OrganizationInterface
import RosterInterface

extension RosterPlan {
    // MARK: - Roles

    /// The role for a OneRoster role, or `nil` if there is none.
    ///
    /// Unknown roles get no permissions. A student is not a member of the school, so `.student` only marks the person
    /// as a student.
    static func role(_ name: String) -> Role? {
        switch name {
        case "administrator", "systemAdministrator": .admin
        case "teacher": .guide
        case "student": .student
        case "parent", "guardian", "relative": .parent
        default: nil
        }
    }

    mutating func compareRoles(
        _ bundle: RosterBundle, _ people: People, _ given: Set<RoleAssignment>, _ guides: Set<ClassroomPlace>,
        _ students: inout [(personId: UUID, file: String, line: Int)]
    ) {
        let file = bundle.file(bundle.roleFile)
        let disabled = Set(bundle.users.lazy.filter { !$0.isEnabled }.map(\.sourcedId))
        for user in bundle.users where !user.isEnabled && !user.isToBeDeleted {
            findings.notices.addOnce(
                .disabledUser, RosterFileKind.users.fileName, user.line, "enabledUser", [.shown(user.sourcedId)])
        }
        let holders = Set(bundle.roles.lazy.map(\.userId))
        // A plain list may omit the role.
        for user in bundle.users
        where bundle.listFile == nil && bundle.deltas.isEmpty && !holders.contains(user.sourcedId)
            && !user.isToBeDeleted
        {
            findings.notices.addOnce(
                .userWithoutRole, RosterFileKind.users.fileName, user.line, "sourcedId", [.shown(user.sourcedId)])
        }
        // A person who guides a classroom has the role already.
        var seen = given.union(guides.map { RoleAssignment(personId: $0.personId, role: .guide) })
        for row in bundle.roles where !row.isToBeDeleted {
            guard let role = Self.role(row.role) else {
                findings.notices.addOnce(.roleNotUsed, file, row.line, "role", [.shown(row.role)], key: row.role)
                continue
            }
            guard let person = people[row.userId] else {
                findings.notices.addOnce(.leftOut, file, row.line, "userSourcedId", [.shown(row.userId)])
                continue
            }
            if role == .student {
                students.append((person.id, file, row.line))
                continue
            }
            if disabled.contains(row.userId) { continue }
            let assignment = RoleAssignment(personId: person.id, role: role)
            guard seen.insert(assignment).inserted else { continue }
            assignments.append(assignment)
            step(.roleGiven, file, row.line, .name(person.name.display), .role(role))
        }
    }

    // MARK: - Enrollments

    /// Returns the steps instead of adding them: they come after those of the students.
    mutating func compareEnrollments(
        _ bundle: RosterBundle, _ enrollments: Enrollments, _ people: People,
        _ rooms: [String: ImportedClassroom], _ sections: Sections?, _ present: ClassroomHoldings,
        _ students: inout [(personId: UUID, file: String, line: Int)]
    ) -> [Step] {
        let file = bundle.file(.enrollments)
        let guides = Set(
            bundle.roles.lazy.filter { !$0.isToBeDeleted && $0.role == "teacher" }.map(\.userId))
        var (guidePlaces, studentPlaces) = (present.guidePlaces, present.studentPlaces)
        var steps: [Step] = []
        for row in enrollments.open {
            guard let person = people[row.userId] else {
                findings.notices.addOnce(.leftOut, file, row.line, "userSourcedId", [.shown(row.userId)])
                continue
            }
            guard let room = rooms[row.roomId] else {
                if sections?.isCourse(row.roomId) == true {
                    if row.role == "student" { students.append((person.id, file, row.line)) }
                    continue
                }
                findings.notices.addOnce(.leftOut, file, row.line, "classSourcedId", [.shown(row.roomId)])
                continue
            }
            let place = ClassroomPlace(classroomId: room.id, personId: person.id)
            let arguments: [Step.Argument] = [.name(person.name.display), .name(room.name)]
            switch row.role {
            case "teacher":
                if !guides.contains(row.userId) && bundle.deltas.isEmpty {
                    findings.notices.addOnce(
                        .teacherWithoutRole, file, row.line, "userSourcedId", [.shown(row.userId)])
                }
                guard guidePlaces.insert(place).inserted else { continue }
                classrooms.guidePlaces.append(place)
                steps.append(
                    Step(file: file, line: row.line, kind: .guideAssigned, arguments: arguments))
            case "student":
                students.append((person.id, file, row.line))
                guard studentPlaces.insert(place).inserted else { continue }
                classrooms.studentPlaces.append(place)
                var fields: [RosterChange.Field] = []
                if let begin = row.begin {
                    classrooms.firstDays[place] = begin
                    fields.append(.init(column: "beginDate", before: "", after: begin.description))
                }
                steps.append(
                    Step(
                        file: file, line: row.line, kind: .studentEnrolled, arguments: arguments, fields: fields))
            default:
                findings.notices.addOnce(
                    .enrollmentRoleNotUsed, file, row.line, "role", [.shown(row.role)], key: row.role)
            }
        }
        return steps
    }

    /// Ends the stay of students whose enrollment has ended before the end of the school year.
    ///
    /// Enrollments that have ended or not yet begun add no members. Guides keep their classrooms.
    mutating func compareEnds(
        _ bundle: RosterBundle, _ enrollments: Enrollments, _ people: People,
        _ rooms: [String: ImportedClassroom], _ present: ClassroomHoldings
    ) -> [Step] {
        let file = bundle.file(.enrollments)
        var steps: [Step] = []
        for row in enrollments.ended {
            guard let end = row.end else { continue }
            if let person = people[row.userId], let room = rooms[row.roomId] {
                let place = ClassroomPlace(classroomId: room.id, personId: person.id)
                // A stay that began after the end is another one.
                let hasBegun = present.firstDays[place].map { $0 <= end } ?? true
                if row.role == "student", present.studentPlaces.contains(place), hasBegun {
                    classrooms.departures[place] = end
                    steps.append(
                        Step(
                            file: file, line: row.line, kind: .studentLeft,
                            arguments: [.name(person.name.display), .name(room.name)],
                            fields: [.init(column: "endDate", before: "", after: end.description)]))
                    continue
                }
                if row.role == "teacher", present.guidePlaces.contains(place) {
                    findings.notices.addOnce(.wouldLeave, file, row.line, "endDate", [.shown(end.description)])
                    continue
                }
            }
            unusedEnds[row.line] = end
        }
        for row in enrollments.upcoming {
            findings.notices.addOnce(
                .enrollmentToCome, file, row.line, "beginDate", [.shown(row.begin?.description ?? "")])
        }
        return steps
    }

    /// Asks for a confirmation if more than half of all stays in classrooms, or in courses, would end at once: the other
    /// system has probably made a mistake.
    mutating func askWhetherManyLeave(_ holdings: Holdings) {
        let stays = (classrooms.departures.count, holdings.classrooms.studentPlaces.count)
        let places = (courseDepartures.count, holdings.courses?.places.count ?? 0)
        guard let (count, _) = [stays, places].first(where: { $0.0 > 1 && $0.0 * 2 > $0.1 }) else { return }
        findings.questions.add(
            .manyLeave, RosterFileKind.enrollments.fileName, 0, "endDate", [.number(count)])
    }

    /// Notes the enrollments that have ended and of which the school has nothing.
    mutating func noteUnusedEnds(_ bundle: RosterBundle) {
        let file = bundle.file(.enrollments)
        for (line, end) in unusedEnds.sorted(by: { $0.key < $1.key }) {
            findings.notices.addOnce(.enrollmentEnded, file, line, "endDate", [.shown(end.description)])
        }
    }

    mutating func addStudents(
        _ wanted: [(personId: UUID, file: String, line: Int)], _ present: Set<UUID>, _ people: People
    ) {
        let names = Dictionary(people.values.map { ($0.id, $0.name.display) }) { first, _ in first }
        var seen = present
        for student in wanted where seen.insert(student.personId).inserted {
            classrooms.students.append(student.personId)
            step(.studentAdded, student.file, student.line, .name(names[student.personId] ?? ""))
        }
    }
}
