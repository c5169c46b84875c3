import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Where the reads of one database run: one hop there and one back. GRDB's own asynchronous read hops twice each way,
/// which costs more than most reads.
final class ReaderThreads: Sendable {
    private let queues: [DispatchQueue]
    /// How many reads wait or run on each.
    private let loads: Mutex<[Int]>

    /// - Parameter count: as many as the pool has connections, so that none waits for another's thread.
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
                    // The first of the least loaded: its thread and its connection are warm.
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

/// A read that its caller may give up: the engine stops in mid-statement, and never in the next one's.
private final class Reading: Sendable {
    private struct State {
        /// Its address. Interrupting is what the engine allows from any thread while the connection lives, which `end`
        /// bounds.
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
