import Client
import Foundation
import ServerProcess
import Synchronization
import TestKit
import Testing

/// The program `pinktower-gate` as its own process.
private final class GateProcess: Sendable {
    static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "pinktower-gate")

    /// What the program wrote and the test has not asked for yet.
    private struct Output {
        /// The beginning of a line whose end is not there yet.
        var rest = Data()
        var lines: [String] = []
        var hasEnded = false
    }

    let process = Process()
    private let input = Pipe()
    private let output = Mutex(Output())

    /// - Parameter arguments: The command and its options.
    init(_ arguments: [String], data: URL, language: String = "en") throws {
        let pipe = Pipe()
        process.executableURL = Self.program
        process.arguments = arguments + ["--data", data.path, "--language", language]
        process.standardInput = input
        process.standardOutput = pipe
        process.standardError = pipe
        pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let more = handle.availableData
            if more.isEmpty { handle.readabilityHandler = nil }
            self?.take(more)
        }
        try process.run()
    }

    /// Adds bytes of the output; none are its end.
    private func take(_ more: Data) {
        output.withLock { output in
            output.hasEnded = more.isEmpty
            output.rest += more
            while let end = output.rest.firstIndex(of: 0x0A) {
                output.lines.append(String(decoding: output.rest[output.rest.startIndex..<end], as: UTF8.self))
                output.rest = Data(output.rest[output.rest.index(after: end)...])
            }
        }
    }

    func send(_ code: String) { input.fileHandleForWriting.write(Data("\(code)\n".utf8)) }
    func endInput() throws { try input.fileHandleForWriting.close() }

    /// Waits for a line that contains a text, at most a minute.
    ///
    /// The order does not matter, since the program says how the sending goes whenever it knows. A line is returned once.
    /// Returns `nil` if no such line comes.
    func line(with text: String) async throws -> String? {
        var found: String?
        try await eventually {
            output.withLock { output in
                found = output.lines.firstIndex { $0.contains(text) }.map { output.lines.remove(at: $0) }
                return found != nil || output.hasEnded
            }
        }
        return found
    }

    /// The number of lines so far that contain a text and were not returned.
    func count(with text: String) -> Int {
        output.withLock { output in output.lines.count { $0.contains(text) } }
    }

    /// Waits for the end of the program, at most a minute. Returns the other lines, and the status of the process.
    func finish() async throws -> (lines: [String], status: Int32) {
        try await eventually { output.withLock(\.hasEnded) && !process.isRunning }
        let lines = output.withLock(\.lines)
        try #require(!process.isRunning, "the program has not ended; it wrote \(lines)")
        return (lines, process.terminationStatus)
    }

    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}

/// The program at a door against the real server, over sockets.
@Suite("The program at a door", .serialized, .timeLimit(.minutes(5)))
struct GateProgramTests {
    /// A residence with residents who each have a card: `CARD0001` and so on.
    private struct Home: Sendable {
        let server: RealServer
        let token: String
        let pgId: String

        init(_ server: RealServer, residents: Int) async throws {
            self.server = server
            let wire = try Wire(port: server.port)
            let (token, _) = try await wire.foundSchool()
            let residence = try await wire.run(
                "/residences", ["name": "Birch", "schoolNightCurfew": "05:00", "weekendCurfew": "05:00"], as: token)
            let pgId = try residence.text("id")
            (self.token, self.pgId) = (token, pgId)
            let classroom = try await wire.run("/classrooms", ["name": "Maple room"], as: token).text("id")
            for number in 0..<residents {
                let student = try await wire.run(
                    "/students", ["firstName": "Bea", "lastName": "No\(number)", "classroomId": classroom],
                    as: token
                ).text("id")
                _ = try await wire.run("/residences/\(pgId)/students", ["studentId": student], as: token)
                _ = try await wire.run(
                    "/residences/\(pgId)/students/\(student)/tags", ["number": Home.card(number)], as: token)
            }
        }

        static func card(_ number: Int) -> String { "CARD\(1000 + number)" }

        /// Allows a gate and returns its code.
        func allow(_ code: String) async throws -> String {
            _ = try await Wire(port: server.port).run(
                "/residences/\(pgId)/gates", ["name": "Main door", "pairingCode": code], as: token)
            return code
        }

        func passages(_ port: Int? = nil) async throws -> [[String: Any]] {
            try await list("passages?limit=500", port)
        }

        func gates() async throws -> [[String: Any]] { try await list("gates", nil) }

        private func list(_ name: String, _ port: Int?) async throws -> [[String: Any]] {
            let answer = try await Wire(port: port ?? server.port).read(
                "/api/v1/residences/\(pgId)/\(name)", as: token)
            let value = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
            return value?["items"] as? [[String: Any]] ?? []
        }
    }

    private func pair(_ home: Home, _ address: URL, _ data: URL, code: String = "ABCD2345") async throws {
        let code = try await home.allow(code)
        let paired = try await GateProcess(["pair", address.absoluteString, code], data: data).finish()
        #expect(paired.status == 0 && paired.lines.first?.hasPrefix("Paired as Main door of Birch, ") == true)
    }

    @Test("a gate pairs, records through a cut network and a restart, and sends each passage once")
    func cutNetwork() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = try await Home(server, residents: 3)
        let proxy = try FaultyProxy(to: server.port)
        defer { proxy.close() }
        let data = folder.url.appending(path: "gate")
        let unpaired = try await GateProcess(["status"], data: data).finish()
        #expect(unpaired.status == 1)
        try await pair(home, try proxy.url, data)
        let again = try await GateProcess(["pair", try proxy.url.absoluteString, "ABCD2345"], data: data).finish()
        #expect(again.status == 1, "a code is valid once")

        let first = try GateProcess(["run", "--stdin"], data: data)
        #expect(try await first.line(with: "Birch")?.hasPrefix("GATE  Main door, Birch.") == true)
        first.send(Home.card(0))
        #expect(try await first.line(with: "Bea No0")?.hasPrefix("IN  ") == true)
        first.send("NOTACARD")
        #expect(try await first.line(with: "Tag not known") != nil)
        // The gate knows of the arrival a moment after the server.
        try await eventually {
            try await GateProcess(["status"], data: data).finish().lines.contains("All passages sent.")
        }
        #expect(try await home.passages().count == 1)
        proxy.set(.cut)
        first.send(Home.card(1))
        #expect(try await first.line(with: "Bea No1")?.hasPrefix("IN  ") == true)
        first.kill()
        let status = try await GateProcess(["status"], data: data).finish()
        #expect(status.status == 0 && status.lines.contains("1 passage stored on this device"))

        let second = try GateProcess(["run", "--stdin"], data: data, language: "fr")
        #expect(try await second.line(with: "Birch") != nil)
        second.send(Home.card(2))
        #expect(try await second.line(with: "Bea No2")?.hasPrefix("ENTRÉE  ") == true)
        #expect(try await second.line(with: "Hors ligne") != nil)
        proxy.set(.mixed)
        try await eventually { try await home.passages().count == 3 }
        let sent = try await home.passages()
        #expect(sent.count == 3 && Set(sent.compactMap { $0["studentId"] as? String }).count == 3)
        #expect(sent.allSatisfy { $0["method"] as? String == "kiosk" && $0["type"] as? String == "checkIn" })
        second.kill()
    }

    @Test("a serial reader is read through a pseudo-terminal, and a badge's tag twice is one passage")
    func serialReader() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = try await Home(server, residents: 2)
        let data = folder.url.appending(path: "gate")
        let address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        try await pair(home, address, data)
        let terminal = try #require(PseudoTerminal())
        let gate = try GateProcess(["run", "--reader", terminal.path, "--color"], data: data)
        #expect(try await gate.line(with: terminal.path)?.contains("is ready") == true)
        // A second program does not use the same folder.
        #expect(try await GateProcess(["run", "--stdin"], data: data).finish().status == 1)
        for _ in 0..<3 { terminal.send("\u{2}\(Home.card(0).lowercased())\u{3}\r\n") }
        terminal.send("\(Home.card(1))\r")
        #expect(try await gate.line(with: "Bea No0")?.hasPrefix("\u{1B}[30;42m IN  ") == true)
        #expect(try await gate.line(with: "Bea No1") != nil)
        #expect(gate.count(with: "Bea No0") == 0, "the three reads of one tag are one")
        try await eventually { try await home.passages().count == 2 }
        #expect(try await home.passages().count == 2)
        gate.kill()
    }

    @Test("a gate whose clock is a day off, and set in between, records the right times")
    func wrongClock() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = try await Home(server, residents: 2)
        let address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let began = Date()
        let store = try await readWithWrongClock(address, folder.url, code: try await home.allow("ABCD2345"))
        try await eventually { try await home.passages().count == 2 }
        let times = try await home.passages().compactMap { $0["timestamp"] as? String }.map { text in
            try (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
                ?? Date(text, strategy: .iso8601)
        }
        #expect(times.count == 2 && times.allSatisfy { abs($0.timeIntervalSince(began)) < 10 })
        await store.stop()
    }

    /// Reads two cards on a device whose clock is a day ahead at first, and then set a day behind.
    @MainActor
    private func readWithWrongClock(_ address: URL, _ folder: URL, code: String) async throws -> GateStore {
        let clock = WrongClock()
        let serverClock = ServerClock(
            DeviceClocks(wall: { clock.now }, uptime: DeviceClocks.system.uptime, boot: "today"))
        let auth = try LiveAuthManager(
            server: address, storage: SessionFile(folder.appending(path: "session")), clock: serverClock)
        _ = try await auth.pairGate(code: code)
        let store = try await GateStore.open(
            api: LiveAPIManager(server: address, auth: auth), auth: auth,
            storage: ClientStorage(folder: folder.appending(path: "gate")), clock: serverClock)
        await store.refresh()
        _ = try store.read(Home.card(0))
        clock.set(-86_400)
        _ = try store.read(Home.card(1))
        return store
    }

    /// A clock that is wrong by some seconds.
    private final class WrongClock: Sendable {
        private let error = Mutex<TimeInterval>(86_400)
        var now: Date { Date().addingTimeInterval(error.withLock { $0 }) }
        func set(_ seconds: TimeInterval) { error.withLock { $0 = seconds } }
    }

    @Test("a gate that a warden ended says so, keeps what it has, and sends it once it is paired again")
    func ended() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = try await Home(server, residents: 2)
        let proxy = try FaultyProxy(to: server.port)
        defer { proxy.close() }
        let data = folder.url.appending(path: "gate")
        try await pair(home, try proxy.url, data)
        proxy.set(.cut)
        let gate = try GateProcess(["run", "--stdin"], data: data)
        #expect(try await gate.line(with: "Main door, Birch.") != nil)
        gate.send(Home.card(0))
        #expect(try await gate.line(with: "Bea No0") != nil)
        let id = try #require(try await home.gates().first?["id"] as? String)
        _ = try await Wire(port: server.port).run(
            "/residences/\(home.pgId)/gates/\(id)/end", [String: String](), as: home.token)
        proxy.set(.none)
        #expect(try await gate.line(with: "not paired") != nil)
        #expect(try await gate.line(with: "1 passage was not sent") != nil)
        gate.send(Home.card(1))
        #expect(try await gate.line(with: "not paired") != nil)
        #expect(try await home.passages().isEmpty)
        let status = try await GateProcess(["status"], data: data).finish()
        #expect(status.status == 1 && status.lines.contains { $0.hasPrefix("1 passage was not sent") })
        // The running program takes the new pairing by itself.
        try await pair(home, try proxy.url, data, code: "ABCD2346")
        #expect(try await gate.line(with: "Main door, Birch.") != nil)
        try await eventually { try await home.passages().count == 1 }
        #expect(try await home.passages().count == 1)
        gate.kill()
    }

    @Test("a gate that is killed again and again loses nothing that it showed and sends nothing twice")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let residents = 60
        let home = try await Home(server, residents: residents)
        let proxy = try FaultyProxy(to: server.port)
        defer { proxy.close() }
        let data = folder.url.appending(path: "gate")
        try await pair(home, try proxy.url, data)
        proxy.set(.mixed)
        var shown: [String] = []
        for turn in 0..<30 {
            let gate = try GateProcess(["run", "--stdin"], data: data)
            // Each resident's card is read once, so that each passage is one of its own.
            for number in [turn * 2, turn * 2 + 1] { gate.send(Home.card(number)) }
            if turn % 3 != 0, let line = try await gate.line(with: "Bea No") { shown.append(line) }
            if turn % 3 == 2, let line = try await gate.line(with: "Bea No") { shown.append(line) }
            gate.kill()
        }
        proxy.set(.none)
        let last = try GateProcess(["run", "--stdin"], data: data)
        #expect(try await last.line(with: "All passages sent") != nil)
        try last.endInput()
        _ = try await last.finish()
        let status = try await GateProcess(["status"], data: data).finish()
        #expect(status.lines.contains("All passages sent."))
        let passages = try await home.passages()
        let students = passages.compactMap { $0["studentId"] as? String }
        #expect(shown.count == 30)
        #expect(passages.count >= shown.count && passages.count <= residents)
        #expect(Set(students).count == passages.count, "no resident has two passages")
    }
}

extension Wire {
    /// Reads a path with a bearer token and returns the body.
    fileprivate func read(_ path: String, as bearer: String) async throws -> String {
        try await onQueue { [self] in
            try send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(bearer)\r\n\r\n")
        }
        let answer: (status: Int, headers: [String: String], body: String) = try await answer()
        return answer.body
    }
}
