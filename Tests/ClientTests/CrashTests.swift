import Domain
import Foundation
import TestKit
import Testing

@Suite("A client that is killed")
struct ClientCrashTests {
    /// The `clientprobe` executable, which is built beside the test runner.
    static let probe = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "clientprobe")

    /// Runs the probe and returns its lines. It is killed after a number of shown changes.
    private func run(_ folder: URL, _ server: URL, rounds: Int? = nil, killAfter: Int? = nil) throws -> [String] {
        try run([folder.path, server.path] + (rounds.map { [String($0)] } ?? []), killAfter: killAfter)
    }

    private func run(_ arguments: [String], killAfter: Int? = nil) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = Self.probe
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        var lines: [String] = []
        var rest = Data()
        while true {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            rest += data
            while let end = rest.firstIndex(of: 0x0A) {
                lines.append(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                rest = Data(rest[rest.index(after: end)...])
            }
            if let killAfter, lines.count > killAfter { kill(process.processIdentifier, SIGKILL) }
        }
        process.waitUntilExit()
        return lines
    }

    @Test("a client that is killed 200 times loses nothing that it showed and sends nothing twice")
    func killed() throws {
        let folder = try TemporaryFolder()
        let (device, server) = (folder.file("client"), folder.file("server"))
        try FileManager.default.createDirectory(at: server, withIntermediateDirectories: true)
        var shown: [String] = []
        for turn in 0..<200 {
            let lines = try run(device, server, killAfter: turn % 7)
            #expect(lines.first == "ready")
            shown += lines.filter { $0.hasPrefix("shown ") }.map { String($0.dropFirst(6)) }
        }
        let last = try run(device, server, rounds: 0)
        #expect(last.last == "done")
        let rooms = last.filter { $0.hasPrefix("room ") }.map { String($0.dropFirst(5)) }
        struct Sent: Decodable { let number: String }
        // A process that is killed may leave a half-written file, whose name is no key.
        let files = try FileManager.default.contentsOfDirectory(at: server, includingPropertiesForKeys: nil)
            .filter { UUID(uuidString: $0.lastPathComponent) != nil }
        let stored = try files.map {
            try JSONDecoder().decode(Sent.self, from: Data(contentsOf: $0)).number
        }
        #expect(shown.count > 400 && Set(shown).isSubset(of: stored))
        // A change is one file, however often it was sent, and one room on the device.
        #expect(Set(stored).count == stored.count && Set(rooms).count == rooms.count)
        #expect(Set(rooms) == Set(stored))
    }

    @Test("a gate that is killed 100 times loses no passage that it showed and sends none twice")
    func gate() throws {
        let folder = try TemporaryFolder()
        let (device, server) = (folder.file("client"), folder.file("server"))
        try FileManager.default.createDirectory(at: server, withIntermediateDirectories: true)
        var shown: [String] = []
        for turn in 0..<100 {
            // Each card is read once: a resident with two passages was sent twice.
            let lines = try run(["gate", device.path, server.path, String(turn * 9), "9"], killAfter: turn % 9)
            #expect(lines.first == "ready")
            shown += lines.filter { $0.hasPrefix("shown ") }.map { String($0.dropFirst(6)) }
        }
        #expect(try run(["gate", device.path, server.path, "0", "0"]).last == "done")
        struct Sent: Decodable {
            let id: UUID
            let studentId: UUID
        }
        let files = try FileManager.default.contentsOfDirectory(at: server, includingPropertiesForKeys: nil)
            .filter { UUID(uuidString: $0.lastPathComponent) != nil }
        let stored = try files.map { file in
            let sent = try JSONDecoder().decode(Sent.self, from: Data(contentsOf: file))
            #expect(sent.id == UUID(uuidString: file.lastPathComponent), "the key is the passage's id")
            return sent.studentId.text
        }
        #expect(shown.count > 300 && Set(shown).isSubset(of: stored))
        #expect(Set(stored).count == stored.count)
    }
}
