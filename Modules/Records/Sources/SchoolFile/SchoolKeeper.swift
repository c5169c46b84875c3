public import AuthInterface
public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
import Synchronization

/// Takes a school home as one file and brings it back, while the server runs.
public struct SchoolKeeper: Sendable {
    let register: any SchoolRegister
    let accounts: any AccountReading
    let making: any AccountMaking
    let sessions: any SessionEnding
    let files: any SchoolFiles
    let archives: any Archiving
    private let readKinds: @Sendable () -> [RecordKind]
    var kinds: [RecordKind] { readKinds() }
    let blobs: any SchoolBlobs
    /// Where files are made and wait for their download.
    public let folder: WorkFolder
    let clock: any WallClock
    let ids: any IDGenerator
    /// Told of a school whose content became another one.
    let replaced: @Sendable (UUID) async throws -> Void

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

    /// The directory's part of a backup: enough for people to sign in after a move, and nothing that lets
    /// anybody else in (`docs/decisions/0012`).
    struct DirectoryPart: Codable {
        let entry: SchoolEntry
        let accounts: [Account]
    }

    /// Where a backup goes to.
    public enum Place: Sendable {
        /// The school itself; it must not be there yet.
        case asItWas
        /// The school itself, in the place of what is there.
        case replacing
        /// A school of its own beside all others.
        case beside(name: String)
    }

    /// Which accounts a restored school is linked to.
    public enum Linking: Sendable {
        /// All of them by their address; those that do not exist are made. For the server's operator.
        case everybody
        /// Those who belong to it already, and nobody else: whoever uploads a file has not shown that the
        /// people in it want to be in their school.
        case only(Set<UUID>)

        /// Whether the operator restores, whose backups may hold tables of blocks that do not run here.
        var isOperator: Bool { if case .everybody = self { true } else { false } }
    }

    // MARK: - Backup

    /// Writes a backup; the file is there when it is complete, or not at all.
    public func backup(_ orgId: UUID, to file: URL, passphrase: String?) async throws {
        try await KeepingRefusal.translating {
            guard !FileManager.default.fileExists(atPath: file.path) else { throw KeepingRefusal.exists }
            let entry = try await register.entry(of: orgId)
            let known = try await accounts.accounts(entry.places.compactMap(\.accountId))
            let part = DirectoryPart(entry: entry, accounts: known.values.sorted { $0.id.text < $1.id.text })
            let subject = ArchiveSubject(
                schoolId: orgId, schoolName: entry.organization.name, madeAt: clock.now)
            try await folder.with { work in
                let database = work.appending(path: Self.databaseName)
                // Before the copy, so that what is swept meanwhile is there, and after it for what came meanwhile.
                var kept = try await keepFiles(of: orgId, in: work, beside: [])
                try await files.copy(orgId, to: database)
                kept.formUnion(try await keepFiles(of: orgId, in: work, beside: kept))
                try await archives.pack(
                    [
                        ArchivePart(Self.directoryName, .bytes(try JSON.encode(part))),
                        ArchivePart(Self.databaseName, .file(database)),
                    ]
                        + kept.sorted().map {
                            ArchivePart("\(Self.filesFolder)/\($0)", .file(Self.file($0, in: work)))
                        }, about: subject, into: file, passphrase: passphrase)
            }
        }
    }

    private static func file(_ hash: BlobHash, in work: URL) -> URL {
        work.appending(path: filesFolder).appending(path: hash.text)
    }

    /// Gives the school's files a second name in the work folder, so that they stay as long as it does.
    private func keepFiles(of orgId: UUID, in work: URL, beside known: Set<BlobHash>) async throws -> Set<BlobHash>
    {
        try folder.make(work.appending(path: Self.filesFolder))
        var kept: Set<BlobHash> = []
        for hash in try await blobs.all(of: orgId).subtracting(known) {
            guard let file = try await blobs.blobs(of: orgId).file(hash) else { continue }
            do {
                try FileManager.default.linkItem(at: file, to: Self.file(hash, in: work))
            } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
                // Swept this moment: no row cited it.
                continue
            }
            kept.insert(hash)
        }
        return kept
    }

    // MARK: - Restore

    /// Brings a backup back. Nothing is touched before all of it was read and verified. Whoever belonged to the school
    /// that it takes the place of, or belongs to it now, is signed out: what a session was for may not be theirs any more.
    /// - Parameter expected: the school that the backup must be of; `nil` takes any.
    public func restore(
        _ file: URL, passphrase: String?, as place: Place, linking: Linking, expected: UUID? = nil,
        by personId: UUID? = nil
    ) async throws -> RestoredSchool {
        try await KeepingRefusal.translating {
            try await folder.with { work in
                let manifest = try await archives.unpack(file, into: work, passphrase: passphrase)
                var part = try directoryPart(of: manifest, in: work)
                let hashes = try Self.hashes(of: manifest)
                if let expected, manifest.subject.schoolId != expected { throw KeepingRefusal.otherSchool }
                let exists = try await register.schools().contains { $0.id == manifest.subject.schoolId }
                if case .asItWas = place, exists { throw KeepingRefusal.schoolExists }
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
                else { throw KeepingRefusal.nobodyLeft }
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

    /// `nil` where the school's file cannot be read, so that a damaged one can be replaced, or is not there.
    private func counts(of orgId: UUID) async throws -> SchoolCounts? {
        do {
            return SchoolCounts(try await files.contents(of: orgId, upTo: nil))
        } catch DatabaseFault.damaged {
            return nil
        } catch DatabaseFault.missing {
            return nil
        }
    }

    /// Another school of the same server, or none, is in a backup whose parts do not fit together.
    private func directoryPart(of manifest: ArchiveManifest, in work: URL) throws -> RestoredPart {
        guard manifest.parts.prefix(2).map(\.name) == [Self.directoryName, Self.databaseName] else {
            throw KeepingRefusal.foreign
        }
        let json = try Data(contentsOf: work.appending(path: Self.directoryName))
        let part = try JSON.decode(DirectoryPart.self, from: json)
        guard part.entry.organization.id == manifest.subject.schoolId else { throw KeepingRefusal.damaged }
        return RestoredPart(entry: part.entry, accounts: part.accounts)
    }

    /// The files of a backup; each was read and has the sum that its name says.
    private static func hashes(of manifest: ArchiveManifest) throws -> Set<BlobHash> {
        try manifest.parts.dropFirst(2).reduce(into: []) { hashes, part in
            guard part.name.hasPrefix("\(filesFolder)/"),
                let hash = BlobHash(String(part.name.dropFirst(filesFolder.count + 1)))
            else { throw KeepingRefusal.foreign }
            guard part.sha256 == hash.text else { throw KeepingRefusal.damaged }
            hashes.insert(hash)
        }
    }

    private struct RestoredPart {
        var entry: SchoolEntry
        let accounts: [Account]
    }

    /// The accounts of this server for those of the backup: the same one, else that of the same address.
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
        case .everybody:
            let missing = part.accounts.filter { linked[$0.id] == nil }
            let made = try await making.ensureAccounts(missing.map { ($0.email, $0.name) })
            for account in missing { linked[account.id] = made[account.email] }
            return linked
        }
    }

    /// The files first, then both halves of the school, or neither: what no row cites is swept.
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
            // While the school's file is locked: nobody writes into a school of which only one half is new.
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

    /// Closes a school; answers when it will be deleted. When this returns no process writes into it any more.
    ///
    /// The directory comes first: where a server stops in between, the school is closed for everybody, and
    /// calling it back or closing it again completes it.
    public func close(_ orgId: UUID) async throws -> SchoolClosing {
        let closing = try await register.close(orgId)
        do {
            try await files.setWritable(false, orgId)
        } catch DatabaseFault.damaged {
            // Nobody can open it to write.
        } catch DatabaseFault.missing {
            // There is nothing to write into.
        } catch {
            if closing.isNew { try await register.open(orgId) }
            throw error
        }
        return closing
    }

    /// Opens a closed school. The file comes first: a school that the directory has opened takes writes.
    public func callBack(_ orgId: UUID) async throws {
        try await files.setWritable(true, orgId)
        try await register.open(orgId)
    }

    // MARK: - Move

    /// Takes a school to another server's keeper. It is closed first, then copied, and the copy is compared with
    /// it. Here it stays closed, not deleted: for 30 days it can be called back. Where anything fails, nothing is left at
    /// the other server and the school is open again. Answers when it will be gone here.
    ///
    /// A move that was stopped is completed by the next one: the school is closed here, and a copy that is
    /// complete is taken for it.
    /// - Parameter removeThere: takes a copy that is not equal off the other server again.
    public func move(
        _ orgId: UUID, to other: SchoolKeeper, removeThere: (UUID) async throws -> Void
    ) async throws -> Date {
        let isThere = try await other.register.schools().contains { $0.id == orgId }
        if isThere {
            // Asked before anything is touched: a school that is in use in both places stays so.
            guard try await !files.contents(of: orgId, upTo: nil).isWritable else {
                throw KeepingRefusal.schoolExists
            }
            guard try await isMoved(orgId, to: other) else { throw KeepingRefusal.movedInPart }
            return try await close(orgId).deletesAt
        }
        let closing = try await close(orgId)
        do {
            try await folder.with { work in
                let file = work.appending(path: "move.pinktower")
                try await backup(orgId, to: file, passphrase: nil)
                _ = try await other.restore(file, passphrase: nil, as: .asItWas, linking: .everybody)
            }
            guard try await isMoved(orgId, to: other) else {
                try await removeThere(orgId)
                throw KeepingRefusal.notMoved
            }
        } catch {
            guard closing.isNew else { throw error }
            do {
                try await callBack(orgId)
            } catch {
                throw KeepingRefusal.staysClosed
            }
            throw error
        }
        return closing.deletesAt
    }

    /// Whether the other server has all that this school has: as many rows in each table, and the same change log up to
    /// the last entry here. The school must still be closed, so that nothing can be added afterwards. A database is put
    /// in its place after the files that its rows cite, so these are there as well.
    private func isMoved(_ orgId: UUID, to other: SchoolKeeper) async throws -> Bool {
        let here = try await files.contents(of: orgId, upTo: nil)
        let there = try await other.files.contents(of: orgId, upTo: here.seal?.seq)
        return !here.isWritable && here.isEqual(to: there)
    }
}
