import FeatureKit
import FeatureRuntime
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Persistence

/// Two `SQLiteSchools` on one folder act as two processes.
@Suite("Schools that are closed while others write")
struct ClosedSchoolTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameters:
    ///   - patience: How long a write waits for another process.
    ///   - foundDamaged: Called with the school whose file is damaged.
    private func schools(
        patience: Duration = .seconds(5), foundDamaged: @escaping @Sendable (UUID) -> Void = { _ in }
    ) throws -> SQLiteSchools {
        var configuration = SQLiteConfiguration()
        configuration.busyTimeout = patience
        return try SQLiteSchools(
            in: folder.file("schools"),
            migrations: KernelMigrations.school + [
                MigrationSet(
                    owner: "Notes",
                    migrations: [
                        Migration("001", "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL);\n")
                    ])
            ], configuration: configuration, foundDamaged: foundDamaged)
    }

    private func bodies(_ schools: SQLiteSchools, _ id: UUID) async throws -> Set<String> {
        try await schools.school(id).read { sql in
            try Set(sql.rows("SELECT body FROM notes").map { try $0.get("body", as: String.self) })
        }
    }

    private struct NeverRefused: Error {}

    /// Writes until the school refuses, for a minute at most, and returns the acknowledged texts and the faults.
    private func writers(_ schools: SQLiteSchools, _ id: UUID, _ begun: @escaping @Sendable (Int) -> Void)
        -> Task<(acknowledged: Set<String>, refusals: [any Error]), Never>
    {
        Task {
            await withTaskGroup(of: (Set<String>, any Error).self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        var acknowledged: Set<String> = []
                        let start = ContinuousClock.now
                        while true {
                            guard start.duration(to: .now) < .seconds(60) else {
                                return (acknowledged, NeverRefused())
                            }
                            let body = "\(writer) \(acknowledged.count)"
                            do {
                                try await schools.school(id).write { sql in
                                    try sql.execute("INSERT INTO notes (body) VALUES (\(body))")
                                }
                                acknowledged.insert(body)
                                begun(acknowledged.count)
                            } catch {
                                return (acknowledged, error)
                            }
                        }
                    }
                }
                return await group.reduce(into: (acknowledged: Set<String>(), refusals: [any Error]())) {
                    $0.acknowledged.formUnion($1.0)
                    $0.refusals.append($1.1)
                }
            }
        }
    }

    /// Returns a function that waits until the writers have written twenty texts, and their callback.
    private func underWay() -> (wait: @Sendable () async -> Void, begun: @Sendable (Int) -> Void) {
        let stream = AsyncStream.makeStream(of: Void.self)
        return (
            { for await _ in stream.stream { return } },
            { if $0 == 20 { stream.continuation.yield() } }
        )
    }

    @Test("a copy made after closing a school has every acknowledged write, and later writes are refused")
    func closing() async throws {
        let (serving, other) = (try schools(), try schools())
        let id = UUID()
        _ = try await serving.create(id)
        let signal = underWay()
        let writing = writers(serving, id, signal.begun)
        await signal.wait()
        try await other.setWritable(false, id)
        let copy = folder.file("copy.sqlite")
        try await other.copy(id, to: copy)
        let (acknowledged, refusals) = await writing.value
        #expect(refusals.allSatisfy { $0 as? DatabaseFault == .closed }, "\(refusals)")
        let beside = UUID()
        try await other.put(copy, as: beside)
        #expect(try await bodies(other, beside) == acknowledged)
        #expect(try await bodies(serving, id) == acknowledged)
        #expect(try await other.contents(of: id, upTo: nil).isEqual(to: other.contents(of: beside, upTo: nil)))
        // The copy of a closed school is open, and the school itself can be reopened.
        try await other.school(beside).write { try $0.execute("INSERT INTO notes (body) VALUES ('there')") }
        try await other.setWritable(true, id)
        for body in ["here", "here too"] {
            try await serving.school(id).write { try $0.execute("INSERT INTO notes (body) VALUES (\(body))") }
        }
        #expect(try await !other.contents(of: id, upTo: nil).isEqual(to: other.contents(of: beside, upTo: nil)))
        try await serving.close()
        try await other.close()
    }

    @Test("no write succeeds during a restore, and a failed restore changes nothing")
    func restore() async throws {
        let (serving, other) = (try schools(patience: .milliseconds(50)), try schools())
        let id = UUID()
        try await serving.create(id).write { try $0.execute("INSERT INTO notes (body) VALUES ('first')") }
        let copy = folder.file("copy.sqlite")
        try await other.copy(id, to: copy)
        try await serving.school(id).write { try $0.execute("INSERT INTO notes (body) VALUES ('second')") }
        struct Cut: Error {}
        let seen = Mutex<Set<String>>([])
        let late = Task {
            try await serving.school(id).write { try $0.execute("INSERT INTO notes (body) VALUES ('late')") }
        }
        _ = try await late.value
        await #expect(throws: Cut.self) {
            try await other.put(copy, as: id) { [self] in
                // Readers see the old state.
                let now = try await bodies(serving, id)
                seen.withLock { $0 = now }
                await #expect(throws: DatabaseFault.busy) {
                    try await serving.school(id).write {
                        try $0.execute("INSERT INTO notes (body) VALUES ('never')")
                    }
                }
                throw Cut()
            }
        }
        #expect(seen.withLock { $0 } == ["first", "second", "late"])
        #expect(try await bodies(serving, id) == ["first", "second", "late"])
        try await serving.school(id).write { try $0.execute("INSERT INTO notes (body) VALUES ('after')") }
        // A closed school stays closed when its content is replaced.
        try await other.setWritable(false, id)
        try await other.put(copy, as: id)
        #expect(try await bodies(serving, id) == ["first"])
        await #expect(throws: DatabaseFault.closed) {
            try await serving.school(id).write { try $0.execute("INSERT INTO notes (body) VALUES ('never')") }
        }
        try await serving.close()
        try await other.close()
    }

    @Test("a school removed by another process is missing for open handles, and usable once it is restored")
    func removal() async throws {
        let (serving, other) = (try schools(), try schools())
        let id = UUID()
        let handle = try await serving.create(id)
        let signal = underWay()
        let writing = writers(serving, id, signal.begun)
        await signal.wait()
        let copy = folder.file("copy.sqlite")
        try await other.copy(id, to: copy)
        try await other.remove(id)
        let refusals = await writing.value.refusals
        #expect(
            refusals.allSatisfy { [.closed, .missing].contains($0 as? DatabaseFault) }, "\(refusals)")
        try await other.put(copy, as: id)
        try await handle.write { try $0.execute("INSERT INTO notes (body) VALUES ('restored')") }
        #expect(try await bodies(other, id).contains("restored"))
        try await serving.close()
        try await other.close()
    }

    @Test("a damaged school is reported once, other schools keep working, and a backup restores it")
    func damage() async throws {
        let reported = Mutex<[UUID]>([])
        let other = try schools()
        let (id, sound) = (UUID(), UUID())
        for each in [id, sound] {
            try await other.create(each).write { sql in
                for _ in 0..<300 { try sql.execute("INSERT INTO notes (body) VALUES (\(UUID().uuidString))") }
            }
        }
        let copy = folder.file("copy.sqlite")
        try await other.copy(id, to: copy)
        let whole = try await bodies(other, id)
        try await other.close()
        let file = folder.file("schools").appending(path: "\(id.uuidString.lowercased()).sqlite")
        var bytes = try Data(contentsOf: file)
        for place in 0..<4096 * 3 { bytes[place] = 0x5A }
        try bytes.write(to: file)
        for end in ["-wal", "-shm"] { unlink(file.path + end) }
        let schools = try schools(foundDamaged: { id in reported.withLock { $0.append(id) } })
        for _ in 0..<3 {
            await #expect(throws: DatabaseFault.damaged) { try await schools.school(id) }
        }
        #expect(reported.withLock { $0 } == [id])
        #expect(try await bodies(schools, sound).count == 300)
        try await schools.put(copy, as: id)
        #expect(try await bodies(schools, id) == whole)
        try await schools.close()
    }
}
