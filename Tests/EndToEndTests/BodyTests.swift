import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerApp
import ServerProcess
import TestKit
import Testing

@testable import Web

/// The cost of a body before and while it is read.
@Suite("Large and unfinished bodies")
struct BodyTests {
    /// The head of a request whose body is never sent.
    private static func head(_ path: String, _ lines: [String]) -> String {
        "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    private static let film = ["Content-Type: multipart/form-data; boundary=cut", "Content-Length: 60000000"]
    private static let json = "Content-Type: application/json"

    /// The beginning of a form with a file.
    private static func fileHead(_ name: String, _ fileName: String) -> String {
        "--cut\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\r\n\r\n"
    }

    // MARK: - Decisions by the head

    @Test("every command can be refused by the head of its request, before its body is read")
    func headsAlone() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let port = try #require(tower.client.port)
            let paths = [
                "/api/v1/records/restore", "/api/v1/courses/lessons/\(sample.lessonId)/files",
                "/api/v1/roster/preview", "/api/v1/roster/import", "/api/v1/speech",
                "/api/v1/conversations/\(sample.conversationId)/messages",
                "/api/v1/students/\(sample.studentId)/observations", "/api/v1/students",
            ]
            let bearer = "Authorization: Bearer \(sample.founder.access)"
            let student = try await tower.member(.student, of: sample)
            var cases: [(path: String, lines: [String], status: Int)] = []
            for path in paths {
                cases.append((path, Self.film, 401))
                cases.append((path, [Self.film[0], "Transfer-Encoding: chunked"], 401))
                cases.append((path, [Self.json, "Content-Length: 200000"], 401))
                cases.append((path, Self.film + ["Authorization: Bearer nonsense"], 401))
                cases.append((path, [Self.film[0], "Content-Length: 900000000", bearer], 413))
                cases.append((path, [Self.json, "Content-Length: 2000000", bearer], 413))
                cases.append((path, ["Content-Type: text/plain", "Content-Length: 200000", bearer], 415))
                cases.append((path, ["Content-Type: multipart/form-data", "Content-Length: 9000", bearer], 400))
                let browser = "Cookie: pt_access=\(sample.founder.access)"
                cases.append((path, Self.film + [browser, "Sec-Fetch-Site: cross-site"], 403))
            }
            for path in paths.prefix(4) {
                cases.append((path, Self.film + ["Authorization: Bearer \(student.access)"], 403))
            }
            for one in cases {
                let wire = try Wire(port: port)
                try wire.send(Self.head(one.path, one.lines))
                let answer = try await wire.answer()
                #expect(answer.status == one.status, "\(one.path) \(one.lines): \(answer.body)")
                #expect(answer.headers["content-type"] == "application/problem+json")
            }
            // Pages and queries read no body.
            for path in ["/classrooms", "/api/v1/students"] {
                let wire = try Wire(port: port)
                try wire.send(
                    "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(bearer)\r\nContent-Length: 60000000\r\n\r\n")
                #expect(try await [200, 403].contains(wire.answer().status))
            }
        }
    }

    @Test("token scopes and a closed school are checked before the body is read")
    func tokensAndClosedSchools() async throws {
        struct NewToken: Encodable {
            let name = "reader"
            let secret = "pt_" + String(repeating: "abcdefghij", count: 4) + "abc"
            let scopes = ["students:read"]
            let days = 30
        }
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let port = try #require(tower.client.port)
            let token = NewToken()
            let made = try await tower.post("/api/v1/auth/tokens", token, as: sample.founder.bearer)
            try #require(made.status == .created, "\(made.text)")
            func status(_ bearer: String) async throws -> Int {
                let wire = try Wire(port: port)
                try wire.send(
                    Self.head(
                        "/api/v1/courses/lessons/\(sample.lessonId)/files",
                        Self.film + ["Authorization: Bearer \(bearer)"]))
                let answer = try await wire.answer()
                return answer.status
            }
            #expect(try await status(token.secret) == 403)
            let closed = try await tower.post(
                "/api/v1/organization/delete", ["name": "Maple School"],
                as: sample.founder.bearer)
            try #require(closed.status == .ok, "\(closed.text)")
            #expect(try await status(sample.founder.access) == 423)
        }
    }

    @Test("a browser gets the refusal in its language, and signing in leads back to the page of the form")
    func browsers() async throws {
        try await Tower.with(live: true) { tower in
            let sample = try await tower.sampleSchool()
            let port = try #require(tower.client.port)
            let page = "/courses/\(sample.courseId)/lessons/\(sample.lessonId)"
            func ask(_ lines: [String]) async throws -> (status: Int, headers: [String: String], body: String) {
                let wire = try Wire(port: port)
                try wire.send(
                    Self.head(
                        "/api/v1/courses/lessons/\(sample.lessonId)/files",
                        [
                            Self.film[0], "Accept: text/html", "Accept-Language: fr", "Sec-Fetch-Site: same-origin",
                            "Referer: http://127.0.0.1\(page)?tab=files",
                        ] + lines))
                return try await wire.answer()
            }
            let away = try await ask(["Content-Length: 60000000"])
            #expect(away.status == 303)
            #expect(away.headers["location"]?.hasPrefix("/sign-in?next=%2Fcourses%2F") == true)
            #expect(away.headers["location"]?.hasSuffix("%3Ftab%3Dfiles") == true)
            let cookie = "Cookie: pt_access=\(sample.founder.access)"
            let large = try await ask(["Content-Length: 900000000", cookie])
            #expect(large.status == 413 && large.headers["content-type"]?.hasPrefix("text/html") == true)
            #expect(large.body.contains("C’est trop volumineux pour le serveur."))
            let runtime = try await ask(["Content-Length: 900000000", cookie, "X-PinkTower: command"])
            #expect(runtime.status == 413 && runtime.headers["content-type"] == "application/problem+json")
        }
    }

    @Test("a refused small form is shown again with its input")
    func smallForms() async throws {
        try await Tower.with(live: true) { tower in
            let answer = try await tower.form(
                "/api/v1/classrooms", [("name", "Cedar room"), ("_from", "/classrooms/new?x=1")])
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/sign-in?next=%2Fclassrooms%2Fnew%3Fx%3D1")
        }
    }

    // MARK: - Limits

    @Test("the bodies of one network end and of all together are limited, and a finished body frees its share")
    func caps() async throws {
        try await Tower.with(live: true) { settings in
            settings.limits.uncountedBody = 1000
            settings.limits.memoryPerNetwork = 150_000
            settings.limits.memory = 250_000
            settings.limits.body = .seconds(180)
        } _: { tower in
            let port = try #require(tower.client.port)
            let lines = [Self.json, "Content-Length: 100000", "Accept-Language: fr"]
            func begin(_ address: String) throws -> Wire {
                let wire = try Wire(port: port, from: address)
                try wire.send(Self.head("/api/v1/auth/sign-in", lines) + "{")
                return wire
            }
            func waiting(_ bytes: Int) async throws {
                // The server sends nothing about an accepted body, so other requests are sent until it is counted.
                try await eventually { tower.bodies.memory == bytes }
                #expect(tower.bodies.memory == bytes)
            }
            var first: Wire? = try begin("127.0.0.1")
            try await waiting(100_000)
            let second = try await begin("127.0.0.1").answer()
            #expect(second.status == 429 && second.headers["retry-after"] == "20")
            #expect(second.body.contains("Trop de fichiers sont envoyés depuis votre réseau."))
            // Small bodies are not counted and are accepted.
            let wire = try Wire(port: port)
            #expect(
                try await wire.post("/api/v1/auth/sign-in", ["email": "a@b.example"], bearer: nil)?.status == 422)
            let other = try begin("127.0.0.2")
            try await waiting(200_000)
            let third = try await begin("127.0.0.3").answer()
            #expect(third.status == 503 && third.headers["retry-after"] != nil)
            #expect(third.body.contains("Le serveur est très sollicité."))
            first = nil
            try await waiting(100_000)
            let again = try begin("127.0.0.3")
            try await waiting(200_000)
            withExtendedLifetime((first, other, again)) {}
        }
    }

    @Test("behind a proxy, the network end is the client that the proxy names")
    func forwarded() async throws {
        try await Tower.with(live: true) { settings in
            settings.trustsProxy = true
            settings.limits.body = .seconds(180)
            settings.limits.uncountedBody = 1000
            settings.limits.memoryPerNetwork = 150_000
        } _: { tower in
            let port = try #require(tower.client.port)
            func begin(_ client: String) throws -> Wire {
                let wire = try Wire(port: port)
                let lines = [Self.json, "Content-Length: 100000", "X-Forwarded-For: \(client)"]
                try wire.send(Self.head("/api/v1/auth/sign-in", lines))
                return wire
            }
            let first = try begin("2001:db8:1:2::1")
            try await eventually { tower.bodies.memory > 0 }
            #expect(try await begin("2001:db8:1:2:ffff::9").answer().status == 429, "the same network")
            let other = try begin("2001:db8:1:3::1")
            try await eventually { tower.bodies.memory == 200_000 }
            #expect(tower.bodies.memory == 200_000)
            withExtendedLifetime((first, other)) {}
        }
    }

    // MARK: - Files of large bodies

    @Test("a large file is stored readable for the server only, and deleted however its request ends")
    func temporaryFiles() async throws {
        try await Tower.with(live: true) { settings in
            settings.limits.body = .seconds(180)
        } _: { tower in
            let sample = try await tower.sampleSchool()
            let port = try #require(tower.client.port)
            let folder = tower.folder.url.appending(path: "data/uploads")
            let path = "/api/v1/courses/lessons/\(sample.lessonId)/files"
            let bearer = "Authorization: Bearer \(sample.founder.access)"
            func names() throws -> [String] {
                guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
                return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            }
            func mode(_ url: URL) throws -> Int {
                try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int ?? 0
            }
            func begin(_ end: String, more: [String] = []) async throws -> Wire {
                let wire = try Wire(port: port)
                let (start, size) = (Self.fileHead("files", "notes.bin"), 3 << 20)
                try wire.send(
                    Self.head(
                        path,
                        [Self.film[0], "Content-Length: \(start.utf8.count + size + end.utf8.count)", bearer]
                            + more))
                try wire.send(start)
                try wire.send([UInt8](repeating: 7, count: 2 << 20))
                try await eventually { try !names().isEmpty }
                let name = try #require(try names().first)
                #expect(try mode(folder) == 0o700 && mode(folder.appending(path: name)) == 0o600)
                return wire
            }
            func gone() async throws {
                try await eventually { try names().isEmpty }
                #expect(try names().isEmpty)
                #expect(tower.bodies.memory == 0, "and nothing counts any more")
            }
            do {
                let wire = try await begin("\r\n--cut--\r\n")
                try wire.send([UInt8](repeating: 8, count: 1 << 20))
                try wire.send("\r\n--cut--\r\n")
                let answer = try await wire.answer()
                #expect(answer.status == 201, "\(answer.body)")
                #expect(answer.body.contains("\"size\":\(3 << 20)"))
                try await gone()
            }
            do {
                // The form is incomplete: its last delimiter is missing.
                let wire = try await begin("")
                try wire.send([UInt8](repeating: 8, count: 1 << 20))
                #expect(try await wire.answer().status == 400)
                try await gone()
            }
            do {
                // The client disconnects.
                let wire = try await begin("\r\n--cut--\r\n")
                withExtendedLifetime(wire) {}
            }
            try await gone()
        }
    }

    @Test("the uploads that a killed server left are deleted at its next start")
    func sweep() async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: "data")
        let uploads = data.appending(path: "uploads")
        try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
        try Data("half a film".utf8).write(to: uploads.appending(path: "left"))
        let server = try RealServer.start(data, in: folder)
        defer { server.kill() }
        #expect(!FileManager.default.fileExists(atPath: uploads.appending(path: "left").path))
    }

    // MARK: - Memory

    /// Signs up, creates a lesson, and returns the address for its files with a token.
    static func lesson(_ port: Int) async throws -> (path: String, token: String, lessonPath: String) {
        let wire = try Wire(port: port)
        let token = try await wire.foundSchool().token
        let term = try await wire.run(
            "/terms", ["name": "Autumn", "firstDay": "2026-09-01", "lastDay": "2036-01-20"], as: token)
        let course = try await wire.run(
            "/courses",
            ["name": "Algebra", "subject": "Mathematics", "admission": "approval", "termId": term.text("id")],
            as: token
        ).text("id")
        let module = try await wire.run("/courses/\(course)/modules", ["title": "Week 1"], as: token).text("id")
        let lesson = try await wire.run(
            "/courses/modules/\(module)/lessons", ["title": "Fractions", "content": "Halves."], as: token
        ).text("id")
        return ("/api/v1/courses/lessons/\(lesson)/files", token, "/courses/\(course)/lessons/\(lesson)")
    }

    @Test("sixteen endless bodies use little memory of the server, with and without a session")
    func floods() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let (files, token, _) = try await Self.lesson(server.port)
        let port = server.port
        func flood(_ path: String, _ more: [String], megabytes: Int) async throws -> Int {
            let before = try server.kilobytes("VmRSS")
            try server.resetPeak()
            let wires = try await withThrowingTaskGroup(of: Wire.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        let wire = try Wire(port: port)
                        try wire.send(Self.head(path, Self.film + more) + Self.fileHead("files", "a.bin"))
                        let portion = [UInt8](repeating: 7, count: 1 << 20)
                        for _ in 0..<megabytes { try wire.send(portion) }
                        return wire
                    }
                }
                return try await group.reduce(into: [Wire]()) { $0.append($1) }
            }
            defer { withExtendedLifetime(wires) {} }
            return try server.kilobytes("VmHWM") - before
        }
        let anonymous = try await flood("/api/v1/records/restore", [], megabytes: 12)
        #expect(anonymous < 40_000, "192 MB from nobody cost \(anonymous) KB")
        let signedIn = try await flood(files, ["Authorization: Bearer \(token)"], megabytes: 6)
        #expect(signedIn < 40_000, "96 MB on their way to disk cost \(signedIn) KB")
    }

    @Test("a video of 64 MB uses at most 4 MB of the server's memory, when it is sent and when it is read")
    func film() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let (path, token, lesson) = try await Self.lesson(server.port)
        let bearer = "Authorization: Bearer \(token)"
        let begin =
            [0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + Array("webm\u{6}\u{5}V_VP8 and pictures".utf8)

        func upload(_ megabytes: Int) async throws -> String {
            let wire = try Wire(port: server.port)
            let (start, end) = (Self.fileHead("files", "sea.webm"), "\r\n--cut--\r\n")
            let length = start.utf8.count + megabytes << 20 + end.utf8.count
            try wire.send(
                Self.head(
                    path,
                    [Self.film[0], "Content-Length: \(length)", bearer, "Idempotency-Key: film-of-\(megabytes)-mb"])
            )
            try wire.send(start)
            try wire.send(begin + [UInt8](repeating: 7, count: 1 << 20 - begin.count))
            for portion in 1..<max(2, megabytes) where portion < megabytes {
                try wire.send([UInt8](repeating: UInt8(portion), count: 1 << 20))
            }
            try wire.send(end)
            let answer = try await wire.answer()
            try #require(answer.status == 201, "\(answer.body)")
            let items = Answer(value: try JSONSerialization.jsonObject(with: Data(answer.body.utf8))).list("items")
            return try #require((items.last as? [String: Any])?["id"] as? String)
        }
        func download(_ id: String) async throws -> Int {
            let wire = try Wire(port: server.port)
            try wire.send(
                "GET \(lesson)/files/\(id) HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: pt_access=\(token)\r\n"
                    + "Connection: close\r\n\r\n")
            return try await wire.countToTheEnd()
        }
        // The costs of the first file do not belong to the video.
        #expect(try await download(upload(2)) > 2 << 20)

        var before = try server.kilobytes("VmRSS")
        try server.resetPeak()
        let id = try await upload(64)
        let coming = try server.kilobytes("VmHWM") - before
        #expect(coming <= 4096, "the upload cost \(coming) KB")
        before = try server.kilobytes("VmRSS")
        try server.resetPeak()
        #expect(try await download(id) > 64 << 20)
        let going = try server.kilobytes("VmHWM") - before
        #expect(going <= 4096, "the download cost \(going) KB")
    }
}

extension Tower {
    /// The memory for bodies that are being sent.
    fileprivate var bodies: BodyBudget.Cost { composition.web.bodies.all }
}
