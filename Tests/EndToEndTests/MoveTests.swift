import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Persistence
import ServerApp
import ServerProcess
import Synchronization
import TestKit
import Testing

/// Moving a school with the command line, away from a server in its own process.
@Suite("Moving a school from a running server", .timeLimit(.minutes(10)))
struct MoveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The output of the command line, and its exit status.
    private func command(_ arguments: [String]) async throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "pinktower")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ["PINKTOWER_WEAK_PASSWORD_HASH": "true", "LANG": "en"]
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try process.run()
                        let said = output.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
                    })
            }
        }
    }

    /// The children whose saving was confirmed, and the refusals that stopped the writers.
    private struct Written: Sendable {
        var names: Set<String> = []
        var refusals: [String] = []
    }

    /// Adds children until each writer is refused permanently.
    private func write(
        _ port: Int, _ token: String, _ roomId: String, begun: @escaping @Sendable () -> Void
    ) async throws -> Written {
        try await withThrowingTaskGroup(of: Written.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let wire = try Wire(port: port)
                    var written = Written()
                    for number in 0..<100_000 {
                        let name = "Child \(writer)-\(number)"
                        guard
                            let answer = try await wire.post(
                                "/api/v1/students", ["firstName": name, "classroomId": roomId], bearer: token)
                        else { throw Wire.Broken(description: "a child was not answered") }
                        guard answer.status == 201 else {
                            written.refusals.append(
                                "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
                            return written
                        }
                        written.names.insert(name)
                        if number == 10 { begun() }
                    }
                    return written
                }
            }
            return try await group.reduce(into: Written()) {
                $0.names.formUnion($1.names)
                $0.refusals += $1.refusals
            }
        }
    }

    private func children(in data: URL, of orgId: String) async throws -> Set<String> {
        var settings = Tower.settings(in: folder)
        settings.dataFolder = data
        let composition = try await ServerComposition.build(settings)
        let names = try await composition.schools.school(try #require(UUID(uuidString: orgId))).read { sql in
            try sql.rows("SELECT given_name FROM people").map { try $0.get("given_name", as: String.self) }
        }
        try await composition.close()
        return Set(names.filter { $0.hasPrefix("Child") })
    }

    /// Three rounds in the suite; `MOVE_ROUNDS=20 swift test --filter MoveTests` runs more.
    @Test(
        "every write that was confirmed is in the moved school, and the others were refused because it is closed",
        .requirement("BY-1.15.c"))
    func moves() async throws {
        let rounds = ProcessInfo.processInfo.environment["MOVE_ROUNDS"].flatMap { Int($0) } ?? 3
        for round in 1...rounds {
            let data = folder.file("data-\(round)")
            let server = try RealServer.start(data, in: folder)
            defer { server.kill() }
            let wire = try Wire(port: server.port)
            let (token, orgId) = try await wire.foundSchool()
            let roomId = try await wire.run("/classrooms", ["name": "Maple room"], as: token).text("id")
            let begun = AsyncStream.makeStream(of: Void.self)
            async let writing = {
                // A writer that fails early must not be waited for.
                defer { begun.continuation.finish() }
                return try await write(server.port, token, roomId) { begun.continuation.yield() }
            }()
            var waiting = begun.stream.makeAsyncIterator()
            for _ in 0..<4 { await waiting.next() }
            let target = folder.file("elsewhere-\(round)")
            let moved = try await command(["move", "Maple", "--to", target.path, "--data", data.path])
            #expect(moved.status == 0, "\(moved.text)")
            // Writers would never stop in a school that stays open.
            if moved.status != 0 { server.kill() }
            let written = try await writing
            #expect(written.names.count >= 40)
            #expect(written.refusals.allSatisfy { $0.hasPrefix("423 ") && $0.contains("schoolClosed") })
            let missing = written.names.subtracting(try await children(in: target, of: orgId))
            #expect(missing.isEmpty, "round \(round): \(missing.count) of \(written.names.count) are missing")
            // Repeating the move changes nothing, and a school that is called back is in use here.
            let again = try await command(["move", "Maple", "--to", target.path, "--data", data.path])
            #expect(again.status == 0, "\(again.text)")
            let back = try await command(["delete", "Maple", "--call-back", "--data", data.path])
            #expect(back.status == 0, "\(back.text)")
            let refused = try await command(["move", "Maple", "--to", target.path, "--data", data.path])
            #expect(refused.status != 0 && refused.text.contains("already exists here"), "\(refused.text)")
        }
    }

    @Test("directory commands are refused at once when another process has closed their school")
    func directory() async throws {
        let (here, there) = (folder, try TemporaryFolder())
        try await Tower.with(in: here) { tower in
            let sample = try await tower.sampleSchool()
            // The server's cached memberships are from before the move.
            _ = try await run(
                .move(school: "Maple School", to: Tower.settings(in: there).dataFolder), Tower.settings(in: here))
            let invites = "/api/v1/invites"
            for (path, body) in [
                (invites, ["role": "guide"]), ("/api/v1/organization/rename", ["name": "Oak School"]),
                ("/api/v1/classrooms", ["name": "Oak room"]), ("/api/v1/records/exports", [:]),
            ] {
                let answer = try await tower.post(path, body, as: sample.founder.bearer)
                #expect(answer.status.code == 423 && answer.text.contains("Maple School is closed"), "\(path)")
            }
            let other = try await tower.signUp()
            let redeemed = try await tower.post(
                "/api/v1/invites/redeem", ["code": sample.code], as: other.bearer)
            #expect([422, 423].contains(redeemed.status.code), "\(redeemed.text)")
            // The page of the closed school opens it again, and the log continues.
            let back = try await tower.post(
                "/api/v1/organization/call-back", [:] as [String: String], as: sample.founder.bearer)
            #expect(back.status == .ok, "\(back.text)")
            let room = try await tower.post("/api/v1/classrooms", ["name": "Oak room"], as: sample.founder.bearer)
            #expect(room.status == .created, "\(room.text)")
        }
    }

    @Test(
        "an interrupted move is completed by the next one, and a copy with other content is refused in a sentence")
    func stopped() async throws {
        let (here, there) = (folder, try TemporaryFolder())
        let (settings, target) = (Tower.settings(in: here), Tower.settings(in: there).dataFolder)
        try await Tower.with(in: here) { tower in
            let sample = try await tower.sampleSchool()
            // The state after a move that was interrupted before it copied.
            _ = try await run(.delete(school: nil, atOnce: false), settings)
            _ = try await run(.move(school: nil, to: target), settings)
            _ = try await run(.move(school: nil, to: target), settings)
            _ = try await run(.callBack(school: nil), settings)
            // Another process has opened it; this one checks every second.
            tower.composition.clearCaches()
            let room = try await tower.post("/api/v1/classrooms", ["name": "Oak room"], as: sample.founder.bearer)
            #expect(room.status == .created, "\(room.text)")
            _ = try await run(.delete(school: nil, atOnce: false), settings)
            let refusal = await #expect(throws: TaskRefused.self) {
                try await run(.move(school: nil, to: target), settings)
            }
            #expect(refusal?.description.contains("different content") == true)
            _ = try await run(.delete(school: nil, atOnce: true), settings)
            #expect(try await tower.composition.schools.all().isEmpty)
        }
    }

    @Test("a move that fails leaves the school open")
    func fails() async throws {
        let data = folder.file("data")
        let server = try RealServer.start(data, in: folder)
        defer { server.kill() }
        let wire = try Wire(port: server.port)
        let token = try await wire.foundSchool().token
        let nowhere = try await command(["move", "--to", "/dev/null/elsewhere", "--data", data.path])
        #expect(nowhere.status != 0 && nowhere.text.contains("--data"), "\(nowhere.text)")
        // A folder in which prepared schools cannot be created: the copy fails after the school was closed.
        let target = folder.file("elsewhere")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        try Data("in the way".utf8).write(to: target.appending(path: "files"))
        let full = try await command(["move", "--to", target.path, "--data", data.path])
        #expect(full.status != 0, "\(full.text)")
        let room = try await wire.post("/api/v1/classrooms", ["name": "Maple room"], bearer: token)
        #expect(room?.status == 201)
        let left = try await command(["check", "--data", target.path])
        #expect(left.text.contains("no school yet"), "\(left.text)")
    }
}
