import ArgumentParser
import FeatureKit
import Foundation
import ServerApp

/// What a school of N people gets out of one server: pages of all classes and marks of attendance, mixed.
struct Capacity: Sendable, Hashable {
    static let clients = 8

    let people: Int
    let classes: Int
    let perSecond: Double
    /// In milliseconds.
    let p50, p99: Double
    let megabytes: Double

    var line: String {
        "School of \(people) people in \(classes) classes, \(Self.clients) clients: \(Int(perSecond)) requests/s, "
            + "p50 \(p50.shown) ms, p99 \(p99.shown) ms, memory \(megabytes.shown) MB"
    }
}

extension Measurements {
    func capacity() async throws {
        let data = folder.appending(path: "capacity")
        let sample = try await SampleClasses.make(in: data, people: people)
        let server = try ServerProcess.pinktower(data: data)
        defer { server.stop() }
        try await server.ready()
        let session = try await Session.signIn(server, sample.classes[0])
        let script = try sample.script(in: folder, token: session.token)
        _ = try Wrk.run(server, "/", clients: Capacity.clients, seconds: 1, script: script)
        let result = try Wrk.run(server, "/", clients: Capacity.clients, seconds: seconds, script: script)
        guard result.errors == 0 else { throw ValidationError("\(result.errors) requests were refused.") }
        let found = Capacity(
            people: people, classes: sample.classes.count, perSecond: result.perSecond, p50: result.p50,
            p99: result.p99, megabytes: Double(server.residentKilobytes) / 1024)
        Report.line(found.line)
        Report.figure(
            "  requests of a school", found.perSecond, "/s", bound: ">= 100 /s", holds: found.perSecond >= 100)
        Report.figure("  median of a school", found.p50, "ms", bound: "<= 100 ms", holds: found.p50 <= 100)
        Report.figure("  p99 of a school", found.p99, "ms", bound: "<= 400 ms", holds: found.p99 <= 400)
        Report.figure(
            "  memory of a school", found.megabytes, "MB", bound: "<= 250 MB", holds: found.megabytes <= 250)
    }
}

/// A founder, and everybody else as children in classes of thirty.
struct SampleClasses {
    static let size = 30

    /// At least one.
    let classes: [SampleSchool]

    static func make(in data: URL, people: Int) async throws -> SampleClasses {
        var settings = ServerSettings()
        settings.dataFolder = data
        settings.weakPasswordHash = true
        let composition = try await ServerComposition.build(settings)
        let client = try await BenchClient.founding("Bench school", SampleSchool.email, composition)
        var classes: [SampleSchool] = []
        for first in stride(from: 1, to: max(people, 2), by: size) {
            let id =
                try await client.run("classrooms.create", ["name": .text("Room \(classes.count + 1)")])["id"] ?? ""
            var students: [String] = []
            for number in first..<max(min(first + size, people), first) {
                let made = try await client.run(
                    "students.create",
                    [
                        "firstName": .text("Child \(number)"), "lastName": .text("Tremblay"),
                        "classroomId": .text(id),
                    ])
                students.append(made["id"] ?? "")
            }
            classes.append(SampleSchool(classroomId: id, studentIds: students))
        }
        try await composition.close()
        return SampleClasses(classes: classes)
    }

    /// A wrk script: of ten requests, six are pages of classes, three pages of children, and one marks a child.
    func script(in folder: URL, token: String) throws -> URL {
        let url = folder.appending(path: "capacity.lua")
        let classes = classes.map { one in
            let students = one.studentIds.map { "\"\($0)\"" }.joined(separator: ",")
            return "{id=\"\(one.classroomId)\",students={\(students)}}"
        }.joined(separator: ",")
        try """
        local classes = {\(classes)}
        local headers = { ["Authorization"] = "Bearer \(token)" }
        local turn = 0
        local start = os.time() * 1000
        request = function()
          turn = turn + 1
          local class = classes[turn % #classes + 1]
          local student = class.students[math.floor(turn / #classes) % math.max(#class.students, 1) + 1]
          local kind = turn % 10
          if kind < 6 or student == nil then return wrk.format("GET", "/classrooms/" .. class.id, headers) end
          if kind < 9 then return wrk.format("GET", "/students/" .. student, headers) end
          local time = start + math.floor(turn / 4)
          local key = string.format("%08x-%04x-7000-8000-%012x", math.floor(time / 65536), time % 65536, turn)
          local status = (math.floor(turn / 1000) % 2 == 0) and "present" or "absent"
          return wrk.format("POST", "/api/v1/classrooms/" .. class.id .. "/attendance", {
            ["Authorization"] = "Bearer \(token)", ["Content-Type"] = "application/json",
            ["Idempotency-Key"] = key }, '{"studentId":"' .. student .. '","status":"' .. status .. '"}')
        end
        """.write(to: url, atomically: true, encoding: .utf8)
        return url
    }
}
