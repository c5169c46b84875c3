import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation

/// The text, the link and the new files of a student's work.
struct WorkInput: Sendable {
    static let longest = 50_000
    static let bodyLimit = SubmissionFiles.largest + (1 << 20)

    let text: String?
    let link: String?
    let files: [UploadedFile]
    /// The ids of files that were sent in parts (`StartUpload`).
    let uploads: [UUID]

    init(_ fields: inout FieldReader) {
        text = fields.optionalText("text", max: Self.longest, multiline: true)
        let address = fields.optionalText("link", max: 2000)
        fields.refuse("link", "coursework.link", unless: address.map(Self.isAddress) ?? true)
        link = address
        files = fields.optionalFiles("files", max: SubmissionFiles.atOnce)
        uploads = fields.ids("uploads", max: SubmissionFiles.most)
    }

    /// Whether a text is an address of the web.
    private static func isAddress(_ text: String) -> Bool {
        guard let url = URL(string: text), let host = url.host() else { return false }
        return ["http", "https"].contains(url.scheme?.lowercased()) && !host.isEmpty
    }
}

/// Stores a student's work without handing it in.
struct SaveWork: Command {
    static let contract = Contract(
        "coursework.save", "/api/v1/assignments/{assignmentId}/draft", access: .member(.handIn),
        isOfflineCapable: true, bodyLimit: WorkInput.bodyLimit,
        summary:
            "Stores the caller's work for an assignment as a draft, with further files. Teachers do not see it.")
    typealias Result = SubmissionDraft

    let assignmentId: UUID
    let work: WorkInput

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        work = WorkInput(&fields)
    }
}

/// Hands in a student's work.
struct HandInWork: Command {
    static let contract = Contract(
        "coursework.handIn", "/api/v1/assignments/{assignmentId}/submissions", access: .member(.handIn),
        isCreation: true, isOfflineCapable: true, bodyLimit: WorkInput.bodyLimit,
        summary: "Hands in the caller's work for an assignment: text, link, new files, and the files of the draft.")
    typealias Result = Submission

    let assignmentId: UUID
    let work: WorkInput

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        work = WorkInput(&fields)
    }
}

/// Deletes a file of a student's draft.
struct DeleteWorkFile: Command {
    static let contract = Contract(
        "coursework.deleteFile", "/api/v1/assignments/{assignmentId}/files/{fileId}/delete",
        access: .member(.handIn), summary: "Deletes a file of the caller's draft. What was handed in stays.")
    typealias Result = Done

    let assignmentId: UUID
    let fileId: UUID

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        fileId = fields.id("fileId")
    }
}

/// Lists what students handed in.
struct ListSubmissions: Query {
    static let contract = Contract(
        "coursework.submissions", "/api/v1/assignments/{assignmentId}/submissions", access: .member(.viewCourses),
        summary: """
            The submissions for an assignment by student and attempt: for its teachers all, for students and parents the \
            student's own.
            """)
    typealias Result = Page<Submission>

    let assignmentId: UUID

    init(_ fields: inout FieldReader) { assignmentId = fields.id("assignmentId") }
}

/// The commands and queries of what students hand in.
struct SubmissionHandlers: Sendable {
    let access: CourseworkAccess
    let changes: CourseworkChanges
    let files: SubmissionFiles
    let uploads: WorkUploads

    var queries: [QueryRegistration] {
        [
            .handle(ListSubmissions.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let seen = try access.seen(query.assignmentId, membership, at: now, in: sql)
                    let all = try SubmissionRepository.submissions(of: query.assignmentId, in: sql)
                    return Page(
                        items: seen.leads ? all : all.filter { seen.learners.contains($0.studentId) }, next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                SaveWork.self, prepare: { try await store($0.work, $0.assignmentId, $1) },
                run: { command, stored, context in
                    let draft = try save(command.work, stored, command.assignmentId, &context).draft
                    context.feedback = Feedback(.toast, context.words("coursework.said.draftSaved"))
                    return draft
                }),
            .handle(
                HandInWork.self, prepare: { try await store($0.work, $0.assignmentId, isHandIn: true, $1) },
                run: handIn),
            .handle(StartUpload.self) { command, context in
                let (assignment, times) = try access.done(
                    command.assignmentId, by: context.membership, at: context.now, in: context.sql)
                try checkOpen(
                    assignment, times, try context.membership.personId, at: context.now, in: context.sql)
                try AcceptedFiles(of: assignment).check(
                    SubmissionFiles.name(command.name), field: "name", WorkWords(of: context))
                return try uploads.start(command, &context)
            },
            .handle(DeleteWorkFile.self) { command, context in
                let personId = try context.membership.personId
                let (assignment, _) = try access.done(
                    command.assignmentId, by: context.membership, at: context.now, in: context.sql)
                guard let file = try SubmissionRepository.file(command.fileId, in: context.sql),
                    file.assignmentId == assignment.id, file.studentId == personId
                else { throw Problem.notFound }
                guard file.submissionId == nil else { throw Problem(409, "coursework.fileHandedIn") }
                try SubmissionRepository.deleteFile(file.file.id, in: context.sql)
                context.feedback = Feedback(.toast, context.words("coursework.said.fileDeleted", file.file.name))
                return Done()
            },
        ]
    }

    /// Stores the new files, after a check that work can be handed in.
    private func store(
        _ work: WorkInput, _ assignmentId: UUID, isHandIn: Bool = false, _ context: RequestContext
    ) async throws -> [StoredFile] {
        let (membership, now) = (try context.membership, context.now)
        let (accepted, before) = try await context.school.read { sql in
            let (assignment, times) = try access.done(assignmentId, by: membership, at: now, in: sql)
            try checkOpen(assignment, times, membership.personId, at: now, in: sql)
            guard (work.files.isEmpty && work.uploads.isEmpty) || assignment.takesFiles else {
                throw Problem.invalid("files", "coursework.noFiles")
            }
            let files = try SubmissionRepository.files(of: assignmentId, by: membership.personId, in: sql)
            // The sizes of uploads count since they were begun.
            try StorageRepository.checkRoom(
                for: work.files.reduce(0) { $0 + $1.size }, of: membership.personId, field: "files",
                WorkWords(of: context), in: sql)
            return (AcceptedFiles(of: assignment), files.filter { $0.submissionId == nil })
        }
        if isHandIn {
            // The draft may have files from a time when the assignment took others.
            for one in before {
                guard let url = try await context.files.file(one.hash) else { continue }
                try accepted.check(one.file.name, .file(url), field: "files", WorkWords(of: context))
            }
        }
        return try await files.store(
            work.files + uploads.complete(work.uploads, of: assignmentId, context), accepted, context)
    }

    /// Throws if no work can be handed in now.
    private func checkOpen(
        _ assignment: Assignment, _ times: WorkTimes, _ studentId: UUID, at now: Date, in sql: any SQLReading
    ) throws {
        guard assignment.takesSubmissions else { throw Problem(409, "coursework.onPaper") }
        guard times.accepts(at: now) else { throw Problem(409, "coursework.closed") }
        let made = try SubmissionRepository.submissions(of: assignment.id, by: studentId, in: sql).count
        guard assignment.attempts.map({ made < $0 }) ?? true else { throw Problem(409, "coursework.noAttempts") }
    }

    /// Stores the text, the link and the new files as the student's draft.
    private func save(
        _ work: WorkInput, _ stored: [StoredFile], _ assignmentId: UUID, _ context: inout CommandContext
    ) throws -> (draft: SubmissionDraft, assignment: Assignment) {
        let personId = try context.membership.personId
        let (assignment, times) = try access.done(
            assignmentId, by: context.membership, at: context.now, in: context.sql)
        try checkOpen(assignment, times, personId, at: context.now, in: context.sql)
        try UploadRepository.end(work.uploads, in: context.sql)
        if work.text != nil, !assignment.kinds.contains(.text) {
            throw Problem.invalid("text", "coursework.noText")
        }
        if work.link != nil, !assignment.kinds.contains(.link) {
            throw Problem.invalid("link", "coursework.noLink")
        }
        // The teacher may have changed the assignment since the files were read.
        let accepted = AcceptedFiles(of: assignment)
        for file in stored { try accepted.check(file.name, field: "files", WorkWords(of: context)) }
        try StorageRepository.checkRoom(
            for: stored.reduce(0) { $0 + $1.size }, of: personId, field: "files", WorkWords(of: context),
            in: context.sql)
        let before = try SubmissionRepository.draft(of: assignmentId, by: personId, in: context.sql)
        guard before.files.count + stored.count <= SubmissionFiles.most else {
            throw Problem.invalid("files", "coursework.tooManyFiles", [.number(SubmissionFiles.most)])
        }
        // The files have the same time, so sorted ids preserve the order in which they were chosen.
        let ids = stored.map { _ in context.newId() }.sorted()
        for (id, file) in zip(ids, stored) {
            try SubmissionRepository.insert(
                file, id: id, to: assignmentId, of: personId, at: context.now, in: context.sql)
        }
        let draft = SubmissionDraft(
            assignmentId: assignmentId, studentId: personId, text: work.text, link: work.link,
            files: before.files + zip(ids, stored).map { SubmittedFile(id: $0, name: $1.name, size: $1.size) })
        try SubmissionRepository.save(draft, at: context.now, in: context.sql)
        return (draft, assignment)
    }

    @Sendable
    private func handIn(
        _ command: HandInWork, _ stored: [StoredFile], _ context: inout CommandContext
    ) throws -> Submission {
        let (draft, assignment) = try save(command.work, stored, command.assignmentId, &context)
        guard !draft.isEmpty else {
            throw Problem.invalid(
                assignment.kinds.contains(.text) ? "text" : assignment.takesFiles ? "files" : "link",
                "coursework.empty")
        }
        let made = try SubmissionRepository.submissions(of: assignment.id, by: draft.studentId, in: context.sql)
        let one = Submission(
            id: context.newId(), assignmentId: assignment.id, studentId: draft.studentId,
            attempt: (made.map(\.attempt).max() ?? 0) + 1, text: draft.text, link: draft.link, files: draft.files,
            handedInAt: context.now)
        try SubmissionRepository.insert(one, in: context.sql)
        context.record(
            try changes.forFamily(
                "coursework.submitted", assignment, one.studentId, alsoTeachers: true, in: context.sql))
        context.feedback = Feedback(.burst, context.words("coursework.said.handedIn", assignment.title))
        context.destination = AssignmentScreens.path(assignment.id)
        return one
    }
}
