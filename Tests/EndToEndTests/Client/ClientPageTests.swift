import Client
import Domain
import Foundation
import ServerProcess
import TestKit
import Testing

/// Commands of pages that are given without a network, on the real server.
@MainActor
@Suite("Page commands of a client without a network", .serialized)
struct ClientPageTests {
    /// A school with a class of three, who live in a residence.
    private struct Home: Sendable {
        let token: String
        let pgId: String
        let classroomId: String
        let studentIds: [String]

        var rollCall: String { "/api/v1/residences/\(pgId)/roll-call" }
        var attendance: String { "/api/v1/classrooms/\(classroomId)/attendance" }
    }

    private nonisolated static func found(_ wire: Wire) async throws -> Home {
        let (token, _) = try await wire.foundSchool()
        let pgId = try await wire.run(
            "/residences", ["name": "Birch", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00"], as: token
        ).text("id")
        let classroomId = try await wire.run("/classrooms", ["name": "Maple room"], as: token).text("id")
        var studentIds: [String] = []
        for name in ["Bea", "Cem", "Dia"] {
            let id = try await wire.run(
                "/students", ["firstName": name, "lastName": "Ruiz", "classroomId": classroomId], as: token
            ).text("id")
            _ = try await wire.run("/residences/\(pgId)/students", ["studentId": id], as: token)
            studentIds.append(id)
        }
        return Home(token: token, pgId: pgId, classroomId: classroomId, studentIds: studentIds)
    }

    /// Runs a test with a device of Ana and another connection to the server.
    private func with(_ work: (ClientDevice, Home, Wire) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let wire = try Wire(port: server.port)
        let home = try await Self.found(wire)
        let device = try await ClientDevice("phone", server, in: folder)
        defer { device.end() }
        try await work(device, home, wire)
    }

    /// Gives a command without a network.
    private func give(
        _ path: String, _ fields: [String: String], _ lists: [String: [String]] = [:], on device: ClientDevice
    ) async throws {
        let result = try await device.store.pageStore.run(
            PageCommand(path: path, fields: fields, lists: lists, key: "page-\(UUID().uuidString)"), isQueued: true)
        #expect(result == .waits)
    }

    /// Lets the network return, which at first loses answers and requests and delivers some twice.
    private func reconnect(_ device: ClientDevice) async throws {
        device.proxy.set(.mixed)
        device.store.retry()
        try await settled { device.store.syncSummary.unsent == 0 }
        device.proxy.set(.none)
        #expect(device.store.syncSummary.unsent == 0)
    }

    /// The kinds of the school's changes that begin so, the oldest first.
    private nonisolated func changes(_ prefix: String, _ home: Home, _ wire: Wire) async throws -> [String] {
        try await wire.items("/api/v1/audit?limit=200", as: home.token).compactMap { $0["kind"] as? String }
            .filter { $0.hasPrefix(prefix) }.reversed()
    }

    private nonisolated func json(_ path: String, _ home: Home, _ wire: Wire) async throws -> [String: Any] {
        let answer = try await wire.get(path, as: home.token)
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    // MARK: - Roll call

    /// Notes where residents are.
    private func note(
        _ ids: [String], _ status: String, on device: ClientDevice, _ home: Home
    ) async throws {
        try await give(
            "\(home.rollCall)/notes",
            ["status": status, "recordedAt": ""].merging(
                status == "out" ? ["reason": "Choir", "saidBy": "Cem"] : [:]
            ) { $1 },
            ["residentIds": ids], on: device)
    }

    @Test("a roll call without a network arrives in its order and once, the closing last")
    func rollCall() async throws {
        try await with { device, home, wire in
            device.proxy.set(.cut)
            try await note([home.studentIds[0]], "here", on: device, home)
            try await note(Array(home.studentIds[1...]), "here", on: device, home)
            // The person corrects the first note a moment later.
            try await Task.sleep(for: .milliseconds(1100))
            try await note([home.studentIds[0]], "out", on: device, home)
            try await give("\(home.rollCall)/close", [:], on: device)
            #expect(device.store.syncSummary.unsent == 4)
            try await reconnect(device)
            #expect(device.store.notices.isEmpty)
            let record = try await json(home.rollCall, home, wire)
            #expect(record["closing"] as? [String: Any] != nil)
            let entries = try #require(record["entries"] as? [[String: Any]])
            #expect(
                entries.reduce(into: [:]) { $0[$1["studentId"] as? String ?? ""] = $1["status"] as? String }
                    == [home.studentIds[0]: "out", home.studentIds[1]: "here", home.studentIds[2]: "here"])
            #expect(
                try await changes("residence.rollCall", home, wire)
                    == Array(repeating: "residence.rollCallNoted", count: 3) + ["residence.rollCallClosed"])
        }
    }

    @Test(
        "a person whose roll call was closed by another warden meanwhile is told who closed it, for each of their marks"
    )
    func closedMeanwhile() async throws {
        try await with { device, home, wire in
            device.proxy.set(.cut)
            try await note([home.studentIds[0]], "out", on: device, home)
            try await give("\(home.rollCall)/close", [:], on: device)
            let code = try await wire.run("/invites", ["role": "admin"], as: home.token).text("code")
            let ben = try await wire.run(
                "/auth/sign-up", Tower.NewPerson(name: "Ben Ito", email: "ben@maple.example")
            ).text("accessToken")
            _ = try await wire.run("/invites/redeem", ["code": code], as: ben)
            struct Note: Encodable {
                let residentIds: [String]
                let status = "here"
            }
            let path = String(home.rollCall.dropFirst("/api/v1".count))
            _ = try await wire.run("\(path)/notes", Note(residentIds: home.studentIds), as: ben)
            _ = try await wire.run("\(path)/close", [String: String](), as: ben)
            try await reconnect(device)
            let notices = device.store.notices
            #expect(notices.map(\.code) == ["residence.rollCallClosed", "residence.rollCallClosed"])
            #expect(notices.allSatisfy { $0.sentence?.contains("Ben Ito") == true }, "\(notices.map(\.sentence))")
            #expect(
                notices.first?.localText == ["status": "out", "reason": "Choir", "saidBy": "Cem"],
                "what the person typed is still there")
            let entries = try #require(try await json(home.rollCall, home, wire)["entries"] as? [[String: Any]])
            #expect(entries.compactMap { $0["status"] as? String } == ["here", "here", "here"])
        }
    }

    // MARK: - A class

    @Test("attendance of a class without a network arrives in its order and once", .requirement("BY-1.03.a"))
    func attendance() async throws {
        try await with { device, home, wire in
            device.proxy.set(.cut)
            let (bea, cem) = (home.studentIds[0], home.studentIds[1])
            try await give(home.attendance, ["studentId": bea, "status": "absent"], on: device)
            try await give(home.attendance, ["studentId": cem, "status": "absent"], on: device)
            try await give("\(home.attendance)/clear", ["studentId": bea], on: device)
            try await give("\(home.attendance)/rest", [:], on: device)
            try await reconnect(device)
            #expect(device.store.notices.isEmpty)
            let roster = try await wire.items("/api/v1/classrooms/\(home.classroomId)/roster", as: home.token)
            let marks = roster.compactMap { ($0["mark"] as? [String: Any])?["status"] as? String }
            #expect(marks == ["present", "absent", "present"], "\(roster)")
            // Bea was marked, cleared, and marked with the rest.
            let changes = try await changes("attendance.", home, wire)
            #expect(changes.prefix(3) == ["attendance.marked", "attendance.marked", "attendance.cleared"])
            #expect(changes.count == 4, "\(changes)")
        }
    }

    @Test("attendance of a child who left the class meanwhile is refused with a notice, and the other marks arrive")
    func attendanceOfFormerStudent() async throws {
        try await with { device, home, wire in
            device.proxy.set(.cut)
            for id in home.studentIds {
                try await give(home.attendance, ["studentId": id, "status": "present"], on: device)
            }
            _ = try await wire.run("/students/\(home.studentIds[0])/delete", [String: String](), as: home.token)
            try await reconnect(device)
            #expect(device.store.notices.count == 1)
            let roster = try await wire.items("/api/v1/classrooms/\(home.classroomId)/roster", as: home.token)
            let marks = roster.compactMap { ($0["mark"] as? [String: Any])?["status"] as? String }
            #expect(marks == ["present", "present"])
        }
    }

    @Test("notes of Quick Capture without a network arrive in their order and once")
    func capture() async throws {
        try await with { device, home, wire in
            device.proxy.set(.cut)
            let path = "/api/v1/students/\(home.studentIds[0])/capture"
            for text in ["Counted to a hundred", "Washed the table"] {
                try await give(path, ["kind": "observation", "content": text], on: device)
            }
            try await give(path, ["kind": "task", "content": "Bring boots"], on: device)
            try await reconnect(device)
            #expect(device.store.notices.isEmpty)
            let student = "/api/v1/students/\(home.studentIds[0])"
            let observations = try await wire.items("\(student)/observations?order=oldest", as: home.token)
            #expect(
                observations.compactMap { $0["content"] as? String }
                    == ["Counted to a hundred", "Washed the table"])
            let work = try await wire.items("\(student)/work", as: home.token)
            #expect(work.compactMap { $0["title"] as? String } == ["Bring boots"])
        }
    }

    @Test("a note for a child who left the school meanwhile is refused, and its text stays with the person")
    func captureOfFormerStudent() async throws {
        try await with { device, home, wire in
            device.proxy.set(.cut)
            try await give(
                "/api/v1/students/\(home.studentIds[0])/capture",
                ["kind": "observation", "content": "Counted to a hundred"], on: device)
            _ = try await wire.run("/students/\(home.studentIds[0])/delete", [String: String](), as: home.token)
            try await reconnect(device)
            #expect(device.store.notices.first?.localText["content"] == "Counted to a hundred")
        }
    }
}
