import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation

/// The files that students hand in. They are stored unchanged, under the names that the students gave them.
struct SubmissionFiles: Sendable {
    /// The most files in one request.
    static let atOnce = 10
    /// The most files of one submission.
    static let most = 20
    /// The largest file of a form in bytes: a scanned notebook, or some minutes of film for a phone.
    static let largest = 64 << 20
    /// The largest file that is sent in parts, in bytes: a quarter of an hour of film.
    static let largestUpload = 256 << 20
    private static let nameBytes = 255

    /// The longer side of a picture's preview in pixels: an A4 page at 150 dots per inch.
    static let previewSide = 1754

    let access: CourseworkAccess
    let images: any ImageShrinking
    let pages: any DocumentPages

    /// Stores files before the transaction. The caller's access must have been checked.
    /// - Parameter accepted: the files that an assignment takes; `nil` for all.
    func store(
        _ uploads: [UploadedFile], _ accepted: AcceptedFiles?, _ context: RequestContext
    ) async throws -> [StoredFile] {
        let text = WorkWords(of: context)
        var files: [StoredFile] = []
        for file in uploads {
            let name = Self.name(file.name)
            guard file.size > 0 else { throw Problem.invalid("files", "coursework.fileEmpty", [.text(name)]) }
            guard file.size <= Self.largestUpload else {
                throw Problem.invalid(
                    "files", "coursework.fileTooLarge", [.text(name), .number(Self.largestUpload >> 20)])
            }
            guard try !FileSignature.isShown(name) || FileSignature.fits(name, file.content) else {
                throw Problem.invalid("files", "coursework.fileKind", [.text(name)])
            }
            try accepted?.check(name, file.content, field: "files", text)
            files.append(
                StoredFile(
                    name: name, size: file.size, hash: try await context.files.put(file.content),
                    preview: try await preview(of: file, context)))
        }
        return files
    }

    /// Makes the preview of a picture; `nil` for other files and for pictures that cannot be read or are too large,
    /// which can still be downloaded.
    private func preview(of file: UploadedFile, _ context: RequestContext) async throws -> StoredFile.Preview? {
        guard let type = MediaType(try file.content.head(MediaType.headBytes)),
            [.jpeg, .png, .webP].contains(type)
        else { return nil }
        let made: ShrunkImage
        do throws(ImageFault) {
            made = try await images.shrink(file.content, to: [Self.previewSide])[0]
        } catch {
            return nil
        }
        return StoredFile.Preview(
            hash: try await context.files.put(made.bytes), width: made.width, height: made.height)
    }

    /// A file name without folders and invisible characters, at most 255 bytes long. Emoji and all scripts stay.
    static func name(_ given: String) -> String {
        let last = given.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let seen = last.unicodeScalars.filter { scalar in
            // Emoji and the scripts of India are written with these joiners.
            if scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
            return ![.control, .format, .surrogate, .privateUse, .unassigned].contains(
                scalar.properties.generalCategory)
        }
        var name = String(String.UnicodeScalarView(seen)).trimmingCharacters(in: .whitespacesAndNewlines)
        while name.utf8.count > nameBytes { name.removeFirst() }
        return name.isEmpty ? "file" : name
    }

    // MARK: - Download

    static func path(_ file: SubmittedFile, of assignmentId: UUID) -> String {
        "\(AssignmentScreens.path(assignmentId))/files/\(file.id.text)"
    }

    /// The downloads of work, for the student, the parents and the course's teachers.
    var downloads: [DownloadRoute] {
        downloads(at: "/assignments/{assignmentId}/files/{fileId}", access: .member(.viewCourses)) {
            try await file($0, $1).stored
        }
    }

    /// The downloads of a file: the original, the preview or recording that the page shows, and the pages of a document.
    ///
    /// - Parameters:
    ///   - path: the path of the original, with parameters in braces.
    ///   - file: returns the file for the path's parameters. It checks the caller's access, on each request.
    func downloads(
        at path: String, access: Contract.Access,
        _ file: @escaping @Sendable ([String: String], RequestContext) async throws -> StoredFile
    ) -> [DownloadRoute] {
        [
            DownloadRoute(path, access: access) { try await original(of: file($0, $1), $1) },
            DownloadRoute("\(path)/shown", access: access) { try await shown(of: file($0, $1), $1) },
            DownloadRoute("\(path)/pages/{page}", access: access) {
                try await page($0["page"], of: file($0, $1), $1)
            },
        ]
    }

    /// A file as it was stored.
    private func original(of file: StoredFile, _ context: RequestContext) async throws -> DownloadedFile {
        guard let url = try await context.files.file(file.hash) else { throw Problem.notFound }
        return DownloadedFile(.file(url), name: file.name, contentType: "application/octet-stream")
    }

    /// The preview of a picture, or a recording. Throws `Problem.notFound` for other files.
    private func shown(of file: StoredFile, _ context: RequestContext) async throws -> DownloadedFile {
        if let preview = file.preview {
            return try await DownloadedFile(preview.hash, .jpeg, of: context.files)
        }
        guard let url = try await context.files.file(file.hash),
            let type = MediaType(try FileContent.file(url).head(MediaType.headBytes)), type.isSound
        else { throw Problem.notFound }
        return try await DownloadedFile(file.hash, type, of: context.files)
    }

    /// A page of a PDF document as a picture. Throws `Problem.notFound` for other files and pages that do not exist.
    private func page(_ page: String?, of file: StoredFile, _ context: RequestContext) async throws
        -> DownloadedFile
    {
        let orgId = try context.membership.organization.id
        guard let number = page.flatMap({ Int($0) }), Self.isDocument(file.name),
            let url = try await context.files.file(file.hash)
        else { throw Problem.notFound }
        let picture: URL
        do throws(DocumentFault) {
            let document = StoredDocument(schoolId: orgId, hash: file.hash, file: url)
            picture = try await pages.page(number, of: document)
        } catch {
            throw Problem.notFound
        }
        return DownloadedFile(shown: picture, madeFrom: file.hash, contentType: MediaType.jpeg.contentType)
    }

    /// Whether a file is a PDF document by its name, which was compared with its content when it was stored.
    static func isDocument(_ name: String) -> Bool { name.lowercased().hasSuffix(".pdf") }

    /// Returns the file of an address. Throws `Problem.notFound` unless the caller may see it: teachers see what was
    /// handed in, students and their parents also the draft.
    private func file(_ parameters: [String: String], _ context: RequestContext) async throws -> WorkFile {
        guard let assignmentId = parameters["assignmentId"].flatMap(UUID.init(text:)),
            let fileId = parameters["fileId"].flatMap(UUID.init(text:))
        else { throw Problem.notFound }
        let (membership, now) = (try context.membership, context.now)
        return try await context.school.read { sql in
            let seen = try access.seen(assignmentId, membership, at: now, in: sql)
            guard let file = try SubmissionRepository.file(fileId, in: sql), file.assignmentId == assignmentId,
                seen.learners.contains(file.studentId) || (seen.leads && file.submissionId != nil)
            else { throw Problem.notFound }
            return file
        }
    }
}
