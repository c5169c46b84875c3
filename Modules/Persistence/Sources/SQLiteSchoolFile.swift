import Domain
public import FeatureKit
public import Foundation
import GRDB
import GRDBSQLite

/// Operations on a school's database as a file: copying, checking and preparing it.
enum SQLiteSchoolFile {
    /// The number of 4 KB pages per copy step. Between two steps the disk is free for commits.
    private static let step: CInt = 256

    /// Copies the current state of the database at `source` to a new, writable file.
    static func copy(_ source: URL, to target: URL) throws {
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw DatabaseFault.cannotWrite("the copy's file exists")
        }
        do {
            try PrivateFiles.makeFile(target)
            let from = try queue(source)
            defer { close(from) }
            let to = try queue(target)
            defer { close(to) }
            try to.writeWithoutTransaction { database in
                // An incomplete copy is thrown away, so it needs no journal.
                try database.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
            }
            // One snapshot for all steps: commits in the meantime neither show in the copy nor restart it.
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
        try setWritable(true, target)
        try sync(target)
    }

    /// Sets or removes the mark that closes the file to writes. Synced to disk when this returns.
    static func setWritable(_ isWritable: Bool, _ file: URL) throws {
        do {
            let database = try queue(file)
            defer { close(database) }
            try database.inDatabase { database in
                try database.inTransaction(.immediate) {
                    if try ClosedMark.isOpen(database) != isWritable { try ClosedMark.set(isWritable, database) }
                    return .commit
                }
            }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    static func isWritable(_ file: URL) throws -> Bool {
        do {
            let database = try queue(file)
            defer { close(database) }
            return try database.read { try ClosedMark.isOpen($0) }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    /// Whether SQLite's quick check finds no damage.
    static func isSound(_ file: URL) throws -> Bool {
        do {
            let database = try queue(file)
            defer { close(database) }
            return try database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") == "ok" }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    /// Throws `SchoolFileFault` unless the file is a sound database made by this program's migrations.
    static func inspect(_ file: URL, _ migrator: Migrator, isTrusted: Bool) throws {
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
                // Triggers and views would run inside our statements. Only our own seals are allowed.
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
                    try Int.fetchOne(database, sql: "PRAGMA page_size") == 4096,
                    try String.fetchOne(database, sql: "PRAGMA encoding") == "UTF-8"
                else { throw SchoolFileFault.foreign }
                try migrator.refuse(database, isTrusted: isTrusted)
                // Version 0 makes the migrator run, which recreates missing triggers. The file's own version may be
                // forged.
                try database.execute(sql: "PRAGMA user_version = 0")
                try ClosedMark.set(true, database)
            }
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: throw SchoolFileFault.damaged
            default: throw DatabaseFault.translating(error)
            }
        }
    }

    /// Compares the file's schema with the one that the migrations create. Tables must be equal; indexes are recreated,
    /// because they hold no data of their own.
    ///
    /// - Parameter hasOthers: Whether there may be tables of blocks that this program does not run.
    static func compare(_ file: URL, with model: URL, hasOthers: Bool) throws {
        do {
            let expected = try schema(of: model)
            let database = try queue(file)
            defer { close(database) }
            // Statistics that another tool has gathered.
            try database.write { database in
                for name in try SchoolSchema(database).tables.keys where name.hasPrefix("sqlite_stat") {
                    try database.execute(sql: "DROP TABLE \(name.quotedDatabaseIdentifier)")
                }
            }
            let found = try database.read { try SchoolSchema($0) }
            for (name, table) in expected.tables where found.tables[name] != table {
                throw SchoolFileFault.foreign
            }
            guard hasOthers || found.tables.count == expected.tables.count, found.triggers == expected.triggers
            else {
                throw SchoolFileFault.foreign
            }
            try database.write { database in
                for (name, index) in found.indexes where expected.tables[index.table] != nil {
                    if expected.indexes[name]?.text == index.text { continue }
                    try database.execute(sql: "DROP INDEX \(name.quotedDatabaseIdentifier)")
                }
                for (name, index) in expected.indexes where found.indexes[name]?.text != index.text {
                    try database.execute(sql: index.statement)
                }
            }
        } catch let error as DatabaseError {
            // The file has rows that violate a unique index, so they were not written by this program.
            if error.resultCode == .SQLITE_CONSTRAINT { throw SchoolFileFault.foreign }
            throw DatabaseFault.translating(error)
        }
    }

    private static func schema(of file: URL) throws -> SchoolSchema {
        let database = try queue(file)
        defer { close(database) }
        return try database.read { try SchoolSchema($0) }
    }

    /// Whether the file has tables of blocks that this program does not run.
    static func hasOthers(_ file: URL, _ migrator: Migrator) throws -> Bool {
        let database = try queue(file)
        defer { close(database) }
        return try database.read { try !migrator.unknownOwners($0).isEmpty }
    }

    /// Leaves WAL mode, so that the file has no log beside it.
    static func settle(_ file: URL) throws {
        let database = try queue(file)
        defer { close(database) }
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try sync(file)
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
        // Marks the database as in use, so that the file is neither closed nor moved during the copy.
        let database = try await acquire(id)
        defer { release(id, database) }
        let source = file(of: id)
        try await Blocking.run { try SQLiteSchoolFile.copy(source, to: target) }
    }

    public func prepare(
        _ target: URL, isTrusted: Bool, _ change: @escaping @Sendable (any SQLWriting) throws -> Void
    ) async throws {
        let migrator = migrator
        let model = target.deletingLastPathComponent().appending(path: "model-\(UUID().text).sqlite")
        defer { for end in ["", "-wal", "-shm"] { unlink(model.path + end) } }
        let hasOthers = try await Blocking.run {
            try SQLiteSchoolFile.inspect(target, migrator, isTrusted: isTrusted)
            try EmptyDatabase.make(model, migrator)
            return try SQLiteSchoolFile.hasOthers(target, migrator)
        }
        let database: SQLiteDatabase
        do {
            database = try await Blocking.run { try SQLiteDatabase(at: target, migrator) }
        } catch DatabaseFault.cannotWrite(let detail) {
            throw DatabaseFault.cannotWrite(detail)
        } catch {
            // The file's record of migrations matches, but its tables do not.
            throw SchoolFileFault.foreign
        }
        do {
            try await Blocking.run { try SQLiteSchoolFile.compare(target, with: model, hasOthers: hasOthers) }
            guard try await ChangeLog.verify(database).isIntact else { throw SchoolFileFault.damaged }
            try await database.write(change)
        } catch {
            try await database.close()
            throw error
        }
        try await database.close()
        try await Blocking.run { try SQLiteSchoolFile.settle(target) }
    }

    public func put(_ source: URL, as id: UUID, _ work: @escaping @Sendable () async throws -> Void) async throws {
        clearDamage(of: id)
        let target = file(of: id)
        guard FileManager.default.fileExists(atPath: target.path) else { return try await add(source, id, work) }
        let previous = folder.appending(path: "\(SQLiteSchools.previous)\(UUID().text).sqlite")
        defer { unlink(previous.path) }
        let replacement: SchoolReplacement
        do {
            replacement = try await Blocking.run {
                // From here on other writers wait until the new content is committed or dropped.
                let replacement = try SchoolReplacement(of: target, by: source)
                try SQLiteSchoolFile.copy(target, to: previous)
                try replacement.copyAllButTheLastPage()
                return replacement
            }
        } catch DatabaseFault.damaged {
            // A damaged file has no state worth keeping.
            try await remove(id)
            return try await add(source, id, work)
        }
        do {
            try await work()
        } catch {
            try await Blocking.run { replacement.abandon() }
            throw error
        }
        try await Blocking.run {
            try replacement.commit()
            guard try SQLiteSchoolFile.isSound(target) else {
                let back = try SchoolReplacement(of: target, by: previous)
                try back.copyAllButTheLastPage()
                try back.commit()
                throw DatabaseFault.other("the restored database does not hold together")
            }
        }
    }

    public func remove(_ id: UUID) async throws {
        do {
            // Another process may have the file open and must not keep writing to an unlinked file.
            try await setWritable(false, id)
        } catch DatabaseFault.missing {
            // The file is gone already.
        } catch DatabaseFault.damaged {
            // No process can open the file to write.
        }
        let file = file(of: id)
        try await retire(id) {
            for end in ["-wal", "-shm", ""] where unlink(file.path + end) != 0 && errno != ENOENT {
                throw DatabaseFault.cannotWrite("a school's file could not be removed (\(errno))")
            }
            try Folder.sync(file.deletingLastPathComponent())
        }
    }

    public func setWritable(_ isWritable: Bool, _ id: UUID) async throws {
        let file = file(of: id)
        try await Blocking.run {
            guard FileManager.default.fileExists(atPath: file.path) else { throw DatabaseFault.missing }
            try SQLiteSchoolFile.setWritable(isWritable, file)
        }
    }

    public func contents(of id: UUID, upTo seq: Int64?) async throws -> SchoolContents {
        let database = try await acquire(id)
        defer { release(id, database) }
        return try await database.contents(upTo: seq ?? .max)
    }

    /// Adds a school from a file and runs `work`. Removes the school again if `work` throws.
    private func add(
        _ source: URL, _ id: UUID, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await Blocking.run { [self] in try addFile(source, as: file(of: id)) }
        do {
            try await work()
        } catch {
            try await remove(id)
            throw error
        }
    }

    /// Links the copy to its final name only when it is complete.
    private func addFile(_ source: URL, as target: URL) throws {
        let draft = folder.appending(path: "\(SQLiteSchools.unfinished)\(UUID().text).sqlite")
        defer { unlink(draft.path) }
        try SQLiteSchoolFile.copy(source, to: draft)
        guard link(draft.path, target.path) == 0 else {
            throw DatabaseFault.cannotWrite("a school's file could not be made (\(errno))")
        }
        try Folder.sync(folder)
    }
}
