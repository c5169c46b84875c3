public import Domain
public import FeatureKit
public import Foundation

/// Deletes closed schools from a server permanently.
///
/// It deletes the school's content, then the rows of the server's directory database, then the remaining files. After
/// an interruption the school is still closed and due, and the next run of the job completes the deletion.
public struct SchoolRemoval: Sendable {
    let directory: any Database
    let files: any SchoolFiles
    let blobs: any SchoolBlobs
    private let readKinds: @Sendable () -> [RecordKind]
    private let readStores: @Sendable () -> [DerivedStore]
    var kinds: [RecordKind] { readKinds() }
    var stores: [DerivedStore] { readStores() }
    let memberships: DirectoryMembershipService
    let clock: any WallClock

    /// Creates the service that deletes schools.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of record of all feature blocks, read at each deletion.
    ///   - stores: all stores with copies of records, read at each deletion.
    public init(
        directory: any Database, files: any SchoolFiles, blobs: any SchoolBlobs,
        kinds: @autoclosure @escaping @Sendable () -> [RecordKind],
        stores: @autoclosure @escaping @Sendable () -> [DerivedStore], memberships: DirectoryMembershipService,
        clock: any WallClock
    ) {
        self.directory = directory
        self.files = files
        self.blobs = blobs
        readKinds = kinds
        readStores = stores
        self.memberships = memberships
        self.clock = clock
    }

    /// Stops all writing to a school that the directory has closed, including commands that have already begun and
    /// other processes. A file that is damaged or missing takes no writes anyway.
    func refuseWrites(_ orgId: UUID) async throws {
        do {
            try await files.setWritable(false, orgId)
        } catch DatabaseFault.damaged {
        } catch DatabaseFault.missing {
        }
    }

    /// Deletes a school with all its data.
    /// - Returns: whether nothing of the school is left on the disk. If free pages of the server's directory database
    ///   may still contain text of it, the job overwrites them later.
    @discardableResult
    public func remove(_ orgId: UUID) async throws -> Bool {
        // This also ends all writing to the school.
        try await files.remove(orgId)
        try await blobs.removeAll(of: orgId)
        for store in stores { try await store.eraseSchool(orgId) }
        let (kinds, now) = (kinds, clock.now)
        // conformance: allow write - the end of a command or job whose transaction has named the school
        try await directory.write { sql in
            // The rows of blocks are deleted before the school that they refer to.
            for table in kinds.reversed().filter({ $0.store == .directory }).flatMap(\.tables) {
                if let statement = table.eraseSchool?(orgId) { try sql.execute(statement) }
            }
            try RemovalRepository.note(orgId, at: now, in: sql)
        }
        memberships.forgetActive()
        return try await finish()
    }

    /// Overwrites what deleted schools have left in the directory's files. Returns whether nothing is left.
    private func finish() async throws -> Bool {
        let noted = try await directory.read { try RemovalRepository.noted(in: $0) }
        guard !noted.isEmpty else { return true }
        guard try await directory.purge(upTo: PurgeLimit.bytes(now: clock.now, since: noted.map(\.at).min())) else {
            return false
        }
        // conformance: allow write - what was noted is done
        try await directory.write { try RemovalRepository.remove(noted.map(\.orgId), in: $0) }
        return true
    }

    /// The job that deletes closed schools when their 30 days are over.
    var job: Job {
        .server("organization.delete", every: 600) { context in
            let now = context.now
            for orgId in try await directory.read({ try ClosingRepository.due(at: now, in: $0) }) {
                try await remove(orgId)
            }
            _ = try await finish()
        }
    }
}

/// The SQL of deletions of schools that are not completed.
enum RemovalRepository {
    static func note(_ orgId: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO unfinished_removals (org_id, at) VALUES (\(orgId), \(now)) ON CONFLICT (org_id) DO NOTHING
            """)
    }

    static func noted(in sql: any SQLReading) throws -> [(orgId: UUID, at: Date)] {
        try sql.rows("SELECT org_id, at FROM unfinished_removals").map { (try $0.get("org_id"), try $0.get("at")) }
    }

    static func remove(_ orgIds: [UUID], in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM unfinished_removals WHERE org_id IN \(list: orgIds)")
    }
}
