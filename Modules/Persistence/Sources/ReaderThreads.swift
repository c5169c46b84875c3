import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// The threads on which the reads of one database run.
///
/// A read hops to a thread and back once. GRDB's own asynchronous read hops twice each way, which costs more than most
/// reads.
final class ReaderThreads: Sendable {
    private let queues: [DispatchQueue]
    /// The number of waiting or running reads of each thread.
    private let loads: Mutex<[Int]>

    /// - Parameter count: The number of reader connections in the pool, so that no read waits for another's thread.
    init(_ count: Int) {
        queues = (0..<count).map { DispatchQueue(label: "persistence.reader.\($0)") }
        loads = Mutex(Array(repeating: 0, count: count))
    }

    func read<Value: Sendable>(
        _ pool: DatabasePool, _ work: @escaping @Sendable (GRDB.Database) throws -> Value
    ) async throws -> Value {
        let reading = Reading()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let number = loads.withLock { loads in
                    // The first of the least loaded threads: its caches and its connection are warm.
                    let number = loads.indices.min { loads[$0] < loads[$1] } ?? 0
                    loads[number] += 1
                    return number
                }
                queues[number].async { [self] in
                    let result = Result {
                        try pool.read { database in
                            try reading.begin(database)
                            defer { reading.end() }
                            return try work(database)
                        }
                    }
                    loads.withLock { $0[number] -= 1 }
                    continuation.resume(with: result)
                }
            }
        } onCancel: {
            reading.cancel()
        }
    }
}

/// A read that can be canceled. Canceling interrupts its own statement, never one of the next read.
private final class Reading: Sendable {
    private struct State {
        /// The address of the SQLite connection. `sqlite3_interrupt` may be called from any thread while the connection
        /// is open, which is so until `end()`.
        var connection: UInt?
        var isCancelled = false
    }
    private let state = Mutex(State())

    func begin(_ database: GRDB.Database) throws {
        let connection = database.sqliteConnection.map { UInt(bitPattern: $0) }
        try state.withLock { state in
            guard !state.isCancelled else { throw CancellationError() }
            state.connection = connection
        }
    }

    func end() { state.withLock { $0.connection = nil } }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let connection = state.connection { sqlite3_interrupt(OpaquePointer(bitPattern: connection)) }
        }
    }
}
