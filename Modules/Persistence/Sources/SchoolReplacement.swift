import FeatureKit
import Foundation
import GRDBSQLite

/// Replaces the content of a database file with that of another, in one transaction for every open connection.
///
/// Unlike GRDB's backup it works in steps, so that other work can succeed or fail before the last page is copied. From
/// `init` to `commit` or `abandon` the target is locked against writes; readers see its old state.
final class SchoolReplacement: @unchecked Sendable {  // Used by one thread at a time, in order.
    /// Milliseconds to wait for other writers.
    private static let patience: Int32 = 30_000

    private var target: OpaquePointer?
    private var source: OpaquePointer?
    private var backup: OpaquePointer?

    /// Locks the target against writes. The source takes over the target's mark of closed files.
    init(of targetFile: URL, by sourceFile: URL) throws {
        do {
            try Self.open(targetFile, &target)
            try Self.open(sourceFile, &source)
            backup = sqlite3_backup_init(target, "main", source, "main")
            guard backup != nil else { throw fault(sqlite3_errcode(target)) }
            // Copies no page yet, but locks the target.
            try step(0)
            try SQLiteSchoolFile.setWritable(SQLiteSchoolFile.isWritable(targetFile), sourceFile)
        } catch {
            abandon()
            throw error
        }
    }

    deinit { abandon() }

    func copyAllButTheLastPage() throws {
        let pages = sqlite3_backup_pagecount(backup)
        if pages > 1 { try step(pages - 1) }
    }

    /// Copies the remaining pages and commits. Synced to disk when this returns.
    func commit() throws {
        let code = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        backup = nil
        defer { abandon() }
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw fault(code == SQLITE_DONE ? end : code) }
    }

    /// Leaves the target unchanged and closes both files.
    func abandon() {
        // Their result codes repeat the fault of a step, which was thrown already.
        sqlite3_backup_finish(backup)
        sqlite3_close_v2(target)
        sqlite3_close_v2(source)
        (backup, target, source) = (nil, nil, nil)
    }

    private func step(_ pages: Int32) throws {
        let code = sqlite3_backup_step(backup, pages)
        guard code == SQLITE_OK || code == SQLITE_DONE else { throw fault(code) }
    }

    private static func open(_ file: URL, _ handle: inout OpaquePointer?) throws {
        let code = sqlite3_open_v2(file.path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, nil)
        guard code == SQLITE_OK else { throw DatabaseFault(code: code, message: "", sql: nil) }
        sqlite3_busy_timeout(handle, patience)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    }

    private func fault(_ code: Int32) -> DatabaseFault { DatabaseFault(code: code, message: "", sql: nil) }
}
