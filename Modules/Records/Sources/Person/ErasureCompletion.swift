public import Domain
public import FeatureKit
import Foundation
import OrganizationInterface

/// Takes off the disk what an erasure leaves beside the rows: the directory's rows, copies in other stores, files that no row
/// cites any more, and text in the free pages and logs of the databases.
///
/// The erasure itself is one transaction of the school, which notes that this is still to be done. It is done at once; where
/// the server stops, a reader holds on to the old state or a database is too large for the day, the job goes on with it.
public struct ErasureCompletion: Sendable {
    let records: PersonRecords
    let directory: any Database
    let sweep: FileSweep
    private let stores: @Sendable () -> [DerivedStore]
    let clock: any WallClock
    let report: @Sendable (any Error) -> Void

    /// - Parameters:
    ///   - stores: every place with copies of records; read at each erasure.
    ///   - report: is told why something is left for the job; the error names nobody.
    public init(
        records: PersonRecords, directory: any Database, sweep: FileSweep,
        stores: @autoclosure @escaping @Sendable () -> [DerivedStore], clock: any WallClock,
        report: @escaping @Sendable (any Error) -> Void
    ) {
        self.records = records
        self.directory = directory
        self.sweep = sweep
        self.stores = stores
        self.clock = clock
        self.report = report
    }

    /// Finishes what is noted for a school.
    /// - Parameter files: files that only the erased rows have cited; younger ones of other rows may be about to be cited.
    /// - Returns: until when it is done at the latest; `nil` where nothing is left.
    func finish(
        _ schoolId: UUID, _ school: any Database, files: Set<BlobHash> = [], in timeZone: TimeZone
    ) async -> Date? {
        do {
            if try await run(schoolId, school, files, timeZone) { return nil }
        } catch {
            report(error)
        }
        return PurgeLimit.end(after: clock.now, in: timeZone)
    }

    private func run(
        _ schoolId: UUID, _ school: any Database, _ files: Set<BlobHash>, _ timeZone: TimeZone
    ) async throws -> Bool {
        let noted = try await school.read { try UnfinishedErasureRepository.all(in: $0) }
        guard !noted.isEmpty else { return true }
        // conformance: allow write - the directory's half of an erasure; safe to repeat
        try await directory.write { sql in
            for one in noted { try records.erase(one.subject(of: schoolId), .directory, in: sql) }
        }
        let people = ErasedPeople(schoolId: schoolId, personIds: Set(noted.map(\.personId)))
        for store in stores() { try await store.erasePeople(people) }
        let isSwept = try await sweep.runAfterErasure(schoolId, school, certain: files, now: clock.now)
        // conformance: allow write - the address was needed for the directory's half and is part of what is erased
        try await school.write { try UnfinishedErasureRepository.forgetAddresses(noted.map(\.personId), in: $0) }
        let limit = PurgeLimit.bytes(now: clock.now, since: noted.map(\.at).min(), in: timeZone)
        let isSchoolPurged = try await school.purge(upTo: limit)
        let isDirectoryPurged = try await directory.purge(upTo: limit)
        guard isSwept && isSchoolPurged && isDirectoryPurged else { return false }
        // conformance: allow write - what was noted is done
        try await school.write { try UnfinishedErasureRepository.remove(noted.map(\.personId), in: $0) }
        return true
    }

    /// Goes on with what an earlier run left.
    var job: Job {
        .school("records.finishErasures", every: 600) { context in
            guard let schoolId = context.schoolId,
                try await !context.database.read({ try UnfinishedErasureRepository.all(in: $0) }).isEmpty
            else { return }
            _ = await finish(schoolId, context.database, in: try await timeZone(of: schoolId))
        }
    }

    func timeZone(of schoolId: UUID) async throws -> TimeZone {
        try await TimeZone(identifier: records.register.entry(of: schoolId).organization.timeZone) ?? .gmt
    }
}

/// The SQL of erasures of which something may still be on the disk.
enum UnfinishedErasureRepository {
    struct Noted: Sendable {
        let personId: UUID
        /// The address of the erased, until the directory has forgotten it too.
        let email: String?
        let at: Date

        func subject(of schoolId: UUID) -> RecordSubject {
            RecordSubject(schoolId: schoolId, personId: personId, accountId: nil, placeholder: "", email: email)
        }
    }

    static let migration = Migration(
        "003-unfinished-erasures",
        """
        CREATE TABLE unfinished_erasures (
            person_id TEXT PRIMARY KEY NOT NULL,
            email TEXT,
            at BIGINT NOT NULL
        );
        """)

    static func note(_ personId: UUID, email: String?, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO unfinished_erasures (person_id, email, at) VALUES (\(personId), \(email), \(now))
            ON CONFLICT (person_id) DO NOTHING
            """)
    }

    static func all(in sql: any SQLReading) throws -> [Noted] {
        try sql.rows("SELECT person_id, email, at FROM unfinished_erasures ORDER BY at, person_id").map {
            try Noted(personId: $0.get("person_id"), email: $0.optional("email"), at: $0.get("at"))
        }
    }

    static func forgetAddresses(_ personIds: [UUID], in sql: any SQLWriting) throws {
        try sql.execute("UPDATE unfinished_erasures SET email = NULL WHERE person_id IN \(list: personIds)")
    }

    static func remove(_ personIds: [UUID], in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM unfinished_erasures WHERE person_id IN \(list: personIds)")
    }
}
