import Domain
import Foundation
import GRDB

// conformance: allow write - the client's own file on the device, which no server pipeline guards.

/// The kinds of stored values.
enum StoredKind: String, Sendable, CaseIterable {
    case room, student, record, attendance, conversation, message, leave, meal, notice, gateList, quest
}

/// The kinds of stored orders of ids.
enum StoredList: String, Sendable {
    case rooms, students, conversations, messages, leaves, meals
}

/// The file of one account, or of a gate: the server's records, the queue of unsent changes, and the place in the event stream.
///
/// What the app shows follows from both: the records with the unsent changes applied. A change is therefore one row,
/// and its confirmation one transaction.
final class ClientDatabase: Sendable {
    private let queue: DatabaseQueue

    /// Opens the file, or creates it.
    /// - Parameter file: The file; `nil` for a database in memory.
    init(file: URL?) throws {
        var configuration = Configuration()
        // A program that only looks at the file, such as the status of a gate, may read it meanwhile.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // The write-ahead log with FULL: a change that was shown survives a power cut too.
            try database.execute(
                sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;")
        }
        if let file {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            if !FileManager.default.fileExists(atPath: file.path) {
                // SQLite gives its other files the same permissions.
                guard
                    FileManager.default.createFile(
                        atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
                else { throw CocoaError(.fileWriteUnknown) }
            }
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
        } else {
            queue = try DatabaseQueue(configuration: configuration)
        }
        try Self.migrations.migrate(queue)
    }

    private static var migrations: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("001-client") { database in
            try database.execute(
                sql: """
                    CREATE TABLE stored (kind TEXT NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL,
                        PRIMARY KEY (kind, id)) WITHOUT ROWID;
                    CREATE TABLE lists (kind TEXT NOT NULL, owner TEXT NOT NULL, ids BLOB NOT NULL,
                        PRIMARY KEY (kind, owner)) WITHOUT ROWID;
                    CREATE TABLE outbox (place INTEGER PRIMARY KEY AUTOINCREMENT, entry BLOB NOT NULL);
                    CREATE TABLE meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("002-pages") { database in
            try database.execute(
                sql: """
                    CREATE TABLE pages (address TEXT PRIMARY KEY NOT NULL, found TEXT NOT NULL, body BLOB NOT NULL,
                        read_at REAL NOT NULL) WITHOUT ROWID;
                    CREATE INDEX pages_by_time ON pages (read_at);
                    """)
        }
        return migrator
    }

    /// Runs work in one transaction, on the calling thread. Not `async`, so that GRDB's synchronous `write` is chosen.
    func commit<Value>(_ work: (ClientTransaction) throws -> Value) throws -> Value {
        try queue.write { try work(ClientTransaction(database: $0)) }
    }

    /// Runs reads, on the calling thread.
    func read<Value>(_ work: (ClientTransaction) throws -> Value) throws -> Value {
        try queue.read { try work(ClientTransaction(database: $0)) }
    }

    func close() throws { try queue.close() }
}

/// The statements of the client's file, within a transaction.
struct ClientTransaction {
    let database: Database

    // MARK: - Values

    func put<Value: Encodable>(_ value: Value, _ kind: StoredKind, id: String) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO stored (kind, id, value) VALUES (?, ?, ?)")
        try statement.execute(arguments: [kind.rawValue, id, try JSONEncoder().encode(value)])
    }

    func remove(_ kind: StoredKind, id: String) throws {
        try database.cachedStatement(sql: "DELETE FROM stored WHERE kind = ? AND id = ?")
            .execute(arguments: [kind.rawValue, id])
    }

    /// Returns the values of a kind. A value that an older version wrote in another form is left out, and is loaded
    /// again from the server.
    func all<Value: Decodable>(_ type: Value.Type, _ kind: StoredKind) throws -> [Value] {
        let decoder = JSONDecoder()
        let rows = try Row.fetchCursor(
            database, sql: "SELECT value FROM stored WHERE kind = ? ORDER BY id", arguments: [kind.rawValue])
        var values: [Value] = []
        while let row = try rows.next() {
            do {
                values.append(try decoder.decode(type, from: row[0] as Data))
            } catch is DecodingError { continue }
        }
        return values
    }

    // MARK: - Orders

    /// The ids of an order, 16 bytes each.
    func put(_ ids: [UUID], _ list: StoredList, owner: String = "") throws {
        var bytes = Data(capacity: ids.count * 16)
        for id in ids { withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) } }
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO lists (kind, owner, ids) VALUES (?, ?, ?)")
            .execute(arguments: [list.rawValue, owner, bytes])
    }

    /// Returns the orders of a kind by their owner.
    func lists(_ list: StoredList) throws -> [UUID: [UUID]] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT owner, ids FROM lists WHERE kind = ?", arguments: [list.rawValue])
        return rows.reduce(into: [:]) { lists, row in
            guard let owner = UUID(text: row[0]) else { return }
            lists[owner] = Self.ids(row[1])
        }
    }

    /// Returns an order without owner.
    func list(_ list: StoredList) throws -> [UUID] {
        try Row.fetchOne(
            database, sql: "SELECT ids FROM lists WHERE kind = ? AND owner = ''", arguments: [list.rawValue]
        ).map { Self.ids($0[0]) } ?? []
    }

    private static func ids(_ bytes: Data) -> [UUID] {
        stride(from: 0, to: bytes.count - bytes.count % 16, by: 16).map { start in
            var id = UUID().uuid
            withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: bytes.dropFirst(start).prefix(16)) }
            return UUID(uuid: id)
        }
    }

    // MARK: - Pages

    /// Stores a page, and removes those that were read longest ago beyond a limit.
    func put(_ page: StoredPage, limit: Int) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO pages (address, found, body, read_at) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [page.address, page.found, page.body, page.readAt.timeIntervalSince1970])
        try database.cachedStatement(
            sql:
                "DELETE FROM pages WHERE address IN (SELECT address FROM pages ORDER BY read_at DESC LIMIT -1 OFFSET ?)"
        ).execute(arguments: [limit])
    }

    /// Returns the page that was stored under an address.
    func page(at address: String) throws -> StoredPage? {
        try Row.fetchOne(
            database, sql: "SELECT found, body, read_at FROM pages WHERE address = ?", arguments: [address]
        ).map {
            StoredPage(
                address: address, found: $0[0], body: $0[1], readAt: Date(timeIntervalSince1970: $0[2]))
        }
    }

    func removePage(at address: String) throws {
        try database.execute(sql: "DELETE FROM pages WHERE address = ?", arguments: [address])
    }

    // MARK: - Outbox

    /// Adds an entry at the end of the queue and returns it with its place.
    func append(_ change: PendingChange, id: UUID, at now: Date) throws -> OutboxEntry {
        try database.cachedStatement(sql: "INSERT INTO outbox (entry) VALUES (?)").execute(arguments: [Data()])
        let entry = OutboxEntry(id: id, place: database.lastInsertedRowID, change: change, createdAt: now)
        try update(entry)
        return entry
    }

    func update(_ entry: OutboxEntry) throws {
        try database.cachedStatement(sql: "UPDATE outbox SET entry = ? WHERE place = ?")
            .execute(arguments: [try JSONEncoder().encode(entry), entry.place])
    }

    func remove(_ entry: OutboxEntry) throws {
        try database.cachedStatement(sql: "DELETE FROM outbox WHERE place = ?").execute(arguments: [entry.place])
    }

    /// The unsent changes in order. Throws rather than drop one.
    func entries() throws -> [OutboxEntry] {
        let decoder = JSONDecoder()
        return try Data.fetchAll(database, sql: "SELECT entry FROM outbox ORDER BY place")
            .map { try decoder.decode(OutboxEntry.self, from: $0) }
    }

    // MARK: - Meta

    func put(_ value: String?, meta name: MetaName) throws {
        guard let value else {
            try database.execute(sql: "DELETE FROM meta WHERE name = ?", arguments: [name.rawValue])
            return
        }
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)")
            .execute(arguments: [name.rawValue, value])
    }

    func meta(_ name: MetaName) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM meta WHERE name = ?", arguments: [name.rawValue])
    }

    /// The names of single values.
    enum MetaName: String {
        case account
        /// The last event that was taken in: its number, a space, its fingerprint.
        case anchor
        case residenceSync, chatSync, leaveSync, foodSync
        /// The server's time at a reading of the device's clocks.
        case serverClock
        /// There while the person wants notifications on this device.
        case notifications
    }
}
