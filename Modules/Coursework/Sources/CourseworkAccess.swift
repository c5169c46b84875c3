import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// Decides who may see and lead which assignments.
struct CourseworkAccess: Sendable {
    let courses: any CourseService
    let roster: any CourseRoster
    let families: any FamilyLinks
    let people: any PeopleService

    /// An assignment with its course and the caller's part in it.
    struct Seen: Sendable {
        let assignment: Assignment
        let course: Course
        /// Whether the caller teaches or administers the course.
        let leads: Bool
        /// The students of the assignment whose work the caller may see as a student or parent.
        let learners: [UUID]
    }

    /// A student with their name.
    struct Student: Identifiable, Sendable, Hashable {
        let id: UUID
        let name: String
        let person: Person
    }

    /// Returns an assignment of a course that the caller leads. Throws `Problem.notFound` for all others.
    func led(_ id: UUID, _ membership: ActiveMembership, in sql: any SQLReading) throws -> (Assignment, Course) {
        guard let assignment = try AssignmentRepository.assignment(id, in: sql) else { throw Problem.notFound }
        return (assignment, try courses.course(assignment.courseId, ledBy: membership, in: sql))
    }

    /// Returns an assignment for those who lead its course, its students and their parents. Throws `Problem.notFound`
    /// for all others, and for students while it is not published and open.
    func seen(_ id: UUID, _ membership: ActiveMembership, at now: Date, in sql: any SQLReading) throws -> Seen {
        guard let assignment = try AssignmentRepository.assignment(id, in: sql) else { throw Problem.notFound }
        let course = try courses.course(assignment.courseId, enteredBy: membership, in: sql)
        let leads = course.isLed(by: membership)
        let learners =
            assignment.isVisible(at: now)
            ? try families.learners(of: membership, in: sql).filter { try isFor($0, assignment, in: sql) } : []
        guard leads || !learners.isEmpty else { throw Problem.notFound }
        return Seen(assignment: assignment, course: course, leads: leads, learners: learners)
    }

    /// Returns an assignment that the caller does as a student. Throws `Problem.notFound` for all others.
    func done(
        _ id: UUID, by membership: ActiveMembership, at now: Date, in sql: any SQLReading
    ) throws -> (assignment: Assignment, times: WorkTimes) {
        guard let assignment = try AssignmentRepository.assignment(id, in: sql), assignment.isVisible(at: now),
            try isFor(membership.personId, assignment, in: sql)
        else { throw Problem.notFound }
        let extended = try AssignmentRepository.extensions(of: id, in: sql)[membership.personId]
        return (assignment, WorkTimes(of: assignment, extendedTo: extended))
    }

    /// Whether an assignment is for a student, who is in its course now.
    func isFor(_ studentId: UUID, _ assignment: Assignment, in sql: any SQLReading) throws -> Bool {
        guard try roster.courseIds(ofStudent: studentId, in: sql).contains(assignment.courseId) else {
            return false
        }
        return try assignment.isForEveryone
            || AssignmentRepository.assignees(of: assignment.id, in: sql).contains(studentId)
    }

    /// The students of an assignment who are in its course now, by name.
    func students(
        of assignment: Assignment, _ orgId: UUID, in sql: any SQLReading
    ) throws -> [Student] {
        let inCourse = try roster.students(of: assignment.courseId, in: sql)
        guard !assignment.isForEveryone else { return try named(inCourse, orgId, in: sql) }
        let chosen = try AssignmentRepository.assignees(of: assignment.id, in: sql)
        return try named(inCourse.filter(chosen.contains), orgId, in: sql)
    }

    /// The people with these ids by name, as the school's language sorts. Unknown ids are left out.
    func named(_ ids: [UUID], _ orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        let known = try people.people(ids, of: orgId, in: sql)
        return ids.compactMap { id in known[id].map { Student(id: id, name: $0.name.display, person: $0) } }
            .sorted { left, right in
                let order = left.name.localizedStandardCompare(right.name)
                return order == .orderedSame ? left.id < right.id : order == .orderedAscending
            }
    }

    /// The notes on a student's work, with the names of their authors.
    func notes(
        of one: Assignment, on studentId: UUID, _ orgId: UUID, canEdit: Bool, in sql: any SQLReading
    ) throws -> ShownNotes {
        let notes = try NoteRepository.notes(of: one.id, on: studentId, in: sql)
        let authors = Set(notes.values.joined().map(\.authorId))
        let known = authors.isEmpty ? [:] : try people.people(Array(authors), of: orgId, in: sql)
        return ShownNotes(byFile: notes, authors: known.mapValues { $0.name.display }, canEdit: canEdit)
    }

    /// The caller if they are a student, and the caller's children, each with a name.
    func learners(
        of membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [(id: UUID, name: String)] {
        let children = try families.children(of: membership, in: sql).map { (id: $0.id, name: $0.name.display) }
        guard membership.roles.contains(.student) else { return children }
        let own = try people.people([membership.personId], of: membership.organization.id, in: sql)
        return [(membership.personId, own[membership.personId]?.name.display ?? "")] + children
    }
}

extension Permission {
    /// Allows handing in work for the assignments of one's own courses.
    static let handIn = Permission("coursework.handIn", [.student])
}
