public import AuthInterface
public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
import Synchronization

/// Backs up, restores, closes and moves schools while the server runs.
public struct SchoolBackups: Sendable {
    let register: any SchoolRegister
    let accounts: any AccountReading
    let making: any AccountMaking
    let sessions: any SessionEnding
    let files: any SchoolFiles
    let archives: any Archiving
    private let readKinds: @Sendable () -> [RecordKind]
    var kinds: [RecordKind] { readKinds() }
    let blobs: any SchoolBlobs
    /// The folder of unfinished and prepared files, such as backups.
    public let folder: WorkFolder
    let clock: any WallClock
    let ids: any IDGenerator
    /// Called after a school's content was replaced.
    let replaced: @Sendable (UUID) async throws -> Void

    /// Creates the service that backs up and restores schools.
    public init(
        register: any SchoolRegister, accounts: any AccountReading, making: any AccountMaking,
        sessions: any SessionEnding, files: any SchoolFiles, archives: any Archiving,
        kinds: @autoclosure @escaping @Sendable () -> [RecordKind],
        blobs: any SchoolBlobs,
        folder: WorkFolder, clock: any WallClock,
        ids: any IDGenerator, replaced: @escaping @Sendable (UUID) async throws -> Void
    ) {
        self.register = register
        self.accounts = accounts
        self.making = making
        self.sessions = sessions
        self.files = files
        self.archives = archives
        readKinds = kinds
        self.blobs = blobs
        self.folder = folder
        self.clock = clock
        self.ids = ids
        self.replaced = replaced
    }

    static let databaseName = "school.sqlite"
    static let directoryName = "directory.json"
    static let filesFolder = "files"

    /// The directory's part of a backup: enough for people to sign in after a move, but no credentials
    /// (`docs/decisions/0012`).
    struct DirectoryPart: Codable {
        let entry: SchoolEntry
        let accounts: [Account]
    }

    /// The school that a backup is restored to.
    public enum Destination: Sendable {
        /// The backup is restored to its own school, which must not exist on this server.
        case asItWas
        /// The backup replaces the existing school that it was made of.
        case replacing
        /// The backup becomes a new school beside the others.
        case beside(name: String)
    }

    /// The accounts that a restored school is linked to.
    public enum Linking: Sendable {
        /// The people are linked to all accounts by their addresses; missing accounts are created. For the server's
        /// operator.
        case allAccounts
        /// Only the people of these accounts are linked, the school's current members. An uploaded file does not
        /// prove that the people in it agree to belong to the school.
        case only(Set<UUID>)

        /// Whether the operator restores. Only then may the backup have tables of blocks that this server does not run.
        var isOperator: Bool { if case .allAccounts = self { true } else { false } }
    }

    // MARK: - Backup

    /// Writes a backup of a school to a file. The file appears only when it is complete.
    public func backup(_ orgId: UUID, to file: URL, passphrase: String?) async throws {
        try await BackupRefusal.translating {
            guard !FileManager.default.fileExists(atPath: file.path) else { throw BackupRefusal.exists }
            let entry = try await register.entry(of: orgId)
            let known = try await accounts.accounts(entry.places.compactMap(\.accountId))
            let part = DirectoryPart(entry: entry, accounts: known.values.sorted { $0.id < $1.id })
            let subject = ArchiveSubject(
                schoolId: orgId, schoolName: entry.organization.name, madeAt: clock.now)
            try await folder.with { work in
                let database = work.appending(path: Self.databaseName)
                // Linked before the copy to keep files that are swept meanwhile, and after it to include new ones.
                var linkedFiles = try await linkFiles(of: orgId, in: work, beside: [])
                try await files.copy(orgId, to: database)
                linkedFiles.formUnion(try await linkFiles(of: orgId, in: work, beside: linkedFiles))
                try await archives.pack(
                    [
                        ArchivePart(Self.directoryName, .bytes(try JSON.encode(part))),
                        ArchivePart(Self.databaseName, .file(database)),
                    ]
                        + linkedFiles.sorted().map {
                            ArchivePart("\(Self.filesFolder)/\($0)", .file(Self.file($0, in: work)))
                        }, about: subject, into: file, passphrase: passphrase)
            }
        }
    }

    private static func file(_ hash: BlobHash, in work: URL) -> URL {
        work.appending(path: filesFolder).appending(path: hash.text)
    }

    /// Hard-links the school's files into the work folder, so that they stay as long as it does.
    private func linkFiles(of orgId: UUID, in work: URL, beside known: Set<BlobHash>) async throws -> Set<BlobHash>
    {
        try folder.make(work.appending(path: Self.filesFolder))
        var linkedFiles: Set<BlobHash> = []
        for hash in try await blobs.all(of: orgId).subtracting(known) {
            guard let file = try await blobs.blobs(of: orgId).file(hash) else { continue }
            do {
                try FileManager.default.linkItem(at: file, to: Self.file(hash, in: work))
            } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
                // The file was just swept, so no row refers to it.
                continue
            }
            linkedFiles.insert(hash)
        }
        return linkedFiles
    }

    // MARK: - Restore

    /// Restores a backup after reading and verifying all of it.
    ///
    /// Members of the replaced and of the restored school are signed out, because their sessions may no longer be
    /// valid.
    ///
    /// - Parameter expected: The school that the backup must be of; `nil` accepts any.
    public func restore(
        _ file: URL, passphrase: String?, as place: Destination, linking: Linking, expected: UUID? = nil,
        by personId: UUID? = nil
    ) async throws -> RestoredSchool {
        try await BackupRefusal.translating {
            try await folder.with { work in
                let manifest = try await archives.unpack(file, into: work, passphrase: passphrase)
                var part = try directoryPart(of: manifest, in: work)
                let hashes = try Self.hashes(of: manifest)
                if let expected, manifest.subject.schoolId != expected { throw BackupRefusal.otherSchool }
                let exists = try await register.schools().contains { $0.id == manifest.subject.schoolId }
                if case .asItWas = place, exists { throw BackupRefusal.schoolExists }
                if case .beside(let name) = place {
                    part.entry.organization = Organization(
                        id: ids.id(at: clock.now), name: name, avatarTint: part.entry.organization.avatarTint,
                        timeZone: part.entry.organization.timeZone, createdAt: clock.now)
                }
                let linked = try await link(part, linking)
                for index in part.entry.places.indices {
                    part.entry.places[index].accountId =
                        part.entry.places[index].accountId.flatMap { linked[$0] }
                }
                guard
                    part.entry.places.contains(where: { $0.role == .superAdmin && $0.accountId != nil })
                else { throw BackupRefusal.noSuperAdmin }
                var signedOut: [SchoolEntry.Place] = []
                var before: SchoolCounts?
                if case .replacing = place, exists {
                    before = try await counts(of: manifest.subject.schoolId)
                    signedOut = try await register.entry(of: manifest.subject.schoolId).places + part.entry.places
                }
                try await put(part.entry, hashes, linked, personId, linking.isOperator, work)
                try await sessions.signOut(Set(signedOut.compactMap(\.accountId)))
                try await replaced(part.entry.organization.id)
                return RestoredSchool(
                    id: part.entry.organization.id, name: part.entry.organization.name, before: before,
                    after: try await counts(of: part.entry.organization.id))
            }
        }
    }

    /// The counts of a school, or `nil` if its file is damaged or missing.
    private func counts(of orgId: UUID) async throws -> SchoolCounts? {
        do {
            return SchoolCounts(try await files.contents(of: orgId, upTo: nil))
        } catch DatabaseFault.damaged {
            return nil
        } catch DatabaseFault.missing {
            return nil
        }
    }

    /// The directory's part of a backup. Throws if the parts do not belong together.
    private func directoryPart(of manifest: ArchiveManifest, in work: URL) throws -> RestoredPart {
        guard manifest.parts.prefix(2).map(\.name) == [Self.directoryName, Self.databaseName] else {
            throw BackupRefusal.foreign
        }
        let json = try Data(contentsOf: work.appending(path: Self.directoryName))
        let part = try JSON.decode(DirectoryPart.self, from: json)
        guard part.entry.organization.id == manifest.subject.schoolId else { throw BackupRefusal.damaged }
        return RestoredPart(entry: part.entry, accounts: part.accounts)
    }

    /// The hashes of a backup's files. Throws if a file's checksum differs from its name.
    private static func hashes(of manifest: ArchiveManifest) throws -> Set<BlobHash> {
        try manifest.parts.dropFirst(2).reduce(into: []) { hashes, part in
            guard part.name.hasPrefix("\(filesFolder)/"),
                let hash = BlobHash(String(part.name.dropFirst(filesFolder.count + 1)))
            else { throw BackupRefusal.foreign }
            guard part.sha256 == hash.text else { throw BackupRefusal.damaged }
            hashes.insert(hash)
        }
    }

    private struct RestoredPart {
        var entry: SchoolEntry
        let accounts: [Account]
    }

    /// Maps the accounts of the backup to accounts of this server: the same id, or else the same address.
    private func link(_ part: RestoredPart, _ linking: Linking) async throws -> [UUID: UUID] {
        let same = try await accounts.accounts(part.accounts.map(\.id))
        var linked: [UUID: UUID] = [:]
        for account in part.accounts {
            if same[account.id] != nil {
                linked[account.id] = account.id
            } else if let other = try await accounts.account(email: account.email) {
                linked[account.id] = other.id
            }
        }
        switch linking {
        case .only(let allowed): return linked.filter { allowed.contains($0.value) }
        case .allAccounts:
            let missing = part.accounts.filter { linked[$0.id] == nil }
            let made = try await making.ensureAccounts(missing.map { ($0.email, $0.name) })
            for account in missing { linked[account.id] = made[account.email] }
            return linked
        }
    }

    /// Stores the files, then the database and the directory's entry together. Files without a reference are swept
    /// after a failure.
    private func put(
        _ entry: SchoolEntry, _ hashes: Set<BlobHash>, _ linked: [UUID: UUID], _ personId: UUID?,
        _ isTrusted: Bool, _ work: URL
    ) async throws {
        let orgId = entry.organization.id
        let database = work.appending(path: Self.databaseName)
        let (now, register, kinds) = (clock.now, register, kinds)
        try await files.prepare(database, isTrusted: isTrusted) { sql in
            guard try kinds.citedFiles(in: sql).isSubset(of: hashes) else { throw SchoolFileFault.damaged }
            try register.relink(linked, in: sql)
            _ = try ChangeLog.append(
                [
                    Change(
                        "records.restored", topics: ["organization"], audience: Audience.roles([.superAdmin]),
                        reshapesAudience: true)
                ], at: now, actor: personId, in: sql)
        }
        for hash in hashes {
            _ = try await blobs.blobs(of: orgId).put(Array(Data(contentsOf: Self.file(hash, in: work))))
        }
        let isThere = try await register.schools().contains { $0.id == orgId }
        let before = isThere ? try await register.entry(of: orgId) : nil
        let isInDirectory = Mutex(false)
        do {
            // The file is locked meanwhile, so that no command writes to a school with only one half restored.
            try await files.put(database, as: orgId) {
                try await register.put(entry)
                isInDirectory.withLock { $0 = true }
            }
        } catch {
            if let before {
                if isInDirectory.withLock({ $0 }) { try await register.put(before) }
            } else {
                try await blobs.removeAll(of: orgId)
            }
            throw error
        }
    }

    // MARK: - Delete

    /// Closes a school and returns when it will be deleted. No process writes to it after this returns.
    ///
    /// The server's directory database is changed first. If the server stops in between, the school is closed for all
    /// members, and reopening or closing it again completes the change.
    public func close(_ orgId: UUID) async throws -> SchoolClosing {
        let closing = try await register.close(orgId)
        do {
            try await files.setWritable(false, orgId)
        } catch DatabaseFault.damaged {
            // A damaged file cannot be opened for writing.
        } catch DatabaseFault.missing {
            // There is no file to write to.
        } catch {
            if closing.isNew { try await register.open(orgId) }
            throw error
        }
        return closing
    }

    /// Reopens a closed school. The file is changed first, so that a school that the server's directory database shows
    /// as open accepts writes.
    public func callBack(_ orgId: UUID) async throws {
        try await files.setWritable(true, orgId)
        try await register.open(orgId)
    }

    // MARK: - Move

    /// Moves a school to another data folder and returns when it will be deleted here.
    ///
    /// The school is closed, copied and compared with the copy. It stays closed here and can be reopened for 30 days.
    /// If anything fails, the copy is removed and the school is reopened. A move that was interrupted is completed by
    /// the next one.
    ///
    /// - Parameter removeThere: Removes an unequal copy from the other data folder.
    public func move(
        _ orgId: UUID, to other: SchoolBackups, removeThere: (UUID) async throws -> Void
    ) async throws -> Date {
        let isThere = try await other.register.schools().contains { $0.id == orgId }
        if isThere {
            // Checked before any change: a school in use in both folders stays so.
            guard try await !files.contents(of: orgId, upTo: nil).isWritable else {
                throw BackupRefusal.schoolExists
            }
            guard try await isMoved(orgId, to: other) else { throw BackupRefusal.movedInPart }
            return try await close(orgId).deletesAt
        }
        let closing = try await close(orgId)
        do {
            try await folder.with { work in
                let file = work.appending(path: "move.pinktower")
                try await backup(orgId, to: file, passphrase: nil)
                _ = try await other.restore(file, passphrase: nil, as: .asItWas, linking: .allAccounts)
            }
            guard try await isMoved(orgId, to: other) else {
                try await removeThere(orgId)
                throw BackupRefusal.notMoved
            }
        } catch {
            guard closing.isNew else { throw error }
            do {
                try await callBack(orgId)
            } catch {
                throw BackupRefusal.staysClosed
            }
            throw error
        }
        return closing.deletesAt
    }

    /// Whether the other folder has the same number of rows in each table and the same change log up to the last entry
    /// here.
    ///
    /// The school must still be closed, so that no row is added afterwards. Files are stored before the database that
    /// refers to them, so they are there too.
    private func isMoved(_ orgId: UUID, to other: SchoolBackups) async throws -> Bool {
        let here = try await files.contents(of: orgId, upTo: nil)
        let there = try await other.files.contents(of: orgId, upTo: here.seal?.seq)
        return !here.isWritable && here.isEqual(to: there)
    }
}
