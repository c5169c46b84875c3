import FeatureKit
import Foundation

/// Wrong tries at secrets, kept in the directory so that a restart forgives nothing.
struct LockOuts: Sendable {
    let directory: any Database
    var rule = LockOut()

    /// Counts a try at the secret before it is checked. Throws `Problem` 429 while it is locked.
    /// - Parameter key: what is tried, without anything in the clear that identifies a person.
    func take(_ key: String, at now: Date) async throws {
        // conformance: allow write - a try counts before its secret is checked, whatever becomes of the command
        let refusal = try await directory.write { sql -> Problem? in
            try LockOutRepository.forget(before: now.addingTimeInterval(-rule.memory), in: sql)
            let stored = try LockOutRepository.state(key, in: sql)
            let state = rule.onClock(stored, at: now)
            do {
                try LockOutRepository.save(rule.take(state, at: now), of: key, in: sql)
                return nil
            } catch let refusal as Problem {
                // After the clock was set back the lock begins anew, once: it must end on this clock too.
                if let state, state != stored { try LockOutRepository.save(state, of: key, in: sql) }
                return refusal
            }
        }
        if let refusal { throw refusal }
    }

    /// Forgets the tries at a secret that was right.
    func forgive(_ key: String) async throws {
        // conformance: allow write - the other half of `take`
        try await directory.write { try LockOutRepository.remove(key, in: $0) }
    }

    /// Until when the secret is locked; `nil` where it may be tried.
    func lockedUntil(_ key: String, at now: Date) async throws -> Date? {
        try await directory.read { rule.lockedUntil(try LockOutRepository.state(key, in: $0), at: now) }
    }
}

/// The SQL of wrong tries.
enum LockOutRepository {
    static func state(_ key: String, in sql: any SQLReading) throws -> LockOut.State? {
        try sql.row("SELECT failures, last_try FROM lock_outs WHERE key = \(key)").map {
            try LockOut.State(failures: $0.get("failures"), lastTry: $0.get("last_try"))
        }
    }

    static func save(_ state: LockOut.State, of key: String, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO lock_outs (key, failures, last_try) VALUES (\(key), \(state.failures), \(state.lastTry))
            ON CONFLICT (key) DO UPDATE SET failures = excluded.failures, last_try = excluded.last_try
            """)
    }

    static func remove(_ key: String, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM lock_outs WHERE key = \(key)")
    }

    static func forget(before instant: Date, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM lock_outs WHERE last_try < \(instant)")
    }
}
