import FeatureKit
import Foundation
import GRDBSQLite

/// Puts the content of one database file into another in one transaction, for all who have it open.
///
/// In steps, unlike GRDB's backup: between the last but one and the last, the content of another database can be made to
/// fit. From the beginning to `commit` or `abandon` nobody else writes to the target; readers see its old state.
final class SchoolReplacement: @unchecked Sendable {  // Used by one thread at a time, in order.
    /// Milliseconds to wait for those who write.
    private static let patience: Int32 = 30_000

    private var target: OpaquePointer?
    private var source: OpaquePointer?
    private var backup: OpaquePointer?

    /// Locks the target against writes. The source takes over whether the target takes writes afterwards.
    init(of targetFile: URL, by sourceFile: URL) throws {
        do {
            try Self.open(targetFile, &target)
            try Self.open(sourceFile, &source)
            backup = sqlite3_backup_init(target, "main", source, "main")
            guard backup != nil else { throw fault(sqlite3_errcode(target)) }
            // No page is copied yet, and the target is locked.
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

    /// Copies what is left and commits; on disk when this returns.
    func commit() throws {
        let code = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        backup = nil
        defer { abandon() }
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw fault(code == SQLITE_DONE ? end : code) }
    }

    /// Leaves the target as it was.
    func abandon() {
        // What these return repeats the fault of a step, which was thrown already.
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
