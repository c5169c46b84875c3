import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The sheet in which a teacher writes or changes a note on a file. The place of a new note is in the address.
struct NoteScreens: Sendable {
    let notes: NoteHandlers

    var route: ScreenRoute {
        ScreenRoute(
            "/assignments/{assignmentId}/files/{fileId}/note", access: .member(.teachCourses), tab: "/courses"
        ) {
            .screen(try await note($0))
        }
    }

    private func note(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (id, fileId) = (try request.id("assignmentId"), try request.id("fileId"))
        let noteId = request.query["note"].flatMap(UUID.init(text:))
        let (file, attempt, note) = try await request.context.school.read { sql in
            let (one, file) = try notes.led(id, fileId, membership, sql)
            let attempt = try SubmissionRepository.submissions(of: one.id, by: file.studentId, in: sql)
                .first { $0.id == file.submissionId }?.attempt
            let note = try noteId.flatMap { try NoteRepository.note($0, in: sql) }
            guard noteId == nil || note?.fileId == file.file.id else { throw Problem.notFound }
            return (file, attempt, note)
        }
        let place = note?.place ?? Self.place(request.query)
        let ids = ["assignmentId": id.text, "fileId": fileId.text]
        let back = AssignmentScreens.marking(id, file.studentId) + (attempt.map { "?attempt=\($0)" } ?? "")
        let field = PTField(
            .multiline, name: "text", label: words("coursework.note.text"), value: note?.text ?? "",
            isRequired: true, maxLength: WorkNote.longest)
        let submit = SubmitButton(title: words("coursework.note.save"))
        let form: [Component] =
            if let note {
                try await request.form(
                    EditNote.self, ids.merging(["noteId": note.id.text]) { own, _ in own }, id: "note",
                    of: note.version, savedBy: ["coursework.noteChanged"], note.id, fields: [field], submit: submit,
                    to: back)
            } else {
                [
                    .form(
                        request.form(
                            AddNote.self, ids, id: "note",
                            fields: [
                                field, .hidden("page", String(place.page)),
                                .hidden("x", "\(NotePlace.fraction(place.left))"),
                                .hidden("y", "\(NotePlace.fraction(place.top))"),
                                .hidden("width", "\(NotePlace.fraction(place.width))"),
                                .hidden("height", "\(NotePlace.fraction(place.height))"),
                            ], submit: submit, to: back))
                ]
            }
        let described = NotedFile.place(place, isDocument: file.preview == nil, words)
        return Screen(
            title: words(note == nil ? "coursework.note.add" : "coursework.note.edit"), subtitle: file.file.name,
            back: back, body: [.text(PTText(described, role: .note))] + form)
    }

    /// The place in an address; the middle of the first page without one. The command checks it.
    private static func place(_ query: [String: String]) -> NotePlace {
        func count(_ name: String, _ standard: Int) -> Int {
            query[name].flatMap { Int($0) }.map { min(max($0, 0), NotePlace.steps) } ?? standard
        }
        let page = query["page"].flatMap { Int($0) }.map { min(max($0, 1), 100_000) } ?? 1
        let (left, top) = (count("left", NotePlace.steps / 2), count("top", NotePlace.steps / 2))
        return NotePlace(
            page: page, left: left, top: top, width: min(count("width", 0), NotePlace.steps - left),
            height: min(count("height", 0), NotePlace.steps - top))
    }
}
