import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation

/// "Download all": the work that was handed in for an assignment as one ZIP file, with a folder for each student.
struct SubmissionsArchive: Sendable {
    let access: CourseworkAccess
    let zips: any ZipStreaming

    static func path(_ assignmentId: UUID) -> String { "\(AssignmentScreens.path(assignmentId))/all-files" }

    /// The archive, for the course's teachers. It is made while it is sent.
    var download: DownloadRoute {
        DownloadRoute(
            "/assignments/{assignmentId}/all-files", access: .member(.teachCourses),
            seen: Seen("coursework.exported", "assignmentId", isExport: true)
        ) { parameters, context in
            guard let id = parameters["assignmentId"].flatMap(UUID.init(text:)) else { throw Problem.notFound }
            let (membership, now, zips) = (try context.membership, context.now, zips)
            let (one, rows, files) = try await context.school.read { sql in
                let (one, _) = try access.led(id, membership, in: sql)
                return (
                    one,
                    try SubmissionsReader(access: access).rows(
                        of: one, membership.organization.id, at: now, in: sql),
                    try SubmissionRepository.files(of: id, in: sql)
                )
            }
            let entries = try await entries(rows, files, context)
            return DownloadedFile(name: "\(one.title).zip", contentType: "application/zip") { write in
                try await zips.zip(entries, to: write)
            }
        }
    }

    /// The files of the archive: of each student the texts, links and files, by attempt if there are several.
    private func entries(
        _ rows: [SubmissionsReader.Row], _ files: [WorkFile], _ context: RequestContext
    ) async throws -> [ZipEntry] {
        let words = context.words
        let hashes = Dictionary(files.map { ($0.file.id, $0.hash) }, uniquingKeysWith: { first, _ in first })
        var students = ArchiveNames()
        var entries: [ZipEntry] = []
        for row in rows where !row.submissions.isEmpty {
            let folder = students.unique(row.student.name)
            for submission in row.submissions {
                var names = ArchiveNames()
                let place =
                    row.submissions.count > 1
                    ? "\(folder)/\(DownloadedFile.fileName(from: words("coursework.attempt", submission.attempt)))"
                    : folder
                let texts = [("coursework.kind.text", submission.text), ("coursework.kind.link", submission.link)]
                for (key, text) in texts {
                    guard let text else { continue }
                    entries.append(
                        ZipEntry("\(place)/\(names.unique("\(words(key)).txt"))", .bytes(Array(text.utf8))))
                }
                for file in submission.files {
                    guard let hash = hashes[file.id], let url = try await context.files.file(hash) else {
                        throw Problem.notFound
                    }
                    entries.append(ZipEntry("\(place)/\(names.unique(file.name))", .file(url)))
                }
            }
        }
        return entries
    }
}

/// Gives the files of one folder names that differ on every system. Windows and macOS ignore case, and macOS ignores how
/// accents are composed.
struct ArchiveNames {
    private var taken: Set<String> = []

    /// Returns a name that systems accept, with a number if it is taken: `essay (2).pdf`.
    mutating func unique(_ name: String) -> String {
        let plain = DownloadedFile.fileName(from: name)
        let ending = plain.lastIndex(of: ".").map { plain[$0...] }.flatMap { $0.count <= 10 ? $0 : nil } ?? ""
        let stem = plain.dropLast(ending.count)
        var (candidate, number) = (plain, 1)
        while !taken.insert(candidate.lowercased().precomposedStringWithCanonicalMapping).inserted {
            number += 1
            candidate = "\(stem) (\(number))\(ending)"
        }
        return candidate
    }
}
