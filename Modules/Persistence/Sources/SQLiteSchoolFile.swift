import Domain
public import FeatureKit
public import Foundation
import GRDB
import GRDBSQLite

/// A school's database as a file that stands for itself: copied, looked at, and put in a school's place.
enum SQLiteSchoolFile {
    /// Pages of 4 KB in one step of a copy; between two steps the disk belongs to the commits of others.
    private static let step: CInt = 256

    /// Writes the state that the database at `source` has now into a new file.
    static func copy(_ source: URL, to target: URL) throws {
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw DatabaseFault.cannotWrite("the copy's file exists")
        }
        do {
            let from = try queue(source)
            defer { close(from) }
            let to = try queue(target)
            defer { close(to) }
            try to.writeWithoutTransaction { database in
                // The file is nobody's before it is complete: a journal would protect nothing.
                try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
            }
            // One snapshot for all steps: what is committed meanwhile neither shows nor begins the copy anew.
            try from.inDatabase { database in
                try database.inTransaction(.deferred) {
                    _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
                    try to.writeWithoutTransaction {
                        try database.backup(to: $0, pagesPerStep: step) { _ in
                            try sync(target)
                        }
                    }
                    return .commit
                }
            }
            try sync(target)
        } catch {
            unlink(target.path)
            throw DatabaseFault.translating(error)
        }
    }

    /// Puts the content of `source` into the database at `target` in one transaction, for all who have it open.
    static func replace(_ target: URL, by source: URL) throws {
        do {
            let from = try queue(source)
            defer { close(from) }
            let to = try queue(target)
            defer { close(to) }
            try from.backup(to: to)
            try to.writeWithoutTransaction { database in
                guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
                    throw DatabaseFault.other("the restored database does not hold together")
                }
            }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    /// Refuses whatever is not a sound database of a school that this program's migrations have made.
    static func inspect(_ file: URL, _ migrator: Migrator) throws {
        let head = try FileHandle(forReadingFrom: file)
        let mark = try head.read(upToCount: 16)
        try head.close()
        guard mark == Data("SQLite format 3\0".utf8) else { throw SchoolFileFault.foreign }
        do {
            let database = try queue(file)
            defer { close(database) }
            try database.writeWithoutTransaction { database in
                guard try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok",
                    try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil
                else { throw SchoolFileFault.damaged }
                // Triggers and views would run inside our statements: there are none but our own seals.
                let strangers = try String.fetchSet(
                    database,
                    sql: """
                        SELECT sql FROM sqlite_master
                        WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'
                        """
                ).subtracting(migrator.seals)
                let known = try String.fetchSet(
                    database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
                guard strangers.isEmpty, known.isSuperset(of: ["schema_migrations", "change_log"]),
                    try Int.fetchOne(database, sql: "PRAGMA page_size") == 4096
                else { throw SchoolFileFault.foreign }
                try migrator.refuse(database)
            }
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: throw SchoolFileFault.damaged
            default: throw DatabaseFault.translating(error)
            }
        }
    }

    /// Compares the tables with those that the migrations make, column by column.
    static func compare(_ file: URL, with model: URL) throws {
        let expected = try columns(of: model)
        let found = try columns(of: file)
        for (table, columns) in expected where found[table] != columns { throw SchoolFileFault.foreign }
    }

    /// Leaves the file alone, without a log beside it.
    static func settle(_ file: URL) throws {
        let database = try queue(file)
        defer { close(database) }
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try sync(file)
    }

    private static func columns(of file: URL) throws -> [String: [String]] {
        let database = try queue(file)
        defer { close(database) }
        return try database.read { database in
            try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
                .reduce(into: [:]) { all, table in
                    all[table] = try Row.fetchAll(
                        database, sql: "SELECT name, type, pk FROM pragma_table_info(?)",
                        arguments: [table]
                    ).map { "\($0["name"] as String) \($0["type"] as String) \($0["pk"] as Int)" }
                }
        }
    }

    private static func queue(_ file: URL) throws -> DatabaseQueue {
        var settings = Configuration()
        settings.busyMode = .timeout(30)
        settings.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
        }
        return try DatabaseQueue(path: file.path, configuration: settings)
    }

    private static func close(_ queue: DatabaseQueue) {
        do {
            try queue.close()
        } catch {
            assertionFailure("a connection could not be closed: \(error)")
        }
    }

    private static func sync(_ file: URL) throws {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DatabaseFault.cannotWrite("a copy cannot be opened (\(errno))") }
        defer { Foundation.close(descriptor) }
        guard fdatasync(descriptor) == 0 else {
            throw DatabaseFault.cannotWrite("a copy cannot be written (\(errno))")
        }
    }
}

extension SQLiteSchools: SchoolFiles {
    public func copy(_ id: UUID, to target: URL) async throws {
        // In use until the copy is there, so that the file is neither closed nor moved.
        let database = try await acquire(id)
        defer { release(id, database) }
        let source = file(of: id)
        try await Blocking.run { try SQLiteSchoolFile.copy(source, to: target) }
    }

    public func prepare(
        _ target: URL, _ change: @escaping @Sendable (any SQLWriting) throws -> Void
    ) async throws {
        let migrations = migrations
        let model = target.deletingLastPathComponent().appending(path: "model-\(UUID().text).sqlite")
        defer { for end in ["", "-wal", "-shm"] { unlink(model.path + end) } }
        try await Blocking.run {
            try SQLiteSchoolFile.inspect(target, Migrator(migrations))
            try SQLiteDatabase(at: model, migrations: migrations).closeNow()
        }
        let database: SQLiteDatabase
        do {
            database = try await SQLiteDatabase.open(at: target, migrations: migrations)
        } catch DatabaseFault.cannotWrite(let detail) {
            throw DatabaseFault.cannotWrite(detail)
        } catch {
            // Its own record of migrations says that they fit, and they do not.
            throw SchoolFileFault.foreign
        }
        do {
            try await Blocking.run { try SQLiteSchoolFile.compare(target, with: model) }
            try await database.write(change)
        } catch {
            try await database.close()
            throw error
        }
        try await database.close()
        try await Blocking.run { try SQLiteSchoolFile.settle(target) }
    }

    public func put(_ source: URL, as id: UUID) async throws {
        let target = file(of: id)
        guard FileManager.default.fileExists(atPath: target.path) else {
            return try await Blocking.run { [self] in try add(source, as: target) }
        }
        let kept = folder.appending(path: "\(SQLiteSchools.kept)\(UUID().text).sqlite")
        try await copy(id, to: kept)
        defer { unlink(kept.path) }
        try await Blocking.run {
            do {
                try SQLiteSchoolFile.replace(target, by: source)
            } catch {
                // One transaction changed all or nothing; where it changed all and the result does not hold
                // together, the old state goes back.
                try SQLiteSchoolFile.replace(target, by: kept)
                throw error
            }
        }
    }

    public func remove(_ id: UUID) async throws {
        let file = file(of: id)
        try await retire(id) {
            for end in ["-wal", "-shm", ""] where unlink(file.path + end) != 0 && errno != ENOENT {
                throw DatabaseFault.cannotWrite("a school's file could not be removed (\(errno))")
            }
            try Folder.sync(file.deletingLastPathComponent())
        }
    }

    /// A new school's file gets its name when it is complete.
    private func add(_ source: URL, as target: URL) throws {
        let draft = folder.appending(path: "\(SQLiteSchools.unfinished)\(UUID().text).sqlite")
        defer { unlink(draft.path) }
        try SQLiteSchoolFile.copy(source, to: draft)
        guard link(draft.path, target.path) == 0 else {
            throw DatabaseFault.cannotWrite("a school's file could not be made (\(errno))")
        }
        try Folder.sync(folder)
    }
}
