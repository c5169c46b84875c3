public import Foundation

/// The Database port: one school's database, or the directory. A handle opened for one school
/// cannot reach another.
///
/// Work inside is synchronous, so that nothing can hold a transaction across a wait. SQL must be of
/// the part that SQLite and PostgreSQL share (docs/decisions/0003).
public protocol Database: Sendable {
    /// Runs reads against one unchanging snapshot.
    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLReading) throws -> Value) async throws -> Value

    /// The same for a row or a few by their keys: a read so brief that handing it to another thread costs more than the
    /// work. An engine within this process runs it on the caller's.
    func readInline<Value: Sendable>(_ work: @escaping @Sendable (any SQLReading) throws -> Value) async throws
        -> Value

    /// Runs one write transaction: all of it is on disk when this returns, or none of it where it
    /// throws. Concurrent calls may share one commit, yet each fails or succeeds alone.
    @discardableResult
    func write<Value: Sendable>(_ work: @escaping @Sendable (any SQLWriting) throws -> Value) async throws -> Value

    /// Differs after every commit, by this process or another; `nil` where the engine cannot tell cheaply.
    func stamp() async throws -> DatabaseStamp?

    /// Takes what was deleted off the disk: afterwards the files of this database hold nothing but its rows. Readers go on;
    /// writers wait until it is done. Safe to repeat.
    /// - Parameter limit: a larger database, in bytes, is left for another time; `nil` takes any.
    /// - Returns: whether it is done. It is not where the database is larger, or where a reader still needs the old state.
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

/// A state of a database, to be compared with another of the same one.
public struct DatabaseStamp: Hashable, Sendable {
    private let numbers: [Int64]

    public init(_ numbers: [Int64]) { self.numbers = numbers }
}

/// Reads within a snapshot or a transaction. Not to be kept beyond the closure that receives it.
public protocol SQLReading {
    func rows(_ sql: SQL) throws -> [SQLRow]
}

/// Changes within a transaction. Not to be kept beyond the closure that receives it.
public protocol SQLWriting: SQLReading {
    /// Returns how many rows were changed.
    @discardableResult
    func execute(_ sql: SQL) throws -> Int

    /// Runs `action` after this transaction is on disk, in the order of commits, before the caller of
    /// `write` goes on; never where the transaction failed. It must be quick.
    func afterCommit(_ action: @escaping @Sendable () -> Void)
}

extension SQLReading {
    /// The first row, `nil` where there is none.
    public func row(_ sql: SQL) throws -> SQLRow? { try rows(sql).first }

    public func exists(_ sql: SQL) throws -> Bool { try !rows(sql).isEmpty }

    /// The first column of the first row.
    public func value<Value: SQLConvertible>(_ sql: SQL, as type: Value.Type = Value.self) throws -> Value? {
        guard let row = try rows(sql).first, let first = row.values.first, first != .null else { return nil }
        guard let value = Value(sqlValue: first) else {
            throw DatabaseFault.unexpectedColumn("\(row.columns.first ?? "?") is not a \(Value.self)")
        }
        return value
    }
}

/// A row of a result. Column names are shared by all rows of one result.
public struct SQLRow: Sendable {
    public let columns: [String]
    public let values: [SQLValue]

    public init(columns: [String], values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// The column's value; throws where the column is missing, null, or of another type.
    // Inlinable, so that each block has it for its own types: a list is made of thousands of these.
    @inlinable
    public func get<Value: SQLConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value: Value = try optional(column) else {
            throw DatabaseFault.unexpectedColumn("\(column) is null or missing")
        }
        return value
    }

    /// The column's value, `nil` where it is null.
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

/// What an engine may refuse, in terms that both engines share.
public enum DatabaseFault: Error, Sendable, Equatable {
    /// A unique key holds the value already; the text names the constraint, never the value.
    case notUnique(String)
    /// A referenced row is missing, or a check failed.
    case constraint(String)
    /// The disk is full or cannot be written; nothing of the transaction was kept.
    case cannotWrite(String)
    /// Another process holds the database for longer than it was waited for.
    case busy
    /// No database of that school exists.
    case missing
    /// The school's file takes no writes because the school is closed (`SchoolFiles.setWritable`).
    case closed
    /// The database file does not hold together.
    case damaged
    case unexpectedColumn(String)
    case other(String)
}

/// One numbered change of a database's structure: literal SQL, never edited once landed.
public struct Migration: Sendable, Hashable {
    /// Unique within its feature, in the order of application: `001-people`.
    public let name: String
    public let statements: [String]

    /// - Parameter sql: statements that end with a semicolon at a line's end.
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

/// The migrations of one owner (a feature, or the kernel), applied in order.
public struct MigrationSet: Sendable {
    public let owner: String
    public let migrations: [Migration]
    /// Tables in which the engine itself refuses to change or remove a row, whoever asks; each engine in its
    /// own way, since triggers are not of the part that engines share.
    public let appendOnly: [String]

    public init(owner: String, migrations: [Migration], appendOnly: [String] = []) {
        self.appendOnly = appendOnly
        self.owner = owner
        self.migrations = migrations
    }
}

/// Which databases are written anew at once, because something was deleted for good, and which wait for the night.
public enum PurgeLimit {
    /// Writing a database of this size anew takes about a second, and writers wait for as long (`docs/decisions/0031`).
    public static let daytime = 64 << 20
    /// The hours in which a larger one is written anew, in the school's time zone.
    public static let night = 1..<5
    /// Seconds after which it is done at any hour: this server may never run at night.
    static let patience: TimeInterval = 2 * 86_400

    /// The limit that holds now, in bytes; `nil` takes a database of any size.
    /// - Parameter since: when the first of those who wait for it was deleted.
    public static func bytes(now: Date, since: Date?, in timeZone: TimeZone = .gmt) -> Int? {
        if let since, now.timeIntervalSince(since) >= patience { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return night.contains(calendar.component(.hour, from: now)) ? nil : daytime
    }

    /// Until when a larger one is written anew at the latest: the next end of a night.
    public static func end(after now: Date, in timeZone: TimeZone = .gmt) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar.nextDate(
            after: now, matching: DateComponents(hour: night.upperBound, minute: 0), matchingPolicy: .nextTime)
            ?? now + 86_400
    }
}
