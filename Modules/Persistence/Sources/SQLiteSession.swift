import FeatureKit
import GRDB
import GRDBSQLite

/// A connection as one closure sees it: a snapshot, or a part of a transaction.
///
/// Rows go from the C interface straight into `SQLRow`. GRDB's own row type takes about twice as long and is not needed
/// behind the port.
final class SQLiteSession: SQLWriting {
    private let database: GRDB.Database
    private let mayWrite: Bool
    private var hasEnded = false
    private(set) var actions: [@Sendable () -> Void] = []

    init(_ database: GRDB.Database, mayWrite: Bool) {
        self.database = database
        self.mayWrite = mayWrite
    }

    /// Makes all later calls throw: they would run outside the transaction.
    func end() { hasEnded = true }

    func afterCommit(_ action: @escaping @Sendable () -> Void) { actions.append(action) }

    func rows(_ sql: FeatureKit.SQL) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try run(sql) { handle, columns in
            rows.append(
                SQLRow(columns: columns, values: (0..<Int32(columns.count)).map { SQLiteSession.value(handle, $0) })
            )
        }
        return rows
    }

    @discardableResult
    func execute(_ sql: FeatureKit.SQL) throws -> Int {
        try run(sql) { _, _ in }
        return Int(sqlite3_changes(database.sqliteConnection))
    }

    private func run(_ sql: FeatureKit.SQL, _ eachRow: (OpaquePointer, [String]) -> Void) throws {
        guard !hasEnded else { throw DatabaseFault.other("a session was used after its transaction: \(sql.text)") }
        guard SQLiteSession.isOrdinary(sql.text) else {
            throw DatabaseFault.other(
                "only SELECT, WITH, VALUES, INSERT, UPDATE and DELETE run inside a transaction, not: \(sql.text)")
        }
        let statement = try prepare(sql)
        let handle = statement.sqliteStatement
        guard mayWrite || sqlite3_stmt_readonly(handle) != 0 else {
            throw DatabaseFault.other("a read may not change anything: \(sql.text)")
        }
        guard Int(sqlite3_bind_parameter_count(handle)) == sql.values.count else {
            throw DatabaseFault.other("\(sql.values.count) values do not fit the parameters of: \(sql.text)")
        }
        defer {
            // Their result codes repeat the fault of the step, which was thrown already.
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in sql.values.enumerated() {
            let code = SQLiteSession.bind(value, Int32(index + 1), handle)
            guard code == SQLITE_OK else { throw fault(code, sql) }
        }
        while true {
            let code = sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: eachRow(handle, statement.columnNames)
            case SQLITE_DONE: return
            case SQLITE_INTERRUPT: throw CancellationError()
            default: throw fault(code, sql)
            }
        }
    }

    /// Prepares a statement, or takes it from the connection's cache. A statement with many values is most often a list
    /// of varying length. Each length would fill a cache entry, so it is prepared anew.
    private func prepare(_ sql: FeatureKit.SQL) throws -> Statement {
        do {
            return sql.values.count <= 24
                ? try database.cachedStatement(sql: sql.text)
                : try database.makeStatement(sql: SQLiteSession.unnumbered(sql.text))
        } catch let error as DatabaseError {
            throw DatabaseFault(preparing: error, sql: sql.text)
        }
    }

    /// Returns the statement with `?` in place of each `$n`.
    ///
    /// SQLite searches its list of parameter names for each parameter, twice: a list of 2,000 ids took 20 ms.
    /// Parameters without names need no list.
    static func unnumbered(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var (index, next, isQuoted) = (0, 1, false)
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            let digits = bytes[index...].prefix { (0x30...0x39).contains($0) }
            guard byte == UInt8(ascii: "$"), !isQuoted, !digits.isEmpty else {
                plain.append(byte)
                continue
            }
            // Parameters out of order or repeated keep their numbers.
            guard Int(String(decoding: digits, as: UTF8.self)) == next else { return text }
            plain.append(UInt8(ascii: "?"))
            next += 1
            index = digits.endIndex
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private func fault(_ code: Int32, _ sql: FeatureKit.SQL) -> DatabaseFault {
        let message = sqlite3_errmsg(database.sqliteConnection).map { String(cString: $0) } ?? ""
        return DatabaseFault(code: code, message: message, sql: sql.text)
    }

    // MARK: - Values

    // SQLITE_TRANSIENT is a macro that Swift does not import. SQLite copies what is bound.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private static func bind(_ value: SQLValue, _ index: Int32, _ handle: OpaquePointer) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .double(let number): return sqlite3_bind_double(handle, index, number)
        case .text(""):
            // An empty buffer may have no address, which SQLite would take for NULL.
            return sqlite3_bind_text(handle, index, "", 0, transient)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    sqlite3_bind_text64(
                        handle, index, characters.baseAddress, sqlite3_uint64(characters.count), transient,
                        UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob64(handle, index, $0.baseAddress, sqlite3_uint64($0.count), transient)
            }
        }
    }

    private static func value(_ handle: OpaquePointer, _ index: Int32) -> SQLValue {
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(handle, index) else { return .text("") }
            let count = Int(sqlite3_column_bytes(handle, index))
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let start = sqlite3_column_blob(handle, index) else { return .blob([]) }
            let count = Int(sqlite3_column_bytes(handle, index))
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }

    /// Whether a statement is a query or a change of rows. Statements that touch the transaction, the file or the
    /// schema are not.
    private static func isOrdinary(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.firstIndex(where: { $0 > 0x20 }) else { return false }
            let end = bytes[start...].firstIndex { $0 < 0x41 } ?? bytes.endIndex
            return ordinary.contains { word in
                word.count == end - start && word.indices.allSatisfy { bytes[start + $0] & 0xDF == word[$0] }
            }
        }
    }
    private static let ordinary = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "VALUES"].map { Array($0.utf8) }
}
