import DesignSystem
import Domain
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeatureKit
@testable import FeatureRuntime

@Suite("The hash chain of the change log")
struct ChainTests {
    @Test(
        "the hash is SHA-256",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1000),
                "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
            ),
        ])
    func vectors(text: String, hash: String) { #expect(SHA256.hex(Array(text.utf8)) == hash) }

    private func makeLog(_ count: Int = 5) async throws -> TestSchool {
        let school = try await TestSchool([makeNotes()])
        let now = school.clock.now
        for number in 1...count {
            try await school.database.write { sql in
                _ = try ChangeLog.append(
                    [Change("note.added", topics: ["t"], audience: [.school], payload: ["n": "\(number)"])],
                    at: now, actor: nil, in: sql)
            }
        }
        return school
    }

    /// A connection without this program, such as that of a person with access to the file.
    private func tamper(_ school: TestSchool, _ statement: String) throws {
        let file = school.environment.folder.url.appending(path: "schools/\(school.organization.id.text).sqlite")
        let tool = Process()
        tool.executableURL = URL(filePath: "/usr/bin/env")
        tool.arguments = [
            "python3", "-c",
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()",
            file.path, statement,
        ]
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        tool.waitUntilExit()
        struct Refused: Error {}
        guard tool.terminationStatus == 0 else { throw Refused() }
    }

    private static let unsealed =
        "DROP TRIGGER change_log_refuses_update; DROP TRIGGER change_log_refuses_delete; "

    @Test("each entry follows from the entry before it, in every school")
    func intact() async throws {
        let school = try await makeLog()
        let report = try await ChangeLog.verify(school.database, portion: 2)
        #expect(report.isIntact && report.entries == 5 && report.start == 1)
        #expect(try await school.changes().last?.hash == report.head)
        #expect(Set(try await school.changes().map(\.hash)).count == 5)
    }

    @Test(
        "an altered, removed or inserted entry is detected at that entry", .requirement("BY-1.25.d"),
        arguments: [
            ("UPDATE change_log SET payload = 'n=9' WHERE seq = 3", Int64(3)),
            ("UPDATE change_log SET actor_id = 'x' WHERE seq = 1", 1),
            ("UPDATE change_log SET at = at + 1 WHERE seq = 5", 5),
            ("UPDATE change_log SET hash = '' WHERE seq = 4", 4),
            ("DELETE FROM change_log WHERE seq = 2", 2),
            ("DELETE FROM change_log WHERE seq = 1", 1),
            ("UPDATE change_log SET payload = 'n=9', hash = '' WHERE seq <= 2", 3),
        ])
    func tampering(statement: String, entry: Int64) async throws {
        let school = try await makeLog()
        try tamper(school, Self.unsealed + statement)
        #expect(try await ChangeLog.verify(school.database, portion: 2).brokenAt == entry)
    }

    @Test(
        "the engine refuses to change or remove an entry, through the port and without it",
        .requirement("BY-1.25.d"),
        arguments: ["UPDATE change_log SET kind = 'x'", "DELETE FROM change_log WHERE seq = 2"])
    func sealed(statement: String) async throws {
        let school = try await makeLog()
        #expect(throws: (any Error).self) { try tamper(school, statement) }
        await #expect(throws: (any Error).self) {
            try await school.database.write { _ = try $0.execute(SQL(stringLiteral: statement)) }
        }
        await #expect(throws: (any Error).self, "not by writing over it either") {
            try await school.database.write {
                _ = try $0.execute(
                    """
                    INSERT OR REPLACE INTO change_log (seq, at, kind, topics, audience, payload, reshapes)
                    VALUES (2, 0, 'x', '', '', '', 0)
                    """)
            }
        }
        #expect(try await ChangeLog.verify(school.database).isIntact)
    }

    @Test("entries from before the chain stay, and the chain begins after them")
    func before() async throws {
        let school = try await makeLog(2)
        try tamper(school, Self.unsealed + "UPDATE change_log SET hash = ''")
        let now = school.clock.now
        try await school.database.write { sql in
            _ = try ChangeLog.append(
                [Change("note.added", topics: [], audience: [])], at: now, actor: nil, in: sql)
        }
        let report = try await ChangeLog.verify(school.database)
        #expect(report.isIntact && report.start == 3 && report.entries == 3)
    }

    @Test("a search filters by person, kind, thing and time, newest first, and continues where it stopped")
    func search() async throws {
        let school = try await TestSchool([makeNotes()])
        let (ana, ben, child) = (UUID(), UUID(), UUID())
        let start = school.clock.now
        try await school.database.write { sql in
            for number in 0..<10 {
                _ = try ChangeLog.append(
                    [
                        Change(
                            number % 2 == 0 ? "a.even" : "a.odd", topics: [], audience: [],
                            payload: number == 6 ? ["student": child.text] : [:])
                    ],
                    at: start.addingTimeInterval(Double(number) * 60), actor: number < 5 ? ana : ben, in: sql)
            }
        }
        func seqs(
            _ limit: Int = 50, before: Int64? = nil, _ narrow: @escaping @Sendable (inout ChangeFilter) -> Void
        )
            async throws -> [Int64]
        {
            try await school.database.read { sql in
                var filter = ChangeFilter()
                narrow(&filter)
                return try ChangeLog.search(filter, before: before, limit: limit, in: sql).found.map(\.seq)
            }
        }
        #expect(try await seqs { $0.actor = ana } == [5, 4, 3, 2, 1])
        #expect(try await seqs { $0.kinds = ["a.odd"] } == [10, 8, 6, 4, 2])
        #expect(try await seqs { $0.subject = child } == [7])
        #expect(try await seqs { $0.from = start.addingTimeInterval(420) } == [10, 9, 8])
        #expect(try await seqs { $0.until = start.addingTimeInterval(60) } == [1])
        #expect(try await seqs(2, before: 4) { _ in } == [3, 2])
        let page = try await school.database.read {
            try ChangeLog.search(ChangeFilter(), before: nil, limit: 4, in: $0).next
        }
        #expect(page == 7)
    }

    @Test(
        "a view of a record is logged once an hour, and causes no live event", .requirement("BY-1.25.b"))
    func seen() async throws {
        let school = try await TestSchool([makeNotes()])
        let sightings = Sightings()
        let (child, ana) = (UUID(), try school.makeCaller(.guide).membership.orThrow())
        func look(_ seen: Seen = Seen("student.seen", "studentId"), at now: Date) async throws {
            try await sightings.note(
                seen, ["studentId": child.text], by: ana, at: now, in: school.database)
        }
        let live = school.environment.hub.latest(of: school.organization.id)
        for _ in 0..<3 { try await look(at: school.clock.now) }
        await sightings.drain()
        #expect(try await school.changes().map(\.change.kind) == ["student.seen"])
        #expect(try await school.changes().first?.actorId == ana.personId)
        #expect(try await school.changes().first?.change.payload == ["student": child.text])
        #expect(try await school.changes().first?.change.audience == [])
        #expect(school.environment.hub.latest(of: school.organization.id) == live)
        // Another process, or this one after a restart, reads it from the database.
        try await Sightings().noteAndDrain(
            Seen("student.seen", "studentId"), ["studentId": child.text], ana, school)
        #expect(try await school.changes().count == 1)
        try await look(at: school.clock.now.addingTimeInterval(3600))
        await sightings.drain()
        #expect(try await school.changes().count == 2)
        for _ in 0..<2 { try await look(Seen("students.exported", isExport: true), at: school.clock.now) }
        #expect(try await school.changes().count == 4, "each export is recorded")
        try await sightings.note(
            Seen("student.seen", "studentId"), ["studentId": "new"], by: ana, at: school.clock.now,
            in: school.database)
        await sightings.drain()
        #expect(try await school.changes().count == 4)
    }

    @Test("a view that could not be logged is logged with the next view")
    func seenOnFullDisk() async throws {
        let school = try await TestSchool([makeNotes()])
        let faults = Mutex(0)
        let sightings = Sightings { _ in faults.withLock { $0 += 1 } }
        let ana = try school.makeCaller(.guide).membership.orThrow()
        let parameters = ["studentId": UUID().text]
        for database in [FullDatabase(inner: school.database), school.database] as [any Database] {
            try await sightings.note(
                Seen("student.seen", "studentId"), parameters, by: ana, at: school.clock.now, in: database)
            await sightings.drain()
        }
        #expect(faults.withLock { $0 } == 1)
        #expect(try await school.changes().count == 1)
    }
}

/// A database on a full disk.
private struct FullDatabase: Database {
    let inner: any Database

    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLReading) throws -> Value) async throws -> Value {
        try await inner.read(work)
    }

    func write<Value: Sendable>(_ work: @escaping @Sendable (any SQLWriting) throws -> Value) async throws -> Value
    {
        throw DatabaseFault.cannotWrite("full")
    }
}

extension Sightings {
    fileprivate func noteAndDrain(
        _ seen: Seen, _ parameters: [String: String], _ membership: ActiveMembership, _ school: TestSchool
    ) async throws {
        try await note(seen, parameters, by: membership, at: school.clock.now, in: school.database)
        await drain()
    }
}

extension Optional {
    fileprivate struct Absent: Error {}
    fileprivate func orThrow() throws -> Wrapped {
        guard let self else { throw Absent() }
        return self
    }
}
