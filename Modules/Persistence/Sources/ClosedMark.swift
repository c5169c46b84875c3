import FeatureKit
import GRDB
import GRDBSQLite

/// A mark in a school's file that makes the file refuse writes.
///
/// The mark is the `application_id` in the SQLite header (https://sqlite.org/pragma.html). It changes inside a
/// transaction like any other content, so every later write transaction of any process sees it. It needs no table, so a
/// closed file has the same schema as an open one.
enum ClosedMark {
    /// The value of `application_id` in a closed file: "PTcl" in ASCII.
    private static let closed: Int32 = 0x5054_636C

    /// Returns whether the file accepts writes. Reads one page that is normally cached.
    static func isOpen(_ database: GRDB.Database) throws -> Bool {
        let handle = try database.cachedStatement(sql: "PRAGMA application_id").sqliteStatement
        defer { sqlite3_reset(handle) }
        guard sqlite3_step(handle) == SQLITE_ROW else {
            throw DatabaseFault(
                code: sqlite3_errcode(database.sqliteConnection), message: "", sql: "PRAGMA application_id")
        }
        return sqlite3_column_int(handle, 0) != closed
    }

    /// Sets the mark within the caller's database transaction, or in one of its own if there is none.
    static func set(_ isOpen: Bool, _ database: GRDB.Database) throws {
        try database.execute(sql: "PRAGMA application_id = \(isOpen ? 0 : closed)")
    }
}
