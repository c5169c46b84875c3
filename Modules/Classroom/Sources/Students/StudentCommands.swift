import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

struct ListStudents: Query {
    static let contract = Contract(
        "students.list", "/api/v1/students", access: .member(.manageStudents),
        summary: "All students of the school in the order of a class list, a page at a time.")
    typealias Result = Page<Student>

    let after: String?
    let limit: Int

    init(_ fields: inout FieldReader) {
        after = fields.optionalText("after", max: 700)
        limit = fields.integer("limit", in: 1...200, default: 100)
    }
}

struct GetStudent: Query {
    static let contract = Contract(
        "students.get", "/api/v1/students/{studentId}", access: .member(.viewClassrooms), summary: "One student.")
    typealias Result = Student

    let studentId: UUID

    init(_ fields: inout FieldReader) { studentId = fields.id("studentId") }
}

struct CreateStudent: Command {
    static let contract = Contract(
        "students.create", "/api/v1/students", access: .member(.manageStudents), isCreation: true,
        bodyLimit: ImageService.bodyLimit,
        summary: """
            Adds a student to the school, with a picture where one is given, and, where a classroom is named, to it: from \
            the present day or `firstDay` on.
            """)
    typealias Result = Student

    let draft: StudentDraft
    let picture: UploadedFile?

    init(_ fields: inout FieldReader) {
        var draft = StudentDraft(&fields)
        draft.classroomId = fields.optionalId("classroomId")
        draft.firstDay = fields.optionalDay("firstDay")
        self.draft = draft
        picture = fields.optionalFiles("picture", max: 1).first
    }
}

struct UpdateStudent: Command {
    static let contract = Contract(
        "students.update", "/api/v1/students/{studentId}", access: .member(.manageStudents),
        bodyLimit: ImageService.bodyLimit,
        summary:
            "Changes a student's record, and the picture if there is a new one or `removes` deletes it. Refused with 409 if a version is given and someone has changed the record since."
    )
    typealias Result = Student

    let studentId: UUID
    let draft: StudentDraft
    /// The `Student.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?
    let picture: PictureChange

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        draft = StudentDraft(&fields)
        version = fields.contentVersion()
        picture = PictureChange(&fields)
    }
}

struct DeleteStudent: Command {
    static let contract = Contract(
        "students.delete", "/api/v1/students/{studentId}/delete", access: .member(.manageStudents),
        summary: "Deletes a student and everything recorded of them.")
    typealias Result = Done

    let studentId: UUID

    init(_ fields: inout FieldReader) { studentId = fields.id("studentId") }
}

struct AddToClass: Command {
    static let contract = Contract(
        "students.addToClass", "/api/v1/classrooms/{classroomId}/students", access: .member(.manageStudents),
        summary: "Places a student in a classroom; once more changes nothing.")
    typealias Result = Done

    let classroomId: UUID
    let studentId: UUID

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        studentId = fields.id("studentId")
    }
}

struct RemoveFromClass: Command {
    static let contract = Contract(
        "students.removeFromClass", "/api/v1/classrooms/{classroomId}/students/{studentId}/remove",
        access: .member(.manageStudents),
        summary: "Takes a student out of a classroom; the student stays in the school.")
    typealias Result = Done

    let classroomId: UUID
    let studentId: UUID

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        studentId = fields.id("studentId")
    }
}

struct SetClassDays: Command {
    static let contract = Contract(
        "students.setClassDays", "/api/v1/classrooms/{classroomId}/students/{studentId}/days",
        access: .member(.manageStudents),
        summary:
            "Says since when a student is in a classroom. With a last day the student leaves it; the student stays in the school."
    )
    typealias Result = Done

    let classroomId: UUID
    let studentId: UUID
    /// The first day in the class; `nil` if it is not known.
    let firstDay: Day?
    let lastDay: Day?

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        studentId = fields.id("studentId")
        firstDay = fields.optionalDay("firstDay")
        lastDay = fields.optionalDay("lastDay")
    }
}

extension Student {
    /// The version of the fields that the form of a student edits. It changes with each of them, also by an import.
    var version: ContentVersion {
        ContentVersion([firstName, lastName, displayName, avatarTint.rawValue, email, number, gradeLevel, notes])
    }
}

extension StudentDraft {
    init(_ fields: inout FieldReader) {
        let name = fields.nameParts("firstName", "lastName")
        self.init(
            firstName: name.given, lastName: name.family,
            displayName: fields.optionalText("displayName", max: 100),
            avatarTint: fields.optionalChoice("avatarTint", of: Tint.self),
            email: fields.optionalEmail("email"), number: fields.optionalText("number", max: 60),
            gradeLevel: fields.optionalText("gradeLevel", max: 60),
            notes: fields.optionalText("notes", max: 4000, multiline: true))
    }
}

struct StudentHandlers: Sendable {
    let students: any StudentService & StudentPlacing
    let roles: any RoleAssigning
    let pictures: ImageService

    var commands: [CommandRegistration] {
        [
            .handle(
                CreateStudent.self,
                prepare: { command, context in try await pictures.prepare(newPicture: command.picture, context) }
            ) { command, picture, context in
                var student = try students.create(command.draft, in: &context)
                if let picture {
                    student = try pictures.set(picture: picture, ofStudent: student.id, in: &context)
                }
                context.feedback = Feedback(
                    .burst,
                    context.words(
                        command.draft.classroomId == nil ? "students.createdInSchool" : "students.created",
                        student.displayName))
                return student
            },
            .handle(
                UpdateStudent.self,
                prepare: { command, context in
                    try await pictures.prepare(picture: command.picture, ofStudent: command.studentId, context)
                }
            ) { command, picture, context in
                if let version = command.version {
                    let before = try students.student(
                        command.studentId, visibleTo: context.membership, in: context.sql)
                    try before.version.check(version, "students.changed")
                }
                var student = try students.update(command.studentId, command.draft, in: &context)
                if command.picture.isChange {
                    student = try pictures.set(picture: picture, ofStudent: command.studentId, in: &context)
                }
                context.feedback = Feedback(.toast, context.words("students.saved", student.displayName))
                return student
            },
            .handle(
                DeleteStudent.self, prepare: { _, _ in },
                run: { command, _, context in
                    try students.delete(command.studentId, in: &context)
                    context.feedback = Feedback(.toast, context.words("students.deleted"))
                    return Done()
                },
                finish: { command, _, context in
                    try await roles.takeAll(
                        from: command.studentId, in: context.membership.organization.id)
                }),
            .handle(AddToClass.self) { command, context in
                try students.add(command.studentId, to: command.classroomId, in: &context)
                context.feedback = Feedback(.toast, context.words("students.added"))
                return Done()
            },
            .handle(RemoveFromClass.self) { command, context in
                try students.remove(command.studentId, from: command.classroomId, in: &context)
                context.feedback = Feedback(.toast, context.words("students.removed"))
                return Done()
            },
            .handle(SetClassDays.self) { command, context in
                try setClassDays(command, &context)
                context.feedback = Feedback(.toast, context.words("students.daysSaved"))
                return Done()
            },
        ]
    }

    private func setClassDays(_ command: SetClassDays, _ context: inout CommandContext) throws {
        _ = try students.student(command.studentId, visibleTo: context.membership, in: context.sql)
        guard try ClassroomRepository.isStudent(command.studentId, of: command.classroomId, in: context.sql) else {
            throw Problem.notFound
        }
        try context.checkNear(command.firstDay, "firstDay", years: 20)
        if let lastDay = command.lastDay {
            guard lastDay <= context.today else { throw Problem.invalid("lastDay", "students.lastDayFuture") }
            guard command.firstDay.map({ $0 <= lastDay }) ?? true else {
                throw Problem.invalid("lastDay", "students.lastBeforeFirst")
            }
            try students.remove(command.studentId, from: command.classroomId, in: &context)
        } else {
            context.record(
                Change(
                    "student.stayChanged", topics: ["students", "classroom:\(command.classroomId.text)"],
                    audience: ClassroomAccess.audience(command.classroomId),
                    payload: ["student": command.studentId.text, "classroom": command.classroomId.text]))
        }
        try StayRepository.set(
            ClassroomStay(
                studentId: command.studentId, classroomId: command.classroomId, firstDay: command.firstDay,
                lastDay: command.lastDay), in: context.sql)
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListStudents.self) { query, context in
                let orgId = try context.membership.organization.id
                return try await context.school.read { sql in
                    let found = try StudentRepository.students(
                        after: query.after ?? "", limit: query.limit, orgId: orgId, in: sql)
                    return Page(
                        items: found,
                        next: found.count == query.limit ? found.last.map(StudentRepository.place(of:)) : nil)
                }
            },
            .handle(GetStudent.self) { query, context in
                let membership = try context.membership
                return try await context.school.read {
                    try students.student(query.studentId, visibleTo: membership, in: $0)
                }
            },
        ]
    }
}
