public import Domain
public import FeatureKit
public import Foundation

/// Notes seals in the directory and compares them with the schools' files.
public struct SealBook: Sendable {
    private let directory: any Database
    private let clock: any WallClock

    public init(directory: any Database, clock: any WallClock) {
        self.directory = directory
        self.clock = clock
    }

    /// Compares a school's log with the directory's note. A loss is put on record, so that it is still known after the
    /// next note; answers it where it is new.
    public func compare(_ schoolId: UUID, _ school: any Database) async throws -> LogLoss? {
        let now = clock.now
        guard let seal = try await directory.read({ try SchoolSeals.seal(of: schoolId, in: $0) }),
            let loss = try await school.read({ try seal.loss(in: $0, at: now) })
        else { return nil }
        // From here on the log goes on where it ends now.
        let end = try await school.read { try ChangeLog.seal(in: $0) }
        // conformance: allow write - the kernel's own note about a file, which no person asked for
        try await directory.write { sql in
            try SchoolSeals.note(loss, of: schoolId, in: sql)
            if let end { try SchoolSeals.note(end, of: schoolId, at: now, in: sql) }
        }
        return loss
    }

    /// Notes where a school's log ends now; answers the entry's number.
    @discardableResult
    public func note(_ schoolId: UUID, _ school: any Database) async throws -> Int64? {
        while true {
            guard let seal = try await school.read({ try ChangeLog.seal(in: $0) }) else { return nil }
            let now = clock.now
            // conformance: allow write - the kernel's own note about a file, which no person asked for
            try await directory.write { try SchoolSeals.note(seal, of: schoolId, at: now, in: $0) }
            // A restore may have replaced the content meanwhile: then its seal is noted.
            if try await school.read({ try seal.loss(in: $0, at: now) }) == nil { return seal.seq }
        }
    }

    /// Notes the seals of the schools in which something happened since the last note: once a minute, because a note
    /// with each command would make each of them wait for a second file.
    public func job(_ hub: ChangeHub, _ schools: any SchoolDatabases) -> Job {
        .server("kernel.seals", every: 60) { _ in try await noteAll(hub, schools) }
    }

    /// The same at once, for a server that stops.
    public func noteAll(_ hub: ChangeHub, _ schools: any SchoolDatabases) async throws {
        for (schoolId, latest) in hub.latestChanges {
            do {
                let noted = try await directory.read { try SchoolSeals.seal(of: schoolId, in: $0) }
                if let noted, noted.seq >= latest { continue }
                try await note(schoolId, schools.school(schoolId))
            } catch DatabaseFault.missing {
                // The school was deleted meanwhile.
            } catch DatabaseFault.damaged {
                // Its note stays as it was, so that it can be compared with a backup.
            }
        }
    }
}
