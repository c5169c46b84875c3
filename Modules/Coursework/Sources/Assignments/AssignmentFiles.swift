import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// A file that belongs to the instructions of an assignment.
struct AssignmentFile: Sendable, Hashable, Identifiable {
    let id: UUID
    let assignmentId: UUID
    let stored: StoredFile

    /// The name and size, for the API.
    var summary: SubmittedFile { SubmittedFile(id: id, name: stored.name, size: stored.size) }
}

/// Adds files to an assignment's instructions.
struct AddAssignmentFiles: Command {
    static let contract = Contract(
        "coursework.addFiles", "/api/v1/assignments/{assignmentId}/attachments", access: .member(.teachCourses),
        isCreation: true, bodyLimit: WorkInput.bodyLimit,
        summary: "Adds files to the instructions of an assignment, which everyone who sees the assignment can read."
    )
    typealias Result = Page<SubmittedFile>

    let assignmentId: UUID
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        // Optional, so that missing access is reported before missing files.
        files = fields.optionalFiles("files", max: SubmissionFiles.atOnce)
    }
}

/// Deletes a file of an assignment's instructions.
struct DeleteAssignmentFile: Command {
    static let contract = Contract(
        "coursework.deleteAttachment", "/api/v1/assignments/{assignmentId}/attachments/{fileId}/delete",
        access: .member(.teachCourses), summary: "Deletes a file of the instructions of an assignment.")
    typealias Result = Done

    let assignmentId: UUID
    let fileId: UUID

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        fileId = fields.id("fileId")
    }
}

/// Lists the files of an assignment's instructions.
struct ListAssignmentFiles: Query {
    static let contract = Contract(
        "coursework.attachments", "/api/v1/assignments/{assignmentId}/attachments", access: .member(.viewCourses),
        summary:
            "The files of an assignment's instructions, for the teachers of its course, its students and their parents."
    )
    typealias Result = Page<SubmittedFile>

    let assignmentId: UUID

    init(_ fields: inout FieldReader) { assignmentId = fields.id("assignmentId") }
}

/// The files of an assignment's instructions: added by the course's teachers, read by all who see the assignment.
struct AssignmentFiles: Sendable {
    /// The most files of one assignment.
    static let most = 20

    let access: CourseworkAccess
    let changes: CourseworkChanges
    let files: SubmissionFiles

    static func path(_ file: AssignmentFile) -> String {
        "\(AssignmentScreens.path(file.assignmentId))/attachments/\(file.id.text)"
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListAssignmentFiles.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let one = try access.seen(query.assignmentId, membership, at: now, in: sql).assignment
                    return Page(
                        items: try AssignmentFileRepository.files(of: one.id, in: sql).map(\.summary), next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(AddAssignmentFiles.self, prepare: prepare, run: add),
            .handle(DeleteAssignmentFile.self) { command, context in
                let (one, _) = try access.led(command.assignmentId, context.membership, in: context.sql)
                guard let file = try AssignmentFileRepository.file(command.fileId, in: context.sql),
                    file.assignmentId == one.id
                else { throw Problem.notFound }
                try AssignmentFileRepository.delete(file.id, in: context.sql)
                try record(one, &context)
                context.feedback = Feedback(
                    .toast, context.words("coursework.said.fileDeleted", file.stored.name))
                return Done()
            },
        ]
    }

    /// Stores the files before the transaction, after a check that the caller leads the course and that there is room.
    @Sendable
    private func prepare(_ command: AddAssignmentFiles, _ context: RequestContext) async throws -> [StoredFile] {
        let membership = try context.membership
        try await context.school.read { sql in
            _ = try access.led(command.assignmentId, membership, in: sql)
            try checkRoom(command.files.map(\.size), WorkWords(of: context), in: sql)
        }
        return try await files.store(command.files, nil, context)
    }

    @Sendable
    private func add(
        _ command: AddAssignmentFiles, _ stored: [StoredFile], _ context: inout CommandContext
    ) throws -> Page<SubmittedFile> {
        let (one, _) = try access.led(command.assignmentId, context.membership, in: context.sql)
        let before = try AssignmentFileRepository.files(of: one.id, in: context.sql)
        guard !stored.isEmpty else { return Page(items: before.map(\.summary), next: nil) }
        guard before.count + stored.count <= Self.most else {
            throw Problem.invalid("files", "coursework.tooManyAttachments", [.number(Self.most)])
        }
        try checkRoom(stored.map(\.size), WorkWords(of: context), in: context.sql)
        let added = try insert(stored, into: one.id, &context)
        try record(one, &context)
        context.feedback = Feedback(.toast, context.words("coursework.said.filesAdded", added.count))
        context.destination = AssignmentScreens.path(one.id)
        return Page(items: (before + added).map(\.summary), next: nil)
    }

    /// Copies the files of an assignment to another. Throws a fault if the school has no room for them.
    func copy(from sourceId: UUID, to id: UUID, _ context: inout CommandContext) throws {
        let stored = try AssignmentFileRepository.files(of: sourceId, in: context.sql).map(\.stored)
        try checkRoom(stored.map(\.size), field: "courseId", WorkWords(of: context), in: context.sql)
        _ = try insert(stored, into: id, &context)
    }

    private func insert(
        _ stored: [StoredFile], into assignmentId: UUID, _ context: inout CommandContext
    ) throws -> [AssignmentFile] {
        // The files have the same time, so sorted ids preserve the order in which they were chosen.
        let ids = stored.map { _ in context.newId() }.sorted()
        let files = zip(ids, stored).map { AssignmentFile(id: $0, assignmentId: assignmentId, stored: $1) }
        for file in files { try AssignmentFileRepository.insert(file, at: context.now, in: context.sql) }
        return files
    }

    private func checkRoom(
        _ sizes: [Int], field: String = "files", _ text: WorkWords, in sql: any SQLReading
    ) throws {
        try StorageRepository.checkRoom(for: sizes.reduce(0, +), of: nil, field: field, text, in: sql)
    }

    private func record(_ one: Assignment, _ context: inout CommandContext) throws {
        context.record(
            one.publishedAt == nil
                ? changes.forLeaders("coursework.filesChanged", one)
                : try changes.forAll("coursework.filesChanged", one, in: context.sql))
    }

    // MARK: - Download

    /// The downloads of the files, for all who see the assignment.
    var downloads: [DownloadRoute] {
        files.downloads(
            at: "/assignments/{assignmentId}/attachments/{fileId}", access: .member(.viewCourses), file)
    }

    /// Returns the file of an address. Throws `Problem.notFound` unless the caller may see its assignment.
    @Sendable
    private func file(_ parameters: [String: String], _ context: RequestContext) async throws -> StoredFile {
        guard let assignmentId = parameters["assignmentId"].flatMap(UUID.init(text:)),
            let fileId = parameters["fileId"].flatMap(UUID.init(text:))
        else { throw Problem.notFound }
        let (membership, now) = (try context.membership, context.now)
        return try await context.school.read { sql in
            let one = try access.seen(assignmentId, membership, at: now, in: sql).assignment
            guard let file = try AssignmentFileRepository.file(fileId, in: sql), file.assignmentId == one.id else {
                throw Problem.notFound
            }
            return file.stored
        }
    }

    // MARK: - Components

    /// The files with their previews, which are folded away.
    /// - Parameter request: the request of a teacher who may delete the files; `nil` for readers.
    static func components(
        _ files: [AssignmentFile], _ parts: SubmissionParts, _ text: WorkWords, _ context: RequestContext,
        edit request: ScreenRequest? = nil
    ) async throws -> [Component] {
        var body: [Component] = []
        for file in files {
            let menu = request.map { delete(file, $0) }
            body.append(
                .file(
                    PTFileTile(
                        name: file.stored.name, detail: text.size(file.stored.size),
                        action: .external(path(file)), menu: [menu].compactMap(\.self))))
            let preview = try await parts.previews(of: file.stored, at: path(file), text.words, context)
            if !preview.isEmpty {
                body.append(
                    .disclosure(
                        PTDisclosure(title: text.words("coursework.previewOf", file.stored.name), body: preview)))
            }
        }
        return body
    }

    private static func delete(_ file: AssignmentFile, _ request: ScreenRequest) -> PTMenuItem {
        let words = request.words
        return PTMenuItem(
            title: words("coursework.fileDelete"), icon: .trash, role: .destructive,
            action: .perform(
                request.call(
                    DeleteAssignmentFile.self,
                    ["assignmentId": file.assignmentId.text, "fileId": file.id.text],
                    confirmation: PTConfirmation(
                        title: words("coursework.fileDelete.title", file.stored.name),
                        confirm: words("coursework.fileDelete")))))
    }

    /// The form with which teachers add files.
    static func form(_ one: Assignment, _ request: ScreenRequest) -> PTForm {
        let words = request.words
        return request.form(
            AddAssignmentFiles.self, ["assignmentId": one.id.text], id: "attachments-form",
            fields: [
                PTField(
                    .file(accept: []), name: "files", label: words("coursework.addFiles"),
                    hint: words(
                        "coursework.attachmentsTip", SubmissionFiles.atOnce, SubmissionFiles.largest >> 20),
                    isRequired: true, isMultiple: true)
            ], submit: SubmitButton(title: words("coursework.addFiles")), to: AssignmentScreens.path(one.id))
    }
}

/// Reads and writes the files of assignments' instructions, in the school's database.
enum AssignmentFileRepository {
    static let migration = Migration(
        "009-attachments",
        """
        CREATE TABLE coursework_attachments (
            id TEXT PRIMARY KEY NOT NULL,
            assignment_id TEXT NOT NULL,
            name TEXT NOT NULL,
            size BIGINT NOT NULL,
            sha256 TEXT NOT NULL,
            preview_sha256 TEXT,
            width INTEGER,
            height INTEGER,
            added_at BIGINT NOT NULL
        );
        CREATE INDEX coursework_attachments_assignment ON coursework_attachments (assignment_id);
        """)

    static let records = RecordKind(
        "coursework.attachments", "coursework.records.attachments", personal: [], erasure: .withSchool,
        tables: [
            RecordTable(
                "coursework_attachments",
                export: { _ in
                    """
                    SELECT id, assignment_id, name, size, sha256, preview_sha256, width, height, added_at
                    FROM coursework_attachments ORDER BY assignment_id, id
                    """
                },
                files: "SELECT sha256, preview_sha256 FROM coursework_attachments",
                texts: .init(of: "coursework_attachments", columns: ["name"]))
        ])

    static func files(of assignmentId: UUID, in sql: any SQLReading) throws -> [AssignmentFile] {
        try sql.rows(
            "SELECT * FROM coursework_attachments WHERE assignment_id = \(assignmentId) ORDER BY added_at, id"
        ).map(file)
    }

    static func file(_ id: UUID, in sql: any SQLReading) throws -> AssignmentFile? {
        try sql.row("SELECT * FROM coursework_attachments WHERE id = \(id)").map(file)
    }

    static func insert(_ one: AssignmentFile, at now: Date, in sql: any SQLWriting) throws {
        let stored = one.stored
        try sql.execute(
            """
            INSERT INTO coursework_attachments
                (id, assignment_id, name, size, sha256, preview_sha256, width, height, added_at)
            VALUES (\(one.id), \(one.assignmentId), \(stored.name), \(stored.size), \(stored.hash),
                \(stored.preview?.hash), \(stored.preview?.width), \(stored.preview?.height), \(now))
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_attachments WHERE id = \(id)")
    }

    static func deleteAll(of assignmentId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_attachments WHERE assignment_id = \(assignmentId)")
    }

    private static func file(_ row: SQLRow) throws -> AssignmentFile {
        try AssignmentFile(
            id: row.get("id"), assignmentId: row.get("assignment_id"),
            stored: StoredFile(
                name: row.get("name"), size: row.get("size"), hash: row.get("sha256"),
                preview: SubmissionRepository.preview(row)))
    }
}
