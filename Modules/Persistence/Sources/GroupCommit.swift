import FeatureKit
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// A write in the queue of a database's writer.
struct PendingWrite: Sendable {
    let isCancelled: @Sendable () -> Bool
    /// Performs the write and returns a closure that reports success to the caller.
    let run: @Sendable (SQLiteSession) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
}

/// Runs the writes of one database and commits all that are waiting in one transaction.
///
/// The disk is synced once per group instead of once per write (docs/decisions/0004). Runs on the queue of GRDB's
/// writer, never on a thread of Swift's cooperative pool.
final class GroupCommit: Sendable {
    /// The most writes in one group; bounds how long the first waits for the last.
    static let largestGroup = 128

    private struct State {
        var waiting: [PendingWrite] = []
        var isRunning = false
        var commits = 0
    }
    private let state = Mutex(State())
    private let pool: DatabasePool
    private let commitDelay: Duration?

    init(_ pool: DatabasePool, commitDelay: Duration?) {
        self.pool = pool
        self.commitDelay = commitDelay
    }

    /// The number of waiting writes and of committed groups, for tests.
    var counts: (waiting: Int, commits: Int) { state.withLock { ($0.waiting.count, $0.commits) } }

    func enqueue(_ write: PendingWrite) {
        let mustStart = state.withLock { state in
            state.waiting.append(write)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { pool.asyncWriteWithoutTransaction { [self] in drain($0) } }
    }

    private func drain(_ database: GRDB.Database) {
        while let group = takeGroup() { commit(group, in: database) }
    }

    private func takeGroup() -> [PendingWrite]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            let group = Array(state.waiting.prefix(GroupCommit.largestGroup))
            state.waiting.removeFirst(group.count)
            return group
        }
    }

    /// A write of the group and its outcome before the commit.
    private struct Attempt {
        let write: PendingWrite
        let result: Result<@Sendable () -> Void, any Error>
        var actions: [@Sendable () -> Void] = []

        var failure: (any Error)? {
            if case .failure(let error) = result { error } else { nil }
        }
    }

    private func commit(_ group: [PendingWrite], in database: GRDB.Database) {
        var attempts: [Attempt] = []
        do {
            try control("BEGIN IMMEDIATE", database)
            // Checked within the transaction, so that no write commits after the one that closed the file.
            guard try ClosedMark.isOpen(database) else { throw DatabaseFault.closed }
            for (index, write) in group.enumerated() {
                if write.isCancelled() {
                    attempts.append(Attempt(write: write, result: .failure(CancellationError())))
                    continue
                }
                attempts.append(try attempt(write, in: database))
                if !database.isInsideTransaction {
                    // SQLite rolled back the whole transaction, as on a full disk. The writes that have not run yet may
                    // fit into a transaction of their own.
                    state.withLock { $0.waiting.insert(contentsOf: group[(index + 1)...], at: 0) }
                    let fault = attempts.last.flatMap(\.failure) ?? DatabaseFault.cannotWrite("rolled back")
                    for attempt in attempts { attempt.write.fail(fault) }
                    return
                }
            }
            if let commitDelay { Thread.sleep(forTimeInterval: commitDelay / .seconds(1)) }
            try control("COMMIT", database)
            state.withLock { $0.commits += 1 }
        } catch {
            abandon(database)
            let fault = DatabaseFault.translating(error)
            // Writes that failed by themselves get this fault too: they may have read changes that were rolled back.
            for write in group { write.fail(fault) }
            return
        }
        for attempt in attempts { for action in attempt.actions { action() } }
        for attempt in attempts {
            switch attempt.result {
            case .success(let succeed): succeed()
            case .failure(let error): attempt.write.fail(error)
            }
        }
    }

    /// Runs one write in its own savepoint. Throws only if the whole transaction is lost.
    private func attempt(_ write: PendingWrite, in database: GRDB.Database) throws -> Attempt {
        let session = SQLiteSession(database, mayWrite: true)
        try control("SAVEPOINT command", database)
        do {
            defer { session.end() }
            let succeed = try write.run(session)
            // An open deferred foreign key would fail the COMMIT and with it the writes of others.
            guard !hasOpenForeignKeys(database) else {
                throw DatabaseFault.constraint("FOREIGN KEY constraint failed")
            }
            try control("RELEASE command", database)
            return Attempt(write: write, result: .success(succeed), actions: session.actions)
        } catch {
            if database.isInsideTransaction {
                try control("ROLLBACK TO command", database)
                try control("RELEASE command", database)
            }
            return Attempt(write: write, result: .failure(DatabaseFault.translating(error)))
        }
    }

    /// Rolls back after a failure if SQLite has not done so already.
    private func abandon(_ database: GRDB.Database) {
        guard database.isInsideTransaction else { return }
        do {
            try control("ROLLBACK", database)
        } catch {
            // The connection cannot be repaired here. The next BEGIN fails and its callers get the fault; reopening the
            // file shows the last commit.
            assertionFailure("the database could not roll back: \(error)")
        }
    }

    private func control(_ text: String, _ database: GRDB.Database) throws {
        let handle = try database.cachedStatement(sql: text).sqliteStatement
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else {
            let message = sqlite3_errmsg(database.sqliteConnection).map { String(cString: $0) } ?? ""
            throw DatabaseFault(code: code, message: message, sql: text)
        }
    }

    private func hasOpenForeignKeys(_ database: GRDB.Database) -> Bool {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(database.sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return current != 0
    }
}
