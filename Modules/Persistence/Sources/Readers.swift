import Dispatch
import FeatureKit
import GRDB
import GRDBSQLite
import Synchronization

/// Runs the reads of one database, as many at once as it has readers, on threads that may wait for the disk.
///
/// To wake a thread takes longer than most reads. GRDB's asynchronous `read` wakes four in turn (one that waits for
/// a reader, the caller's, the reader's, the caller's again), this wakes two.
final class Readers: Sendable {
    private struct State {
        var idle: [DispatchQueue]
        var waiting: [@Sendable () -> Void] = []
    }
    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(idle: (0..<max(1, count)).map { DispatchQueue(label: "persistence.reader.\($0)") }))
    }

    /// Runs `read` as soon as a reader is free, in the order of the calls.
    func enqueue(_ read: @escaping @Sendable () -> Void) {
        let queue = state.withLock { state in
            let queue = state.idle.popLast()
            if queue == nil { state.waiting.append(read) }
            return queue
        }
        queue?.async { [self] in
            read()
            while let another = next(on: queue) { another() }
        }
    }

    /// What waits longest; where nothing does, the queue is idle from here on.
    private func next(on queue: DispatchQueue?) -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.waiting.isEmpty {
                if let queue { state.idle.append(queue) }
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}

/// One read, which its caller may give up while it waits or in the middle of its work.
final class Reading: Sendable {
    private struct State {
        var isGivenUp = false
        /// The address of the engine's connection while it works on this read.
        var connection: UInt?
    }
    private let state = Mutex(State())

    /// Runs the work on a snapshot of its own; throws what the port names.
    func run<Value>(_ work: (any SQLReading) throws -> Value, on pool: DatabasePool) throws -> Value {
        do {
            return try pool.read { database in
                let connection = database.sqliteConnection.map { UInt(bitPattern: $0) }
                state.withLock { $0.connection = connection }
                let session = SQLiteSession(database, mayWrite: false) { [self] in state.withLock(\.isGivenUp) }
                defer {
                    session.end()
                    state.withLock { $0.connection = nil }
                }
                return try work(session)
            }
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    /// Ends the statement that runs, if any, and refuses those after it.
    ///
    /// Any thread may interrupt an open connection (https://sqlite.org/c3ref/interrupt.html); the lock sees to it that
    /// the next read on it is left alone.
    func giveUp() {
        state.withLock { state in
            state.isGivenUp = true
            if let connection = state.connection { sqlite3_interrupt(OpaquePointer(bitPattern: connection)) }
        }
    }
}
