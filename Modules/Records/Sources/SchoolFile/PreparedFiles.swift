import Domain
public import FeatureKit
import Foundation
import RecordsInterface
import Synchronization

/// A file that was made for a person and can be downloaded for a day.
struct PreparedFile: Sendable, Hashable {
    /// The content of the file.
    enum Kind: String, Sendable, CaseIterable, SQLConvertible {
        case backup, sealedBackup, export, person

        /// The permission to download the file: a school's data needs more than one person's.
        var permission: Permission { self == .person ? .managePersonRecords : .manageSchoolFiles }

        var contentType: String {
            switch self {
            case .backup, .sealedBackup: "application/octet-stream"
            case .export, .person: "application/zip"
            }
        }
    }
    let id: UUID
    let orgId: UUID
    let kind: Kind
    /// The file's name in the download.
    let name: String
    let bytes: Int
    /// The person who requested the file.
    let personId: UUID
    /// The person whose records it contains; `nil` if it is the whole school.
    let aboutId: UUID?
    let createdAt: Date

    /// The seconds for which the file can be downloaded.
    static let lifetime: TimeInterval = 86_400
}

/// The SQL of prepared files.
enum PreparedFileRepository {
    static func insert(_ file: PreparedFile, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO prepared_files (id, org_id, kind, name, bytes, person_id, about_id, created_at)
            VALUES (\(file.id), \(file.orgId), \(file.kind), \(file.name), \(file.bytes), \(file.personId),
                \(file.aboutId), \(file.createdAt))
            """)
    }

    /// The school's files created since a limit, the newest first.
    static func files(of orgId: UUID, since limit: Date, in sql: any SQLReading) throws -> [PreparedFile] {
        try sql.rows(
            """
            SELECT * FROM prepared_files WHERE org_id = \(orgId) AND created_at >= \(limit)
            ORDER BY created_at DESC, id DESC
            """
        ).map(file)
    }

    /// The ids of files created before a limit.
    static func old(before limit: Date, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM prepared_files WHERE created_at < \(limit)").map { try $0.get("id") }
    }

    static func ids(in sql: any SQLReading) throws -> Set<UUID> {
        try Set(sql.rows("SELECT id FROM prepared_files").map { try $0.get("id") })
    }

    static func removeAll(of orgId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM prepared_files WHERE org_id = \(orgId)")
    }

    static func remove(_ ids: [UUID], in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM prepared_files WHERE id IN \(list: ids)")
    }

    private static func file(_ row: SQLRow) throws -> PreparedFile {
        try PreparedFile(
            id: row.get("id"), orgId: row.get("org_id"), kind: row.get("kind"), name: row.get("name"),
            bytes: row.get("bytes"), personId: row.get("person_id"),
            aboutId: row.optional("about_id"), createdAt: row.get("created_at"))
    }
}

/// The files that are being made, so that an erasure can stop those that contain the erased person.
final class FilesInProgress: Sendable {
    private struct Entry {
        let orgId: UUID
        var isStopped = false
    }
    private let all = Mutex<[UUID: Entry]>([:])

    var ids: Set<UUID> { all.withLock { Set($0.keys) } }

    func begin(_ id: UUID, of orgId: UUID) { all.withLock { $0[id] = Entry(orgId: orgId) } }
    func end(_ id: UUID) { all.withLock { _ = $0.removeValue(forKey: id) } }
    func isStopped(_ id: UUID) -> Bool { all.withLock { $0[id]?.isStopped ?? true } }

    /// Stops the files of a school and returns their ids.
    func stop(of orgId: UUID) -> [UUID] {
        all.withLock { all in
            let ids = all.filter { $0.value.orgId == orgId }.map(\.key)
            for id in ids { all[id]?.isStopped = true }
            return ids
        }
    }
}

/// Makes files, such as backups and exports, and offers them for download.
public struct PreparedFiles: Sendable {
    let folder: WorkFolder
    let directory: any Database
    private let inProgress = FilesInProgress()

    /// Creates the service that makes files for download.
    ///
    /// - Parameter folder: The folder of prepared and unfinished files, `files` in the data folder.
    public init(folder: WorkFolder, directory: any Database) {
        self.folder = folder
        self.directory = directory
    }

    static let path = "/settings/school-file/files/{fileId}"

    /// Makes a file of the caller's school with `make`. It can be downloaded once `insert` has stored its row.
    func prepare(
        _ kind: PreparedFile.Kind, named stem: String, about personId: UUID? = nil, in context: RequestContext,
        _ make: (URL) async throws -> Void
    ) async throws -> PreparedFile {
        let membership = try context.membership
        let id = context.ids.id(at: context.now)
        let url = folder.prepared(id)
        inProgress.begin(id, of: membership.organization.id)
        do {
            try folder.make(url.deletingLastPathComponent())
            // The draft is in a work folder, so that a crash leaves it where it is removed.
            try await folder.with { work in
                let draft = work.appending(path: id.text)
                try await BackupRefusal.translating { try await make(draft) }
                try FileManager.default.moveItem(at: draft, to: url)
            }
            try refuseStopped(id)
        } catch {
            try folder.remove(url)
            inProgress.end(id)
            throw error
        }
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
        let end = kind == .export || kind == .person ? "zip" : "pinktower"
        let day = context.today.description
        return PreparedFile(
            id: id, orgId: membership.organization.id, kind: kind, name: "\(Self.plain(stem))-\(day).\(end)",
            bytes: size, personId: membership.personId, aboutId: personId, createdAt: context.now)
    }

    /// Stores the row of a prepared file. Throws if a person was erased meanwhile.
    func insert(_ file: PreparedFile, in sql: any SQLWriting) throws {
        try refuseStopped(file.id)
        try PreparedFileRepository.insert(file, in: sql)
        sql.afterCommit { [inProgress] in inProgress.end(file.id) }
    }

    private func refuseStopped(_ id: UUID) throws {
        if inProgress.isStopped(id) { throw Problem(409, "records.outOfDate") }
    }

    /// The prepared files as a store of copies. A school's files contain everyone in it, so all are deleted when one
    /// person is erased.
    public var store: DerivedStore {
        DerivedStore(
            "records.preparedFiles", places: ["files"], erasePeople: { try await removeFiles($0.schoolId) },
            eraseSchool: { try await removeFiles($0) })
    }

    private func removeFiles(_ orgId: UUID) async throws {
        for id in inProgress.stop(of: orgId) { try folder.remove(folder.prepared(id)) }
        // conformance: allow write - the directory's part of an erasure; safe to repeat
        try await directory.write { try PreparedFileRepository.removeAll(of: orgId, in: $0) }
        try await removeStrays()
    }

    /// Removes files without a row that are not being made, and what a crash left.
    private func removeStrays() async throws {
        // Read first: a file that is completed meanwhile has a row.
        let unfinished = inProgress.ids
        let known = try await directory.read { try PreparedFileRepository.ids(in: $0) }
        try folder.removePrepared(except: known.union(unfinished))
        try folder.removeAbandoned()
    }

    /// The files that the caller may download.
    func files(in context: RequestContext) async throws -> [PreparedFile] {
        let (orgId, limit) = (try context.membership.organization.id, context.now - PreparedFile.lifetime)
        return try await directory.read { try PreparedFileRepository.files(of: orgId, since: limit, in: $0) }
            .filter { context.caller.may($0.kind.permission) }
    }

    var download: DownloadRoute {
        DownloadRoute(Self.path, access: .member(.managePersonRecords)) { parameters, context in
            guard let id = parameters["fileId"].flatMap(UUID.init(text:)),
                let file = try await files(in: context).first(where: { $0.id == id }),
                FileManager.default.fileExists(atPath: folder.prepared(id).path)
            else { throw Problem.notFound }
            return DownloadedFile(.file(folder.prepared(id)), name: file.name, contentType: file.kind.contentType)
        }
    }

    /// Deletes expired files and what a crash left.
    var job: Job {
        .server("records.files", every: 3600) { context in
            let limit = context.now - PreparedFile.lifetime
            let old = try await directory.read { try PreparedFileRepository.old(before: limit, in: $0) }
            if !old.isEmpty { try await context.commit { try PreparedFileRepository.remove(old, in: $0) } }
            try await removeStrays()
        }
    }

    /// A name of ASCII letters, digits and hyphens, which every file system accepts.
    private static func plain(_ name: String) -> String {
        let folded = NameFolding.fold(name).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = String(folded).split(separator: "-").joined(separator: "-")
        return words.isEmpty ? "school" : String(words.prefix(60))
    }
}
