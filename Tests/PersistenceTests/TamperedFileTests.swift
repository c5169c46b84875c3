import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Persistence

/// Backups that were unpacked, altered with a database tool, and packed again.
@Suite("Altered school files")
struct TamperedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let notes = Migration(
        "001-notes",
        """
        CREATE TABLE authors (id INTEGER PRIMARY KEY);
        CREATE TABLE notes (
            id INTEGER PRIMARY KEY,
            body TEXT NOT NULL,
            size INTEGER NOT NULL DEFAULT 1,
            author INTEGER REFERENCES authors (id)
        );
        CREATE INDEX notes_author ON notes (author);
        CREATE UNIQUE INDEX notes_body ON notes (body) WHERE size > 1;
        """)

    private func schools(_ name: String = "schools", _ more: [MigrationSet] = []) throws -> SQLiteSchools {
        try SQLiteSchools(
            in: folder.file(name),
            migrations: KernelMigrations.school + [MigrationSet(owner: "Notes", migrations: [Self.notes])] + more)
    }

    /// Returns the file of a school with three log entries and notes.
    private func file(of schools: SQLiteSchools) async throws -> URL {
        let id = SystemIDGenerator().id(at: Date())
        for number in 1...3 {
            try await schools.create(id).write { sql in
                try sql.execute("INSERT INTO notes (body) VALUES (\("note \(number)"))")
                _ = try ChangeLog.append(
                    [
                        Change(
                            "notes.written", topics: ["notes"], audience: [.school],
                            payload: ["number": "\(number)"])
                    ],
                    at: Date(timeIntervalSince1970: 1_700_000_000), actor: nil, in: sql)
            }
        }
        let file = folder.file("\(UUID().uuidString).sqlite")
        try await schools.copy(id, to: file)
        return file
    }

    /// Runs statements that no block may run, and removes their migration record.
    private func alter(_ file: URL, _ statements: String) async throws {
        let database = try SQLiteDatabase(
            at: file,
            migrations: [MigrationSet(owner: "Tamper", migrations: [Migration("001", statements + ";\n")])])
        try await database.write { try $0.execute("DELETE FROM schema_migrations WHERE owner = 'Tamper'") }
        try await database.close()
    }

    private static let unsealed = """
        DROP TRIGGER change_log_refuses_update;
        DROP TRIGGER change_log_refuses_delete;

        """

    /// Statements that replace the table of notes with one of other definitions.
    private static func notes(
        body: String = "body TEXT NOT NULL", size: String = "size INTEGER NOT NULL DEFAULT 1",
        author: String = "author INTEGER REFERENCES authors (id)", end: String = ""
    ) -> String {
        """
        DROP TABLE notes;
        CREATE TABLE notes (id INTEGER PRIMARY KEY, \(body), \(size), \(author))\(end);
        CREATE INDEX notes_author ON notes (author);
        CREATE UNIQUE INDEX notes_body ON notes (body) WHERE size > 1
        """
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let statements: String
        let fault: SchoolFileFault
        var testDescription: String { name }

        init(_ name: String, _ statements: String) { self.init(name, .foreign, statements) }

        init(_ name: String, _ fault: SchoolFileFault, _ statements: String) {
            self.name = name
            self.statements = statements
            self.fault = fault
        }
    }

    @Test(
        "a file with altered tables or an altered log is refused", .requirement("BY-1.15.e"),
        arguments: [
            Case("an extra table", "CREATE TABLE guests (id INTEGER PRIMARY KEY)"),
            Case("an extra view", "CREATE VIEW guests AS SELECT * FROM notes"),
            Case("an extra trigger", "CREATE TRIGGER sly AFTER INSERT ON notes BEGIN DELETE FROM authors; END"),
            Case(
                "a seal with another body",
                "DROP TRIGGER change_log_refuses_update;\n"
                    + "CREATE TRIGGER change_log_refuses_update BEFORE UPDATE ON change_log BEGIN SELECT 1; END"),
            Case("a missing table", "DROP TABLE notes"),
            Case("an extra column", "ALTER TABLE notes ADD COLUMN colour TEXT"),
            Case("another type", TamperedFileTests.notes(body: "body BLOB NOT NULL")),
            Case("no NOT NULL", TamperedFileTests.notes(body: "body TEXT")),
            Case("another default", TamperedFileTests.notes(size: "size INTEGER NOT NULL DEFAULT 2")),
            Case("no default", TamperedFileTests.notes(size: "size INTEGER NOT NULL")),
            Case("no reference", TamperedFileTests.notes(author: "author INTEGER")),
            Case("another collation", TamperedFileTests.notes(body: "body TEXT NOT NULL COLLATE NOCASE")),
            Case("a condition", TamperedFileTests.notes(body: "body TEXT NOT NULL CHECK (body <> 'late')")),
            Case("another layout", TamperedFileTests.notes(end: " WITHOUT ROWID")),
            Case(
                "a forged record of a newer program", .newer,
                "INSERT INTO schema_migrations (owner, name, hash) VALUES ('Notes', '002-more', 'ff')"),
            Case(
                "a forged hash of a migration",
                "UPDATE schema_migrations SET hash = 'ff' WHERE owner = 'Notes'"),
            Case(
                "a forged record of another block, with a table", .unknownBlocks(["Guests"]),
                "INSERT INTO schema_migrations (owner, name, hash) VALUES ('Guests', '001', 'ff');\n"
                    + "CREATE TABLE guests (id INTEGER PRIMARY KEY)"),
            Case(
                "a log entry with another payload", .damaged,
                TamperedFileTests.unsealed + "UPDATE change_log SET payload = 'number=7' WHERE seq = 2"),
            Case(
                "a log without an entry", .damaged,
                TamperedFileTests.unsealed + "DELETE FROM change_log WHERE seq = 2"),
        ])
    func refused(_ tampered: Case) async throws {
        let schools = try schools()
        let file = try await file(of: schools)
        try await alter(file, tampered.statements)
        await #expect(throws: tampered.fault) { try await schools.prepare(file, isTrusted: false) { _ in } }
        try await schools.close()
    }

    @Test(
        "missing or altered seals and indexes are created again",
        arguments: [
            Case("no seals", TamperedFileTests.unsealed),
            Case("a missing index", "DROP INDEX notes_author"),
            Case(
                "another index of the same name",
                "DROP INDEX notes_author;\nCREATE INDEX notes_author ON notes (size)"),
            Case("statistics of another tool", "ANALYZE"),
            Case("an extra index", "CREATE UNIQUE INDEX only_one ON notes (size)"),
            Case(
                "an index without its condition",
                "DROP INDEX notes_body;\nCREATE UNIQUE INDEX notes_body ON notes (body)"),
        ])
    func healed(_ tampered: Case) async throws {
        let schools = try schools()
        let file = try await file(of: schools)
        if tampered.name == "an extra index" { try await alter(file, "DELETE FROM notes WHERE id > 1") }
        try await alter(file, tampered.statements)
        try await schools.prepare(file, isTrusted: false) { _ in }
        let id = SystemIDGenerator().id(at: Date())
        try await schools.put(file, as: id)
        let school = try await schools.school(id)
        let plan = try await schools.queryPlan("SELECT id FROM notes WHERE author = \(1)", of: id)
        #expect(plan.contains { $0.contains("notes_author") }, "\(plan)")
        try await school.write { sql in
            for _ in 0..<2 { try sql.execute("INSERT INTO notes (body) VALUES ('the same')") }
        }
        await #expect(throws: DatabaseFault.self) {
            try await school.write { try $0.execute("UPDATE change_log SET payload = 'number=7' WHERE seq = 2") }
        }
        await #expect(throws: DatabaseFault.self) {
            try await school.write { try $0.execute("DELETE FROM change_log WHERE seq = 2") }
        }
        await #expect(throws: DatabaseFault.self) {
            try await school.write { sql in
                for _ in 0..<2 { try sql.execute("INSERT INTO notes (body, size) VALUES ('large', 2)") }
            }
        }
        try await schools.close()
    }

    @Test("only the operator can restore tables of a block that this server does not run")
    func unknownBlocks() async throws {
        let guests = MigrationSet(
            owner: "Guests",
            migrations: [Migration("001-guests", "CREATE TABLE guests (id INTEGER PRIMARY KEY);\n")])
        let whole = try schools("whole", [guests])
        let file = try await file(of: whole)
        let schools = try schools()
        await #expect(throws: SchoolFileFault.unknownBlocks(["Guests"])) {
            try await schools.prepare(file, isTrusted: false) { _ in }
        }
        try await schools.prepare(file, isTrusted: true) { _ in }
        let id = SystemIDGenerator().id(at: Date())
        try await schools.put(file, as: id)
        let count: Int? = try await schools.school(id).read { try $0.value("SELECT COUNT(*) FROM guests") }
        #expect(count == 0)
        try await whole.close()
        try await schools.close()
    }

    @Test("the schema of a table does not depend on quotes, spaces or the case of its statement")
    func normalizesStatements() throws {
        #expect(
            SchoolSchema.plain("CREATE TABLE \"a\"  (id TEXT,\n  Name TEXT DEFAULT 'A  b')")
                == SchoolSchema.plain("create table a(id text, name text default 'A  b')"))
        #expect(
            SchoolSchema.plain("CREATE TABLE a (name TEXT DEFAULT 'A')")
                != SchoolSchema.plain("CREATE TABLE a (name TEXT DEFAULT 'a')"))
    }
}
