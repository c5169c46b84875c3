import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import Persistence
import ServerApp
import ServerProcess
import TestKit
import Testing

/// Event streams whose server dies, whose reader stops reading, or whose reader loses its rights.
@Suite("Event streams under bad conditions")
struct StreamTests {
    /// Returns the numbers of the complete events, in the order of their arrival.
    static func numbers(_ lines: [String]) -> [Int64] {
        var (numbers, id): ([Int64], Int64?) = ([], nil)
        for line in lines {
            if line.hasPrefix("id: ") { id = Int64(line.dropFirst(4)) }
            // A browser accepts an event at the empty line after it.
            if line.isEmpty, let number = id {
                numbers.append(number)
                id = nil
            }
        }
        return numbers
    }

    /// An open stream, on which nothing that follows can be missed.
    static func open(
        _ port: Int, as token: String, after number: Int64? = nil, receiveBuffer: Int32? = nil
    ) async throws -> Wire {
        let wire = try Wire(port: port, receiveBuffer: receiveBuffer)
        try wire.send(
            "GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n"
                + (number.map { "Last-Event-ID: \($0)\r\n" } ?? "") + "\r\n")
        _ = try await wire.lines(until: "retry:")
        return wire
    }

    static func mark(_ tower: Tower, _ sample: Tower.SampleSchool, _ status: String, as token: String) async throws
    {
        let answer = try await tower.post(
            "/api/v1/classrooms/\(sample.classroomId)/attendance",
            ["studentId": sample.studentId, "status": status], as: .bearer(token))
        #expect(answer.status == .ok)
    }

    // MARK: - Killed servers

    @Test("a stream that reconnects after kill -9 has every change once and in order, including unpublished ones")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: "data")
        let server = try RealServer.start(data, in: folder)
        defer { server.kill() }
        let wire = try Wire(port: server.port)
        let (token, orgId) = try await wire.foundSchool()
        let roomId = try await wire.run("/classrooms", ["name": "Maple room"], as: token).text("id")
        var children: [String] = []
        for number in 0..<6 {
            let child = ["firstName": "Child \(number)", "classroomId": roomId]
            children.append(try await wire.run("/students", child, as: token).text("id"))
        }
        let readers = try await [0, 0, 0].asyncMap { try await Self.open(server.port, as: token, after: $0) }
        let port = server.port
        async let heard = readers.asyncMap { Self.numbers(try await $0.linesUntilItBreaks()) }
        await withTaskGroup(of: Void.self) { group in
            let taps = AsyncStream.makeStream(of: Void.self)
            for child in children {
                group.addTask {
                    do {
                        let wire = try Wire(port: port)
                        for tap in 0..<100_000 {
                            let status = tap % 2 == 0 ? "present" : "absent"
                            guard
                                try await wire.post(
                                    "/api/v1/classrooms/\(roomId)/attendance",
                                    ["studentId": child, "status": status], bearer: token) != nil
                            else { return }
                            taps.continuation.yield()
                        }
                    } catch { Issue.record(error) }
                }
            }
            var count = 0
            for await _ in taps.stream {
                count += 1
                if count >= 200 { break }
            }
            server.kill()
        }
        server.process.waitUntilExit()
        let before = try await heard

        // The state after a process that died between commit and publishing: the entry is in the log, and no stream
        // had it.
        var settings = Tower.settings(in: folder)
        settings.dataFolder = data
        let composition = try await ServerComposition.build(settings)
        let school = try await composition.schools.school(try #require(UUID(uuidString: orgId)))
        let unheard = Change("attendance.marked", topics: ["classroom:\(roomId)"], audience: [.role(.superAdmin)])
        _ = try await school.write { try ChangeLog.append([unheard], at: Date(), actor: nil, in: $0) }
        let all = try await school.read { try ChangeLog.changes(after: 0, limit: 100_000, in: $0) }.map(\.seq)
        try await composition.close()

        let again = try RealServer.start(data, in: folder)
        defer { again.kill() }
        for numbers in before {
            #expect(numbers.count >= 100, "streams heard what was marked")
            let wire = try await Self.open(again.port, as: token, after: numbers.last)
            let missed =
                try await wire.lines(until: "id: \(all[all.count - 1])") + wire.lines(until: "data:") + [""]
            #expect(numbers + Self.numbers(missed) == all)
        }
    }

    // MARK: - Slow readers

    @Test(
        "a reader that does not read loses its stream and resumes, while others continue and memory stays bounded")
    func sleeping() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let port = try #require(tower.client.port)
            let orgId = try #require(UUID(uuidString: sample.orgId))
            let school = try await tower.composition.schools.school(orgId)
            let start = try await school.read { try ChangeLog.latest(in: $0) }
            let sleeping = try await Self.open(port, as: sample.founder.access, receiveBuffer: 65_536)
            let awake = try await Self.open(port, as: sample.founder.access)
            let large = Change(
                "attendance.marked", topics: [], audience: [.role(.superAdmin)],
                payload: ["weight": String(repeating: "x", count: 16_384)])
            // More than the kernel (at most 4 MB), the connection and the hub buffer for one reader.
            var (all, heard): ([Int64], [Int64]) = ([], [])
            for _ in 0..<24 {
                let logged = try await school.write { sql in
                    try ChangeLog.append(
                        Array(repeating: large, count: 50), at: tower.clock.now, actor: nil, in: sql)
                }
                tower.composition.hub.publish(logged, of: orgId)
                all += logged.map(\.seq)
                heard += Self.numbers(
                    try await awake.lines(until: "id: \(all[all.count - 1])") + awake.lines(until: "data:") + [""])
            }
            #expect(heard == all, "a reader is not held up by one that sleeps")
            let late = Self.numbers(try await sleeping.linesToTheEnd())
            #expect(late.count >= ChangeHub.bufferLimit && late.count < all.count, "\(late.count) were kept for it")
            #expect(late.first == start + 1)
            let back = try await Self.open(port, as: sample.founder.access, after: late.last)
            let rest = try await back.lines(until: "id: \(all[all.count - 1])") + back.lines(until: "data:") + [""]
            #expect(late + Self.numbers(rest) == all, "nothing lost, nothing twice")
        }
    }

    @Test("a quiet stream is kept open by comments, and ends at the next comment after its session has ended")
    func heartbeat() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let port = try #require(tower.client.port)
            let (quiet, over) = (
                try await Self.open(port, as: sample.founder.access),
                try await Self.open(port, as: sample.member.access)
            )
            async let beat = quiet.lines(until: ": ")
            async let end = over.linesToTheEnd()
            let answer = try await tower.post(
                "/api/v1/auth/sign-out", [String: String](), as: sample.member.bearer)
            #expect(answer.status == .ok)
            #expect(try await !beat.contains { $0.hasPrefix("data:") })
            #expect(try await !end.contains { $0.hasPrefix("data:") })
        }
    }

    // MARK: - Readers without rights

    @Test(
        "after a sign-out no event is sent on that session's streams, and others of the account continue",
        .requirement("WW-2.07.b"))
    func signedOut() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let port = try #require(tower.client.port)
            let other = try await tower.post(
                "/api/v1/auth/sign-in", ["email": sample.founder.email, "password": Tower.password]
            ).json().text("accessToken")
            let streams = try await [sample.founder.access, sample.founder.access, other].asyncMap {
                try await Self.open(port, as: $0)
            }
            try await Self.mark(tower, sample, "present", as: other)
            for stream in streams { _ = try await stream.lines(until: "attendance.marked") }
            let answer = try await tower.post(
                "/api/v1/auth/sign-out", [String: String](), as: sample.founder.bearer)
            #expect(answer.status == .ok)
            try await Self.mark(tower, sample, "absent", as: other)
            _ = try await streams[2].lines(until: "attendance.marked")
            for stream in streams[..<2] {
                // It ends with the first event that the session may not receive, long before the next heartbeat.
                #expect(try await !stream.linesToTheEnd().contains { $0.hasPrefix("data:") })
            }
        }
    }

    private struct Group: Encodable {
        let personIds: [String]
        let title = "Noah's plan"
    }

    @Test(
        "a person who leaves a group receives no more of its messages on an open stream", .requirement("WW-2.07.a"))
    func left() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            _ = try await tower.member(.guide, of: sample)
            let people = try await tower.get("/api/v1/conversations/people", as: sample.founder.bearer).json()
            let ids = try people.list("items").map { try Answer(value: $0).text("id") }
            #expect(ids.count == 2 && ids.contains(sample.memberId))
            let group = try await tower.post(
                "/api/v1/conversations", Group(personIds: ids), as: sample.founder.bearer
            ).json().text("id")
            let wire = try await Self.open(try #require(tower.client.port), as: sample.member.access)
            func post(_ path: String, _ body: [String: String] = [:], as person: Tower.Person) async throws {
                let answer = try await tower.post("/api/v1/conversations/\(path)", body, as: person.bearer)
                #expect((200..<300).contains(answer.status.code), "\(path): \(answer.text)")
            }
            try await post("\(group)/messages", ["text": "On Tuesday?"], as: sample.founder)
            _ = try await wire.lines(until: #""message.sent""#)
            try await post("\(group)/leave", as: sample.member)
            _ = try await wire.lines(until: #""conversation.left""#)
            try await post("\(group)/messages", ["text": "On Wednesday."], as: sample.founder)
            try await post("\(group)/typing", as: sample.founder)
            // A message of another conversation arrives after anything that could have arrived.
            try await post("\(sample.conversationId)/messages", ["text": "And you?"], as: sample.founder)
            let rest = try await wire.lines(until: #""message.sent""#)
            #expect(!rest.contains { $0.contains(group) })
            #expect(rest.last?.contains(sample.conversationId) == true)
        }
    }
}

extension Sequence {
    /// Runs the work one after the other.
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
