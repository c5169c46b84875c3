import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite("Migrations")
struct MigratorTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    func open(_ sets: MigrationSet...) async throws -> SQLiteDatabase {
        try await SQLiteDatabase.open(at: folder.file("m.sqlite"), migrations: sets)
    }

    static let people = Migration("001-people", "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL);\n")
    static let rooms = Migration(
        "002-rooms", "CREATE TABLE rooms (id TEXT PRIMARY KEY);\nINSERT INTO rooms VALUES ('a');\n")

    @Test("migrations run once each and in order, also when a later program has more", .requirement("PT-1.12.c"))
    func once() async throws {
        let first = try await open(MigrationSet(owner: "Org", migrations: [Self.people]))
        try await first.write { try $0.execute("INSERT INTO people (id, name) VALUES ('1', 'Ana')") }
        try await first.close()
        for _ in 0..<3 {
            let later = try await open(MigrationSet(owner: "Org", migrations: [Self.people, Self.rooms]))
            let rooms = try await later.read { try $0.rows("SELECT id FROM rooms").count }
            #expect(rooms == 1)
            #expect(try await later.read { try $0.exists("SELECT id FROM people") })
            let known = try await later.read { try $0.rows("SELECT owner, name FROM schema_migrations").count }
            #expect(known == 2)
            try await later.close()
        }
    }

    @Test("a table that is stored by its key has no other order, and its rows survive the change")
    func byKey() async throws {
        let before = Migration(
            "001-marks", "CREATE TABLE marks (room TEXT, seat TEXT, PRIMARY KEY (room, seat));\n")
        let after = Migration(
            "002-by-key",
            """
            CREATE TABLE marks_by_key (room TEXT, seat TEXT, PRIMARY KEY (room, seat)) /* stored by key */;
            INSERT INTO marks_by_key SELECT room, seat FROM marks;
            DROP TABLE marks;
            ALTER TABLE marks_by_key RENAME TO marks;
            """)
        let first = try await open(MigrationSet(owner: "Org", migrations: [before]))
        try await first.write { sql in
            for seat in ["b", "c", "a"] { try sql.execute("INSERT INTO marks (room, seat) VALUES ('1', \(seat))") }
        }
        #expect(try await first.read { try $0.rows("SELECT rowid FROM marks").count } == 3)
        try await first.close()
        let later = try await open(MigrationSet(owner: "Org", migrations: [before, after]))
        let seats = try await later.read { sql in
            try sql.rows("SELECT seat FROM marks").map { try $0.get("seat", as: String.self) }
        }
        #expect(seats == ["a", "b", "c"])
        await #expect(throws: DatabaseFault.self) {
            try await later.read { try $0.rows("SELECT rowid FROM marks") }
        }
        try await later.close()
    }

    @Test("an edited migration stops the start, and the fault names it")
    func edited() async throws {
        try await open(MigrationSet(owner: "Org", migrations: [Self.people])).close()
        let edited = Migration("001-people", "CREATE TABLE people (id TEXT PRIMARY KEY);\n")
        let fault = await #expect(throws: DatabaseFault.self) {
            try await open(MigrationSet(owner: "Org", migrations: [edited]))
        }
        #expect(String(describing: fault).contains("Org/001-people was edited"))
    }

    @Test("a database of a newer program stops the start, and the fault names what is unknown")
    func newer() async throws {
        try await open(MigrationSet(owner: "Org", migrations: [Self.people, Self.rooms])).close()
        let fault = await #expect(throws: DatabaseFault.self) {
            try await open(MigrationSet(owner: "Org", migrations: [Self.people]))
        }
        #expect(String(describing: fault).contains("Org/002-rooms"))
    }

    @Test("the tables of a removed block stay until the block is back")
    func liftedOut() async throws {
        let org = MigrationSet(owner: "Org", migrations: [Self.people])
        let rooms = MigrationSet(owner: "Rooms", migrations: [Self.rooms])
        try await open(org, rooms).close()
        try await open(org).close()
        let back = try await open(org, rooms)
        let count = try await back.read { try $0.rows("SELECT id FROM rooms").count }
        #expect(count == 1)
    }

    @Test("a failing migration leaves the database unchanged, and the fault names it")
    func failing() async throws {
        let broken = Migration("002-broken", "CREATE TABLE more (id TEXT);\nCREATE TABL;\n")
        try await open(MigrationSet(owner: "Org", migrations: [Self.people])).close()
        let fault = await #expect(throws: DatabaseFault.self) {
            try await open(MigrationSet(owner: "Org", migrations: [Self.people, broken]))
        }
        #expect(String(describing: fault).contains("Org/002-broken"))
        let again = try await open(MigrationSet(owner: "Org", migrations: [Self.people]))
        await #expect(throws: DatabaseFault.self) { try await again.read { try $0.rows("SELECT id FROM more") } }
    }

    @Test("two programs that start at once apply each migration once")
    func together() async throws {
        let set = MigrationSet(owner: "Org", migrations: [Self.people, Self.rooms])
        // Waiting for each other takes as long as the machine needs; the default timeout would fail on a slow one.
        var patient = SQLiteConfiguration()
        patient.busyTimeout = .seconds(300)
        let configuration = patient
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let database = try await SQLiteDatabase.open(
                        at: folder.file("m.sqlite"), migrations: [set], configuration: configuration)
                    let rooms = try await database.read { try $0.rows("SELECT id FROM rooms").count }
                    #expect(rooms == 1)
                }
            }
            try await group.waitForAll()
        }
    }
}
