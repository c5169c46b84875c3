import Dispatch
public import FeatureKit
public import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// The Database port on one SQLite file: many readers on snapshots, one writer that commits in groups.
public final class SQLiteDatabase: FeatureKit.Database {
    private let pool: DatabasePool
    private let readers: ReaderThreads
    private let writer: GroupCommit
    private let gate = Gate()
    /// Tells this opening of the file from earlier ones, whose commits were counted from zero too.
    private let opening = SQLiteDatabase.openings.wrappingAdd(1, ordering: .relaxed).newValue
    private static let openings = Atomic<Int64>(0)
    private let log: String
    /// Which file was opened; another one may take its name.
    private let identity: FileIdentity?
    /// Milliseconds.
    private let busyTimeout: Int32

    /// Opens or makes the file at `url` and brings its structure up to date.
    ///
    /// Blocks; see `open(at:migrations:configuration:)`.
    public init(
        at url: URL, migrations: [MigrationSet], configuration: SQLiteConfiguration = SQLiteConfiguration()
    ) throws {
        do {
            let isNew = !FileManager.default.fileExists(atPath: url.path)
            log = "\(url.path)-wal"
            try PrivateFiles.makeDatabase(url)
            busyTimeout = Int32(configuration.busyTimeout / .milliseconds(1))
            pool = try DatabasePool(path: url.path, configuration: SQLiteDatabase.settings(configuration))
            readers = ReaderThreads(configuration.readers)
            writer = GroupCommit(pool, commitDelay: configuration.commitDelay)
            try pool.writeWithoutTransaction { database in
                // GRDB sets NORMAL, with which a power cut may take back what was answered.
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try Migrator(migrations).migrate(database)
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

    /// Whether the file that was opened still has this name.
    func isFile(at path: String) -> Bool { FileIdentity(path) == identity }

    /// The same, on a thread that may wait.
    public static func open(
        at url: URL, migrations: [MigrationSet], configuration: SQLiteConfiguration = SQLiteConfiguration()
    ) async throws -> SQLiteDatabase {
        try await Blocking.run {
            try SQLiteDatabase(at: url, migrations: migrations, configuration: configuration)
        }
    }

    /// The write-ahead log keeps its length between checkpoints (a thousand pages and the last group's):
    /// to write over a file is two to four times quicker for the disk than to lengthen it.
    private static let keptLogBytes = 8 << 20

    private static func settings(_ configuration: SQLiteConfiguration) -> Configuration {
        var settings = Configuration()
        settings.foreignKeysEnabled = true
        settings.maximumReaderCount = configuration.readers
        settings.busyMode = .timeout(configuration.busyTimeout / .seconds(1))
        settings.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA cache_size = -\(configuration.cacheKilobytes);
                    PRAGMA journal_size_limit = \(SQLiteDatabase.keptLogBytes);
                    PRAGMA trusted_schema = OFF;
                    PRAGMA recursive_triggers = ON;
                    PRAGMA secure_delete = ON;
                    """)
            // A statement that reaches for another school's file finds no door: ATTACH is off.
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
        return try glancing(work)
    }

    /// Not `async`: of GRDB's reads the one on this thread is meant.
    private func glancing<Value>(_ work: (any SQLReading) throws -> Value) throws -> Value {
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
        let cancelled = Flag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                writer.enqueue(
                    PendingWrite(
                        isCancelled: { cancelled.isRaised },
                        run: { session in
                            let value = try work(session)
                            return { continuation.resume(returning: value) }
                        },
                        fail: { continuation.resume(throwing: $0) }))
            }
        } onCancel: {
            cancelled.raise()
        }
    }

    /// This process counts its own commits; those of another one show in the write-ahead log's size and time.
    public func stamp() async throws -> DatabaseStamp? {
        var file = stat()
        guard stat(log, &file) == 0 else { return nil }
        return DatabaseStamp([
            opening, Int64(writer.counts.commits), Int64(file.st_size), Int64(file.st_mtim.tv_sec),
            Int64(file.st_mtim.tv_nsec),
        ])
    }

    /// Writes all pages anew, which leaves deleted text in none of them, and cuts the write-ahead log off.
    ///
    /// `secure_delete` overwrites a deleted row where it stood. It misses copies of the row that SQLite left behind in a page
    /// when it moved the row to another one, and pages from before it was on.
    public func purge(upTo limit: Int?) async throws -> Bool {
        try gate.enter()
        defer { gate.leave() }
        do {
            let isRewritten = try await pool.writeWithoutTransaction { try Self.rewrite($0, upTo: limit) }
            for attempt in 0..<Self.cuts {
                // Between two tries the writer belongs to others.
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

    /// How often the log is tried to be cut off; each try waits `cutPatience` for readers.
    private static let cuts = 20
    private static let cutPatience: Int32 = 100

    private static func rewrite(_ database: GRDB.Database, upTo limit: Int?) throws -> Bool {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        if let limit, pages * size > limit { return false }
        // VACUUM attaches the new file under a name of its own; nothing else may attach one.
        sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 1)
        defer { sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0) }
        try database.execute(sql: "VACUUM")
        return true
    }

    private static func cutLog(_ database: GRDB.Database, busyTimeout: Int32) throws -> Bool {
        // The writer waits here: not for as long as for another process.
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

    /// Gives back memory that an idle database needs not keep: readers, statements and cached pages.
    public func shrink() { pool.releaseMemoryEventually() }

    /// Refuses new work, waits for what runs, and closes the file.
    public func close() async throws {
        guard await gate.close() else { return }
        let pool = pool
        try await Blocking.run {
            do { try pool.close() } catch { throw DatabaseFault.translating(error) }
        }
    }

    /// Closes a file that nobody else has seen yet.
    func closeNow() throws {
        do { try pool.close() } catch { throw DatabaseFault.translating(error) }
    }

    /// How the engine would run a statement, a line per step (https://sqlite.org/eqp.html).
    public func queryPlan(_ sql: FeatureKit.SQL) async throws -> [String] {
        try await inspect("EXPLAIN QUERY PLAN \(sql.text)", column: "detail")
    }

    /// How many rows each table has and where the change log ends, within one snapshot.
    /// - Parameter seq: the last entry of the change log that counts.
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

    /// How many writes wait for the writer.
    var waitingWrites: Int { writer.counts.waiting }

    /// How many groups were committed since the file was opened.
    public var commitCount: Int { writer.counts.commits }

    /// The value of a setting as the writer's connection has it.
    func setting(_ name: String) async throws -> String? {
        try await inspect("PRAGMA \(name)", column: name).first
    }

    /// Differs after every commit of another process; those of this one leave it (https://sqlite.org/pragma.html,
    /// `data_version`: the writer is this process's only connection that commits).
    public func othersVersion() async throws -> String? { try await setting("data_version") }

    private func inspect(_ text: String, column: String) async throws -> [String] {
        do {
            return try await pool.writeWithoutTransaction { database in
                let statement = try database.makeStatement(sql: text)
                // A plan does not depend on values; they stay unbound.
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

/// Counts who is inside, so that a file is closed only when nobody is.
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

    /// Waits until everyone has left; `false` where the gate was closed before.
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

/// Which file a path leads to.
private struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// `nil` where there is no file.
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

/// Runs what blocks (opening and closing files) on a few threads outside of Swift's pool.
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
