import Domain
public import FeatureKit
import Foundation
import Synchronization
public import Testing

/// The contract of the `Database` port. A test suite opens a new database with `migrations` for each check:
///
///     @Test(arguments: DatabaseContract.checks) func fulfillsTheContract(_ check: DatabaseContract.Check) async throws {
///         try await check.run(makeDatabase(DatabaseContract.migrations))
///     }
public enum DatabaseContract {
    /// The table structure that the checks use.
    public static let migrations = [
        MigrationSet(
            owner: "contract",
            migrations: [
                Migration(
                    "001-things",
                    """
                    CREATE TABLE things (
                        id BIGINT PRIMARY KEY,
                        name TEXT UNIQUE,
                        size DOUBLE PRECISION,
                        parent BIGINT REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED,
                        amount BIGINT CHECK (amount >= 0)
                    );
                    CREATE TABLE counters (id BIGINT PRIMARY KEY, value BIGINT NOT NULL);
                    INSERT INTO counters (id, value) VALUES (1, 0);
                    """)
            ])
    ]

    /// One promise of the port.
    public struct Check: Sendable, CustomTestStringConvertible {
        public let testDescription: String
        public let run: @Sendable (any Database) async throws -> Void
    }

    struct Refusal: Error, Equatable {}

    /// All promises of the port.
    public static let checks: [Check] = [
        Check(testDescription: "what was written is read back", run: roundTrip),
        Check(testDescription: "hostile text stays a value", run: hostileText),
        Check(testDescription: "large, empty and unusual texts are read back unchanged", run: texts),
        Check(testDescription: "a transaction that throws leaves no changes", run: rollsBack),
        Check(testDescription: "each write of a group fails by itself", run: failsAlone),
        Check(testDescription: "faults are distinguished and name no values", run: faults),
        Check(testDescription: "an open reference fails only its own write", run: deferredReferences),
        Check(testDescription: "two hundred simultaneous writers lose nothing", run: manyWriters),
        Check(testDescription: "a read sees one snapshot", run: snapshot),
        Check(testDescription: "every later read sees a write", run: readsOwnWrites),
        Check(
            testDescription: "actions after commits run in the order of commits, and not after a failure",
            run: afterCommit),
        Check(testDescription: "the write of a canceled caller is applied whole or not at all", run: canceled),
        Check(testDescription: "a wrong column is reported by name and type", run: columns),
        Check(testDescription: "a statement cannot end the transaction or reach another file", run: walls),
        Check(testDescription: "a read cannot write", run: readOnly),
        Check(testDescription: "an inline read sees the last write, and cannot write", run: readInline),
        Check(testDescription: "lists of any length are bound", run: lists),
    ]

    // MARK: - Values

    static func roundTrip(_ database: any Database) async throws {
        let changed = try await database.write { sql in
            try sql.execute(
                "INSERT INTO things (id, name, size, amount) VALUES (\(7), \("seven"), \(2.5), \(Int64.max))")
        }
        #expect(changed == 1)
        let row = try #require(try await database.read { try $0.row("SELECT * FROM things WHERE id = \(7)") })
        #expect(try row.get("name", as: String.self) == "seven")
        #expect(try row.get("size", as: Double.self) == 2.5)
        #expect(try row.get("amount", as: Int64.self) == .max)
        #expect(try row.optional("parent", as: Int64.self) == nil)
        let none = try await database.read { try $0.row("SELECT * FROM things WHERE id = \(8)") }
        #expect(none == nil)
        let updated = try await database.write {
            try $0.execute("UPDATE things SET amount = \(5) WHERE id > \(100)")
        }
        #expect(updated == 0)
        let returned = try await database.write { sql in
            try sql.rows("INSERT INTO things (id, name) VALUES (\(8), \("eight")) RETURNING id").count
        }
        #expect(returned == 1)
    }

    static func hostileText(_ database: any Database) async throws {
        let texts = [
            "'; DROP TABLE things; --", "\" OR \"1\"=\"1", "$1", "$2 ?1 :a @b", "%_\\", "/* */ --", "Robert'); --",
        ]
        try await database.write { sql in
            for (id, text) in texts.enumerated() {
                try sql.execute("INSERT INTO things (id, name) VALUES (\(id), \(text))")
            }
        }
        for (id, text) in texts.enumerated() {
            let found: Int? = try await database.read { try $0.value("SELECT id FROM things WHERE name = \(text)") }
            #expect(found == id)
        }
        let count: Int? = try await database.read { try $0.value("SELECT COUNT(*) FROM things") }
        #expect(count == texts.count)
    }

    static func texts(_ database: any Database) async throws {
        let texts = [
            "", " ", "é", "e\u{301}", "👩🏽‍🏫", "שלום", "مرحبا", "日本語", "\u{202E}abc", "\u{FEFF}", "\r\n\t",
            String(repeating: "Łódź ", count: 400_000),
        ]
        for (id, text) in texts.enumerated() {
            try await database.write { try $0.execute("INSERT INTO things (id, name) VALUES (\(id), \(text))") }
            let back: String? = try await database.read { try $0.value("SELECT name FROM things WHERE id = \(id)") }
            #expect(back.map { Array($0.utf8) == Array(text.utf8) } == true)
        }
        // An engine may refuse a NUL in text, but must not cut the text there.
        let cut = "before\u{0}after"
        do {
            try await database.write { try $0.execute("INSERT INTO things (id, name) VALUES (\(1000), \(cut))") }
            let back: String? = try await database.read {
                try $0.value("SELECT name FROM things WHERE id = \(1000)")
            }
            #expect(back == cut)
        } catch is DatabaseFault {}
    }

    // MARK: - Transactions

    static func rollsBack(_ database: any Database) async throws {
        await #expect(throws: Refusal.self) {
            try await database.write { sql in
                try sql.execute("INSERT INTO things (id) VALUES (\(1))")
                throw Refusal()
            }
        }
        #expect(try await count(database) == 0)
        try await database.write { try $0.execute("INSERT INTO things (id) VALUES (\(1))") }
        #expect(try await count(database) == 1)
    }

    static func failsAlone(_ database: any Database) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for id in 0..<60 {
                group.addTask {
                    do {
                        try await database.write { sql in
                            try sql.execute("INSERT INTO things (id) VALUES (\(id))")
                            if id % 3 == 0 { throw Refusal() }
                            // Changes that another write of the group discarded are not visible.
                            let failed: Int? = try sql.value("SELECT COUNT(*) FROM things WHERE id % 3 = 0")
                            #expect(failed == 0)
                        }
                        return true
                    } catch is Refusal {
                        return false
                    }
                }
            }
            let succeeded = try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            #expect(succeeded == 40)
        }
        #expect(try await count(database) == 40)
    }

    static func faults(_ database: any Database) async throws {
        let secret = "geheim@example.org"
        try await database.write { try $0.execute("INSERT INTO things (id, name) VALUES (\(1), \(secret))") }
        func fault(_ sql: SQL) async throws -> DatabaseFault? {
            let fault = await #expect(throws: DatabaseFault.self) {
                try await database.write { try $0.execute(sql) }
            }
            #expect(!String(describing: fault).contains("geheim"))
            return fault
        }
        let second = try await fault("INSERT INTO things (id, name) VALUES (\(2), \(secret))")
        guard case .notUnique(let text) = second else {
            Issue.record("expected notUnique, got \(String(describing: second))")
            return
        }
        #expect(text.contains("name"))
        let key = try await fault("INSERT INTO things (id, name) VALUES (\(1), \("other"))")
        guard case .notUnique = key else {
            Issue.record("expected notUnique, got \(String(describing: key))")
            return
        }
        let negative = try await fault("INSERT INTO things (id, name, amount) VALUES (\(2), \("geheim"), \(-1))")
        guard case .constraint = negative else {
            Issue.record("expected constraint, got \(String(describing: negative))")
            return
        }
        let null = try await fault("INSERT INTO counters (id, value) VALUES (\(9), \(nil as Int?))")
        guard case .constraint = null else {
            Issue.record("expected constraint, got \(String(describing: null))")
            return
        }
        let unknown = try await fault("INSERT INTO nowhere (id) VALUES (\(secret))")
        guard case .other(let reason) = unknown else {
            Issue.record("expected other, got \(String(describing: unknown))")
            return
        }
        #expect(reason.contains("nowhere"))
        #expect(try await count(database) == 1)
    }

    static func deferredReferences(_ database: any Database) async throws {
        // A child may be inserted before its parent within one write.
        try await database.write { sql in
            try sql.execute("INSERT INTO things (id, parent) VALUES (\(2), \(1))")
            try sql.execute("INSERT INTO things (id) VALUES (\(1))")
        }
        await withTaskGroup(of: Void.self) { group in
            for id in 10..<30 {
                group.addTask {
                    let parent: Int? = id % 4 == 0 ? 999 : nil
                    do {
                        try await database.write {
                            try $0.execute("INSERT INTO things (id, parent) VALUES (\(id), \(parent))")
                        }
                        #expect(parent == nil)
                    } catch {
                        #expect(parent != nil)
                        #expect((error as? DatabaseFault) != nil)
                    }
                }
            }
        }
        #expect(try await count(database) == 2 + 15)
    }

    static func manyWriters(_ database: any Database) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<200 {
                group.addTask {
                    try await database.write { sql in
                        let value: Int = try sql.value("SELECT value FROM counters WHERE id = 1") ?? -1
                        try sql.execute("UPDATE counters SET value = \(value + 1) WHERE id = 1")
                        try sql.execute("INSERT INTO things (id) VALUES (\(id))")
                    }
                }
            }
            try await group.waitForAll()
        }
        let value: Int? = try await database.read { try $0.value("SELECT value FROM counters WHERE id = 1") }
        #expect(value == 200)
        #expect(try await count(database) == 200)
    }

    static func snapshot(_ database: any Database) async throws {
        // Writers keep both counters equal; a reader of one moment never sees them differ.
        try await database.write { try $0.execute("INSERT INTO counters (id, value) VALUES (2, 0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await database.write { sql in
                        try sql.execute("UPDATE counters SET value = value + 1 WHERE id = 1")
                        try sql.execute("UPDATE counters SET value = value + 1 WHERE id = 2")
                    }
                }
                group.addTask {
                    try await database.read { sql in
                        let first: Int? = try sql.value("SELECT value FROM counters WHERE id = 1")
                        for _ in 0..<20 { _ = try sql.rows("SELECT id FROM things") }
                        let second: Int? = try sql.value("SELECT value FROM counters WHERE id = 2")
                        #expect(first == second)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    static func readsOwnWrites(_ database: any Database) async throws {
        for id in 0..<50 {
            try await database.write { try $0.execute("INSERT INTO things (id) VALUES (\(id))") }
            let isThere = try await database.read { try $0.exists("SELECT id FROM things WHERE id = \(id)") }
            #expect(isThere)
        }
    }

    static func afterCommit(_ database: any Database) async throws {
        let recorded = NumberRecorder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    do {
                        try await database.write { sql in
                            let last: Int = try sql.value("SELECT value FROM counters WHERE id = 1") ?? -1
                            try sql.execute("UPDATE counters SET value = \(last + 1) WHERE id = 1")
                            sql.afterCommit { recorded.append(last + 1) }
                            if number % 5 == 0 { throw Refusal() }
                        }
                    } catch is Refusal {
                        return
                    }
                    #expect(!recorded.all.isEmpty)
                }
            }
            try await group.waitForAll()
        }
        #expect(recorded.all == Array(1...80))
    }

    static func canceled(_ database: any Database) async throws {
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for id in 0..<100 {
                group.addTask {
                    let task = Task {
                        try await database.write { try $0.execute("INSERT INTO things (id) VALUES (\(id))") }
                    }
                    if id % 2 == 0 { task.cancel() }
                    do {
                        _ = try await task.value
                        return (id, true)
                    } catch {
                        #expect(error is CancellationError)
                        return (id, false)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (id, succeeded) in outcomes {
            let isThere = try await database.read { try $0.exists("SELECT id FROM things WHERE id = \(id)") }
            #expect(isThere == succeeded)
            #expect(succeeded || id % 2 == 0)
        }
    }

    // MARK: - Refusals

    static func columns(_ database: any Database) async throws {
        try await database.write { try $0.execute("INSERT INTO things (id, name) VALUES (\(1), \("one"))") }
        let row = try #require(try await database.read { try $0.row("SELECT id, name, size FROM things") })
        #expect(throws: DatabaseFault.self) { try row.get("nothing", as: String.self) }
        #expect(throws: DatabaseFault.self) { try row.get("size", as: Double.self) }
        #expect(throws: DatabaseFault.self) { try row.get("name", as: Int.self) }
        #expect(throws: DatabaseFault.self) { try row.optional("id", as: Day.self) }
    }

    static func walls(_ database: any Database) async throws {
        let texts: [SQL] = [
            "COMMIT", "ROLLBACK", "BEGIN", "RELEASE command", "  commit", "ATTACH DATABASE 'other' AS other",
            "PRAGMA foreign_keys = OFF", "VACUUM", "DROP TABLE things", "SELECT 1; DROP TABLE things", "",
        ]
        for text in texts {
            await #expect(throws: DatabaseFault.self, "\(text.text)") {
                try await database.write { try $0.execute(text) }
            }
            await #expect(throws: DatabaseFault.self, "\(text.text)") {
                try await database.read { try $0.rows(text) }
            }
        }
        #expect(try await count(database) == 0)
    }

    static func readOnly(_ database: any Database) async throws {
        await #expect(throws: DatabaseFault.self) {
            try await database.read { try $0.rows("INSERT INTO things (id) VALUES (1) RETURNING id") }
        }
        #expect(try await count(database) == 0)
    }

    static func readInline(_ database: any Database) async throws {
        for id in 0..<50 {
            try await database.write { try $0.execute("INSERT INTO things (id) VALUES (\(id))") }
            #expect(try await database.readInline { try $0.exists("SELECT id FROM things WHERE id = \(id)") })
        }
        await #expect(throws: DatabaseFault.self) {
            try await database.readInline { try $0.rows("INSERT INTO things (id) VALUES (50) RETURNING id") }
        }
        #expect(try await count(database) == 50)
    }

    static func lists(_ database: any Database) async throws {
        try await database.write { sql in
            for id in 0..<300 { try sql.execute("INSERT INTO things (id) VALUES (\(id))") }
        }
        for length in [0, 1, 2, 24, 25, 300] {
            let found = try await database.read {
                try $0.rows("SELECT id FROM things WHERE id IN \(list: 0..<length)").count
            }
            #expect(found == length)
        }
    }

    private static func count(_ database: any Database) async throws -> Int {
        try await database.read { try $0.value("SELECT COUNT(*) FROM things") } ?? -1
    }
}

/// Collects numbers in order, from any thread.
public final class NumberRecorder: Sendable {
    private let numbers = Mutex<[Int]>([])
    public init() {}
    public func append(_ number: Int) { numbers.withLock { $0.append(number) } }
    public var all: [Int] { numbers.withLock { $0 } }
}
