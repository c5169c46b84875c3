import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation

struct SetStudentPicture: Command {
    static let contract = Contract(
        "students.setPicture", "/api/v1/students/{studentId}/picture", access: .member(.manageStudents),
        bodyLimit: ImageService.bodyLimit, summary: "Gives a student a picture, or takes it away.")
    typealias Result = Student

    let studentId: UUID
    let change: PictureChange

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        change = PictureChange(&fields)
    }
}

struct SetClassroomCover: Command {
    static let contract = Contract(
        "classrooms.setCover", "/api/v1/classrooms/{classroomId}/cover", access: .member(.manageClassrooms),
        bodyLimit: ImageService.bodyLimit, summary: "Gives a classroom a cover, or takes it away.")
    typealias Result = Classroom

    let classroomId: UUID
    let change: PictureChange

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        change = PictureChange(&fields)
    }
}

/// A new picture, or none any more.
struct PictureChange: Sendable {
    let picture: UploadedFile?
    let removes: Bool

    init(_ fields: inout FieldReader) {
        picture = fields.optionalFiles("picture", max: 1).first
        removes = fields.flag("removes")
    }
}

/// Pictures of children and covers of classrooms. The columns hold the hash of a file of the school; the address
/// that entities carry is made of it, so that a new picture has a new address.
struct ImageService: Sendable {
    let intake: PhotoIntake
    let classrooms: any ClassroomService
    let students: any StudentService

    static let bodyLimit = ImageLimits.bytes + 64 * 1024
    /// The longer sides in pixels.
    static let pictureSide = 320
    static let coverSide = 1280

    static func picture(_ hash: BlobHash, of studentId: UUID) -> String {
        "/students/\(studentId.text)/picture/\(hash)"
    }

    static func cover(_ hash: BlobHash, of classroomId: UUID) -> String {
        "/classrooms/\(classroomId.text)/cover/\(hash)"
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                SetStudentPicture.self,
                prepare: { command, context in
                    let membership = try context.membership
                    _ = try await context.school.read {
                        try students.student(command.studentId, visibleTo: membership, in: $0)
                    }
                    return try await hash(command.change, Self.pictureSide, context)
                },
                run: { command, hash, context in
                    let membership = try context.membership
                    _ = try students.student(command.studentId, visibleTo: membership, in: context.sql)
                    try PictureRepository.set(hash, ofStudent: command.studentId, in: context.sql)
                    try StudentAccess.record("student.updated", of: command.studentId, in: &context)
                    context.feedback = Feedback(
                        .toast, context.words(hash == nil ? "picture.removed" : "picture.saved"))
                    return try students.student(command.studentId, visibleTo: membership, in: context.sql)
                }),
            .handle(
                SetClassroomCover.self,
                prepare: { command, context in
                    let membership = try context.membership
                    _ = try await context.school.read {
                        try classrooms.classroom(command.classroomId, visibleTo: membership, in: $0)
                    }
                    return try await hash(command.change, Self.coverSide, context)
                },
                run: { command, hash, context in
                    let membership = try context.membership
                    let id = command.classroomId
                    _ = try classrooms.classroom(id, visibleTo: membership, in: context.sql)
                    try PictureRepository.set(hash, ofClassroom: id, in: context.sql)
                    context.record(
                        Change(
                            "classroom.updated", topics: ["classrooms", "classroom:\(id.text)"],
                            audience: ClassroomAccess.audience(id), payload: ["classroom": id.text]))
                    context.feedback = Feedback(
                        .toast, context.words(hash == nil ? "picture.removed" : "picture.saved"))
                    return try classrooms.classroom(id, visibleTo: membership, in: context.sql)
                }),
        ]
    }

    private func hash(_ change: PictureChange, _ side: Int, _ context: RequestContext) async throws -> BlobHash? {
        guard let file = change.picture else {
            guard change.removes else { throw Problem.invalid("picture", "required") }
            return nil
        }
        let made = try await intake.shrunk(file, to: [side], field: "picture")
        return try await context.files.put(made[0].bytes)
    }

    var downloads: [DownloadRoute] {
        [
            DownloadRoute("/students/{studentId}/picture/{hash}", access: .member(.viewClassrooms)) {
                parameters, context in
                guard let id = parameters["studentId"].flatMap(UUID.init(text:)),
                    let hash = parameters["hash"].flatMap(BlobHash.init(_:))
                else { throw Problem.notFound }
                let membership = try context.membership
                let student = try await context.school.read {
                    try students.student(id, visibleTo: membership, in: $0)
                }
                guard student.imageURL == Self.picture(hash, of: id) else { throw Problem.notFound }
                return try await DownloadedFile(hash, .jpeg, of: context.files)
            },
            DownloadRoute("/classrooms/{classroomId}/cover/{hash}", access: .member(.viewClassrooms)) {
                parameters, context in
                guard let id = parameters["classroomId"].flatMap(UUID.init(text:)),
                    let hash = parameters["hash"].flatMap(BlobHash.init(_:))
                else { throw Problem.notFound }
                let membership = try context.membership
                let classroom = try await context.school.read {
                    try classrooms.classroom(id, visibleTo: membership, in: $0)
                }
                guard classroom.imageURL == Self.cover(hash, of: id) else { throw Problem.notFound }
                return try await DownloadedFile(hash, .jpeg, of: context.files)
            },
        ]
    }
}

/// The SQL of pictures.
enum PictureRepository {
    static func set(_ hash: BlobHash?, ofStudent id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE students SET picture = \(hash) WHERE id = \(id)")
    }

    static func set(_ hash: BlobHash?, ofClassroom id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE classrooms SET cover = \(hash) WHERE id = \(id)")
    }

    /// The address of a student's picture.
    static func address(_ row: SQLRow, ofStudent id: UUID) throws -> String? {
        let hash: BlobHash? = try row.optional("picture")
        return hash.map { ImageService.picture($0, of: id) }
    }

    static func address(_ row: SQLRow, ofClassroom id: UUID) throws -> String? {
        let hash: BlobHash? = try row.optional("cover")
        return hash.map { ImageService.cover($0, of: id) }
    }
}

/// Adding, changing and removing a picture, on the page on which its owner is edited.
struct PictureForm {
    let request: ScreenRequest
    /// The picture that there is.
    let image: PTImage?
    let title: String

    /// - Parameter to: the page to come back to.
    func section<C: Command>(
        _ type: C.Type, _ parameters: [String: String], side: Int, to: String
    ) -> Component {
        let words = request.words
        var body: [Component] = image.map { [.image($0)] } ?? []
        body.append(
            .form(
                request.form(
                    type, parameters, id: "picture",
                    fields: [
                        PTField(
                            .photos(side: side, max: 1), name: "picture",
                            label: words(image == nil ? "picture.add" : "picture.replace"))
                    ], submit: SubmitButton(title: words("picture.save"), role: .tonal), to: to, style: .card)))
        if image != nil {
            body.append(
                .button(
                    PTButton(
                        title: words("picture.remove"), icon: .trash, role: .quiet,
                        action: .perform(request.call(type, parameters, fields: ["removes": "true"], to: to)))))
        }
        return .section(PTSection(title: title, body: body))
    }
}
