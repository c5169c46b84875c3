public import ClassroomInterface
public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Reads and changes students in the feature block's own table and among the school's people.
public struct SQLStudentService: StudentService, StudentPlacing {
    private let people: any PeopleService

    public init(people: any PeopleService) { self.people = people }

    public func students(of classroomId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        try StudentRepository.students(of: classroomId, orgId: orgId, in: sql)
    }

    public func student(
        _ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Student {
        guard try ClassroomAccess.sees(membership, student: id, in: sql),
            let student = try StudentRepository.student(id, orgId: membership.organization.id, in: sql)
        else { throw Problem.notFound }
        return student
    }

    public func studentIds(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        try StudentRepository.ids(after: id, limit: limit, in: sql)
    }

    public func classroomIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try ClassroomRepository.classroomIds(ofStudent: studentId, in: sql)
    }

    public func create(_ draft: StudentDraft, in context: inout CommandContext) throws -> Student {
        try context.require(.manageStudents)
        let membership = try context.membership
        if let classroomId = draft.classroomId {
            guard try ClassroomAccess.sees(membership, classroom: classroomId, in: context.sql),
                try ClassroomRepository.classroom(
                    classroomId, orgId: membership.organization.id, in: context.sql) != nil
            else { throw Problem.notFound }
        }
        // A child may have joined the class years ago.
        try context.checkNear(draft.firstDay, "firstDay", years: 20)
        try refuseTaken(draft.number, by: nil, context)
        let person = try people.add(draft.person, in: context)
        try StudentRepository.insert(person.id, notes: draft.notes, at: context.now, in: context.sql)
        if let classroomId = draft.classroomId {
            _ = try ClassroomRepository.addStudent(
                person.id, to: classroomId, from: draft.firstDay ?? context.today, in: context.sql)
        }
        context.record(change("student.created", person.id, in: draft.classroomId.map { [$0] } ?? []))
        return try student(person.id, visibleTo: membership, in: context.sql)
    }

    public func update(
        _ id: UUID, _ draft: StudentDraft, in context: inout CommandContext
    ) throws -> Student {
        try context.require(.manageStudents)
        let membership = try context.membership
        let before = try student(id, visibleTo: membership, in: context.sql)
        // A number that an import stored twice must not prevent the correction of a name.
        if draft.number != before.number { try refuseTaken(draft.number, by: id, context) }
        _ = try people.update(id, draft.person, in: context)
        try StudentRepository.update(id, notes: draft.notes, in: context.sql)
        context.record(
            change("student.updated", id, in: try ClassroomRepository.classroomIds(ofStudent: id, in: context.sql)))
        return try student(id, visibleTo: membership, in: context.sql)
    }

    /// Throws if another person has the number. Documents that name a number must mean one person.
    private func refuseTaken(_ number: String?, by id: UUID?, _ context: CommandContext) throws {
        guard let number,
            let holder = try PeopleTable.holder(ofNumber: number, otherThan: id, in: context.sql)
        else { return }
        throw Problem.invalid("number", "students.numberTaken", [.text(holder.display)])
    }

    public func delete(_ id: UUID, in context: inout CommandContext) throws {
        try context.require(.manageStudents)
        _ = try student(id, visibleTo: context.membership, in: context.sql)
        let classrooms = try ClassroomRepository.classroomIds(ofStudent: id, in: context.sql)
        try people.remove(id, in: context)
        context.record(change("student.deleted", id, in: classrooms, reshapes: true))
    }

    public func add(_ id: UUID, to classroomId: UUID, in context: inout CommandContext) throws {
        try context.require(.manageStudents)
        let membership = try context.membership
        _ = try student(id, visibleTo: membership, in: context.sql)
        guard
            try ClassroomRepository.classroom(classroomId, orgId: membership.organization.id, in: context.sql)
                != nil
        else { throw Problem.notFound }
        if try ClassroomRepository.addStudent(id, to: classroomId, from: context.today, in: context.sql) {
            context.record(change("student.enteredClass", id, in: [classroomId], reshapes: true))
        }
    }

    public func remove(_ id: UUID, from classroomId: UUID, in context: inout CommandContext) throws {
        try context.require(.manageStudents)
        _ = try student(id, visibleTo: context.membership, in: context.sql)
        guard
            try ClassroomRepository.removeStudent(id, from: classroomId, on: context.today, in: context.sql)
        else { throw Problem.notFound }
        context.record(change("student.leftClass", id, in: [classroomId], reshapes: true))
    }

    /// Returns the change to record about a student.
    ///
    /// - Parameter reshapes: whether the change moves the student's family to another class.
    private func change(
        _ kind: String, _ id: UUID, in classrooms: [UUID], reshapes: Bool = false
    ) -> Change {
        Change(
            kind, topics: ["students"] + classrooms.map { "classroom:\($0.text)" },
            audience: Audience.roles([.superAdmin, .admin]) + classrooms.map(Audience.classroom),
            payload: classrooms.count == 1
                ? ["student": id.text, "classroom": classrooms[0].text] : ["student": id.text],
            reshapesAudience: reshapes)
    }
}

extension StudentDraft {
    fileprivate var person: PersonDraft {
        PersonDraft(
            name: PersonName(given: firstName, family: lastName, display: displayName), email: email,
            number: number, gradeLevel: gradeLevel, avatarTint: avatarTint, externalId: externalId)
    }
}
