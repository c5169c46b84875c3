public import Domain
public import FeatureKit
public import Foundation

/// Stores the present ends of schools' change logs as seals, in the server's directory database, and finds logs that
/// have lost entries.
public struct SealBook: Sendable {
    private let directory: any Database
    private let clock: any WallClock

    public init(directory: any Database, clock: any WallClock) {
        self.directory = directory
        self.clock = clock
    }

    /// Compares a school's change log with its stored end and returns the entries that were newly found to be missing;
    /// `nil` if there are none.
    ///
    /// What is missing is stored, so that it is still known after the next seal is stored.
    public func compare(_ schoolId: UUID, _ school: any Database) async throws -> LogLoss? {
        let now = clock.now
        guard let seal = try await directory.read({ try SchoolSeals.seal(of: schoolId, in: $0) }),
            let loss = try await school.read({ try seal.loss(in: $0, at: now) })
        else { return nil }
        // From here on, the seal is that of the log as it is now.
        let end = try await school.read { try ChangeLog.seal(in: $0) }
        // conformance: allow write - the kernel's own note about a file, which no person asked for
        try await directory.write { sql in
            try SchoolSeals.store(loss, of: schoolId, in: sql)
            if let end { try SchoolSeals.store(end, of: schoolId, at: now, in: sql) }
        }
        return loss
    }

    /// Stores the present end of a school's change log as its seal. Returns the number of the last entry; `nil` if the
    /// log is empty.
    @discardableResult
    public func storeSeal(of schoolId: UUID, _ school: any Database) async throws -> Int64? {
        while true {
            guard let seal = try await school.read({ try ChangeLog.seal(in: $0) }) else { return nil }
            let now = clock.now
            // conformance: allow write - the kernel's own note about a file, which no person asked for
            try await directory.write { try SchoolSeals.store(seal, of: schoolId, at: now, in: $0) }
            // If a restore has replaced the content meanwhile, its seal is noted instead.
            if try await school.read({ try seal.loss(in: $0, at: now) }) == nil { return seal.seq }
        }
    }

    /// Returns the job that stores the present ends of change logs with new entries as seals, once a minute.
    ///
    /// Storing a seal with each command would make every command wait for a write to a second file.
    public func job(_ hub: ChangeHub, _ schools: any SchoolDatabases) -> Job {
        .server("kernel.seals", every: 60) { _ in try await storeAllSeals(hub, schools) }
    }

    /// Stores the present ends of all change logs with new entries as seals, for a server that stops.
    public func storeAllSeals(_ hub: ChangeHub, _ schools: any SchoolDatabases) async throws {
        for (schoolId, latest) in hub.latestChanges {
            do {
                let noted = try await directory.read { try SchoolSeals.seal(of: schoolId, in: $0) }
                if let noted, noted.seq >= latest { continue }
                try await storeSeal(of: schoolId, schools.school(schoolId))
            } catch DatabaseFault.missing {
                // The school was deleted meanwhile.
            } catch DatabaseFault.damaged {
                // The noted seal stays, so that it can be compared with a backup.
            }
        }
    }
}
