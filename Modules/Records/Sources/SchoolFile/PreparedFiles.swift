import Domain
import FeatureKit
import Foundation
import RecordsInterface

/// A file that was made for somebody and waits a day for its download.
struct PreparedFile: Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable, SQLConvertible {
        case backup, sealedBackup, export, person

        /// Who may have it: a school's data its super admins, one person's its admins too.
        var permission: Permission { self == .person ? .managePersonRecords : .keepSchool }

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
    /// The name under which it is taken home.
    let name: String
    let bytes: Int
    /// Who had it made.
    let personId: UUID
    /// Whose records are in it; `nil` where they are the school's.
    let aboutId: UUID?
    let createdAt: Date

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

    /// The school's files that are not too old, the newest first.
    static func files(of orgId: UUID, since limit: Date, in sql: any SQLReading) throws -> [PreparedFile] {
        try sql.rows(
            """
            SELECT * FROM prepared_files WHERE org_id = \(orgId) AND created_at >= \(limit)
            ORDER BY created_at DESC, id DESC
            """
        ).map(file)
    }

    static func old(before limit: Date, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM prepared_files WHERE created_at < \(limit)").map { try $0.get("id") }
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

/// Makes files for people and hands them out.
struct PreparedFiles: Sendable {
    let folder: WorkFolder
    let directory: any Database

    static let path = "/settings/school-file/files/{fileId}"

    /// Makes a file of the caller's school with `make`; it can be had once its row is in the directory.
    func prepare(
        _ kind: PreparedFile.Kind, named stem: String, about personId: UUID? = nil, in context: RequestContext,
        _ make: (URL) async throws -> Void
    ) async throws -> PreparedFile {
        let membership = try context.membership
        let id = context.ids.id(at: context.now)
        let url = folder.prepared(id)
        try folder.make(url.deletingLastPathComponent())
        try await KeepingRefusal.translating { try await make(url) }
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
        let end = kind == .export || kind == .person ? "zip" : "pinktower"
        let day = context.today.description
        return PreparedFile(
            id: id, orgId: membership.organization.id, kind: kind, name: "\(Self.plain(stem))-\(day).\(end)",
            bytes: size, personId: membership.personId, aboutId: personId, createdAt: context.now)
    }

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

    /// Ends what nobody fetched within its day, and what a crash left.
    var job: Job {
        .server("records.files", every: 3600) { context in
            let limit = context.now - PreparedFile.lifetime
            let old = try await directory.read { try PreparedFileRepository.old(before: limit, in: $0) }
            for id in old { try folder.remove(folder.prepared(id)) }
            if !old.isEmpty { try await context.commit { try PreparedFileRepository.remove(old, in: $0) } }
            try folder.removeOld(before: limit)
        }
    }

    /// A name that every system takes.
    private static func plain(_ name: String) -> String {
        let folded = NameFolding.fold(name).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = String(folded).split(separator: "-").joined(separator: "-")
        return words.isEmpty ? "school" : String(words.prefix(60))
    }
}
