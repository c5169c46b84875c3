import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The notes on the files of a submission that the reader may see, and whether the reader may add some.
struct ShownNotes: Sendable {
    /// No notes, for readers who cannot add any.
    static let none = ShownNotes(byFile: [:], authors: [:], canEdit: false)

    /// The notes of each file, as they follow each other on the pages.
    let byFile: [UUID: [WorkNote]]
    /// The names of the people who wrote the notes.
    let authors: [UUID: String]
    let canEdit: Bool
}

/// The pages of a file with the notes on them, as components.
struct NotedFile {
    /// The name of the island that draws the notes on the pages.
    static let island = "notes"

    let file: WorkFile
    /// The pages of the file as pictures.
    let pictures: [PTImage]
    let notes: [WorkNote]
    let shown: ShownNotes
    let words: Words

    /// The path of the sheet in which a note is written.
    static func path(_ fileId: UUID, of assignmentId: UUID) -> String {
        "\(AssignmentScreens.path(assignmentId))/files/\(fileId.text)/note"
    }

    private var path: String { Self.path(file.file.id, of: file.assignmentId) }

    /// The list of the notes, and the pages.
    func components(_ request: ScreenRequest) throws -> [Component] {
        let pages = pictures.map { Component.image($0) }
        guard shown.canEdit || !notes.isEmpty else { return pages }
        let island = try PTIsland(
            Self.island,
            properties: Properties(
                pages: pictures.map {
                    .init(url: $0.url, width: $0.width, height: $0.height, alt: $0.alt)
                },
                notes: notes.enumerated().map { place, note in
                    .init(
                        id: note.id.text, page: note.place.page, left: note.place.left, top: note.place.top,
                        width: note.place.width, height: note.place.height, text: note.text,
                        label: words("coursework.note.number", place + 1), by: shown.authors[note.authorId] ?? "")
                }, path: shown.canEdit ? path : nil,
                words: Dictionary(
                    uniqueKeysWithValues: Self.keys.map { ($0, words("coursework.note.\($0)")) })),
            fallback: words("coursework.note.title"), body: pages)
        guard !notes.isEmpty else { return [.island(island)] }
        return list(request) + [.island(island)]
    }

    /// The notes with their places: for teachers with a menu, for others as text in full length.
    private func list(_ request: ScreenRequest) -> [Component] {
        guard shown.canEdit else {
            return notes.enumerated().map { number, note in
                .note(
                    PTNote(
                        id: note.id.text, text: note.text,
                        byline: [title(number), place(note), author(note)].joined(separator: " · ")))
            }
        }
        return [
            .list(
                PTList(
                    cells: notes.enumerated().map { number, note in
                        let edit = PTAction.present("\(path)?note=\(note.id.text)")
                        return PTListCell(
                            id: note.id.text, title: "\(number + 1). \(note.text)",
                            subtitle: [place(note), author(note)].joined(separator: " · "), trailing: [.menu],
                            action: edit,
                            menu: [
                                PTMenuItem(title: words("coursework.note.edit"), icon: .edit, action: edit),
                                PTMenuItem(
                                    title: words("coursework.note.delete"), icon: .trash, role: .destructive,
                                    action: .perform(
                                        request.call(
                                            DeleteNote.self,
                                            [
                                                "assignmentId": note.assignmentId.text, "fileId": note.fileId.text,
                                                "noteId": note.id.text,
                                            ],
                                            confirmation: PTConfirmation(
                                                title: words("coursework.note.delete.title", title(number)),
                                                confirm: words("coursework.note.delete"))))),
                            ])
                    }, label: words("coursework.note.title")))
        ]
    }

    private func title(_ number: Int) -> String { words("coursework.note.number", number + 1) }

    private func author(_ note: WorkNote) -> String {
        shown.authors[note.authorId] ?? words("coursework.someone")
    }

    private func place(_ note: WorkNote) -> String {
        Self.place(note.place, isDocument: file.preview == nil, words)
    }

    /// A place in words: "Page 2, 40 % from the left, 30 % from the top".
    static func place(_ place: NotePlace, isDocument: Bool, _ words: Words) -> String {
        let left = words.percent(NotePlace.percent(place.left))
        let top = words.percent(NotePlace.percent(place.top))
        return isDocument
            ? words("coursework.note.place", place.page, left, top)
            : words("coursework.note.placePicture", left, top)
    }

    private struct Properties: Encodable {
        struct Page: Encodable {
            let url: String
            let width: Int
            let height: Int
            let alt: String
        }
        struct Note: Encodable {
            let id: String
            let page: Int
            let left: Int
            let top: Int
            let width: Int
            let height: Int
            let text: String
            let label: String
            let by: String
        }
        let pages: [Page]
        let notes: [Note]
        /// The path of the sheet in which a note is written; `nil` for readers.
        let path: String?
        let words: [String: String]
    }

    /// The ends of the catalog keys of the island's texts.
    private static let keys = ["add", "board", "done", "edit", "tip"]
}
