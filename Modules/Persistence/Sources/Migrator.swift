import FeatureKit
import GRDB
import Synchronization

/// Applies the missing migrations to a database in one transaction.
struct Migrator: Sendable {
    private let sets: [MigrationSet]
    /// A hash over all migrations of this program.
    let identity: UInt64
    /// The part of `identity` that is stored in the file's `user_version`.
    private let version: Int32

    init(_ sets: [MigrationSet]) {
        self.sets = sets
        let all = sets.flatMap { set in
            set.appendOnly + set.migrations.flatMap { [set.owner, $0.name, Migrator.hash($0)] }
        }
        identity = Fingerprint.of(all)
        // Never 0, the `user_version` of a new file.
        version = Int32(truncatingIfNeeded: identity & 0x7FFF_FFFF) | 1
    }

    /// Applies what is missing. Throws `DatabaseFault.other` if the file is newer than this program or a migration was
    /// edited.
    func migrate(_ database: GRDB.Database) throws {
        if try Int32.fetchOne(database, sql: "PRAGMA user_version") == version { return }
        try database.inTransaction(.immediate) {
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS schema_migrations (
                        owner TEXT NOT NULL,
                        name TEXT NOT NULL,
                        hash TEXT NOT NULL,
                        PRIMARY KEY (owner, name)
                    )
                    """)
            // A table is altered by creating a copy and renaming it, which breaks references until the end.
            try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
            let applied = try applied(in: database)
            try refuseNewer(applied)
            for table in sets.flatMap(\.appendOnly) { try AppendOnly.open(table, database) }
            for set in sets {
                for migration in set.migrations {
                    try apply(migration, of: set.owner, known: applied["\(set.owner)/\(migration.name)"], database)
                }
            }
            for table in sets.flatMap(\.appendOnly) { try AppendOnly.seal(table, database) }
            try database.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    private func applied(in database: GRDB.Database) throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT owner, name, hash FROM schema_migrations")
        return Dictionary(
            rows.map { row in ("\(row["owner"] as String)/\(row["name"] as String)", row["hash"] as String) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The exact text of the triggers that a file may have: those that seal append-only tables.
    var seals: Set<String> { Set(sets.flatMap(\.appendOnly).flatMap(AppendOnly.statements)) }

    /// Throws `SchoolFileFault` if the file's migrations are not those of this program or an older one.
    ///
    /// - Parameter isTrusted: Whether the file may have migrations of blocks that this program does not run.
    func refuse(_ database: GRDB.Database, isTrusted: Bool) throws {
        let applied = try applied(in: database)
        guard strangers(among: applied).isEmpty else { throw SchoolFileFault.newer }
        let unknown = try unknownOwners(database)
        guard unknown.isEmpty || isTrusted else { throw SchoolFileFault.unknownBlocks(unknown) }
        for set in sets {
            for migration in set.migrations {
                if let hash = applied["\(set.owner)/\(migration.name)"], hash != Migrator.hash(migration) {
                    throw SchoolFileFault.foreign
                }
            }
        }
    }

    /// The blocks that have migrations in the file but not in this program.
    func unknownOwners(_ database: GRDB.Database) throws -> [String] {
        let known = Set(sets.map(\.owner))
        return try String.fetchAll(database, sql: "SELECT DISTINCT owner FROM schema_migrations ORDER BY owner")
            .filter { !known.contains($0) }
    }

    private func strangers(among applied: [String: String]) -> [String] {
        let known = Set(sets.flatMap { set in set.migrations.map { "\(set.owner)/\($0.name)" } })
        let owners = Set(sets.map(\.owner))
        return applied.keys.filter { key in
            !known.contains(key) && owners.contains(String(key.prefix { $0 != "/" }))
        }
    }

    /// Throws if a newer program has altered the database. Migrations of an unknown owner belong to a block that was
    /// removed or switched off; its tables stay untouched.
    private func refuseNewer(_ applied: [String: String]) throws {
        let strangers = strangers(among: applied)
        guard strangers.isEmpty else {
            throw DatabaseFault.other(
                """
                The database was made by a newer program: it has the migrations \
                \(strangers.sorted().joined(separator: ", ")), which this program does not know. Run the newer \
                program, or restore a backup that was made before it ran.
                """)
        }
    }

    private func apply(_ migration: Migration, of owner: String, known: String?, _ database: GRDB.Database) throws {
        let hash = Migrator.hash(migration)
        if let known {
            guard known == hash else {
                throw DatabaseFault.other(
                    """
                    The migration \(owner)/\(migration.name) was edited after it had been applied to this \
                    database. Put its former text back and write the change as a new migration.
                    """)
            }
            return
        }
        for statement in migration.statements {
            do {
                let isByKey = statement.hasSuffix(Migration.byKey)
                try database.execute(sql: isByKey ? "\(statement) WITHOUT ROWID" : statement)
            } catch let error as DatabaseError {
                throw DatabaseFault.other(
                    "The migration \(owner)/\(migration.name) failed: \(error.message ?? "") in: \(statement)")
            }
        }
        try database.execute(
            sql: "INSERT INTO schema_migrations (owner, name, hash) VALUES (?, ?, ?)",
            arguments: [owner, migration.name, hash])
    }

    private static func hash(_ migration: Migration) -> String {
        String(Fingerprint.of(migration.statements), radix: 16)
    }
}

/// Triggers that refuse updates and deletions in an append-only table, for every connection.
private enum AppendOnly {
    /// Removes the triggers so that migrations can run.
    static func open(_ table: String, _ database: GRDB.Database) throws {
        for act in ["update", "delete"] {
            try database.execute(sql: "DROP TRIGGER IF EXISTS \(table)_refuses_\(act)")
        }
    }

    static func seal(_ table: String, _ database: GRDB.Database) throws {
        for statement in statements(table) { try database.execute(sql: statement) }
    }

    static func statements(_ table: String) -> [String] {
        ["update", "delete"].map { act in
            """
            CREATE TRIGGER \(table)_refuses_\(act) BEFORE \(act.uppercased()) ON \(table)
            BEGIN SELECT RAISE(ABORT, '\(table) is append-only'); END
            """
        }
    }
}

/// FNV-1a with 64 bits. It detects edits and is the same in every process, unlike `Hasher`.
private enum Fingerprint {
    static func of(_ texts: [String]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            // A separator that never occurs in UTF-8, so that ["ab"] and ["a", "b"] differ.
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        return hash
    }
}
