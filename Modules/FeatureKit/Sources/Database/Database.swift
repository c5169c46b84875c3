public import Foundation

/// The database of one school, or the server's directory database of accounts and schools.
///
/// A database that was opened for one school cannot reach another. Work inside is synchronous, so that no transaction
/// is held across an `await`. SQL is limited to what SQLite and PostgreSQL share (docs/decisions/0003).
public protocol Database: Sendable {
    /// Runs reads on one snapshot that does not change meanwhile.
    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLReading) throws -> Value) async throws -> Value

    /// Runs a read of a few rows by their keys without changing threads, if the engine can.
    ///
    /// For reads that are shorter than the switch to another thread.
    func readInline<Value: Sendable>(_ work: @escaping @Sendable (any SQLReading) throws -> Value) async throws
        -> Value

    /// Runs one write transaction: all of it is on disk when this returns, or none of it if it throws.
    ///
    /// Concurrent calls may share one commit, yet each succeeds or fails by itself.
    @discardableResult
    func write<Value: Sendable>(_ work: @escaping @Sendable (any SQLWriting) throws -> Value) async throws -> Value

    /// Returns a value that differs after every commit, by this process or another; `nil` if the engine cannot
    /// provide it cheaply.
    func stamp() async throws -> DatabaseStamp?

    /// Removes deleted data from the disk, so that the files of the database hold nothing but its rows.
    ///
    /// Reads continue; writes wait until it is done. Safe to repeat.
    /// - Parameter limit: the size in bytes above which the database is left for another time; `nil` for any size.
    /// - Returns: `false` if the database is larger than the limit, or if a reader still needs the old state.
    func purge(upTo limit: Int?) async throws -> Bool
}

extension Database {
    public func readInline<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLReading) throws -> Value
    ) async throws -> Value {
        try await read(work)
    }

    public func stamp() async throws -> DatabaseStamp? { nil }

    public func purge(upTo limit: Int?) async throws -> Bool { true }
}

/// A state of a database, as it was at one moment, to be compared with another state of the same database.
public struct DatabaseStamp: Hashable, Sendable {
    private let numbers: [Int64]

    public init(_ numbers: [Int64]) { self.numbers = numbers }
}

/// Reads within a snapshot or a transaction. Use it only within the closure that receives it.
public protocol SQLReading {
    func rows(_ sql: SQL) throws -> [SQLRow]
}

/// Reads and changes within a transaction. Use it only within the closure that receives it.
public protocol SQLWriting: SQLReading {
    /// Executes a statement and returns the number of rows that it changed.
    @discardableResult
    func execute(_ sql: SQL) throws -> Int

    /// Runs an action when this transaction is on disk, in the order of commits, before `write` returns to its caller.
    ///
    /// The action does not run if the transaction fails. It must be quick.
    func afterCommit(_ action: @escaping @Sendable () -> Void)
}

extension SQLReading {
    /// Returns the first row of a statement's result; `nil` if there is none.
    public func row(_ sql: SQL) throws -> SQLRow? { try rows(sql).first }

    /// Whether a statement returns at least one row.
    public func exists(_ sql: SQL) throws -> Bool { try !rows(sql).isEmpty }

    /// Returns the first column of the first row of a statement's result; `nil` if there is no row or the column is
    /// null.
    /// - Throws: `DatabaseFault.unexpectedColumn` if the value is of another type.
    public func value<Value: SQLConvertible>(_ sql: SQL, as type: Value.Type = Value.self) throws -> Value? {
        guard let row = try rows(sql).first, let first = row.values.first, first != .null else { return nil }
        guard let value = Value(sqlValue: first) else {
            throw DatabaseFault.unexpectedColumn("\(row.columns.first ?? "?") is not a \(Value.self)")
        }
        return value
    }
}

/// One row of a statement's result. The column names are shared by all rows of the result.
public struct SQLRow: Sendable {
    public let columns: [String]
    public let values: [SQLValue]

    public init(columns: [String], values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// The value of a column.
    /// - Throws: `DatabaseFault.unexpectedColumn` if the column is missing, null, or of another type.
    // Inlinable for speed: a list reads thousands of these.
    @inlinable
    public func get<Value: SQLConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value: Value = try optional(column) else {
            throw DatabaseFault.unexpectedColumn("\(column) is null or missing")
        }
        return value
    }

    /// Returns the value of a column; `nil` if it is null.
    /// - Throws: `DatabaseFault.unexpectedColumn` if the column is missing or of another type.
    @inlinable
    public func optional<Value: SQLConvertible>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value? {
        guard let index = columns.firstIndex(of: column) else {
            throw DatabaseFault.unexpectedColumn("there is no column \(column) among \(columns)")
        }
        if case .null = values[index] { return nil }
        guard let value = Value(sqlValue: values[index]) else {
            throw DatabaseFault.unexpectedColumn("\(column) is not a \(Value.self)")
        }
        return value
    }
}

/// A failure of a database, in terms that both engines share.
public enum DatabaseFault: Error, Sendable, Equatable {
    /// A unique key already has the written value. The text names the constraint, never the value.
    case notUnique(String)
    /// A referenced row is missing, or a check failed. The text names the constraint.
    case constraint(String)
    /// The disk is full or cannot be written. Nothing of the transaction was stored.
    case cannotWrite(String)
    /// Another process locked the database for longer than the waiting time.
    case busy
    /// The school has no database.
    case missing
    /// The school is closed, and its database file takes no writes (`SchoolFiles.setWritable`).
    case closed
    /// The database file is damaged.
    case damaged
    /// A column is missing, null, or of another type than the program expects.
    case unexpectedColumn(String)
    /// Any other failure, as the engine describes it.
    case other(String)
}

/// One numbered change of a database's structure. Its SQL is never edited after a release.
///
/// A `CREATE TABLE` that ends with `byKey` stores its rows in the order of the primary key. Rows that are read by the first
/// part of a longer key, such as all answers of an attempt, are then beside each other.
public struct Migration: Sendable, Hashable {
    /// The comment at the end of a `CREATE TABLE` whose rows are stored in the order of the primary key.
    ///
    /// It is a comment, because each engine has its own way: SQLite adds `WITHOUT ROWID`.
    public static let byKey = "/* stored by key */"

    /// The name of the migration, unique within its feature, in the order of application: `001-people`.
    public let name: String
    /// The SQL statements of the migration in their order, without semicolons at their ends.
    public let statements: [String]

    /// Creates a migration from its statements.
    /// - Parameter sql: statements, each ending with a semicolon at the end of a line.
    public init(_ name: String, _ sql: String) {
        self.name = name
        statements = sql.split(separator: ";\n", omittingEmptySubsequences: true)
            .map { $0.trimmingSuffix(while: { $0.isWhitespace || $0 == ";" }) }
            .map { String($0.drop(while: \.isWhitespace)) }
            .filter { !$0.isEmpty }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}

/// The migrations of one owner (a feature, or the kernel), in the order of application.
public struct MigrationSet: Sendable {
    public let owner: String
    public let migrations: [Migration]
    /// The tables whose rows the engine refuses to change or delete. Each engine does so in its own way, because
    /// triggers are not part of the SQL that the engines share.
    public let appendOnly: [String]

    public init(owner: String, migrations: [Migration], appendOnly: [String] = []) {
        self.appendOnly = appendOnly
        self.owner = owner
        self.migrations = migrations
    }
}

/// The times at which deleted data is removed from the disk by rewriting databases: small ones at once, large ones at
/// night.
public enum PurgeLimit {
    /// The size in bytes up to which a database is rewritten at once. That takes about a second, and writes wait as
    /// long (`docs/decisions/0031`).
    public static let daytime = 64 << 20
    /// The hours of the night in which larger databases are rewritten, in the school's time zone.
    public static let night = 1..<5
    /// Seconds after which a database is rewritten at any hour, because this server may never run at night.
    static let patience: TimeInterval = 2 * 86_400

    /// Returns the size of the largest database that may be rewritten now, in bytes; `nil` for any size.
    /// - Parameter since: when the oldest of the deletions that wait was made.
    public static func bytes(now: Date, since: Date?, in timeZone: TimeZone = .gmt) -> Int? {
        if let since, now.timeIntervalSince(since) >= patience { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return night.contains(calendar.component(.hour, from: now)) ? nil : daytime
    }

    /// Returns the end of the next night, by which databases that are too large for the day are rewritten at the
    /// latest.
    public static func end(after now: Date, in timeZone: TimeZone = .gmt) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar.nextDate(
            after: now, matching: DateComponents(hour: night.upperBound, minute: 0), matchingPolicy: .nextTime)
            ?? now + 86_400
    }
}
