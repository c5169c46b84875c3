import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// Pins a note to a place on a page of a file that was handed in.
struct AddNote: Command {
    static let contract = Contract(
        "coursework.addNote", "/api/v1/assignments/{assignmentId}/files/{fileId}/notes",
        access: .member(.teachCourses), isCreation: true,
        summary: """
            Pins a note to a place on a page of a file that was handed in: a point, or with a width and a height a \
            highlight, in fractions of the page from 0 to 1. Hidden from the student until the work is returned.
            """)
    typealias Result = PinnedNote

    let assignmentId: UUID
    let fileId: UUID
    let place: NotePlace
    let text: String

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        fileId = fields.id("fileId")
        place = NotePlace(&fields)
        text = fields.text("text", max: WorkNote.longest, multiline: true)
    }
}

/// Changes the text of a note.
struct EditNote: Command {
    static let contract = Contract(
        "coursework.editNote", "/api/v1/assignments/{assignmentId}/files/{fileId}/notes/{noteId}",
        access: .member(.teachCourses),
        summary: "Changes the text of a note on a file. Refused if another person changed it meanwhile.")
    typealias Result = PinnedNote

    let assignmentId: UUID
    let fileId: UUID
    let noteId: UUID
    let text: String
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        fileId = fields.id("fileId")
        noteId = fields.id("noteId")
        text = fields.text("text", max: WorkNote.longest, multiline: true)
        version = fields.contentVersion()
    }
}

/// Removes a note.
struct DeleteNote: Command {
    static let contract = Contract(
        "coursework.deleteNote", "/api/v1/assignments/{assignmentId}/files/{fileId}/notes/{noteId}/delete",
        access: .member(.teachCourses), summary: "Removes a note from a file.")
    typealias Result = Done

    let assignmentId: UUID
    let fileId: UUID
    let noteId: UUID

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        fileId = fields.id("fileId")
        noteId = fields.id("noteId")
    }
}

/// Lists the notes on a file.
struct ListNotes: Query {
    static let contract = Contract(
        "coursework.notes", "/api/v1/assignments/{assignmentId}/files/{fileId}/notes",
        access: .member(.viewCourses),
        summary: """
            The notes on a file that was handed in, as they follow each other on its pages. Students and parents get them \
            once the work is returned.
            """)
    typealias Result = Page<PinnedNote>

    let assignmentId: UUID
    let fileId: UUID

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        fileId = fields.id("fileId")
    }
}

/// The commands and the query of notes on files.
struct NoteHandlers: Sendable {
    let access: CourseworkAccess
    let changes: CourseworkChanges
    let pages: any DocumentPages

    var queries: [QueryRegistration] {
        [
            .handle(ListNotes.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let seen = try access.seen(query.assignmentId, membership, at: now, in: sql)
                    guard let file = try SubmissionRepository.file(query.fileId, in: sql),
                        file.assignmentId == query.assignmentId,
                        seen.learners.contains(file.studentId) || (seen.leads && file.submissionId != nil)
                    else { throw Problem.notFound }
                    guard try seen.leads || isShown(file, in: sql) else { return Page(items: [], next: nil) }
                    let notes = try NoteRepository.notes(of: file.assignmentId, on: file.studentId, in: sql)
                    return Page(items: (notes[file.file.id] ?? []).map(PinnedNote.init), next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                AddNote.self, prepare: checkPage,
                run: { command, _, context in
                    let (one, file) = try led(command.assignmentId, command.fileId, context.membership, context.sql)
                    guard try NoteRepository.count(on: file.file.id, in: context.sql) < WorkNote.most else {
                        throw Problem(409, "coursework.notesFull", [.number(WorkNote.most)])
                    }
                    let note = WorkNote(
                        id: context.newId(), fileId: file.file.id, studentId: file.studentId, assignmentId: one.id,
                        place: command.place, text: command.text, authorId: try context.membership.personId,
                        changedAt: context.now)
                    try NoteRepository.insert(note, in: context.sql)
                    try record("coursework.noteAdded", note, one, file, &context)
                    context.feedback = Feedback(.toast, context.words("coursework.said.noteSaved"))
                    return PinnedNote(note)
                }),
            .handle(EditNote.self) { command, context in
                let (one, file) = try led(command.assignmentId, command.fileId, context.membership, context.sql)
                var note = try note(command.noteId, on: file, context.sql)
                try note.version.check(command.version)
                note.text = command.text
                note.authorId = try context.membership.personId
                note.changedAt = context.now
                try NoteRepository.update(note, in: context.sql)
                try record("coursework.noteChanged", note, one, file, &context)
                context.feedback = Feedback(.toast, context.words("coursework.said.noteSaved"))
                return PinnedNote(note)
            },
            .handle(DeleteNote.self) { command, context in
                let (one, file) = try led(command.assignmentId, command.fileId, context.membership, context.sql)
                let note = try note(command.noteId, on: file, context.sql)
                try NoteRepository.delete(note.id, in: context.sql)
                try record("coursework.noteDeleted", note, one, file, &context)
                context.feedback = Feedback(.toast, context.words("coursework.said.noteDeleted"))
                return Done()
            },
        ]
    }

    /// Returns a file that was handed in for an assignment that the caller leads. Throws `Problem.notFound` for others.
    func led(
        _ assignmentId: UUID, _ fileId: UUID, _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> (Assignment, WorkFile) {
        let (one, _) = try access.led(assignmentId, membership, in: sql)
        guard let file = try SubmissionRepository.file(fileId, in: sql), file.assignmentId == one.id,
            file.submissionId != nil
        else { throw Problem.notFound }
        return (one, file)
    }

    private func note(_ id: UUID, on file: WorkFile, _ sql: any SQLReading) throws -> WorkNote {
        guard let note = try NoteRepository.note(id, in: sql), note.fileId == file.file.id else {
            throw Problem.notFound
        }
        return note
    }

    /// Refuses pages that the file does not have, before the transaction.
    @Sendable
    private func checkPage(_ command: AddNote, _ context: RequestContext) async throws {
        let membership = try context.membership
        let (_, file) = try await context.school.read {
            try led(command.assignmentId, command.fileId, membership, $0)
        }
        let count = try await pageCount(of: file, context)
        guard count > 0 else { throw Problem.invalid("page", "coursework.noteUnshown") }
        guard command.place.page <= count else {
            throw Problem.invalid("page", "coursework.notePage", [.number(count)])
        }
    }

    /// The number of pages of a file that the page shows as pictures; 0 for other files.
    private func pageCount(of file: WorkFile, _ context: RequestContext) async throws -> Int {
        if file.preview != nil { return 1 }
        guard SubmissionFiles.isDocument(file.file.name), let url = try await context.files.file(file.hash) else {
            return 0
        }
        let document = StoredDocument(schoolId: try context.membership.organization.id, hash: file.hash, file: url)
        do throws(DocumentFault) {
            return try await pages.sizes(of: document).count
        } catch {
            return 0
        }
    }

    /// Whether the student may see the notes on a file.
    private func isShown(_ file: WorkFile, in sql: any SQLReading) throws -> Bool {
        guard let mark = try MarkRepository.mark(of: file.assignmentId, for: file.studentId, in: sql) else {
            return false
        }
        return try SubmissionRepository.submissions(of: file.assignmentId, by: file.studentId, in: sql)
            .contains { $0.id == file.submissionId && mark.showsNotes(on: $0) }
    }

    /// Records a change for the teachers, and for the family if they may see the note.
    private func record(
        _ kind: String, _ note: WorkNote, _ one: Assignment, _ file: WorkFile, _ context: inout CommandContext
    ) throws {
        context.record(changes.forLeaders(kind, one, note.studentId, note: note.id))
        guard one.publishedAt != nil, try isShown(file, in: context.sql) else { return }
        context.record(
            try changes.forFamily("coursework.notesChanged", one, note.studentId, in: context.sql))
    }
}
