import FeatureKit
import Foundation
import Persistence
import TestKit
import Testing

@Suite("Crash safety")
struct CrashTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    /// The `crashprobe` executable, which is built beside the test runner.
    static let probe = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "crashprobe")

    private func run(_ arguments: [String], until isEnough: (Int) -> Bool) async throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = Self.probe
        process.arguments = [folder.file("crash.sqlite").path] + arguments
        process.standardOutput = output
        try process.run()
        var lines: [String] = []
        var storedCount = 0
        var rest = Data()
        while true {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            rest += data
            while let end = rest.firstIndex(of: 0x0A) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = rest[rest.index(after: end)...]
                lines.append(line)
                if line.hasPrefix("kept") { storedCount += 1 }
                if isEnough(storedCount) { kill(process.processIdentifier, SIGKILL) }
            }
        }
        process.waitUntilExit()
        return lines
    }

    /// - Parameter exactly: Whether every write was acknowledged or refused, so that there are no other rows.
    private func expectAllStored(_ lines: [String], exactly: Bool = false) async throws {
        let acknowledged = lines.compactMap { $0.hasPrefix("kept ") ? Int($0.dropFirst(5)) : nil }
        let database = try await SQLiteDatabase.open(at: folder.file("crash.sqlite"), migrations: [])
        let rows = try await database.read { try $0.rows("SELECT id, body FROM notes") }
        let there = Set(try rows.map { try $0.get("id", as: Int.self) })
        #expect(acknowledged.allSatisfy(there.contains))
        if exactly { #expect(there == Set(acknowledged)) }
        let bodies = try rows.map { try $0.get("body", as: String.self).count }
        #expect(bodies.allSatisfy { $0 == 500 })
        try await database.close()
    }

    @Test("every acknowledged write survives a SIGKILL under load", arguments: [1, 50, 400])
    func killed(_ enough: Int) async throws {
        let lines = try await run([], until: { $0 >= enough })
        #expect(lines.filter { $0.hasPrefix("kept") }.count >= enough)
        #expect(!lines.contains { $0.hasPrefix("fault") || $0 == "done" })
        try await expectAllStored(lines)
    }

    @Test("every acknowledged write survives a full disk, and the others fail")
    func full() async throws {
        let lines = try await run(["900"], until: { _ in false })
        let faults = lines.filter { $0.hasPrefix("fault") }
        #expect(faults.count == 8)
        #expect(faults.allSatisfy { $0.contains("cannotWrite") })
        #expect(lines.last == "done")
        #expect(lines.filter { $0.hasPrefix("kept") }.count > 20)
        try await expectAllStored(lines, exactly: true)
    }
}
