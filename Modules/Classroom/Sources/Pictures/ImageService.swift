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

/// A change of a picture: a new one, or its removal.
struct PictureChange: Sendable {
    let picture: UploadedFile?
    let removes: Bool

    init(_ fields: inout FieldReader) {
        picture = fields.optionalFiles("picture", max: 1).first
        removes = fields.flag("removes")
    }

    var isChange: Bool { picture != nil || removes }
}

/// Stores pictures of children and covers of classrooms. The columns hold the hash of a file of the school. The
/// address in an entity contains the hash, so that a new picture has a new address.
struct ImageService: Sendable {
    let intake: PhotoIntake
    let classrooms: any ClassroomService
    let students: any StudentService

    static let bodyLimit = ImageLimits.bytes + 64 * 1024
    /// The longer sides of stored pictures and covers, in pixels.
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
                    let hash = try await prepare(
                        picture: command.change, ofStudent: command.studentId, context)
                    guard command.change.isChange else { throw Problem.invalid("picture", "required") }
                    return hash
                },
                run: { command, hash, context in
                    context.feedback = Feedback(
                        .toast, context.words(hash == nil ? "picture.removed" : "picture.saved"))
                    return try set(picture: hash, ofStudent: command.studentId, in: &context)
                }),
            .handle(
                SetClassroomCover.self,
                prepare: { command, context in
                    let cover = try await prepare(
                        cover: command.change, ofClassroom: command.classroomId, context)
                    guard command.change.isChange else { throw Problem.invalid("picture", "required") }
                    return cover
                },
                run: { command, cover, context in
                    context.feedback = Feedback(
                        .toast, context.words(cover == nil ? "picture.removed" : "picture.saved"))
                    return try set(cover: cover, ofClassroom: command.classroomId, in: &context)
                }),
        ]
    }

    /// The files of a classroom's cover: a large one for the page and a small one for lists.
    struct Cover: Sendable {
        let large: BlobHash
        let small: BlobHash
    }

    /// Stores the picture of a student who is about to be created.
    func prepare(newPicture file: UploadedFile?, _ context: RequestContext) async throws -> BlobHash? {
        guard let file else { return nil }
        let made = try await intake.shrunk(file, to: [Self.pictureSide], field: "picture")
        return try await context.files.put(made[0].bytes)
    }

    /// Stores the cover of a classroom that is about to be created.
    func prepare(newCover file: UploadedFile?, _ context: RequestContext) async throws -> Cover? {
        guard let file else { return nil }
        let made = try await intake.shrunk(file, to: [Self.coverSide, Self.pictureSide], field: "picture")
        return try await Cover(
            large: context.files.put(made[0].bytes), small: context.files.put(made[1].bytes))
    }

    /// Stores the files of a new cover. Throws `Problem.notFound` if the member may not see the classroom.
    /// - Returns: the files; `nil` if there is no new cover.
    func prepare(
        cover change: PictureChange, ofClassroom id: UUID, _ context: RequestContext
    ) async throws -> Cover? {
        let membership = try context.membership
        _ = try await context.school.read { try classrooms.classroom(id, visibleTo: membership, in: $0) }
        return try await prepare(newCover: change.picture, context)
    }

    func set(
        cover: Cover?, ofClassroom id: UUID, in context: inout CommandContext
    ) throws -> Classroom {
        let membership = try context.membership
        _ = try classrooms.classroom(id, visibleTo: membership, in: context.sql)
        try PictureRepository.set(cover, ofClassroom: id, in: context.sql)
        context.record(
            Change(
                "classroom.updated", topics: ["classrooms", "classroom:\(id.text)"],
                audience: ClassroomAccess.audience(id), payload: ["classroom": id.text]))
        return try classrooms.classroom(id, visibleTo: membership, in: context.sql)
    }

    /// Stores the file of a student's new picture. Throws `Problem.notFound` if the member may not see the student.
    func prepare(
        picture change: PictureChange, ofStudent id: UUID, _ context: RequestContext
    ) async throws -> BlobHash? {
        let membership = try context.membership
        _ = try await context.school.read { try students.student(id, visibleTo: membership, in: $0) }
        return try await prepare(newPicture: change.picture, context)
    }

    func set(
        picture hash: BlobHash?, ofStudent id: UUID, in context: inout CommandContext
    ) throws -> Student {
        let membership = try context.membership
        _ = try students.student(id, visibleTo: membership, in: context.sql)
        try PictureRepository.set(hash, ofStudent: id, in: context.sql)
        try StudentAccess.record("student.updated", of: id, in: &context)
        return try students.student(id, visibleTo: membership, in: context.sql)
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
                let isShown = try await context.school.read { sql in
                    _ = try classrooms.classroom(id, visibleTo: membership, in: sql)
                    return try PictureRepository.isCover(hash, of: id, in: sql)
                }
                guard isShown else { throw Problem.notFound }
                return try await DownloadedFile(hash, .jpeg, of: context.files)
            },
        ]
    }
}

enum PictureRepository {
    static func set(_ hash: BlobHash?, ofStudent id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE students SET picture = \(hash) WHERE id = \(id)")
    }

    static func set(_ cover: ImageService.Cover?, ofClassroom id: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            "UPDATE classrooms SET cover = \(cover?.large), small_cover = \(cover?.small) WHERE id = \(id)")
    }

    /// Whether the file is the classroom's cover in one of its sizes.
    static func isCover(_ hash: BlobHash, of id: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            "SELECT 1 FROM classrooms WHERE id = \(id) AND (cover = \(hash) OR small_cover = \(hash))")
    }

    /// Returns the address of the cover for lists. Covers from before there were two sizes have only the large one.
    static func smallAddress(_ row: SQLRow, ofClassroom id: UUID) throws -> String? {
        let hash: BlobHash? = try row.optional("small_cover") ?? row.optional("cover")
        return hash.map { ImageService.cover($0, of: id) }
    }

    /// Returns the address of a student's picture; `nil` if there is none.
    static func address(_ row: SQLRow, ofStudent id: UUID) throws -> String? {
        let hash: BlobHash? = try row.optional("picture")
        return hash.map { ImageService.picture($0, of: id) }
    }

    static func address(_ row: SQLRow, ofClassroom id: UUID) throws -> String? {
        let hash: BlobHash? = try row.optional("cover")
        return hash.map { ImageService.cover($0, of: id) }
    }
}

/// The fields that add, change and remove a picture. They are part of the form that edits the picture's owner, so
/// that one button saves everything.
enum PictureFields {
    static func student(hasPicture: Bool, _ words: Words) -> [PTField] {
        fields(
            words(hasPicture ? "picture.replace" : "picture.add"), hasPicture ? words("picture.remove") : nil,
            side: ImageService.pictureSide)
    }

    static func classroom(hasCover: Bool, _ words: Words) -> [PTField] {
        fields(
            words(hasCover ? "picture.replaceCover" : "picture.addCover"),
            hasCover ? words("picture.removeCover") : nil, side: ImageService.coverSide)
    }

    private static func fields(_ choose: String, _ remove: String?, side: Int) -> [PTField] {
        [PTField(.photos(side: side, max: 1), name: "picture", label: choose)]
            + (remove.map { [PTField(.toggle, name: "removes", label: $0)] } ?? [])
    }
}
