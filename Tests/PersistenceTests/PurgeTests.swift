import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite("Purging deleted rows")
struct PurgeTests {
    private static let migrations = [
        MigrationSet(
            owner: "test",
            migrations: [
                Migration("001-notes", "CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL);\n")
            ])
    ]

    private let folder: TemporaryFolder
    private let database: SQLiteDatabase
    private var file: URL { folder.file("purge.sqlite") }

    init() async throws {
        folder = try TemporaryFolder()
        database = try await SQLiteDatabase.open(at: folder.file("purge.sqlite"), migrations: Self.migrations)
    }

    private func contains(_ text: String) throws -> Bool {
        try ["", "-wal"].contains { end in
            let path = file.path + end
            guard FileManager.default.fileExists(atPath: path) else { return false }
            return try Data(contentsOf: URL(filePath: path)).range(of: Data(text.utf8)) != nil
        }
    }

    /// Writes rows between existing ones, so that pages split and rows move.
    private func write(_ text: String, rows: Int = 2000) async throws {
        for portion in 0..<(rows / 100) {
            try await database.write { sql in
                for number in 0..<100 {
                    let key = (portion * 100 + number) * 7919 % 100_003
                    let filling = String(repeating: "x", count: key % 300)
                    try sql.execute(
                        "INSERT INTO notes (id, text) VALUES (\("\(key) \(text)"), \("\(text) \(key) \(filling)"))")
                }
            }
        }
    }

    @Test("a purge leaves no byte of a deleted row, also where its page was split")
    func leavesNothing() async throws {
        try await write("Keptwell")
        try await write("Zephyrwyn")
        try await database.write { try $0.execute("DELETE FROM notes WHERE text LIKE 'Zephyrwyn%'") }
        #expect(try contains("Zephyrwyn"), "the log has it still, or the test proves nothing")
        #expect(try await database.purge(upTo: nil))
        #expect(try !contains("Zephyrwyn"))
        #expect(try contains("Keptwell"))
        let left = try await database.read { try $0.rows("SELECT id FROM notes").count }
        #expect(left == 2000)
        // Other statements still cannot attach a file.
        await #expect(throws: DatabaseFault.self) {
            try await database.write { _ = try $0.execute("ATTACH 'other.sqlite' AS other") }
        }
        #expect(try await database.setting("secure_delete") == "1")
    }

    @Test("a purge does not wait for readers and completes when it is repeated after them")
    func waitsForNoReader() async throws {
        try await write("Zephyrwyn")
        let database = database
        let began = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let reader = Task {
            try await database.read { sql in
                let count = try sql.rows("SELECT id FROM notes").count
                began.continuation.yield()
                end.wait()
                return count
            }
        }
        for await _ in began.stream { break }
        try await database.write { _ = try $0.execute("DELETE FROM notes") }
        #expect(try await !database.purge(upTo: nil), "the reader needs the log")
        try await database.write { _ = try $0.execute("INSERT INTO notes (id, text) VALUES ('1', 'meanwhile')") }
        end.signal()
        #expect(try await reader.value == 2000)
        #expect(try await database.purge(upTo: nil))
        #expect(try !contains("Zephyrwyn"))
    }

    @Test("a purge skips a database above the size limit")
    func respectsTheLimit() async throws {
        try await write("Zephyrwyn")
        try await database.write { _ = try $0.execute("DELETE FROM notes") }
        #expect(try await !database.purge(upTo: 8192))
        #expect(try await database.purge(upTo: 1 << 30))
        #expect(try !contains("Zephyrwyn"))
    }

    @Test("writes go on during a purge and none is lost")
    func keepsWriting() async throws {
        try await write("Keptwell")
        let database = database
        async let purges = withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<5 { group.addTask { try await database.purge(upTo: nil) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await database.write {
                        _ = try $0.execute("INSERT INTO notes (id, text) VALUES (\("n\(number)"), 'x')")
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = try await purges
        let count = try await database.read { try $0.rows("SELECT id FROM notes").count }
        #expect(count == 2050)
        #expect(try await database.purge(upTo: nil))
    }
}
