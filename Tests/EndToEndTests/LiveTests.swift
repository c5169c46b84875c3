import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Persistence
import ServerApp
import TestKit
import Testing
import Web

@Suite("Live events")
struct LiveTests {
    /// Returns the numbers and kinds of the events of a stream that has ended.
    static func events(_ answer: TestResponse) -> [(seq: Int, kind: String)] {
        answer.text.split(separator: "\n").filter { $0.hasPrefix("data: ") }.compactMap { line in
            do {
                let event = Answer(value: try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)))
                return (event.int("seq") ?? -1, try event.text("kind"))
            } catch {
                Issue.record(error)
                return nil
            }
        }
    }

    /// Listens over a socket while `work` runs, until an event contains `last`; returns all lines.
    static func listen(
        _ tower: Tower, as person: Tower.Person, until last: String,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> [String] {
        let wire = try Wire(port: try #require(tower.client.port))
        try wire.send(
            "GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(person.access)\r\n\r\n")
        // The first line of the stream says that it is open, so what follows cannot be missed.
        _ = try await wire.lines(until: "retry:")
        try await work()
        return try await wire.lines(until: last)
    }

    @Test("an event arrives after a command, on a stream that was opened before")
    func arrives() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let lines = try await Self.listen(tower, as: sample.founder, until: "attendance.marked") {
                let answer = try await tower.post(
                    "/api/v1/classrooms/\(sample.classroomId)/attendance",
                    ["studentId": sample.studentId, "status": "present"], as: sample.founder.bearer)
                #expect(answer.status == .ok)
            }
            let event = try #require(lines.last)
            #expect(event.contains(sample.studentId))
            #expect(event.contains("classroom:\(sample.classroomId)"))
            #expect(!event.contains("Bea"))
        }
    }

    @Test("a stream that reconnects resumes where it was, by address or by header, and misses nothing")
    func resumes() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            for index in 0..<10 {
                _ = try await tower.post(
                    "/api/v1/classrooms/\(sample.classroomId)/attendance",
                    ["studentId": sample.studentId, "status": index % 2 == 0 ? "present" : "absent"],
                    as: sample.founder.bearer)
            }
            let orgId = try #require(UUID(uuidString: sample.orgId))
            let all = try await tower.composition.schools.school(orgId).read {
                try ChangeLog.changes(after: 0, limit: 1000, in: $0)
            }
            // A server that stops ends each stream after its pending events.
            tower.composition.hub.close()
            func resumed(_ path: String, _ headers: HTTPFields = [:]) async throws -> [Int] {
                Self.events(try await tower.get(path, as: sample.founder.bearer, headers)).map(\.seq)
            }
            // Without the event for the other person only: that they received a message.
            let others = [Audience.person(try #require(UUID(uuidString: sample.memberId)))]
            let numbers = all.filter { $0.change.audience != others }.map { Int($0.seq) }
            #expect(try await resumed("/api/v1/live?after=0") == numbers)
            #expect(try await resumed("/api/v1/live?after=\(numbers[4])") == Array(numbers[5...]))
            #expect(try await resumed("/api/v1/live", [.lastEventId: "\(numbers[7])"]) == Array(numbers[8...]))
            #expect(try await resumed("/api/v1/live?after=999999").isEmpty)
            #expect(try await resumed("/api/v1/live?after=nonsense").isEmpty)
            #expect(try await resumed("/api/v1/live").isEmpty)
        }
    }

    @Test("each person receives only the events that concern them")
    func audience() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let parent = try await tower.member(.parent, of: sample)
            let other = try await tower.sampleSchool("Other School")
            _ = try await tower.post(
                "/api/v1/classrooms/\(sample.classroomId)/guides", ["guideIds": [sample.memberId]],
                as: sample.founder.bearer)
            for room in [sample.classroomId, sample.otherClassroomId] {
                _ = try await tower.post(
                    "/api/v1/classrooms/\(room)/students", ["studentId": sample.studentId],
                    as: sample.founder.bearer)
                for status in ["present", "absent"] {
                    _ = try await tower.post(
                        "/api/v1/classrooms/\(room)/attendance", ["studentId": sample.studentId, "status": status],
                        as: sample.founder.bearer)
                }
            }
            tower.composition.hub.close()
            func kinds(_ person: Tower.Person) async throws -> [String] {
                Self.events(try await tower.get("/api/v1/live?after=0", as: person.bearer)).map(\.kind)
                    .filter { $0 == "attendance.marked" }
            }
            #expect(try await kinds(sample.founder).count == 4)
            #expect(try await kinds(sample.member).count == 2, "only those of her classroom")
            #expect(try await kinds(parent).isEmpty)
            #expect(try await kinds(other.founder).isEmpty)
            #expect(try await tower.get("/api/v1/live").status == .unauthorized)
            let alone = try await tower.signUp("Nobody Yet")
            #expect(try await tower.get("/api/v1/live", as: alone.bearer).status == .notFound)
        }
    }

    @Test("a guide who is removed from a class, or from the school, receives no more of its events")
    func removed() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            func assign(_ ids: [String]) async throws {
                let answer = try await tower.post(
                    "/api/v1/classrooms/\(sample.classroomId)/guides", ["guideIds": ids], as: sample.founder.bearer)
                #expect(answer.status == .ok)
            }
            @Sendable func mark(_ status: String) async throws {
                let answer = try await tower.post(
                    "/api/v1/classrooms/\(sample.classroomId)/attendance",
                    ["studentId": sample.studentId, "status": status], as: sample.founder.bearer)
                #expect(answer.status == .ok)
            }
            try await assign([sample.memberId])
            let wire = try Wire(port: try #require(tower.client.port))
            try wire.send(
                "GET /api/v1/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(sample.member.access)\r\n\r\n")
            _ = try await wire.lines(until: "retry:")
            try await mark("present")
            _ = try await wire.lines(until: "attendance.marked")
            try await assign([])
            try await mark("absent")
            // She receives her own removal; then the stream ends, without anything in between.
            _ = try await tower.post(
                "/api/v1/members/\(sample.memberId)/remove", [String: String](), as: sample.founder.bearer)
            try await mark("present")
            let rest = try await wire.linesToTheEnd()
            #expect(!rest.contains { $0.contains("attendance.marked") })
            #expect(rest.contains { $0.contains("classroom.guidesAssigned") })
        }
    }
}
