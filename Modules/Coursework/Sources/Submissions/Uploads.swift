import CourseworkModel
import Domain
import FeatureKit
import Foundation

/// A file that a student sends in parts.
struct WorkUpload: Codable, Sendable, Hashable, Identifiable {
    let id: UUID
    let assignmentId: UUID
    let studentId: UUID
    /// The name of the file as the student gave it.
    let name: String
    /// The size of the complete file in bytes.
    let size: Int
}

/// Begins the upload of a file.
struct StartUpload: Command {
    static let contract = Contract(
        "coursework.startUpload", "/api/v1/assignments/{assignmentId}/uploads", access: .member(.handIn),
        isCreation: true,
        summary: """
            Begins the upload of a file for an assignment. Its bytes are sent in parts to this path and the id (HEAD and \
            PATCH, as tus 1.0.0 says). The complete file is then saved or handed in by its id in `uploads`.
            """)
    typealias Result = WorkUpload

    let assignmentId: UUID
    /// The id that the client chose, so that beginning twice is beginning once.
    let uploadId: UUID
    let name: String
    let size: Int

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        uploadId = fields.id("uploadId")
        name = fields.text("name", max: 1000)
        size = fields.integer("size", in: 0...1 << 40, default: 0)
    }
}

/// Receives files in parts and adds the complete ones to students' work.
struct WorkUploads: Sendable {
    /// The most bytes of a person's uploads that are under way.
    static let mostBytes = 1 << 30
    /// Seconds for which the bytes of a file stay after it was used, so that a command can be repeated.
    static let leftover: TimeInterval = 3600

    let files: any PartialFiles

    /// The key of the bytes of an upload.
    func key(_ upload: WorkUpload, _ schoolId: UUID) -> PartialFileKey {
        PartialFileKey(schoolId: schoolId, personId: upload.studentId, id: upload.id)
    }

    /// Begins an upload, or returns the one that was begun with the same id. The caller's access must have been checked.
    func start(_ command: StartUpload, _ context: inout CommandContext) throws -> WorkUpload {
        let name = SubmissionFiles.name(command.name)
        guard command.size > 0 else { throw Problem.invalid("size", "coursework.fileEmpty", [.text(name)]) }
        guard command.size <= SubmissionFiles.largestUpload else {
            throw Problem.invalid(
                "size", "coursework.fileTooLarge", [.text(name), .number(SubmissionFiles.largestUpload >> 20)])
        }
        let personId = try context.membership.personId
        let upload = WorkUpload(
            id: command.uploadId, assignmentId: command.assignmentId, studentId: personId, name: name,
            size: command.size)
        if let begun = try UploadRepository.upload(upload.id, in: context.sql) {
            guard begun == upload else { throw Problem.notFound }
            return begun
        }
        let (count, bytes) = try UploadRepository.total(of: personId, in: context.sql)
        guard count < SubmissionFiles.most else {
            throw Problem.invalid("size", "coursework.tooManyFiles", [.number(SubmissionFiles.most)])
        }
        guard bytes + command.size <= Self.mostBytes else {
            throw Problem.invalid("size", "coursework.tooMuchAtOnce", [.number(Self.mostBytes >> 20)])
        }
        try StorageRepository.checkRoom(
            for: command.size, of: personId, field: "size", WorkWords(of: context), in: context.sql)
        try UploadRepository.insert(upload, at: context.now, in: context.sql)
        return upload
    }

    /// Returns the complete files with these ids, in their order. Throws if one is not complete or not the caller's.
    func complete(_ ids: [UUID], of assignmentId: UUID, _ context: RequestContext) async throws -> [UploadedFile] {
        guard !ids.isEmpty else { return [] }
        let membership = try context.membership
        let uploads = try await context.school.read { sql in
            try ids.map { id in
                guard let one = try UploadRepository.upload(id, in: sql), one.studentId == membership.personId,
                    one.assignmentId == assignmentId
                else { throw Problem.invalid("files", "coursework.uploadGone") }
                return one
            }
        }
        var complete: [UploadedFile] = []
        for upload in uploads {
            let key = key(upload, membership.organization.id)
            guard try await files.received(key) == upload.size else {
                throw Problem.invalid("files", "coursework.uploadIncomplete", [.text(upload.name)])
            }
            complete.append(
                UploadedFile(
                    name: upload.name, contentType: "application/octet-stream", content: files.content(of: key),
                    size: upload.size))
        }
        return complete
    }

    /// The route of the bytes.
    var route: UploadRoute {
        UploadRoute("/api/v1/assignments/{assignmentId}/uploads/{uploadId}", access: .member(.handIn)) {
            parameters, context in
            let membership = try context.membership
            guard let id = parameters["uploadId"].flatMap(UUID.init(text:)),
                let upload = try await context.school.read({ try UploadRepository.upload(id, in: $0) }),
                upload.studentId == membership.personId,
                upload.assignmentId.text == parameters["assignmentId"]?.lowercased()
            else { throw Problem.notFound }
            return PartialUpload(key(upload, membership.organization.id), size: upload.size, in: files)
        }
    }

    /// Deletes the bytes of uploads that were used or that have expired.
    var job: Job {
        .school("coursework.uploads", every: 3600) { context in
            guard let schoolId = context.schoolId else { return }
            let known = try await context.database.read { try UploadRepository.ids(in: $0) }
            try await files.remove(
                of: schoolId, except: known, untouchedSince: context.now - Self.leftover)
        }
    }
}

/// Reads and writes the uploads that are under way, in the school's database.
enum UploadRepository {
    static func upload(_ id: UUID, in sql: any SQLReading) throws -> WorkUpload? {
        try sql.row("SELECT * FROM coursework_uploads WHERE id = \(id)").map { row in
            try WorkUpload(
                id: row.get("id"), assignmentId: row.get("assignment_id"), studentId: row.get("student_id"),
                name: row.get("name"), size: row.get("size"))
        }
    }

    /// The number of a student's uploads and their bytes.
    static func total(of studentId: UUID, in sql: any SQLReading) throws -> (count: Int, bytes: Int) {
        let row = try sql.row(
            """
            SELECT COUNT(*) AS number, COALESCE(SUM(size), 0) AS bytes FROM coursework_uploads
            WHERE student_id = \(studentId)
            """)
        return (try row?.get("number") ?? 0, try row?.get("bytes") ?? 0)
    }

    static func ids(in sql: any SQLReading) throws -> Set<UUID> {
        try Set(sql.rows("SELECT id FROM coursework_uploads").map { try $0.get("id") })
    }

    static func insert(_ one: WorkUpload, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO coursework_uploads (id, student_id, assignment_id, name, size, begun_at)
            VALUES (\(one.id), \(one.studentId), \(one.assignmentId), \(one.name), \(one.size), \(now))
            """)
    }

    /// Ends uploads whose files belong to a draft now. Throws if one has ended already.
    static func end(_ ids: [UUID], in sql: any SQLWriting) throws {
        for id in ids {
            guard try sql.exists("SELECT 1 FROM coursework_uploads WHERE id = \(id)") else {
                throw Problem.invalid("files", "coursework.uploadGone")
            }
            try sql.execute("DELETE FROM coursework_uploads WHERE id = \(id)")
        }
    }
}
