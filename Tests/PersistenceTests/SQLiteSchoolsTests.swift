import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite("The schools' databases")
struct SQLiteSchoolsTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    func makeSchools(open: Int = 300, warm: Int = 60) throws -> SQLiteSchools {
        try SQLiteSchools(in: folder.url, migrations: notes, maximumOpen: open, maximumWarm: warm)
    }

    @Test("an unknown school is missing, and looking for it makes nothing")
    func unknown() async throws {
        let schools = try makeSchools()
        await #expect(throws: DatabaseFault.missing) { try await schools.school(UUID()) }
        #expect(try await schools.all().isEmpty)
        #expect(schools.openCount == 0)
    }

    @Test("a handle of one school cannot see another", .requirement("PT-2M.04.b", "PT-2M.05.a"))
    func wall() async throws {
        let schools = try makeSchools()
        let (oak, elm) = (UUID(), UUID())
        let inOak = try await schools.create(oak)
        let inElm = try await schools.create(elm)
        try await write(1, "oak", in: inOak)
        #expect(try await count(inElm) == 0)
        try await write(1, "elm", in: inElm)
        let body: String? = try await inOak.read { try $0.value("SELECT body FROM notes WHERE id = 1") }
        #expect(body == "oak")
        let path = folder.file("\(elm.uuidString.lowercased()).sqlite").path
        await #expect(throws: DatabaseFault.self) {
            try await inOak.write { try $0.execute("ATTACH DATABASE \(path) AS elm") }
        }
        await #expect(throws: DatabaseFault.self) {
            try await inOak.read { try $0.rows("SELECT * FROM elm.notes") }
        }
    }

    @Test("making a school twice, also at once, makes it once and keeps its data")
    func createTwice() async throws {
        let schools = try makeSchools()
        let id = UUID()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { try await write(number, in: try await schools.create(id)) }
            }
            try await group.waitForAll()
        }
        #expect(try await count(schools.create(id)) == 20)
        #expect(try await schools.all() == [id])
        #expect(schools.openCount == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left.allSatisfy { !$0.hasPrefix(".unfinished") })
    }

    @Test("concurrent openings of one school share one")
    func sharedOpening() async throws {
        let id = UUID()
        let before = try makeSchools()
        _ = try await before.create(id)
        try await before.close()
        let schools = try makeSchools()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let count = try await count(schools.school(id))
                    #expect(count == 0)
                }
            }
            try await group.waitForAll()
        }
        #expect(schools.openCount == 1)
        #expect(schools.openings == 1)
    }

    @Test("what a crash left of a school in the making is swept up")
    func unfinished() async throws {
        try Data("half".utf8).write(to: folder.file(".unfinished-1.sqlite"))
        let schools = try makeSchools()
        #expect(try await schools.all().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.file(".unfinished-1.sqlite").path))
    }

    @Test("a school whose file is there but empty is brought up to date when it opens")
    func emptyFile() async throws {
        let id = UUID()
        let schools = try makeSchools()
        try Data().write(to: folder.file("\(id.uuidString.lowercased()).sqlite"))
        let school = try await schools.school(id)
        #expect(try await count(school) == 0)
    }

    @Test("a handle outlives the closing of its file")
    func eviction() async throws {
        let schools = try makeSchools(open: 3, warm: 2)
        var handles: [any Database] = []
        for _ in 0..<12 { handles.append(try await schools.create(UUID())) }
        for round in 0..<3 {
            for handle in handles { try await write(round, in: handle) }
        }
        for handle in handles { #expect(try await count(handle) == 3) }
        #expect(schools.openCount <= 3)
    }

    @Test("a school in use is never closed")
    func inUse() async throws {
        let schools = try makeSchools(open: 1, warm: 1)
        let busy = try await schools.create(UUID())
        let (gate, entered) = (DispatchSemaphore(value: 0), AsyncStream.makeStream(of: Void.self))
        let long = Task {
            try await busy.write { sql in
                try sql.execute("INSERT INTO notes (id, body) VALUES (1, 'long')")
                entered.continuation.yield()
                gate.wait()
            }
        }
        var begun = entered.stream.makeAsyncIterator()
        _ = await begun.next()
        for _ in 0..<5 { try await write(1, in: try await schools.create(UUID())) }
        gate.signal()
        try await long.value
        #expect(try await count(busy) == 1)
    }

    @Test("a thousand schools are all reachable with few files open")
    func thousand() async throws {
        let first = try makeSchools(open: 50, warm: 10)
        let ids = (0..<1000).map { _ in UUID() }
        // One is made, the others are its copies: making is not what is looked at here.
        _ = try await first.create(ids[0])
        try await first.close()
        let file = folder.file("\(ids[0].uuidString.lowercased()).sqlite")
        for id in ids.dropFirst() {
            try FileManager.default.copyItem(at: file, to: folder.file("\(id.uuidString.lowercased()).sqlite"))
        }
        let schools = try makeSchools(open: 50, warm: 10)
        #expect(try await schools.all().count == 1000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids {
                group.addTask {
                    let count = try await count(schools.school(id))
                    #expect(count == 0)
                }
            }
            try await group.waitForAll()
        }
        // The last to be released still finds the count above the bound only while it is in use.
        #expect(schools.openCount <= 50)
        try await schools.close()
    }

    @Test("after closing, every handle refuses")
    func closes() async throws {
        let schools = try makeSchools()
        let school = try await schools.create(UUID())
        try await schools.close()
        await #expect(throws: DatabaseFault.self) { try await count(school) }
        await #expect(throws: DatabaseFault.self) { try await schools.create(UUID()) }
    }
}

@Suite("The development reset")
struct ResetTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test("one action empties the local store and nothing else", .requirement("PT-2M.23"))
    func resets() async throws {
        let directory = try await SQLiteDatabase.open(
            at: Persistence.directoryFile(in: folder.url), migrations: notes)
        let schools = try SQLiteSchools(in: Persistence.schoolsFolder(in: folder.url), migrations: notes)
        let id = UUID()
        try await write(1, in: try await schools.create(id))
        try Data("keep".utf8).write(to: folder.file("notes.txt"))
        #expect(throws: DatabaseFault.busy) { try Persistence.reset(folder.url) }
        #expect(try await count(schools.school(id)) == 1)
        try await schools.close()
        try await directory.close()
        try Persistence.reset(folder.url)
        let left = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        #expect(Set(left) == ["notes.txt", "schools"])
        let fresh = try SQLiteSchools(in: Persistence.schoolsFolder(in: folder.url), migrations: notes)
        #expect(try await fresh.all().isEmpty)
    }

    @Test("a folder that is no data folder is refused")
    func guards() throws {
        try Data("precious".utf8).write(to: folder.file("other.sqlite"))
        #expect(throws: DatabaseFault.self) { try Persistence.reset(folder.url) }
        #expect(FileManager.default.fileExists(atPath: folder.file("other.sqlite").path))
    }
}
