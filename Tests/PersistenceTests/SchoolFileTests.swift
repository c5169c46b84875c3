import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite("School files")
struct SchoolFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let notes = Migration(
        "001-notes", "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL);\n")
    private static let more = Migration(
        "002-more", "CREATE TABLE more (id INTEGER PRIMARY KEY);\n")

    private func schools(_ migrations: [Migration] = [SchoolFileTests.notes], in name: String = "schools") throws
        -> SQLiteSchools
    {
        try SQLiteSchools(
            in: folder.file(name),
            migrations: KernelMigrations.school + [MigrationSet(owner: "Notes", migrations: migrations)])
    }

    private func school(_ schools: SQLiteSchools, _ bodies: [String]) async throws -> UUID {
        let id = SystemIDGenerator().id(at: Date())
        try await schools.create(id).write { sql in
            for body in bodies { try sql.execute("INSERT INTO notes (body) VALUES (\(body))") }
        }
        return id
    }

    private func bodies(_ schools: SQLiteSchools, _ id: UUID) async throws -> [String] {
        try await schools.school(id).read { sql in
            try sql.rows("SELECT body FROM notes ORDER BY id").map { try $0.get("body") }
        }
    }

    @Test(
        "a copy is one consistent state despite concurrent writes, and restores unchanged",
        .requirement("BY-1.15.a"))
    func copiesOneState() async throws {
        let schools = try schools()
        let id = try await school(schools, (0..<2000).map { "\($0) " + String(repeating: "x", count: 2000) })
        let copy = folder.file("copy.sqlite")
        let writing = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                let body = "late \(number)"
                // A consistent copy has both rows or neither.
                try await schools.school(id).write { sql in
                    try sql.execute("INSERT INTO notes (body) VALUES (\(body))")
                    try sql.execute("INSERT INTO notes (body) VALUES (\(body))")
                }
            }
        }
        try await schools.copy(id, to: copy)
        writing.cancel()
        _ = await writing.result
        try await schools.prepare(copy, isTrusted: false) { _ in }
        let beside = SystemIDGenerator().id(at: Date())
        try await schools.put(copy, as: beside)
        let found = try await bodies(schools, beside)
        #expect(found.count >= 2000 && found.count.isMultiple(of: 2))
        #expect(found.prefix(2000).allSatisfy { !$0.hasPrefix("late") })
        try await schools.close()
    }

    @Test("a school is replaced as a whole while others use it", .requirement("BY-1.15.b"))
    func replacesLive() async throws {
        let schools = try schools()
        let id = try await school(schools, ["first"])
        let handle = try await schools.school(id)
        let copy = folder.file("copy.sqlite")
        try await schools.copy(id, to: copy)
        try await handle.write { sql in
            for number in 0..<3000 {
                let body = "\(number)" + String(repeating: "y", count: 500)
                try sql.execute("INSERT INTO notes (body) VALUES (\(body))")
            }
        }
        try await schools.prepare(copy, isTrusted: false) {
            try $0.execute("INSERT INTO notes (body) VALUES ('prepared')")
        }
        let stamp = try await handle.stamp()
        let reading = Task {
            var seen: Set<Int> = []
            while !Task.isCancelled {
                do {
                    seen.insert(try await handle.read { try $0.rows("SELECT id FROM notes").count })
                } catch is CancellationError {
                    break
                }
            }
            return seen
        }
        try await schools.put(copy, as: id)
        reading.cancel()
        let seen = try await reading.value
        #expect(seen.isSubset(of: [3001, 2]), "a reader saw half of a school: \(seen)")
        #expect(try await bodies(schools, id) == ["first", "prepared"])
        #expect(try await handle.stamp() != stamp)
        try await handle.write { try $0.execute("INSERT INTO notes (body) VALUES ('after')") }
        #expect(try await bodies(schools, id).last == "after")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("schools").path)
        #expect(left.allSatisfy { $0.hasPrefix(id.uuidString.lowercased()) }, "\(left)")
        try await schools.close()
    }

    @Test(
        "a file that is foreign, newer or damaged is refused with its own fault",
        .requirement("BY-1.15.e"))
    func refusesOthers() async throws {
        let newer = try schools([Self.notes, Self.more], in: "newer")
        let id = try await school(newer, ["a"])
        let file = folder.file("newer.sqlite")
        try await newer.copy(id, to: file)
        let schools = try schools()
        await #expect(throws: SchoolFileFault.newer) { try await schools.prepare(file, isTrusted: false) { _ in } }
        let text = folder.file("text")
        try Data("a letter to the school".utf8).write(to: text)
        await #expect(throws: SchoolFileFault.foreign) {
            try await schools.prepare(text, isTrusted: false) { _ in }
        }
        let other = folder.file("other.sqlite")
        let own = try SQLiteDatabase(at: other, migrations: [])
        try await own.close()
        await #expect(throws: SchoolFileFault.foreign) {
            try await schools.prepare(other, isTrusted: false) { _ in }
        }
        let mine = try await school(schools, (0..<400).map { "\($0)" + String(repeating: "z", count: 300) })
        let broken = folder.file("broken.sqlite")
        try await schools.copy(mine, to: broken)
        var bytes = try Data(contentsOf: broken)
        for place in stride(from: 4096 * 6, to: bytes.count, by: 97) { bytes[place] ^= 0xFF }
        try bytes.write(to: broken)
        await #expect(throws: SchoolFileFault.damaged) {
            try await schools.prepare(broken, isTrusted: false) { _ in }
        }
        #expect(try await bodies(schools, mine).count == 400)
        try await newer.close()
        try await schools.close()
    }

    @Test("an older file is upgraded when it is restored")
    func upgrades() async throws {
        let older = try schools(in: "older")
        let id = try await school(older, ["kept"])
        let file = folder.file("older.sqlite")
        try await older.copy(id, to: file)
        let schools = try schools([Self.notes, Self.more])
        try await schools.prepare(file, isTrusted: false) { try $0.execute("INSERT INTO more (id) VALUES (7)") }
        try await schools.put(file, as: id)
        #expect(try await bodies(schools, id) == ["kept"])
        try await older.close()
        try await schools.close()
    }

    @Test("triggers and views of a foreign file never run")
    func refusesTriggers() async throws {
        let sly = Migration(
            "001-notes",
            """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
            CREATE TRIGGER sly AFTER INSERT ON notes BEGIN DELETE FROM notes; END
            """)
        let made = try schools([sly], in: "sly")
        let id = try await school(made, ["a"])
        let file = folder.file("sly.sqlite")
        try await made.copy(id, to: file)
        let schools = try schools()
        await #expect(throws: SchoolFileFault.foreign) {
            try await schools.prepare(file, isTrusted: false) { _ in }
        }
        try await made.close()
        try await schools.close()
    }

    @Test("a removed school is gone from the disk, and a second removal does nothing")
    func removes() async throws {
        let schools = try schools()
        let id = try await school(schools, ["a"])
        let other = try await school(schools, ["b"])
        let handle = try await schools.school(id)
        try await schools.remove(id)
        await #expect(throws: DatabaseFault.missing) { try await handle.read { try $0.rows("SELECT 1") } }
        try await schools.remove(id)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("schools").path)
        #expect(!left.contains { $0.hasPrefix(id.uuidString.lowercased()) })
        #expect(try await bodies(schools, other) == ["b"])
        try await schools.close()
    }
}
