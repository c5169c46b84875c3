import ArgumentParser
import AsyncHTTPClient
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import ServerApp
import Web

/// A school to measure with, created through the product's commands.
struct SampleSchool {
    static let email = "bench@demo.example"
    static let password = "rose cubes to measure"

    let classroomId: String
    let studentIds: [String]

    static func make(in data: URL, children: Int, weakHash: Bool = true) async throws -> SampleSchool {
        var settings = ServerSettings()
        settings.dataFolder = data
        settings.weakPasswordHash = weakHash
        let composition = try await ServerComposition.build(settings)
        let client = try await BenchClient.founding("Bench school", email, composition)
        let classroomId = try await client.run("classrooms.create", ["name": .text("Maple room")])["id"] ?? ""
        var studentIds: [String] = []
        for number in 0..<children {
            let made = try await client.run(
                "students.create",
                [
                    "firstName": .text("Child \(number)"), "lastName": .text("Tremblay"),
                    "classroomId": .text(classroomId),
                ])
            studentIds.append(made["id"] ?? "")
        }
        try await composition.close()
        return SampleSchool(classroomId: classroomId, studentIds: studentIds)
    }

    /// Records a presentation of every material to every child; returns their number and the subject with most.
    func recordEverything(in data: URL) async throws -> (count: Int, longestSubject: String) {
        var settings = ServerSettings()
        settings.dataFolder = data
        settings.weakPasswordHash = true
        let composition = try await ServerComposition.build(settings)
        let client = try await BenchClient.signIn(composition)
        let entries = try await client.list("curriculum.list")
        let materials = entries.filter { $0["kind"] == "material" }
        let subjects = Dictionary(grouping: materials) { $0["subjectId"] ?? "" }
        let states = ["presented", "practising", "mastered"]
        // All children in parallel, since one at a time would wait for the disk each time.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (child, studentId) in studentIds.enumerated() {
                group.addTask {
                    for (number, material) in materials.enumerated() {
                        try await client.run(
                            "curriculum.record",
                            [
                                "studentId": .text(studentId), "materialId": .text(material["id"] ?? ""),
                                "state": .text(states[(child + number) % states.count]),
                            ])
                    }
                }
            }
            try await group.waitForAll()
        }
        try await composition.close()
        return (materials.count, subjects.max { $0.value.count < $1.value.count }?.key ?? "")
    }

    /// Adds 2,000 observations, 400 lessons and 60 habits with their days to the first child.
    func fillRecord(in data: URL) async throws {
        var settings = ServerSettings()
        settings.dataFolder = data
        settings.weakPasswordHash = true
        let composition = try await ServerComposition.build(settings)
        let client = try await BenchClient.signIn(composition)
        let child = InputValue.text(studentIds[0])
        let kinds: [(name: String, count: Int, input: @Sendable (Int) -> [String: InputValue])] = [
            (
                "observations.create", 2000,
                {
                    let words = "Traced letter \($0) six times, then found it in the name tag. Long concentration."
                    return ["studentId": child, "content": .text(words)]
                }
            ),
            (
                "work.create", 400,
                { ["studentId": child, "kind": .text("lesson"), "title": .text("Lesson \($0)")] }
            ),
            ("habits.create", 60, { ["studentId": child, "name": .text("Habit \($0)")] }),
        ]
        // In parallel, since one at a time would wait for the disk each time.
        for kind in kinds {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<20 {
                    group.addTask {
                        for number in stride(from: lane, to: kind.count, by: 20) {
                            let made = try await client.run(kind.name, kind.input(number))
                            guard kind.name == "habits.create" else { continue }
                            // Done on most of the last forty days, in whatever time zone the school is.
                            let today = Day(Date(), in: .gmt)
                            for back in 2...40 where back % 5 != number % 5 {
                                _ = try await client.run(
                                    "habits.toggleToday",
                                    [
                                        "habitId": .text(made["id"] ?? ""), "wish": .text("done"),
                                        "day": .text(today.adding(days: -back).description),
                                    ])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        try await composition.close()
    }

    /// A plain list of 10,000 people in 300 classrooms, each with a guide and some parents.
    static let peopleList: String = {
        let rows = (0..<10_000).map { number in
            let (room, role) = (number % 300, number < 300 ? "teacher" : number < 6300 ? "student" : "parent")
            let email = role == "student" ? "" : "person\(number)@demo.example"
            return "Ana \(number),Tremblay,\(email),\(role),\(role == "parent" ? "" : "Room \(room)")"
        }
        return (["First name,Last name,Email,Role,Classroom"] + rows).joined(separator: "\n") + "\n"
    }()

    /// Creates many schools, each with a classroom of two; returns an access token for each.
    static func makeMany(_ count: Int, in data: URL) async throws -> [String] {
        var settings = ServerSettings()
        settings.dataFolder = data
        settings.weakPasswordHash = true
        let composition = try await ServerComposition.build(settings)
        var tokens: [String] = []
        for number in 0..<count {
            let client = try await BenchClient.founding(
                "School \(number)", "owner\(number)@demo.example", composition)
            let room = try await client.run("classrooms.create", ["name": .text("Room")])["id"] ?? ""
            try await client.run("students.create", ["firstName": .text("Ana"), "classroomId": .text(room)])
            tokens.append(client.token)
        }
        try await composition.close()
        return tokens
    }

    /// A wrk script that requests a page at a different address each time, so that none is cached.
    func everNewScript(of path: String, in folder: URL) throws -> URL {
        let url = folder.appending(path: "new.lua")
        try """
        local turn = 0
        request = function()
          turn = turn + 1
          return wrk.format("GET", "\(path)\(path.contains("?") ? "&" : "?")turn=" .. turn)
        end
        """.write(to: url, atomically: true, encoding: .utf8)
        return url
    }

    /// A wrk script that marks the children present and absent in turn, under new keys. The keys begin with the time,
    /// as those of an app do.
    func attendanceScript(in folder: URL, token: String) throws -> URL {
        let url = folder.appending(path: "attendance.lua")
        let list = studentIds.map { "\"\($0)\"" }.joined(separator: ",")
        try """
        local students = {\(list)}
        local turn = 0
        local start = os.time() * 1000
        request = function()
          turn = turn + 1
          local time = start + math.floor(turn / 4)
          local key = string.format(
            "%08x-%04x-7000-8000-%012x", math.floor(time / 65536), time % 65536, turn)
          local status = (math.floor(turn / #students) % 2 == 0) and "present" or "absent"
          local body = '{"studentId":"' .. students[turn % #students + 1] .. '","status":"' .. status .. '"}'
          return wrk.format("POST", nil, {
            ["Authorization"] = "Bearer \(token)", ["Content-Type"] = "application/json",
            ["Idempotency-Key"] = key }, body)
        end
        """.write(to: url, atomically: true, encoding: .utf8)
        return url
    }
}

/// Runs commands in this process, to prepare data quickly.
struct BenchClient {
    let composition: ServerComposition
    let caller: Caller
    let token: String

    static func founding(_ school: String, _ email: String, _ composition: ServerComposition) async throws
        -> BenchClient
    {
        let owner = try await signUp("Bench Owner", email, composition)
        try await owner.run("organization.create", ["name": .text(school)])
        let founder = try await owner.asMember()
        // Allows attendance on any day of the week.
        try await founder.run("organization.setWeekdays", ["weekdays": .list((1...7).map { .text(String($0)) })])
        return founder
    }

    /// Signs up a new account without a school.
    static func signUp(_ name: String, _ email: String, _ composition: ServerComposition) async throws
        -> BenchClient
    {
        let nobody = BenchClient(composition: composition, caller: .nobody, token: "")
        return try await nobody.signedIn(
            "auth.signUp",
            [
                "name": .text(name), "email": .text(email), "password": .text(SampleSchool.password),
                "agrees": .bool(true), "bornOn": .text("1990-02-28"),
            ])
    }

    /// Signs in the owner of the sample school.
    static func signIn(_ composition: ServerComposition) async throws -> BenchClient {
        let nobody = BenchClient(composition: composition, caller: .nobody, token: "")
        return try await nobody.signedIn(
            "auth.signIn", ["email": .text(SampleSchool.email), "password": .text(SampleSchool.password)]
        ).asMember()
    }

    private func signedIn(_ command: String, _ input: [String: InputValue]) async throws -> BenchClient {
        let token = try await run(command, input)["accessToken"] ?? ""
        guard let account = try await composition.web.authenticator.account(accessToken: token) else {
            throw ValidationError("The sample account could not sign in.")
        }
        return BenchClient(
            composition: composition, caller: Caller(account: account, membership: nil), token: token)
    }

    /// The same account as a member of its current school.
    func asMember() async throws -> BenchClient {
        guard let account = caller.account else { return self }
        let membership = try await composition.web.memberships.activeMembership(of: account)
        return BenchClient(
            composition: composition, caller: Caller(account: account, membership: membership), token: token)
    }

    /// A new account that joins the caller's school with a role.
    func inviting(_ email: String, as role: String = "guide") async throws -> BenchClient {
        let code = try await run("invites.create", ["role": .text(role)])["code"] ?? ""
        let newcomer = try await BenchClient.signUp("Bench Guide", email, composition)
        try await newcomer.run("invites.redeem", ["code": .text(code)])
        return try await newcomer.asMember()
    }

    /// The text members of each item of a query's answer.
    func list(_ name: String) async throws -> [[String: String]] {
        guard
            let query = composition.features.features.flatMap(\.endpoints.queries).first(where: {
                $0.contract.name == name
            })
        else { throw ValidationError("There is no query \(name).") }
        let words = composition.words[.english] ?? Words(.english, [])
        let context = try await composition.pipeline.context(of: caller, words: words, remoteAddress: "bench")
        guard
            case .object(let page) = try InputValue(
                json: await composition.pipeline.answer(query, .object([:]), in: context)),
            case .list(let items)? = page["items"]
        else { return [] }
        return items.map { item in
            guard case .object(let members) = item else { return [:] }
            return members.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
        }
    }

    /// The text members of the answer.
    @discardableResult
    func run(_ name: String, _ input: [String: InputValue]) async throws -> [String: String] {
        guard
            let command = composition.features.features.flatMap(\.endpoints.commands).first(where: {
                $0.contract.name == name
            })
        else {
            throw ValidationError("There is no command \(name).")
        }
        let words = composition.words[.english] ?? Words(.english, [])
        let context = try await composition.pipeline.context(
            of: caller, words: words, remoteAddress: "bench \(UUID().uuidString)")
        let body = try await composition.pipeline.execute(
            command, .object(input), isForm: false, key: nil, in: context
        )
        .body
        guard case .object(let members) = try InputValue(json: body) else { return [:] }
        return members.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
    }
}

/// A signed-in client over HTTP.
struct Session: Sendable {
    let server: ServerProcess
    let token: String

    static func signIn(_ server: ServerProcess, _ sample: SampleSchool) async throws -> Session {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/api/v1/auth/sign-in")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(
            ByteBuffer(string: #"{"email":"\#(SampleSchool.email)","password":"\#(SampleSchool.password)"}"#))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        let body = Data(buffer: try await response.body.collect(upTo: 1 << 20))
        guard case .object(let members) = try InputValue(json: body),
            case .text(let token)? = members["accessToken"]
        else { throw ValidationError("The sign-in was refused.") }
        return Session(server: server, token: token)
    }

    /// Reads a download to its end without keeping it; returns its size in bytes.
    func drain(_ path: String) async throws -> Int {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)\(path)")
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        guard response.status == .ok else { throw ValidationError("\(path) answered \(response.status.code).") }
        return try await response.body.reduce(0) { $0 + $1.readableBytes }
    }

    /// Reads an answer. A packed one is returned as it was sent.
    func get(_ path: String, accept: String = "*/*", isPacked: Bool = false) async throws -> Data {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)\(path)")
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        request.headers.add(name: "Accept", value: accept)
        if isPacked { request.headers.add(name: "Accept-Encoding", value: "gzip") }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        guard response.status == .ok else { throw ValidationError("\(path) answered \(response.status.code).") }
        return Data(buffer: try await response.body.collect(upTo: 4 << 20))
    }

    /// The text members of the answer to a previewed file.
    func preview(_ list: String) async throws -> [String: String] {
        let border = "bench-\(UUID().uuidString)"
        let body =
            "--\(border)\r\nContent-Disposition: form-data; name=\"files\"; filename=\"people.csv\"\r\n"
            + "Content-Type: text/csv\r\n\r\n\(list)\r\n--\(border)--\r\n"
        return try await post("/api/v1/roster/preview", body, type: "multipart/form-data; boundary=\(border)")
    }

    func post(_ path: String, _ body: String, type: String = "application/json") async throws -> [String: String] {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)\(path)")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        request.headers.add(name: "Content-Type", value: type)
        request.headers.add(name: "Accept", value: "application/json")
        request.body = .bytes(ByteBuffer(string: body))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let answer = Data(buffer: try await response.body.collect(upTo: 64 << 20))
        guard (200..<300).contains(response.status.code), case .object(let members) = try InputValue(json: answer)
        else {
            throw ValidationError("\(path) answered \(response.status.code).")
        }
        return members.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
    }

    func mark(_ sample: SampleSchool, child: Int, isPresent: Bool) async throws {
        var request = HTTPClientRequest(
            url: "http://127.0.0.1:\(server.port)/api/v1/classrooms/\(sample.classroomId)/attendance")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(
            ByteBuffer(
                string:
                    #"{"studentId":"\#(sample.studentIds[child])","status":"\#(isPresent ? "present" : "absent")"}"#
            ))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        _ = try await response.body.collect(upTo: 1 << 20)
        guard response.status == .ok else { throw ValidationError("A mark answered \(response.status.code).") }
    }

    /// Reads the event stream until `handle` has enough.
    /// - Parameter opened: called once, when the server has begun to answer.
    func follow(
        through client: HTTPClient = .shared, opened: @Sendable () -> Void = {},
        _ handle: @escaping @Sendable (String) -> Bool
    ) async throws {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/api/v1/live")
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        let response = try await client.execute(request, timeout: .hours(1))
        guard response.status == .ok else {
            throw ValidationError("The event stream answered \(response.status.code).")
        }
        var isOpen = false
        for try await chunk in response.body {
            // The first bytes arrive once the server has subscribed the reader.
            if !isOpen { opened() }
            isOpen = true
            let text = String(buffer: chunk)
            if text.contains("data:"), !handle(text) { return }
        }
    }
}
