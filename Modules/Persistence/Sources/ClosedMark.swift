import FeatureKit
import GRDB
import GRDBSQLite

/// The mark with which a school's file takes no writes: the number in the file's head that SQLite leaves to programs
/// (https://sqlite.org/pragma.html, `application_id`).
///
/// It changes within a transaction like any content of the file, so that each write transaction sees it in its turn,
/// whichever process begins it. It is no table, so that a closed file has the same tables as an open one.
enum ClosedMark {
    /// "PTcl".
    private static let closed: Int32 = 0x5054_636C

    /// Whether the file takes writes. Costs a look into a page that the connection has in memory.
    static func isOpen(_ database: GRDB.Database) throws -> Bool {
        let handle = try database.cachedStatement(sql: "PRAGMA application_id").sqliteStatement
        defer { sqlite3_reset(handle) }
        guard sqlite3_step(handle) == SQLITE_ROW else {
            throw DatabaseFault(
                code: sqlite3_errcode(database.sqliteConnection), message: "", sql: "PRAGMA application_id")
        }
        return sqlite3_column_int(handle, 0) != closed
    }

    /// Sets the mark within the transaction of the caller, or in one of its own.
    static func set(_ isOpen: Bool, _ database: GRDB.Database) throws {
        try database.execute(sql: "PRAGMA application_id = \(isOpen ? 0 : closed)")
    }
}
