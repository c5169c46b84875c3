import FeatureKit
import GRDB
import GRDBSQLite

extension DatabaseFault {
    /// Translates a result code of SQLite.
    ///
    /// - Parameters:
    ///   - code: An extended result code (https://sqlite.org/rescode.html).
    ///   - message: SQLite's message. Used only for codes whose messages contain no values.
    ///   - sql: The statement with its `$n` placeholders, for the log.
    init(code: Int32, message: String, sql: String?) {
        let place = sql.map { " in: \($0)" } ?? ""
        switch code {
        case SQLITE_CONSTRAINT | (8 << 8), SQLITE_CONSTRAINT | (6 << 8), SQLITE_CONSTRAINT | (10 << 8):
            // SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _ROWID: "UNIQUE constraint failed: people.email".
            self = .notUnique(message)
            return
        default: break
        }
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: self = .constraint(message)
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN:
            self = .cannotWrite("\(DatabaseFault.name(of: code)) (\(code))\(place)")
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
        // A message of SQLITE_ERROR may contain values when a function fails at run time, so it is left out here.
        // `init(preparing:sql:)` includes it: a statement that is only prepared has no values.
        default: self = .other("\(DatabaseFault.name(of: code)) (\(code))\(place)")
        }
    }

    /// Creates the fault for a statement that SQLite could not prepare. Its text has `$n` in place of values.
    init(preparing error: DatabaseError, sql: String) {
        if error.resultCode == .SQLITE_ERROR {
            self = .other("\(error.message ?? "cannot be prepared") in: \(sql)")
        } else {
            self.init(error, sql: sql)
        }
    }

    init(_ error: DatabaseError, sql: String? = nil) {
        self.init(code: error.extendedResultCode.rawValue, message: error.message ?? "", sql: sql ?? error.sql)
    }

    private static func name(of code: Int32) -> String {
        sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown"
    }

    /// Returns the error that callers of the port see: GRDB's errors become faults, others stay as they are.
    static func translating(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT: CancellationError()
        case let error as DatabaseError: DatabaseFault(error)
        default: error
        }
    }
}
