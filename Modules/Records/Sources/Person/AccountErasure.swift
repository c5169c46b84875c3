public import AuthInterface
public import Domain
public import FeatureKit
public import Foundation
import OrganizationInterface

/// Erases a deleted account from its schools.
///
/// The account's rows in the server's directory database are erased at once, and the same transaction notes what each
/// school still has to erase. The job `records.erasures` completes it after a crash.
public struct AccountErasure: AccountErasing {
    let records: PersonRecords
    let directory: any Database
    let schools: any SchoolDatabases
    let completion: ErasureCompletion
    let clock: any WallClock

    /// Creates the service that erases accounts from their schools.
    public init(
        records: PersonRecords, directory: any Database, schools: any SchoolDatabases,
        completion: ErasureCompletion, clock: any WallClock
    ) {
        self.records = records
        self.directory = directory
        self.schools = schools
        self.completion = completion
        self.clock = clock
    }

    public func places(of accountId: UUID) async throws -> [AccountPlace] {
        try await directory.read { try places(of: accountId, in: $0) }
    }

    private func places(of accountId: UUID, in sql: any SQLReading) throws -> [AccountPlace] {
        try records.accountMemberships.memberships(ofAccount: accountId, in: sql).map { seat in
            let fate: AccountPlace.Fate =
                seat.isLastSuperAdmin ? .needed : seat.roles.contains(.student) ? .retained : .erased
            return AccountPlace(organization: seat.organization, personId: seat.personId, fate: fate)
        }
    }

    public func erase(_ accountId: UUID, in context: CommandContext) throws {
        let places = try places(of: accountId, in: context.sql)
        let needed = places.filter { $0.fate == .needed }
        guard needed.isEmpty else {
            throw Problem(
                409, "records.accountNeeded", [.text(needed.map(\.organization.name).joined(separator: ", "))])
        }
        try records.accountMemberships.detach(accountId, in: context.sql)
        for place in places {
            let subject = RecordSubject(
                schoolId: place.organization.id, personId: place.personId, accountId: nil,
                placeholder: context.words("records.removedPerson"))
            if place.fate == .erased { try records.erase(subject, .directory, in: context.sql) }
            try ErasureRepository.note(subject, isErased: place.fate == .erased, at: context.now, in: context.sql)
        }
        for table in records.kinds.flatMap(\.tables) {
            if let statement = table.eraseAccount?(accountId) { try context.sql.execute(statement) }
        }
    }

    public func carryOut() async throws {
        for noted in try await directory.read({ try ErasureRepository.all(in: $0) }) {
            let subject = noted.subject
            let change = Change(
                "records.accountDeleted", topics: ["members"], audience: Audience.roles([.superAdmin, .admin]),
                payload: ["person": noted.personId.text], reshapesAudience: true)
            let now = clock.now
            do {
                let school = try await schools.school(subject.schoolId)
                let before = try await school.read { try records.kinds.citedFiles(in: $0) }
                // conformance: allow write - the school's half of a deleted account; safe to repeat
                try await school.write { sql in
                    if noted.isErased {
                        try records.erase(subject, .school, in: sql)
                        try UnfinishedErasureRepository.note(noted.personId, email: nil, at: now, in: sql)
                    }
                    try records.accountMemberships.unlink(noted.personId, in: sql)
                    _ = try ChangeLog.append([change], at: now, actor: noted.personId, in: sql)
                }
                _ = await completion.finish(
                    subject.schoolId, school, files: before, in: try await completion.timeZone(of: subject.schoolId)
                )
            } catch DatabaseFault.closed {
                // A closed school erases when it is reopened, or is deleted as a whole. Until then the note stays.
                continue
            } catch DatabaseFault.missing {
                // The school was deleted meanwhile, with the person's records.
            }
            // conformance: allow write - deletes the note of a completed erasure
            try await directory.write { try ErasureRepository.remove(subject, in: $0) }
        }
    }

    /// Completes erasures after a restart.
    var job: Job { .server("records.erasures", every: 3600) { _ in try await carryOut() } }
}

/// The SQL of erasures that schools still have to complete.
enum ErasureRepository {
    /// An erasure that a school still has to complete.
    struct Noted: Sendable {
        let personId: UUID
        let subject: RecordSubject
        let isErased: Bool
    }

    /// Notes an erasure.
    static func note(_ subject: RecordSubject, isErased: Bool, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO person_erasures (org_id, person_id, is_erased, placeholder, noted_at)
            VALUES (\(subject.schoolId), \(subject.personId), \(isErased), \(subject.placeholder), \(now))
            ON CONFLICT (org_id, person_id) DO NOTHING
            """)
    }

    /// All noted erasures, the oldest first.
    static func all(in sql: any SQLReading) throws -> [Noted] {
        try sql.rows("SELECT * FROM person_erasures ORDER BY noted_at, org_id, person_id").map { row in
            let personId: UUID = try row.get("person_id")
            return try Noted(
                personId: personId,
                subject: RecordSubject(
                    schoolId: row.get("org_id"), personId: personId, accountId: nil,
                    placeholder: row.get("placeholder")),
                isErased: row.get("is_erased"))
        }
    }

    /// Deletes the note of a completed erasure.
    static func remove(_ subject: RecordSubject, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            DELETE FROM person_erasures
            WHERE org_id = \(subject.schoolId) AND person_id = \(subject.personId)
            """)
    }
}
