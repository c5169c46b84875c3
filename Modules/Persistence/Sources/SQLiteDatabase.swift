import Dispatch
public import FeatureKit
public import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// A `Database` on one SQLite file: readers work on snapshots, one writer commits in groups.
public final class SQLiteDatabase: FeatureKit.Database {
    private let pool: DatabasePool
    private let readers: ReaderThreads
    private let writer: GroupCommit
    private let gate = Gate()
    /// Distinguishes this opening of the file from earlier ones, whose commit counts also began at zero.
    private let opening = SQLiteDatabase.openings.wrappingAdd(1, ordering: .relaxed).newValue
    private static let openings = Atomic<Int64>(0)
    private let log: String
    /// The file that was opened. Another file may later take its name.
    private let identity: FileIdentity?
    /// The busy timeout in milliseconds.
    private let busyTimeout: Int32

    /// Opens or creates the file at `url` and applies the missing migrations.
    ///
    /// Blocks the calling thread; `open(at:migrations:configuration:)` does not.
    public convenience init(
        at url: URL, migrations: [MigrationSet], configuration: SQLiteConfiguration = SQLiteConfiguration()
    ) throws {
        try self.init(at: url, Migrator(migrations), configuration: configuration)
    }

    /// Opens or creates the file at `url` and applies what is missing of the migrator's migrations.
    init(at url: URL, _ migrator: Migrator, configuration: SQLiteConfiguration = SQLiteConfiguration()) throws {
        do {
            let isNew = !FileManager.default.fileExists(atPath: url.path)
            log = "\(url.path)-wal"
            try PrivateFiles.makeDatabase(url)
            busyTimeout = Int32(configuration.busyTimeout / .milliseconds(1))
            pool = try DatabasePool(path: url.path, configuration: SQLiteDatabase.settings(configuration))
            readers = ReaderThreads(configuration.readers)
            writer = GroupCommit(pool, commitDelay: configuration.commitDelay)
            try pool.writeWithoutTransaction { database in
                // GRDB sets NORMAL, with which a power cut may undo acknowledged commits.
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try migrator.migrate(database)
                if let pages = configuration.maximumPages {
                    try database.execute(sql: "PRAGMA max_page_count = \(max(1, pages))")
                }
            }
            identity = FileIdentity(url.path)
            if isNew { try Folder.sync(url.deletingLastPathComponent()) }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    /// Whether the path still leads to the file that was opened.
    func isFile(at path: String) -> Bool { FileIdentity(path) == identity }

    /// Opens or creates the database file and applies missing migrations, without blocking the calling task's thread.
    public static func open(
        at url: URL, migrations: [MigrationSet], configuration: SQLiteConfiguration = SQLiteConfiguration()
    ) async throws -> SQLiteDatabase {
        try await Blocking.run {
            try SQLiteDatabase(at: url, migrations: migrations, configuration: configuration)
        }
    }

    /// The size that the write-ahead log keeps between checkpoints: a thousand pages and the last group.
    ///
    /// Overwriting a file is two to four times faster than extending it.
    private static let logBytes = 8 << 20

    private static func settings(_ configuration: SQLiteConfiguration) -> Configuration {
        var settings = Configuration()
        settings.foreignKeysEnabled = true
        settings.maximumReaderCount = configuration.readers
        settings.busyMode = .timeout(configuration.busyTimeout / .seconds(1))
        settings.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA cache_size = -\(configuration.cacheKilobytes);
                    PRAGMA journal_size_limit = \(SQLiteDatabase.logBytes);
                    PRAGMA trusted_schema = OFF;
                    PRAGMA recursive_triggers = ON;
                    PRAGMA secure_delete = ON;
                    """)
            // Disables ATTACH, so that no statement can open another school's file.
            sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
        }
        return settings
    }

    public func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLReading) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        do {
            return try await readers.read(pool) { try SQLiteDatabase.run(work, $0) }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    public func readInline<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLReading) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        try Task.checkCancellation()
        return try readHere(work)
    }

    /// Not `async`, so that GRDB's synchronous `read` is chosen.
    private func readHere<Value>(_ work: (any SQLReading) throws -> Value) throws -> Value {
        do {
            return try pool.read { try SQLiteDatabase.run(work, $0) }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    private static func run<Value>(
        _ work: (any SQLReading) throws -> Value, _ database: GRDB.Database
    ) throws -> Value {
        let session = SQLiteSession(database, mayWrite: false)
        defer { session.end() }
        return try work(session)
    }

    @discardableResult
    public func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLWriting) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        let canceled = Flag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                writer.enqueue(
                    PendingWrite(
                        isCancelled: { canceled.isRaised },
                        run: { session in
                            let value = try work(session)
                            return { continuation.resume(returning: value) }
                        },
                        fail: { continuation.resume(throwing: $0) }))
            }
        } onCancel: {
            canceled.raise()
        }
    }

    /// Returns a value that differs after every commit. Commits of this process are counted; those of other processes
    /// change the log's size or time.
    public func stamp() async throws -> DatabaseStamp? {
        var file = stat()
        guard stat(log, &file) == 0 else { return nil }
        return DatabaseStamp([
            opening, Int64(writer.counts.commits), Int64(file.st_size), Int64(file.st_mtim.tv_sec),
            Int64(file.st_mtim.tv_nsec),
        ])
    }

    /// Rewrites all pages so that no deleted text is left in the file, and truncates the write-ahead log.
    ///
    /// `secure_delete` overwrites a deleted row in place. It misses copies that SQLite left in a page when it moved the
    /// row, and pages from before it was switched on.
    public func purge(upTo limit: Int?) async throws -> Bool {
        try gate.enter()
        defer { gate.leave() }
        do {
            let isRewritten = try await pool.writeWithoutTransaction { try Self.rewrite($0, upTo: limit) }
            for attempt in 0..<Self.cuts {
                // Writes may run between two attempts.
                if attempt > 0 { try await Task.sleep(for: .milliseconds(50)) }
                let waits = busyTimeout
                if try await pool.writeWithoutTransaction({ try Self.cutLog($0, busyTimeout: waits) }) {
                    return isRewritten
                }
            }
            return false
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    /// The number of attempts to truncate the log; each waits `cutPatience` milliseconds for readers.
    private static let cuts = 20
    private static let cutPatience: Int32 = 100

    private static func rewrite(_ database: GRDB.Database, upTo limit: Int?) throws -> Bool {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        if let limit, pages * size > limit { return false }
        // VACUUM attaches a temporary file under its own name. Nothing else may attach one.
        sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 1)
        defer { sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0) }
        try database.execute(sql: "VACUUM")
        return true
    }

    private static func cutLog(_ database: GRDB.Database, busyTimeout: Int32) throws -> Bool {
        // The writer is blocked here, so it waits less than it would for another process.
        sqlite3_busy_timeout(database.sqliteConnection, cutPatience)
        defer { sqlite3_busy_timeout(database.sqliteConnection, busyTimeout) }
        do {
            _ = try database.checkpoint(.truncate)
            return true
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        {
            return false
        }
    }

    /// Releases memory of an idle database: readers, statements and cached pages.
    public func shrink() { pool.releaseMemoryEventually() }

    /// Refuses new work, waits for running work, and closes the file. A second call does nothing.
    public func close() async throws {
        guard await gate.close() else { return }
        let pool = pool
        try await Blocking.run {
            do { try pool.close() } catch { throw DatabaseFault.translating(error) }
        }
    }

    /// Closes a file that has not been handed out yet.
    func closeNow() throws {
        do { try pool.close() } catch { throw DatabaseFault.translating(error) }
    }

    /// Returns the query plan of a statement, one line per step (https://sqlite.org/eqp.html).
    public func queryPlan(_ sql: FeatureKit.SQL) async throws -> [String] {
        try await inspect("EXPLAIN QUERY PLAN \(sql.text)", column: "detail")
    }

    /// The number of rows in each table and the end of the change log, in one snapshot.
    ///
    /// - Parameter seq: The last entry of the change log to count.
    func contents(upTo seq: Int64) async throws -> SchoolContents {
        try gate.enter()
        defer { gate.leave() }
        do {
            return try await readers.read(pool) { database in
                var rows: [String: Int] = [:]
                let tables = try String.fetchAll(
                    database,
                    sql:
                        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'"
                )
                for table in tables {
                    let condition = table == "change_log" ? " WHERE seq <= \(seq)" : ""
                    rows[table] = try Int.fetchOne(
                        database, sql: "SELECT COUNT(*) FROM \(table.quotedDatabaseIdentifier)\(condition)")
                }
                let seal =
                    tables.contains("change_log")
                    ? try SQLiteDatabase.run({ try ChangeLog.seal(upTo: seq, in: $0) }, database) : nil
                return SchoolContents(rows: rows, seal: seal, isWritable: try ClosedMark.isOpen(database))
            }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    /// The number of writes that wait for the writer.
    var waitingWrites: Int { writer.counts.waiting }

    /// The number of commits to the file since it was opened. One commit may contain several writes that ran at the
    /// same time.
    public var commitCount: Int { writer.counts.commits }

    /// The value of a pragma on the writer's connection.
    func setting(_ name: String) async throws -> String? {
        try await inspect("PRAGMA \(name)", column: name).first
    }

    /// Returns the value of the `data_version` pragma, which changes after every commit of another process.
    ///
    /// Commits of this process do not change it, because the writer is its only connection that commits
    /// (https://sqlite.org/pragma.html).
    public func othersVersion() async throws -> String? { try await setting("data_version") }

    private func inspect(_ text: String, column: String) async throws -> [String] {
        do {
            return try await pool.writeWithoutTransaction { database in
                let statement = try database.makeStatement(sql: text)
                // A plan does not depend on the values, so they stay unbound.
                statement.setUncheckedArguments(StatementArguments())
                return try Row.fetchAll(statement).map { row in
                    row[column].map { (value: any DatabaseValueConvertible) in "\(value)" } ?? ""
                }
            }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }
}

/// Counts running operations, so that the file is closed only when there are none.
private final class Gate: Sendable {
    private struct State {
        var inside = 0
        var isClosed = false
        var closer: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())

    func enter() throws {
        try state.withLock { state in
            guard !state.isClosed else { throw DatabaseFault.other("the database was closed") }
            state.inside += 1
        }
    }

    func leave() {
        let closer = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.inside -= 1
            guard state.inside == 0 else { return nil }
            defer { state.closer = nil }
            return state.closer
        }
        closer?.resume()
    }

    /// Waits until all running operations have ended. Returns `false` if the gate was closed before.
    func close() async -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return false }
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if state.inside > 0 { state.closer = continuation }
                return state.inside == 0
            }
            if isEmpty { continuation.resume() }
        }
        return true
    }
}

/// The device and inode of a file.
private struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Returns `nil` if there is no file.
    init?(_ path: String) {
        var state = stat()
        guard stat(path, &state) == 0 else { return nil }
        (device, number) = (state.st_dev, state.st_ino)
    }
}

private final class Flag: Sendable {
    private let raised = Atomic(false)
    var isRaised: Bool { raised.load(ordering: .acquiring) }
    func raise() { raised.store(true, ordering: .releasing) }
}

/// Runs blocking work, such as opening and closing files, on four threads outside Swift's cooperative pool.
enum Blocking {
    private static let queues = (0..<4).map { DispatchQueue(label: "persistence.files.\($0)") }
    private static let next = Atomic(0)

    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return try await withCheckedThrowingContinuation { continuation in
            queues[abs(number % queues.count)].async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
