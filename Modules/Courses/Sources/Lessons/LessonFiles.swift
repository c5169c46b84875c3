import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// A file of a lesson: a worksheet, a recording, a video with its captions, a picture.
struct LessonFile: Codable, Sendable, Hashable, Identifiable {
    let id: UUID
    let lessonId: UUID
    /// The file name that the teacher chose.
    let name: String
    /// The stored size in bytes.
    let size: Int
    let hash: BlobHash
    /// How the lesson's page shows the file; `nil` for a download only.
    var media: LessonMedia?
    /// The width of a picture in pixels.
    var width: Int?
    /// The height of a picture in pixels.
    var height: Int?
}

/// Adds files to a lesson.
struct AddLessonFiles: Command {
    static let contract = Contract(
        "courses.addLessonFiles", "/api/v1/courses/lessons/{lessonId}/files", access: .member(.teachCourses),
        isCreation: true, bodyLimit: LessonFiles.bodyLimit,
        summary: "Adds files to a lesson, after the existing ones.")
    typealias Result = Page<LessonFile>

    let lessonId: UUID
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        lessonId = fields.id("lessonId")
        // Optional, so that missing access is reported before missing files.
        files = fields.optionalFiles("files", max: LessonFiles.atOnce)
    }
}

/// Deletes a file of a lesson.
struct DeleteLessonFile: Command {
    static let contract = Contract(
        "courses.deleteLessonFile", "/api/v1/courses/lesson-files/{fileId}/delete", access: .member(.teachCourses),
        summary: "Deletes a file of a lesson.")
    typealias Result = Done

    let fileId: UUID

    init(_ fields: inout FieldReader) { fileId = fields.id("fileId") }
}

/// A stored file that does not belong to a lesson yet.
struct StoredFile: Sendable {
    let name: String
    let size: Int
    let hash: BlobHash
    let media: LessonMedia?
    let width: Int?
    let height: Int?
}

/// The files of lessons: added by those who lead the course, shown and downloaded by all who may read the lesson.
struct LessonFiles: Sendable {
    /// The most files in one request.
    static let atOnce = 6
    /// The most files of a lesson.
    static let most = 20
    /// The largest video, in bytes: ten minutes for a tablet at nearly one megabit a second.
    static let filmBytes = 64 << 20
    /// The largest request: a video and another file.
    static let bodyLimit = filmBytes + ImageLimits.bytes
    /// The longer side of a picture in pixels: a printed page at 200 dots per inch.
    static let side = 2400
    private static let nameLength = 120

    let courses: SQLCourseService
    let images: any ImageShrinking
    let video: LessonVideo

    static func path(_ file: LessonFile, of lesson: Lesson) -> String {
        "\(LessonScreens.path(lesson))/files/\(file.id.text)"
    }

    var commands: [CommandRegistration] {
        [
            .handle(AddLessonFiles.self, prepare: prepare, run: add),
            .handle(DeleteLessonFile.self) { command, context in
                guard let file = try LessonFileRepository.file(command.fileId, in: context.sql) else {
                    throw Problem.notFound
                }
                let lesson = try led(file.lessonId, context.membership, in: context.sql)
                let film = try LessonFilm(of: lesson, in: context.sql)
                try LessonFileRepository.delete(file.id, in: context.sql)
                try video.removeOutdatedPositions(of: lesson, before: film, in: context.sql)
                record(lesson, &context)
                context.feedback = Feedback(.toast, context.words("lessons.said.fileDeleted", file.name))
                return Done()
            },
        ]
    }

    /// Stores the files before the transaction, after a check that the caller leads the course.
    @Sendable
    private func prepare(_ command: AddLessonFiles, _ context: RequestContext) async throws -> [StoredFile] {
        let membership = try context.membership
        _ = try await context.school.read { try led(command.lessonId, membership, in: $0) }
        return try await store(command.files, context)
    }

    /// Stores files. The caller's access must have been checked.
    func store(_ uploads: [UploadedFile], _ context: RequestContext) async throws -> [StoredFile] {
        var files: [StoredFile] = []
        for file in uploads {
            let name = Self.name(file.name)
            if let type = MediaType(try file.content.head(MediaType.headBytes)),
                [.jpeg, .png, .webP].contains(type)
            {
                let made = try await picture(file, name)
                files.append(
                    StoredFile(
                        name: Self.pictureName(name), size: made.bytes.count,
                        hash: try await context.files.put(made.bytes), media: .picture, width: made.width,
                        height: made.height))
            } else {
                let media = try Self.media(of: file, name)
                files.append(
                    StoredFile(
                        name: name, size: file.size, hash: try await context.files.put(file.content),
                        media: media, width: nil, height: nil))
            }
        }
        return files
    }

    /// Encodes a picture again from its pixels, so that it contains no location.
    private func picture(_ file: UploadedFile, _ name: String) async throws -> ShrunkImage {
        do throws(ImageFault) {
            return try await images.shrink(file.content, to: [Self.side])[0]
        } catch {
            throw Problem.invalid("files", "lessons.picture", [.text(name)])
        }
    }

    /// How the page shows a file that is stored unchanged. Throws a fault if it is too large or not what its name says.
    private static func media(of file: UploadedFile, _ name: String) throws -> LessonMedia? {
        let media = try LessonMedia(file.content)
        let limit = media?.isFilm == true ? filmBytes : ImageLimits.bytes
        if media == nil, let fault = LessonMedia.fault(ofName: name) {
            throw Problem.invalid("files", fault, [.text(name)])
        }
        guard file.size <= limit else {
            throw Problem.invalid("files", "lessons.fileTooLarge", [.text(name), .number(limit >> 20)])
        }
        return media
    }

    @Sendable
    private func add(
        _ command: AddLessonFiles, _ stored: [StoredFile], _ context: inout CommandContext
    ) throws -> Page<LessonFile> {
        let lesson = try led(command.lessonId, context.membership, in: context.sql)
        let before = try LessonFileRepository.files(of: lesson.id, in: context.sql)
        guard !stored.isEmpty else { return Page(items: before, next: nil) }
        guard before.count + stored.count <= Self.most else {
            throw Problem.invalid("files", "lessons.tooManyFiles", [.number(Self.most)])
        }
        let files = try add(stored, to: lesson, &context)
        record(lesson, &context)
        context.feedback = Feedback(.toast, context.words("lessons.said.filesAdded", files.count))
        return Page(items: before + files, next: nil)
    }

    /// Adds stored files to a lesson, after the existing ones.
    func add(_ stored: [StoredFile], to lesson: Lesson, _ context: inout CommandContext) throws -> [LessonFile] {
        // The files have the same time, so sorted ids preserve the order in which they were chosen.
        let ids = stored.map { _ in context.newId() }.sorted()
        let files = zip(ids, stored).map { id, one in
            LessonFile(
                id: id, lessonId: lesson.id, name: one.name, size: one.size, hash: one.hash, media: one.media,
                width: one.width, height: one.height)
        }
        for file in files { try LessonFileRepository.insert(file, at: context.now, in: context.sql) }
        return files
    }

    /// Returns a lesson of a course that the member leads.
    private func led(_ id: UUID, _ membership: ActiveMembership, in sql: any SQLReading) throws -> Lesson {
        guard let lesson = try LessonRepository.lesson(id, in: sql) else { throw Problem.notFound }
        _ = try courses.course(lesson.courseId, ledBy: membership, in: sql)
        return lesson
    }

    private func record(_ lesson: Lesson, _ context: inout CommandContext) {
        context.record(
            Change(
                "courses.lessonSaved", topics: [CourseTopic.course(lesson.courseId)],
                audience: [.course(lesson.courseId)] + Audience.roles([.superAdmin, .admin]),
                payload: ["course": lesson.courseId.text, "lesson": lesson.id.text]))
    }

    // MARK: - Download

    /// The download of a file of any kind. Access is checked on each request.
    var route: DownloadRoute {
        DownloadRoute(
            "\(CourseScreens.home)/{courseId}/lessons/{lessonId}/files/{fileId}", access: .member(.viewCourses)
        ) { parameters, context in
            let file = try await file(parameters, context)
            guard let url = try await context.files.file(file.hash) else { throw Problem.notFound }
            return DownloadedFile(
                .file(url), name: file.name, contentType: "application/octet-stream")
        }
    }

    /// Returns the file of an address. Throws `Problem.notFound` unless the caller may read its lesson.
    func file(_ parameters: [String: String], _ context: RequestContext) async throws -> LessonFile {
        guard let courseId = parameters["courseId"].flatMap(UUID.init(text:)),
            let lessonId = parameters["lessonId"].flatMap(UUID.init(text:)),
            let fileId = parameters["fileId"].flatMap(UUID.init(text:))
        else { throw Problem.notFound }
        let membership = try context.membership
        return try await context.school.read { sql in
            let course = try courses.course(courseId, enteredBy: membership, in: sql)
            guard let lesson = try LessonRepository.lesson(lessonId, in: sql), lesson.courseId == course.id,
                lesson.isPublished || course.isLed(by: membership),
                let file = try LessonFileRepository.file(fileId, in: sql), file.lessonId == lesson.id
            else { throw Problem.notFound }
            return file
        }
    }

    /// A file name without folders and invisible characters.
    static func name(_ given: String) -> String {
        let last = given.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let seen = last.unicodeScalars.filter { scalar in
            ![.control, .format, .surrogate, .privateUse, .unassigned].contains(scalar.properties.generalCategory)
        }
        let name = String(String.UnicodeScalarView(seen)).trimmingCharacters(in: .whitespacesAndNewlines)
        return name.isEmpty ? "file" : String(name.suffix(nameLength))
    }

    // MARK: - Components

    /// The section with a lesson's files; `nil` without any. Those who lead the course can delete them.
    func section(_ files: [LessonFile], of lesson: Lesson, leads: Bool, _ request: ScreenRequest) -> Component? {
        guard !files.isEmpty else { return nil }
        let words = request.words
        return .section(
            PTSection(
                title: words("lessons.files"),
                body: files.map { file in
                    .file(
                        PTFileTile(
                            name: file.name,
                            detail: file.size < 1 << 20
                                ? words("lessons.kilobytes", file.size == 0 ? 0 : max(1, file.size >> 10))
                                : words("lessons.megabytes", file.size >> 20),
                            action: .external(Self.path(file, of: lesson)),
                            menu: leads ? [remove(file, request)] : []
                        ))
                }))
    }

    private func remove(_ file: LessonFile, _ request: ScreenRequest) -> PTMenuItem {
        let words = request.words
        return PTMenuItem(
            title: words("lessons.fileDelete"), icon: .trash, role: .destructive,
            action: .perform(
                request.call(
                    DeleteLessonFile.self, ["fileId": file.id.text],
                    confirmation: PTConfirmation(
                        title: words("lessons.fileDelete.title", file.name),
                        message: words("lessons.fileDelete.message"), confirm: words("lessons.fileDelete")))))
    }

    /// The form for adding files. It returns to the same page, which restores the text in the other form.
    func form(_ lesson: Lesson, _ request: ScreenRequest) -> Component {
        let words = request.words
        return .form(
            request.form(
                AddLessonFiles.self, ["lessonId": lesson.id.text], id: "files",
                fields: [field(words, isRequired: true)],
                submit: SubmitButton(title: words("lessons.filesAdd"), role: .tonal),
                to: "\(LessonScreens.path(lesson))/edit"))
    }

    func field(_ words: Words, isRequired: Bool = false) -> PTField {
        PTField(
            .file(accept: []), name: "files", label: words("lessons.files"),
            hint: words("lessons.filesTip", ImageLimits.bytes >> 20, Self.filmBytes >> 20),
            isRequired: isRequired, isMultiple: true)
    }
}

/// Reads and writes the files of lessons.
enum LessonFileRepository {
    /// The files of a lesson in the order in which they were added.
    static func files(of lessonId: UUID, in sql: any SQLReading) throws -> [LessonFile] {
        try sql.rows("SELECT * FROM lesson_files WHERE lesson_id = \(lessonId) ORDER BY added_at, id").map(file)
    }

    static func file(_ id: UUID, in sql: any SQLReading) throws -> LessonFile? {
        try sql.row("SELECT * FROM lesson_files WHERE id = \(id)").map(file)
    }

    static func insert(_ file: LessonFile, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO lesson_files (id, lesson_id, name, size, sha256, added_at, media, width, height)
            VALUES (\(file.id), \(file.lessonId), \(file.name), \(file.size), \(file.hash), \(now),
                \(file.media), \(file.width), \(file.height))
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM lesson_files WHERE id = \(id)")
    }

    private static func file(_ row: SQLRow) throws -> LessonFile {
        try LessonFile(
            id: row.get("id"), lessonId: row.get("lesson_id"), name: row.get("name"), size: row.get("size"),
            hash: row.get("sha256"), media: row.optional("media"), width: row.optional("width"),
            height: row.optional("height"))
    }
}
