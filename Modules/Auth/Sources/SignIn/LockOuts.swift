import FeatureKit
import Foundation

/// Counts wrong attempts at secrets in the directory, so that a restart does not reset them.
struct LockOuts: Sendable {
    let directory: any Database
    var rule = LockOut()

    /// Counts an attempt before the secret is checked. Throws `Problem` 429 while the secret is locked.
    /// - Parameter key: identifies the secret; must not contain personal data in the clear.
    func take(_ key: String, at now: Date) async throws {
        // conformance: allow write - a try counts before its secret is checked, whatever becomes of the command
        let refusal = try await directory.write { sql -> Problem? in
            try LockOutRepository.removeAll(before: now.addingTimeInterval(-rule.memory), in: sql)
            let stored = try LockOutRepository.state(key, in: sql)
            let state = rule.onClock(stored, at: now)
            do {
                try LockOutRepository.save(rule.take(state, at: now), of: key, in: sql)
                return nil
            } catch let refusal as Problem {
                // After the clock was set back, the lock starts again once, so that it also ends by this clock.
                if let state, state != stored { try LockOutRepository.save(state, of: key, in: sql) }
                return refusal
            }
        }
        if let refusal { throw refusal }
    }

    /// Counts an attempt, runs `check`, and clears the attempts if it does not throw.
    func attempt<Value>(
        _ key: String, at now: Date, _ check: () async throws -> Value
    ) async throws -> Value {
        try await take(key, at: now)
        let value = try await check()
        try await forgive(key)
        return value
    }

    /// Clears the attempts after a correct one.
    func forgive(_ key: String) async throws {
        // conformance: allow write - the other half of `take`
        try await directory.write { try LockOutRepository.remove(key, in: $0) }
    }

    /// When the lock ends; `nil` when the secret is not locked.
    func lockedUntil(_ key: String, at now: Date) async throws -> Date? {
        try await directory.read { rule.lockedUntil(try LockOutRepository.state(key, in: $0), at: now) }
    }
}

/// The SQL of attempt counts.
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

    static func removeAll(before instant: Date, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM lock_outs WHERE last_try < \(instant)")
    }
}
