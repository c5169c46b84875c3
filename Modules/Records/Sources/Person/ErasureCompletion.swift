public import Domain
public import FeatureKit
import Foundation
import OrganizationInterface

/// Removes what an erasure leaves outside the school's rows.
///
/// That is the rows of the server's directory database, copies in other stores, files without a reference, and text in
/// free pages and logs of the databases.
///
/// The erasure is one transaction of the school, which notes the remaining work. The work is done at once. The job
/// continues it if the server stops, a reader holds the old state, or a database is too large for the day.
public struct ErasureCompletion: Sendable {
    let records: PersonRecords
    let directory: any Database
    let sweep: FileSweep
    private let stores: @Sendable () -> [DerivedStore]
    let clock: any WallClock
    let report: @Sendable (any Error) -> Void

    /// Creates the service that completes erasures.
    ///
    /// - Parameters:
    ///   - stores: All stores with copies of records, read at each erasure.
    ///   - report: Called with the error if work is left for the job. The error contains no personal data.
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

    /// Completes the noted erasures of a school.
    ///
    /// - Parameter files: Files that only erased rows referred to. Other recent files may be about to be referred to.
    /// - Returns: The date by which the work is done, or `nil` if nothing is left.
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
        // conformance: allow write - the directory's part of an erasure; safe to repeat
        try await directory.write { sql in
            for one in noted { try records.erase(one.subject(of: schoolId), .directory, in: sql) }
        }
        let people = ErasedPeople(schoolId: schoolId, personIds: Set(noted.map(\.personId)))
        for store in stores() { try await store.erasePeople(people) }
        let isSwept = try await sweep.runAfterErasure(schoolId, school, certain: files, now: clock.now)
        // conformance: allow write - the address was needed for the directory's part and is part of what is erased
        try await school.write { try UnfinishedErasureRepository.deleteAddresses(noted.map(\.personId), in: $0) }
        let limit = PurgeLimit.bytes(now: clock.now, since: noted.map(\.at).min(), in: timeZone)
        let isSchoolPurged = try await school.purge(upTo: limit)
        let isDirectoryPurged = try await directory.purge(upTo: limit)
        guard isSwept && isSchoolPurged && isDirectoryPurged else { return false }
        // conformance: allow write - deletes the notes of completed erasures
        try await school.write { try UnfinishedErasureRepository.remove(noted.map(\.personId), in: $0) }
        return true
    }

    /// Completes what an earlier run left.
    var job: Job {
        .school("records.finishErasures", every: 600) { context in
            guard let schoolId = context.schoolId,
                try await !context.database.read({ try UnfinishedErasureRepository.all(in: $0) }).isEmpty
            else { return }
            _ = await finish(schoolId, context.database, in: try await timeZone(of: schoolId))
        }
    }

    func timeZone(of schoolId: UUID) async throws -> TimeZone {
        try await records.register.entry(of: schoolId).organization.resolvedTimeZone
    }
}

/// The SQL of erasures that may have left something on the disk.
enum UnfinishedErasureRepository {
    /// An erasure that is not completed.
    struct Noted: Sendable {
        let personId: UUID
        /// The erased person's address, until the directory has erased it too.
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

    /// Notes an erasure.
    static func note(_ personId: UUID, email: String?, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO unfinished_erasures (person_id, email, at) VALUES (\(personId), \(email), \(now))
            ON CONFLICT (person_id) DO NOTHING
            """)
    }

    /// All noted erasures, the oldest first.
    static func all(in sql: any SQLReading) throws -> [Noted] {
        try sql.rows("SELECT person_id, email, at FROM unfinished_erasures ORDER BY at, person_id").map {
            try Noted(personId: $0.get("person_id"), email: $0.optional("email"), at: $0.get("at"))
        }
    }

    /// Deletes the addresses of erased people.
    static func deleteAddresses(_ personIds: [UUID], in sql: any SQLWriting) throws {
        try sql.execute("UPDATE unfinished_erasures SET email = NULL WHERE person_id IN \(list: personIds)")
    }

    /// Deletes the notes of completed erasures.
    static func remove(_ personIds: [UUID], in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM unfinished_erasures WHERE person_id IN \(list: personIds)")
    }
}
