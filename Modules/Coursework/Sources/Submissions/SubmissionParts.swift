import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The parts of a submission as components: its text, its link, and its files with their previews.
struct SubmissionParts: Sendable {
    /// The most bytes of a text file that are shown in the page.
    private static let textBytes = 20_000
    private static let textEndings = ["txt", "md", "csv"]
    private static let soundEndings = ["mp3", "m4a", "wav", "ogg", "webm", "aac"]

    let pages: any DocumentPages

    /// The parts of a submission.
    /// - Parameters:
    ///   - files: the files of the student for the assignment, with their previews.
    ///   - notes: the notes on the files that the reader may see.
    func components(
        of submission: Submission?, _ files: [WorkFile], of one: Assignment, _ notes: ShownNotes, _ text: WorkWords,
        _ request: ScreenRequest
    ) async throws -> [Component] {
        let words = text.words
        guard let submission else {
            return [
                .text(
                    PTText(
                        words(one.takesSubmissions ? "coursework.nothingYet" : "coursework.onPaper"), role: .note))
            ]
        }
        var body: [Component] = []
        if let written = submission.text { body.append(.card(PTCard(body: [.text(PTText(written))]))) }
        if let link = submission.link {
            body.append(.links(PTLinks(links: [.init(title: link, action: .external(link))])))
        }
        let own = files.filter { $0.submissionId == submission.id }
        for file in own { body += try await components(of: file, one.id, notes, text, request) }
        return body
    }

    /// A file with its size and kind, and what the page can show of it, with the notes on its pictures.
    func components(
        of file: WorkFile, _ assignmentId: UUID, _ notes: ShownNotes, _ text: WorkWords,
        _ request: ScreenRequest
    ) async throws -> [Component] {
        let path = SubmissionFiles.path(file.file, of: assignmentId)
        let previews = try await previews(of: file.stored, at: path, text.words, request.context) { pictures in
            try NotedFile(
                file: file, pictures: pictures, notes: notes.byFile[file.file.id] ?? [], shown: notes,
                words: text.words
            ).components(request)
        }
        return [
            .file(
                PTFileTile(
                    name: file.file.name, detail: text.size(file.file.size), action: .external(path)))
        ] + previews
    }

    /// What the page can show of a file.
    /// - Parameters:
    ///   - path: the path of the original file.
    ///   - arranged: returns the components of the file's pictures.
    func previews(
        of file: StoredFile, at path: String, _ words: Words, _ context: RequestContext,
        arranged: ([PTImage]) throws -> [Component] = { $0.map { .image($0) } }
    ) async throws -> [Component] {
        var body: [Component] = []
        let ending = file.name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if let preview = file.preview {
            body += try arranged([
                PTImage(
                    url: "\(path)/shown", width: preview.width, height: preview.height, alt: file.name,
                    shape: .page,
                    large: "\(path)/shown")
            ])
        } else if SubmissionFiles.isDocument(file.name) {
            let (pictures, fault) = try await document(file, path, words, context)
            body += try fault.map { [.text(PTText($0, role: .note))] } ?? arranged(pictures)
        } else if Self.soundEndings.contains(ending) {
            body.append(.audio(PTAudio(url: "\(path)/shown", label: file.name)))
        } else if Self.textEndings.contains(ending), let url = try await context.files.file(file.hash) {
            let head = try FileContent.file(url).head(Self.textBytes)
            if let shown = String(validating: head, as: UTF8.self), !shown.isEmpty {
                body.append(.card(PTCard(label: file.name, body: [.text(PTText(shown))])))
            }
        }
        return body
    }

    /// The pages of a PDF document, which are loaded as the reader comes to them, or why they cannot be shown.
    private func document(
        _ file: StoredFile, _ path: String, _ words: Words, _ context: RequestContext
    ) async throws -> (pages: [PTImage], fault: String?) {
        let orgId = try context.membership.organization.id
        guard let url = try await context.files.file(file.hash) else { return ([], nil) }
        do throws(DocumentFault) {
            let sizes = try await pages.sizes(of: StoredDocument(schoolId: orgId, hash: file.hash, file: url))
            let pictures = sizes.enumerated().map { place, size in
                let address = "\(path)/pages/\(place + 1)"
                return PTImage(
                    url: address, width: size.width, height: size.height,
                    alt: words("coursework.page", place + 1, sizes.count, file.name), shape: .page,
                    large: address)
            }
            return (pictures, nil)
        } catch {
            return ([], words("coursework.document.\(error.rawValue)"))
        }
    }
}
