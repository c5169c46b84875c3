import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite("The data folder")
struct DataFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ file: URL) throws -> Int {
        try #require(
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int)
    }

    @Test(
        "database files are private to their owner, also when an earlier version created them")
    func databases() async throws {
        let old = umask(0o022)
        defer { umask(old) }
        let file = folder.file("directory.sqlite")
        for _ in 0..<2 {
            let database = try SQLiteDatabase(at: file, migrations: KernelMigrations.directory)
            try await database.write { try $0.execute("DELETE FROM idempotency") }
            for end in ["", "-wal", "-shm"] {
                let path = URL(filePath: file.path + end)
                #expect(try mode(path) == 0o600, "\(end)")
            }
            try await database.close()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        }
        let schools = try SQLiteSchools(in: folder.file("schools"), migrations: KernelMigrations.school)
        let id = UUID()
        _ = try await schools.create(id)
        let copy = folder.file("copy.sqlite")
        try await schools.copy(id, to: copy)
        #expect(try mode(copy) == 0o600)
        #expect(try mode(folder.file("schools")) == 0o700)
        #expect(try mode(folder.file("schools").appending(path: "\(id.uuidString.lowercased()).sqlite")) == 0o600)
        try await schools.close()
    }

    @Test("preparing the folder of an earlier version removes other accounts' access to everything in it")
    func preparesOldFolder() throws {
        let data = folder.file("data")
        let inner = data.appending(path: "outbox")
        try FileManager.default.createDirectory(
            at: inner, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let outside = folder.file("outside")
        for file in [outside, inner.appending(path: "letter"), data.appending(path: "secret.key")] {
            try Data("x".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        }
        try FileManager.default.createSymbolicLink(at: data.appending(path: "link"), withDestinationURL: outside)
        try DataFolder.prepare(data)
        #expect(try mode(data) == 0o700)
        #expect(try mode(inner) == 0o700)
        #expect(try mode(inner.appending(path: "letter")) == 0o600)
        #expect(try mode(data.appending(path: "secret.key")) == 0o600)
        #expect(try mode(outside) == 0o644, "what a link leads to is not ours")
    }

    @Test("a path that cannot be a data folder is refused with a sentence that says what to do")
    func refuses() throws {
        let refusal = #expect(throws: DataFolder.Refusal.self) {
            try DataFolder.prepare(URL(filePath: "/dev/null"))
        }
        #expect(refusal?.description.contains("/dev/null is not a folder") == true)
        #expect(refusal?.description.contains("--data") == true)
        let below = #expect(throws: DataFolder.Refusal.self) {
            try DataFolder.prepare(URL(filePath: "/dev/null/data"))
        }
        #expect(below?.description.contains("--data") == true)
    }

    @Test("only one process at a time can serve a folder")
    func lock() throws {
        try DataFolder.prepare(folder.file("data"))
        var first: DataFolder? = try DataFolder.lock(folder.file("data"))
        let refusal = #expect(throws: DataFolder.Refusal.self) { try DataFolder.lock(folder.file("data")) }
        #expect(refusal?.description.contains("serves the data folder") == true)
        #expect(first != nil)
        first = nil
        _ = try DataFolder.lock(folder.file("data"))
    }

    @Test("the probe notices that a folder cannot be written, and that it can be written again")
    func probe() async throws {
        let gone = folder.file("gone")
        let probe = WriteProbe(gone, pause: .zero)
        await #expect(throws: DatabaseFault.self) { try await probe.check() }
        try FileManager.default.createDirectory(at: gone, withIntermediateDirectories: true)
        try await probe.check()
        #expect(try FileManager.default.contentsOfDirectory(atPath: gone.path).isEmpty)
        let rare = WriteProbe(gone, pause: .seconds(3600))
        try await rare.check()
        try FileManager.default.removeItem(at: gone)
        try await rare.check()
    }
}
