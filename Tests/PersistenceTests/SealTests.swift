import FeatureKit
import FeatureRuntime
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Persistence

@Suite("Seals of the schools' change logs")
struct SealTests {
    private let folder: TemporaryFolder
    private let clock = FixedClock()

    init() throws { folder = try TemporaryFolder() }

    private func append(_ count: Int, to school: any Database) async throws {
        for number in 0..<count {
            try await school.write { sql in
                _ = try ChangeLog.append(
                    [
                        Change(
                            "notes.written", topics: [], audience: [],
                            payload: ["text": String(repeating: "\(number) ", count: 400)])
                    ], at: Date(timeIntervalSince1970: 1_700_000_000), actor: nil, in: sql)
            }
        }
    }

    /// Copies a school's file and its write-ahead log, as a power cut leaves them.
    private func crashed(_ id: UUID, in name: String, _ change: (inout Data) -> Void) throws {
        let (from, to) = (folder.file("schools"), folder.file(name))
        try FileManager.default.createDirectory(at: to, withIntermediateDirectories: true)
        let file = "\(id.uuidString.lowercased()).sqlite"
        try FileManager.default.copyItem(at: from.appending(path: file), to: to.appending(path: file))
        var log = try Data(contentsOf: from.appending(path: "\(file)-wal"))
        change(&log)
        try log.write(to: to.appending(path: "\(file)-wal"))
    }

    @Test("damage in the middle of the write-ahead log is reported with the lost entries")
    func middleOfTheLog() async throws {
        let directory = try SQLiteDatabase(
            at: folder.file("directory.sqlite"), migrations: KernelMigrations.directory)
        let seals = SealBook(directory: directory, clock: clock)
        let schools = try SQLiteSchools(in: folder.file("schools"), migrations: KernelMigrations.school)
        let id = UUID()
        let school = try await schools.create(id)
        try await append(40, to: school)
        #expect(try await seals.storeSeal(of: id, school) == 40)
        try crashed(id, in: "whole") { _ in }
        try crashed(id, in: "damaged") { $0[$0.count / 2] ^= 0xFF }

        let found = Mutex<[LogLoss]>([])
        func opened(_ name: String) throws -> SQLiteSchools {
            try SQLiteSchools(
                in: folder.file(name), migrations: KernelMigrations.school,
                opened: { id, school in
                    do {
                        if let loss = try await seals.compare(id, school) { found.withLock { $0.append(loss) } }
                    } catch {
                        Issue.record(error)
                    }
                })
        }
        let whole = try opened("whole")
        _ = try await whole.school(id)
        #expect(found.withLock { $0 }.isEmpty)
        try await whole.close()

        let damaged = try opened("damaged")
        let handle = try await damaged.school(id)
        let left: Int64 = try await handle.read { try ChangeLog.latest(in: $0) }
        #expect((1..<40).contains(left), "SQLite ends its log at the first damaged frame: \(left)")
        let loss = try #require(found.withLock { $0 }.first)
        #expect(loss.first == left + 1 && loss.last == 40)
        // The loss stays on record when the log grows, and is reported once.
        try await append(60, to: handle)
        try await seals.storeSeal(of: id, handle)
        try await damaged.close()
        let again = try opened("damaged")
        _ = try await again.school(id)
        #expect(found.withLock { $0.count } == 1)
        #expect(try await directory.read { try SchoolSeals.loss(of: id, in: $0) } == loss)
        try await again.close()
        try await schools.close()
        try await directory.close()
    }

    @Test("a log lacks the sealed entry if that entry has another hash")
    func anotherLog() async throws {
        let schools = try SQLiteSchools(in: folder.file("schools"), migrations: KernelMigrations.school)
        let school = try await schools.create(UUID())
        try await append(3, to: school)
        let now = clock.now
        let (same, other) = try await school.read { sql in
            let seal = try #require(try ChangeLog.seal(upTo: 2, in: sql))
            return (
                try seal.loss(in: sql, at: now), try LogSeal(seq: 2, hash: "other").loss(in: sql, at: now)
            )
        }
        #expect(same == nil)
        #expect(other == LogLoss(first: 2, last: 2, foundAt: now))
        try await schools.close()
    }
}
