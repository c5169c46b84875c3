import Domain
import FeatureKit
import Foundation

/// Changes that a transaction of the directory made and that belong in a school's change log.
///
/// The directory and a school share no transaction. Therefore the directory's transaction stores the changes, and
/// they are copied into the school's log right afterwards. If that fails, or the server stops in between, the next
/// copying for that school or the job `kernel.pendingChanges` does it. Each entry is copied once: the school stores
/// its id in the transaction that appends it (`docs/decisions/0031`).
struct PendingChanges: Sendable {
    private let directory: any Database
    private let schools: any SchoolDatabases
    private let hub: ChangeHub
    private let clock: any WallClock

    init(directory: any Database, schools: any SchoolDatabases, hub: ChangeHub, clock: any WallClock) {
        self.directory = directory
        self.schools = schools
        self.hub = hub
        self.clock = clock
    }

    /// Seconds after which a school deletes the ids of copied entries. The directory deletes an entry right after it
    /// was copied; the id of an entry that is still there is never deleted.
    static let memory: TimeInterval = 86_400
    /// The number of entries that one transaction of a school copies.
    static let portion = 200

    static let directoryMigrations = MigrationSet(
        owner: "pending",
        migrations: [
            Migration(
                "001-pending-changes",
                """
                CREATE TABLE pending_changes (
                    seq INTEGER PRIMARY KEY NOT NULL,
                    id TEXT NOT NULL,
                    school_id TEXT NOT NULL,
                    at BIGINT NOT NULL,
                    actor_id TEXT,
                    changes TEXT NOT NULL
                );
                CREATE INDEX pending_changes_school ON pending_changes (school_id, seq);
                """)
        ])

    static let schoolMigrations = MigrationSet(
        owner: "pending",
        migrations: [
            Migration(
                "001-carried-changes",
                """
                CREATE TABLE carried_changes (
                    id TEXT PRIMARY KEY NOT NULL,
                    at BIGINT NOT NULL
                );
                """)
        ])

    /// The changes of one command.
    struct Entry: Sendable {
        let id: UUID
        let at: Date
        let actor: UUID?
        let changes: [Change]
    }

    /// Stores an entry in the directory's transaction that made its changes.
    static func note(_ entry: Entry, of schoolId: UUID, in sql: any SQLWriting) throws {
        let text = String(decoding: try JSON.encode(entry.changes.map(StoredChange.init)), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO pending_changes (seq, id, school_id, at, actor_id, changes)
            SELECT COALESCE(MAX(seq), 0) + 1, \(entry.id), \(schoolId), \(entry.at), \(entry.actor), \(text)
            FROM pending_changes
            """)
    }

    /// Appends all entries of a school to its log, in the order of the directory's commits.
    func carry(to schoolId: UUID) async throws {
        while true {
            let entries = try await directory.read { try Self.entries(of: schoolId, in: $0) }
            guard !entries.isEmpty else { return }
            do {
                let (limit, hub) = (clock.now - Self.memory, hub)
                // conformance: allow write - the school's half of commands of the directory; safe to repeat
                try await schools.school(schoolId).write { sql in
                    let logged = try Self.append(entries, in: sql)
                    try sql.execute(
                        """
                        DELETE FROM carried_changes
                        WHERE at < \(limit) AND id NOT IN \(list: entries.map(\.id))
                        """)
                    if !logged.isEmpty { sql.afterCommit { hub.publish(logged, of: schoolId) } }
                }
            } catch DatabaseFault.closed {
                // The log of a closed school takes no entries. They wait until it is opened again, or are deleted
                // with it.
                return
            } catch DatabaseFault.missing {
                // The school was deleted together with its log.
            }
            // conformance: allow write - what was carried over is done
            try await directory.write { sql in
                try sql.execute("DELETE FROM pending_changes WHERE id IN \(list: entries.map(\.id))")
            }
            guard entries.count == Self.portion else { return }
        }
    }

    /// Appends the entries of all schools. A failure in one school does not stop the others; the first failure is
    /// thrown at the end.
    func carryAll() async throws {
        let waiting = try await directory.read { sql in
            try sql.rows("SELECT DISTINCT school_id FROM pending_changes").map {
                try $0.get("school_id", as: UUID.self)
            }
        }
        var failure: (any Error)?
        for schoolId in waiting {
            do { try await carry(to: schoolId) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private static func entries(of schoolId: UUID, in sql: any SQLReading) throws -> [Entry] {
        try sql.rows(
            "SELECT * FROM pending_changes WHERE school_id = \(schoolId) ORDER BY seq LIMIT \(portion)"
        ).map { row in
            let text: String = try row.get("changes")
            return try Entry(
                id: row.get("id"), at: row.get("at"), actor: row.optional("actor_id"),
                changes: JSON.decode([StoredChange].self, from: Data(text.utf8)).map(\.change))
        }
    }

    /// Appends those entries that the school has not copied yet.
    private static func append(_ entries: [Entry], in sql: any SQLWriting) throws -> [LoggedChange] {
        try entries.flatMap { entry -> [LoggedChange] in
            let isNew = try sql.execute(
                """
                INSERT INTO carried_changes (id, at) VALUES (\(entry.id), \(entry.at)) ON CONFLICT (id) DO NOTHING
                """)
            guard isNew > 0 else { return [] }
            return try ChangeLog.append(entry.changes, at: entry.at, actor: entry.actor, in: sql)
        }
    }

    /// A change as the directory stores it.
    private struct StoredChange: Codable {
        let kind: String
        let topics: [String]
        let audience: [Audience]
        let payload: [String: String]
        let reshapes: Bool

        init(_ change: Change) {
            kind = change.kind
            topics = change.topics
            audience = change.audience
            payload = change.payload
            reshapes = change.reshapesAudience
        }

        var change: Change {
            Change(kind, topics: topics, audience: audience, payload: payload, reshapesAudience: reshapes)
        }
    }
}
