import ClassroomInterface
import Domain
import FeatureKit
import Foundation

struct ListClassrooms: Query {
    static let contract = Contract(
        "classrooms.list", "/api/v1/classrooms", access: .member(.viewClassrooms),
        summary: "The classrooms that the caller may see, the oldest first.")
    typealias Result = Page<ClassroomSummary>

    init(_ fields: inout FieldReader) {}
}

struct GetClassroom: Query {
    static let contract = Contract(
        "classrooms.get", "/api/v1/classrooms/{classroomId}", access: .member(.viewClassrooms),
        summary: "One classroom with the ids of its guides and students.")
    typealias Result = Classroom

    let classroomId: UUID

    init(_ fields: inout FieldReader) { classroomId = fields.id("classroomId") }
}

struct CreateClassroom: Command {
    static let contract = Contract(
        "classrooms.create", "/api/v1/classrooms", access: .member(.manageClassrooms),
        isCreation: true, bodyLimit: ImageService.bodyLimit,
        summary: "Makes a classroom, with a cover where a picture is given; the caller is its first guide.")
    typealias Result = Classroom

    let draft: ClassroomDraft
    let picture: UploadedFile?

    init(_ fields: inout FieldReader) {
        draft = ClassroomDraft(&fields)
        picture = fields.optionalFiles("picture", max: 1).first
    }
}

struct UpdateClassroom: Command {
    static let contract = Contract(
        "classrooms.update", "/api/v1/classrooms/{classroomId}", access: .member(.manageClassrooms),
        bodyLimit: ImageService.bodyLimit,
        summary:
            "Changes the name or tint of a classroom, its guides where `setsGuides` is given, and its cover where there is a new picture or `removes` takes it away. Refused with 409 if a version is given and someone has changed the classroom since."
    )
    typealias Result = Classroom

    let classroomId: UUID
    let draft: ClassroomDraft
    /// The new guides; `nil` leaves them unchanged. A form sends no field if nobody is chosen, so a flag tells that
    /// the form has the field.
    let guideIds: [UUID]?
    let cover: PictureChange
    /// The `Classroom.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        draft = ClassroomDraft(&fields)
        let guides = fields.ids("guideIds", max: 100)
        guideIds = fields.flag("setsGuides") ? guides : nil
        cover = PictureChange(&fields)
        version = fields.contentVersion()
    }
}

struct DeleteClassroom: Command {
    static let contract = Contract(
        "classrooms.delete", "/api/v1/classrooms/{classroomId}/delete", access: .member(.manageClassrooms),
        summary: "Deletes a classroom; its students stay in the school.")
    typealias Result = Done

    let classroomId: UUID

    init(_ fields: inout FieldReader) { classroomId = fields.id("classroomId") }
}

struct AssignGuides: Command {
    static let contract = Contract(
        "classrooms.assignGuides", "/api/v1/classrooms/{classroomId}/guides", access: .member(.manageClassrooms),
        summary: "Replaces the guides who work in a classroom.")
    typealias Result = Classroom

    let classroomId: UUID
    let guideIds: [UUID]

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        guideIds = fields.ids("guideIds", max: 100)
    }
}

struct SetDefaultClassroom: Command {
    static let contract = Contract(
        "classrooms.setDefault", "/api/v1/classrooms/default", access: .member(.viewClassrooms),
        summary: "Chooses the classroom that opens first for the caller; none lets the list open.")
    typealias Result = Done

    let classroomId: UUID?

    init(_ fields: inout FieldReader) { classroomId = fields.optionalId("classroomId") }
}

extension Classroom {
    /// The version of the fields that the form of a classroom edits.
    var version: ContentVersion { ContentVersion([name, avatarTint.rawValue] + guideIds.map(\.text).sorted()) }
}

extension ClassroomDraft {
    init(_ fields: inout FieldReader) {
        self.init(
            name: fields.text("name", max: 80), avatarTint: fields.optionalChoice("avatarTint", of: Tint.self))
    }
}

struct ClassroomHandlers: Sendable {
    let classrooms: any ClassroomService
    let pictures: ImageService

    var commands: [CommandRegistration] {
        [
            .handle(
                CreateClassroom.self,
                prepare: { command, context in try await pictures.prepare(newCover: command.picture, context) }
            ) { command, cover, context in
                var classroom = try classrooms.create(command.draft, in: &context)
                if let cover {
                    classroom = try pictures.set(cover: cover, ofClassroom: classroom.id, in: &context)
                }
                context.feedback = Feedback(.burst, context.words("classrooms.created", classroom.name))
                context.destination = "/classrooms/\(classroom.id.text)"
                return classroom
            },
            .handle(
                UpdateClassroom.self,
                prepare: { command, context in
                    try await pictures.prepare(cover: command.cover, ofClassroom: command.classroomId, context)
                }
            ) { command, cover, context in
                let before = try classrooms.classroom(
                    command.classroomId, visibleTo: context.membership, in: context.sql)
                try before.version.check(command.version, "classroom.changed")
                var classroom = try classrooms.update(command.classroomId, command.draft, in: &context)
                if let guideIds = command.guideIds, Set(guideIds) != Set(classroom.guideIds) {
                    classroom = try classrooms.assign(guides: guideIds, to: command.classroomId, in: &context)
                }
                if command.cover.isChange {
                    classroom = try pictures.set(cover: cover, ofClassroom: command.classroomId, in: &context)
                }
                context.feedback = Feedback(.toast, context.words("classrooms.saved", classroom.name))
                return classroom
            },
            .handle(DeleteClassroom.self) { command, context in
                try classrooms.delete(command.classroomId, in: &context)
                context.feedback = Feedback(.toast, context.words("classrooms.deleted"))
                context.destination = "/classrooms"
                return Done()
            },
            .handle(AssignGuides.self) { command, context in
                let classroom = try classrooms.assign(
                    guides: command.guideIds, to: command.classroomId, in: &context)
                context.feedback = Feedback(.toast, context.words("classrooms.guidesSaved"))
                return classroom
            },
            .handle(SetDefaultClassroom.self) { command, context in
                let membership = try context.membership
                if let id = command.classroomId {
                    _ = try classrooms.classroom(id, visibleTo: membership, in: context.sql)
                }
                try ClassroomRepository.setDefault(command.classroomId, of: membership.personId, in: context.sql)
                context.feedback = Feedback(.toast, context.words("classrooms.defaultSaved"))
                return Done()
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListClassrooms.self) { _, context in
                let membership = try context.membership
                return Page(
                    items: try await context.school.read {
                        try classrooms.classrooms(visibleTo: membership, in: $0)
                    },
                    next: nil)
            },
            .handle(GetClassroom.self) { query, context in
                let membership = try context.membership
                return try await context.school.read {
                    try classrooms.classroom(query.classroomId, visibleTo: membership, in: $0)
                }
            },
        ]
    }
}
