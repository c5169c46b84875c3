import FeatureKit
import GRDB
import GRDBSQLite

extension DatabaseFault {
    /// - Parameters:
    ///   - code: an extended result code (https://sqlite.org/rescode.html).
    ///   - message: the engine's text; used only where it is known to name no values.
    ///   - sql: the statement with its `$n`, for the log.
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
        // SQLITE_ERROR comes from preparing a statement, whose text holds no values, or from a function
        // at run time, whose message may: only the former is told.
        default: self = .other("\(DatabaseFault.name(of: code)) (\(code))\(place)")
        }
    }

    /// A statement that the engine did not understand. Its text has `$n` where the values are.
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

    /// The error as callers of the port see it: GRDB's own become faults, all others stay what they are.
    static func translating(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT: CancellationError()
        case let error as DatabaseError: DatabaseFault(error)
        default: error
        }
    }
}
