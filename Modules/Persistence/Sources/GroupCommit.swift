import FeatureKit
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// A write that waits for its turn.
struct PendingWrite: Sendable {
    let isCancelled: @Sendable () -> Bool
    /// Does the work and returns how to tell the caller that it succeeded.
    let run: @Sendable (SQLiteSession) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
}

/// Runs the writes of one database, as many as wait together in one transaction
/// (docs/decisions/0004): the disk is asked to be sure once for all of them.
///
/// Runs on the queue of GRDB's writer, never on a thread of Swift's pool.
final class GroupCommit: Sendable {
    /// Bounds how long the first of a group waits for the last.
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

    /// How many writes wait and how many groups were committed, for tests.
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

    /// A write of the group whose work is in the transaction, or was taken out of it.
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
            // Within the transaction, so that no write is committed after the one that closed the file.
            guard try ClosedMark.isOpen(database) else { throw DatabaseFault.closed }
            for (index, write) in group.enumerated() {
                if write.isCancelled() {
                    attempts.append(Attempt(write: write, result: .failure(CancellationError())))
                    continue
                }
                attempts.append(try attempt(write, in: database))
                if !database.isInsideTransaction {
                    // The engine gave up the whole transaction (a full disk). Those that have not run
                    // yet may fit into one of their own.
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
            // Also those that failed by themselves: what they saw of the others never came to be.
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

    /// Runs one write in a savepoint of its own. Throws only where the transaction as a whole is lost.
    private func attempt(_ write: PendingWrite, in database: GRDB.Database) throws -> Attempt {
        let session = SQLiteSession(database, mayWrite: true)
        try control("SAVEPOINT command", database)
        do {
            defer { session.end() }
            let succeed = try write.run(session)
            // A deferred foreign key would fail the COMMIT, and with it the writes of others.
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

    /// Ends the transaction after a failure, whichever way the engine left it.
    private func abandon(_ database: GRDB.Database) {
        guard database.isInsideTransaction else { return }
        do {
            try control("ROLLBACK", database)
        } catch {
            // The connection is beyond repair by us. The next BEGIN fails and tells its callers so; a
            // reopened file shows the last commit.
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
