import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Persistence

let notes = [
    MigrationSet(
        owner: "notes",
        migrations: [
            Migration("001-notes", "CREATE TABLE notes (id BIGINT PRIMARY KEY, body TEXT NOT NULL);\n")
        ])
]

func write(_ id: Int, _ body: String = "body", in database: any Database) async throws {
    try await database.write { try $0.execute("INSERT INTO notes (id, body) VALUES (\(id), \(body))") }
}

func count(_ database: any Database) async throws -> Int {
    try await database.read { try $0.value("SELECT COUNT(*) FROM notes") } ?? -1
}

@Suite("A SQLite database")
struct SQLiteDatabaseTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    func open(
        _ name: String = "notes.sqlite", _ migrations: [MigrationSet] = notes,
        _ adapt: (inout SQLiteConfiguration) -> Void = { _ in }
    ) async throws -> SQLiteDatabase {
        var configuration = SQLiteConfiguration()
        adapt(&configuration)
        return try await SQLiteDatabase.open(
            at: folder.file(name), migrations: migrations, configuration: configuration)
    }

    @Test("a database uses a write-ahead log, syncs at every commit and checks foreign keys")
    func settings() async throws {
        let database = try await open()
        #expect(try await database.setting("journal_mode") == "wal")
        #expect(try await database.setting("synchronous") == "2")
        #expect(try await database.setting("foreign_keys") == "1")
        #expect(try await database.setting("cache_size") == "-512")
        // The settings hold after other writes and after memory was released.
        try await write(1, in: database)
        database.shrink()
        try await write(2, in: database)
        #expect(try await database.setting("synchronous") == "2")
        #expect(try await count(database) == 2)
    }

    @Test("data written before a restart is there after it")
    func reopens() async throws {
        let first = try await open()
        try await write(1, "Łódź", in: first)
        try await first.close()
        let second = try await open()
        let body: String? = try await second.read { try $0.value("SELECT body FROM notes WHERE id = 1") }
        #expect(body == "Łódź")
    }

    @Test("the stamp changes after every commit of any process, and after nothing else")
    func stamps() async throws {
        let mine = try await open()
        try await write(0, in: mine)
        let other = try await open()
        var seen: Set<DatabaseStamp> = [try #require(try await mine.stamp())]
        for id in 1...20 {
            try await write(id, in: id % 4 == 0 ? other : mine)
            let stamp = try #require(try await mine.stamp())
            #expect(seen.insert(stamp).inserted, "commit \(id) does not show")
            _ = try await count(mine)
            await #expect(throws: DatabaseFault.self) { try await write(0, in: mine) }
            #expect(try await count(mine) == id + 1)
        }
        let before = try await mine.stamp()
        _ = try await count(mine)
        #expect(try await mine.stamp() == before)
        try await mine.close()
        try await other.close()
        let again = try await open()
        try await write(100, in: again)
        #expect(seen.insert(try #require(try await again.stamp())).inserted, "a new opening counts anew")
    }

    @Test(
        "canceling a read interrupts its statement and leaves the connection usable",
        .timeLimit(.minutes(1)))
    func stopsReading() async throws {
        let database = try await open { $0.readers = 1 }
        try await write(1, in: database)
        let started = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            try await database.read { sql in
                started.continuation.yield()
                // Counts for hours.
                return try sql.rows(
                    """
                    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000000000)
                    SELECT COUNT(*) FROM numbers
                    """
                ).count
            }
        }
        var first = started.stream.makeAsyncIterator()
        _ = await first.next()
        // Waits until the statement runs; before, there is nothing to interrupt.
        try await Task.sleep(for: .milliseconds(500))
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(try await count(database) == 1)
        try await database.close()
    }

    @Test("a read that is canceled before its turn never begins")
    func neverBeginsReading() async throws {
        let database = try await open()
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await database.read { _ in Issue.record("it began") }
        }
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(try await count(database) == 0)
    }

    @Test("a closed database refuses work and can be closed twice")
    func closes() async throws {
        let database = try await open()
        try await database.close()
        try await database.close()
        await #expect(throws: DatabaseFault.self) { try await count(database) }
        await #expect(throws: DatabaseFault.self) { try await write(1, in: database) }
    }

    @Test("closing a database finishes the work that it has accepted")
    func closesAfterWork() async throws {
        let database = try await open { $0.commitDelay = .milliseconds(5) }
        let started = AsyncStream.makeStream(of: Void.self)
        let writes = (0..<20).map { id in
            Task {
                try await database.write { sql in
                    try sql.execute("INSERT INTO notes (id, body) VALUES (\(id), 'x')")
                    started.continuation.yield()
                }
            }
        }
        var first = started.stream.makeAsyncIterator()
        _ = await first.next()
        try await database.close()
        var storedCount = 0
        for write in writes {
            if case .success = await write.result { storedCount += 1 }
        }
        #expect(storedCount > 0)
        #expect(try await count(open()) == storedCount)
    }

    @Test("writes that wait together are committed together")
    func groups() async throws {
        let database = try await open()
        let (gate, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // While the first write holds the writer, the others queue up.
        let first = Task {
            try await database.write { _ in
                opened.signal()
                gate.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                opened.wait()
                continuation.resume()
            }
        }
        let before = database.commitCount
        let writes = (0..<40).map { id in Task { try await write(id, in: database) } }
        while database.waitingWrites < 40 { await Task.yield() }
        gate.signal()
        try await first.value
        for write in writes { try await write.value }
        #expect(try await count(database) == 40)
        // The first, and the forty together.
        #expect(database.commitCount - before == 2)
    }

    @Test("a thousand writers on a slow disk need few commits")
    func slowDisk() async throws {
        let database = try await open { $0.commitDelay = .milliseconds(5) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<1000 { group.addTask { try await write(id, in: database) } }
            try await group.waitForAll()
        }
        #expect(try await count(database) == 1000)
        #expect(database.commitCount < 125)
    }

    @Test("a full file rejects the whole write and stays readable")
    func full() async throws {
        let database = try await open { $0.maximumPages = 30 }
        var storedCount = 0
        var fault: (any Error)?
        while fault == nil {
            do {
                try await write(storedCount, String(repeating: "x", count: 3000), in: database)
                storedCount += 1
            } catch {
                fault = error
            }
        }
        guard case .cannotWrite = fault as? DatabaseFault else {
            Issue.record("expected cannotWrite, got \(String(describing: fault))")
            return
        }
        #expect(storedCount > 5)
        #expect(try await count(database) == storedCount)
        // Writing works again after rows were deleted.
        try await database.write { try $0.execute("DELETE FROM notes") }
        try await write(1, in: database)
        #expect(try await count(database) == 1)
    }

    @Test("a write that fills the file fails as a whole, alone or with its group")
    func fullGroup() async throws {
        let database = try await open { $0.maximumPages = 40 }
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for id in 0..<60 {
                group.addTask {
                    do {
                        try await write(id, String(repeating: "x", count: id % 7 == 0 ? 60_000 : 200), in: database)
                        return (id, true)
                    } catch {
                        #expect(error is DatabaseFault)
                        return (id, false)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (id, succeeded) in outcomes {
            let isThere = try await database.read { try $0.exists("SELECT id FROM notes WHERE id = \(id)") }
            #expect(isThere == succeeded)
        }
        #expect(outcomes.values.contains(true))
        #expect(outcomes.values.contains(false))
    }

    @Test("a write throws a busy fault while another process holds the file, and succeeds afterwards")
    func locked() async throws {
        let database = try await open { $0.busyTimeout = .milliseconds(20) }
        let other = try await open { $0.busyTimeout = .milliseconds(20) }
        let (gate, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let holder = Task {
            try await other.write { sql in
                try sql.execute("INSERT INTO notes (id, body) VALUES (1, 'held')")
                opened.signal()
                gate.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                opened.wait()
                continuation.resume()
            }
        }
        await #expect(throws: DatabaseFault.busy) { try await write(2, in: database) }
        // Reads go on, before the other's commit.
        #expect(try await count(database) == 0)
        gate.signal()
        try await holder.value
        try await write(2, in: database)
        #expect(try await count(database) == 2)
    }

    @Test("a file that is no database is refused and left unchanged")
    func garbage() async throws {
        let bytes = Data(repeating: 0x41, count: 8192)
        try bytes.write(to: folder.file("notes.sqlite"))
        await #expect(throws: DatabaseFault.self) { try await open() }
        #expect(try Data(contentsOf: folder.file("notes.sqlite")) == bytes)
    }

    @Test("a session refuses work after its transaction has ended")
    func expiredSession() async throws {
        let database = try await open()
        let escaped = Escaped()
        try await database.write { escaped.sql = $0 as? SQLiteSession }
        #expect(throws: DatabaseFault.self) { try escaped.sql?.rows("SELECT 1") }
    }

    // NB: deliberately unsafe, to do what the compiler forbids everywhere else.
    private final class Escaped: @unchecked Sendable {
        var sql: SQLiteSession?
    }

    @Test("a statement takes thousands of parameters, and a dollar sign in a text stays text")
    func longLists() async throws {
        let database = try await open()
        for id in 1...3 { try await write(id, "costs $\(id)", in: database) }
        let ids = Array(2...5_000)
        let found: [String] = try await database.read { sql in
            try sql.rows(
                "SELECT body FROM notes WHERE id IN \(list: ids) AND body <> 'it''s $1' AND body <> \("costs $3")"
            ).map { try $0.get("body") }
        }
        #expect(found == ["costs $2"])
        #expect(SQLiteSession.unnumbered("a = $1 AND b = '$2' AND c = $2") == "a = ? AND b = '$2' AND c = ?")
        #expect(SQLiteSession.unnumbered("a = $2 OR b = $1") == "a = $2 OR b = $1")
        #expect(SQLiteSession.unnumbered("a = $1 OR b = $1") == "a = $1 OR b = $1")
        #expect(SQLiteSession.unnumbered("a = $12345678901234567890") == "a = $12345678901234567890")
    }

    @Test("a query plan shows full scans")
    func plans() async throws {
        let database = try await open()
        try await expectIndexed("SELECT body FROM notes WHERE id = \(1)", in: database)
        await withKnownIssue {
            try await expectIndexed("SELECT id FROM notes WHERE body = \("x")", in: database)
        }
        try await expectIndexed(
            "SELECT id FROM notes WHERE body = \("x")", in: database, allowing: ["notes"])
    }
}
