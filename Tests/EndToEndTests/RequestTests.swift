import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import ScreenKit
import ServerApp
import TestKit
import Testing
import Web

@Suite("Valid and hostile requests")
struct RequestTests {
    // MARK: - Kinds of bodies

    @Test("JSON, a form and multipart decode to the same command")
    func sameInput() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let json = try await tower.post(
                "/api/v1/students",
                ["firstName": "Zoë", "lastName": "O’Neill & Co", "classroomId": sample.classroomId],
                as: sample.founder.bearer)
            let fields = [("firstName", "Zoë"), ("lastName", "O’Neill & Co"), ("classroomId", sample.classroomId)]
            let form = try await tower.post(
                "/api/v1/students", bytes: Data(Tower.encode(fields).utf8),
                type: "application/x-www-form-urlencoded; charset=utf-8", as: sample.founder.bearer,
                [.accept: "application/json"])
            let parts = fields.map {
                "--cut\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n"
            }
            let multipart = try await tower.post(
                "/api/v1/students", bytes: Data((parts.joined() + "--cut--\r\n").utf8),
                type: "multipart/form-data; boundary=cut", as: sample.founder.bearer, [.accept: "application/json"])
            let script = try await tower.form(
                "/api/v1/classrooms", [("name", "Cedar room")], as: sample.founder.bearer, [.accept: "*/*"])
            #expect(script.status == .created)
            #expect(script.headers[.contentType] == "application/json", "only who asks for a page gets one")
            for answer in [json, form, multipart] {
                #expect(answer.status == .created, "\(answer.text)")
                let student = try answer.json()
                #expect(try student.text("firstName") == "Zoë")
                #expect(try student.text("displayName") == "Zoë O’Neill & Co")
            }
        }
    }

    @Test("a browser without scripts is redirected and shows the feedback once")
    func redirect() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let page = "/classrooms/\(sample.classroomId)"
            let answer = try await tower.form(
                "/api/v1/students",
                [
                    ("firstName", "Cleo"), ("classroomId", sample.classroomId), ("_to", page),
                    ("_key", "a-browser-form-1"),
                ],
                as: sample.founder.browser)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == page)
            let flash = try #require(answer.cookies["pt_flash"])
            let headers: HTTPFields = [
                .accept: "text/html", .cookie: "pt_access=\(sample.founder.access); pt_flash=\(flash)",
            ]
            // A page that is refreshed meanwhile leaves the feedback to the page after the command.
            var again = headers
            again[try #require(HTTPField.Name("X-PinkTower"))] = "live"
            let read = try await tower.get(page, again)
            #expect(!read.text.contains("Cleo added"))
            #expect(read.cookies["pt_flash"] == nil)
            let shown = try await tower.get(page, headers)
            #expect(shown.text.contains("Cleo added"))
            #expect(shown.cookies["pt_flash"] == "")
        }
    }

    @Test(
        "a refused form is shown again with status 422, the typed values and the faults, and without the password")
    func refusedForm() async throws {
        try await Tower.with { tower in
            let answer = try await tower.form(
                "/api/v1/auth/sign-up",
                [
                    ("name", "Ana <b>\"Kovač\"</b>"), ("email", "not-an-address"), ("password", "geheim"),
                    ("_from", "/sign-up"),
                ])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.headers[.contentType]?.hasPrefix("text/html") == true)
            #expect(answer.text.contains("not-an-address"))
            #expect(answer.text.contains("Ana &lt;b&gt;"))
            #expect(!answer.text.contains("<b>\"Kov") && !answer.text.contains("<b>&quot;Kov"))
            #expect(!answer.text.contains("geheim"))
            let french = try await tower.form(
                "/api/v1/auth/sign-up", [("email", "x"), ("_from", "/sign-up")], [.acceptLanguage: "fr-CA,fr;q=0.9"]
            )
            #expect(french.status == .unprocessableContent)
            #expect(french.text.contains("lang=\"fr\""))
        }
    }

    // MARK: - Senders

    @Test(
        "a command that another site sends with this browser's cookie is refused, and one with a client's token is accepted"
    )
    func foreignSites() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let cookie: HTTPFields = [.cookie: "pt_access=\(sample.founder.access)"]
            func rename(_ headers: HTTPFields) async throws -> Int {
                try await tower.post("/api/v1/organization/rename", ["name": "Taken"], headers).status.code
            }
            #expect(try await rename(cookie.merging([.secFetchSite: "cross-site"])) == 403)
            #expect(try await rename(cookie.merging([.secFetchSite: "same-site"])) == 403)
            #expect(try await rename(cookie.merging([.origin: "https://evil.example"])) == 403)
            #expect(try await rename(cookie.merging([.origin: "null"])) == 403)
            #expect(try await rename(cookie) == 403, "no browser sends this")
            #expect(
                try await rename([.cookie: "pt_refresh=\(sample.founder.refresh)", .secFetchSite: "cross-site"])
                    == 403)
            let me = try await tower.get("/api/v1/organizations", as: sample.founder.bearer)
            #expect(!me.text.contains("Taken"))
            #expect(try await rename(cookie.merging([.secFetchSite: "same-origin"])) == 200)
            #expect(try await rename(["Authorization": "Bearer \(sample.founder.access)"].asFields) == 200)
        }
    }

    @Test("an unknown bearer token is reported as such, and an old cookie is removed")
    func staleIdentity() async throws {
        try await Tower.with { tower in
            #expect(try await tower.get("/api/v1/auth/me", as: .bearer("nonsense")).status == .unauthorized)
            let page = try await tower.get(
                "/my-day", [.accept: "text/html", .cookie: "pt_access=old; pt_refresh=older"])
            #expect(page.status == .seeOther)
            #expect(page.headers[.location] == "/sign-in?next=%2Fmy%2Dday")
            #expect(page.cookies["pt_access"] == "" && page.cookies["pt_refresh"] == "")
        }
    }

    @Test(
        "an expired access token is renewed with the refresh cookie during a request", .requirement("WW-8.04.a"))
    func renewal() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            tower.clock.advance(by: 16 * 60)
            #expect(try await tower.get("/api/v1/auth/me", as: sample.founder.bearer).status == .unauthorized)
            let cookies = "pt_access=\(sample.founder.access); pt_refresh=\(sample.founder.refresh)"
            let page = try await tower.get(
                "/classrooms/\(sample.classroomId)", [.accept: "text/html", .cookie: cookies])
            #expect(page.status == .ok)
            let fresh = try #require(page.cookies["pt_access"])
            #expect(fresh != sample.founder.access)
            #expect(try await tower.get("/classrooms", as: .browser(fresh)).status == .ok)
            let command = try await tower.form(
                "/api/v1/classrooms", [("name", "Oak room")], [.cookie: cookies])
            #expect(command.status == .seeOther, "the other tab, within the minute")
            let set = try await tower.form(
                "/api/v1/auth/sign-in", [("email", sample.founder.email), ("password", Tower.password)])
            for line in set.headers[values: .setCookie] where line.hasPrefix("pt_") && !line.hasPrefix("pt_flash") {
                #expect(line.contains("HttpOnly") && line.contains("SameSite=Lax") && line.contains("Path=/"))
            }
            #expect(set.cookies.keys.contains("pt_device"))
        }
    }

    @Test("a session that is renewed on any answer reaches the browser, whatever the answer is")
    func renewalAlways() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            tower.clock.advance(by: 16 * 60)
            var refresh = sample.founder.refresh
            tower.composition.hub.close()
            let room = "/api/v1/classrooms/\(sample.classroomId)"
            for step in 0..<6 {
                let cookies: HTTPFields = [.cookie: "pt_access=gone; pt_refresh=\(refresh)"]
                let answer =
                    switch step {
                    case 0: try await tower.get("/nothing/here", cookies.merging([.accept: "text/html"]))
                    case 1: try await tower.get("/api/v1/classrooms/\(UUID().text)", cookies)
                    case 2: try await tower.get("/api/v1/live", cookies)
                    case 3:
                        try await tower.post(
                            "\(room)/attendance", ["studentId": "x"],
                            cookies.merging([.secFetchSite: "same-origin"]))
                    case 4: try await tower.form("/api/v1/classrooms", [("_from", "/classrooms/new")], cookies)
                    default:
                        try await tower.get("/students/\(UUID().text)", cookies.merging([.accept: "text/html"]))
                    }
                let fresh = try #require(answer.cookies["pt_refresh"], "step \(step): \(answer.status)")
                #expect(fresh != refresh && !fresh.isEmpty)
                refresh = fresh
                // After the minute in which the replaced token is still valid.
                tower.clock.advance(by: 16 * 60)
            }
        }
    }

    @Test("the next page of a form is on this site, whatever address it names")
    func openRedirect() async throws {
        try await Tower.with { tower in
            let person = try await tower.signUp()
            let hostile = [
                "//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example",
                "javascript:alert(1)",
                "/x\r\nSet-Cookie: a=b", "/\u{1}x", "evil", "", String(repeating: "/a", count: 2000),
            ]
            for target in hostile {
                let answer = try await tower.form(
                    "/api/v1/auth/sign-in",
                    [("email", person.email), ("password", Tower.password), ("_to", target), ("_from", target)])
                #expect(answer.status == .seeOther)
                #expect(answer.headers[.location] == "/", "for \(target.prefix(40))")
                #expect(answer.cookies["a"] == nil)
                let signedIn = try await tower.get(
                    "/sign-in?" + Tower.encode([("next", target)]), as: person.browser, [.accept: "text/html"])
                #expect(signedIn.status == .seeOther)
                #expect(signedIn.headers[.location] == "/", "for next=\(target.prefix(40))")
            }
            let fine = try await tower.get("/sign-in?next=%2Fsettings", as: person.browser, [.accept: "text/html"])
            #expect(fine.headers[.location] == "/settings")
        }
    }

    // MARK: - Invalid input

    @Test("invalid sizes, types and encodings have different refusals")
    func malformed() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let path = "/api/v1/terms"
            func status(_ bytes: Data, _ type: String?) async throws -> Int {
                let answer = try await tower.post(path, bytes: bytes, type: type, as: sample.founder.bearer)
                answer.isDecent("\(type ?? "no type")")
                #expect(answer.headers[.contentType] == "application/problem+json")
                #expect(try answer.json().int("status") == answer.status.code)
                return answer.status.code
            }
            let json = "application/json"
            let form = "application/x-www-form-urlencoded"
            #expect(try await status(Data(repeating: 0x20, count: 300 * 1024), json) == 413)
            #expect(try await status(Data("a=1".utf8), "text/plain") == 415)
            #expect(try await status(Data("<a/>".utf8), "application/xml") == 415)
            #expect(try await status(Data("{}".utf8), nil) == 415)
            #expect(try await status(Data("{".utf8), json) == 400)
            #expect(try await status(Data([0x22, 0xFF, 0xFE, 0x22]), json) == 400)
            #expect(try await status(Data("[1]".utf8), json) == 400)
            #expect(try await status(Data("\"text\"".utf8), json) == 400)
            #expect(try await status(Data(String(repeating: "[", count: 100_000).utf8), json) == 400)
            let deep = String(repeating: "{\"a\":", count: 2000) + "1" + String(repeating: "}", count: 2000)
            #expect([400, 422].contains(try await status(Data(deep.utf8), json)))
            #expect(
                try await status(Data("{\"firstName\":3,\"firstName\":\"A\",\"lastName\":\"B\"}".utf8), json) <= 422
            )
            #expect(try await status(Data("{\"firstName\":1e999}".utf8), json) <= 422)
            #expect(try await status(Data("firstName=%ff%fe".utf8), form) == 400)
            #expect(try await status(Data("firstName=%4".utf8), form) == 400)
            let many = Data(String(repeating: "a=1&", count: 6000).utf8)
            #expect(try await status(many, form) == 413)
            for broken in ["--cut\r\n", "no boundary at all", "--cut--", "--cut\r\n\r\n--cut--", "--cut--cut--"] {
                #expect(
                    [400, 422].contains(try await status(Data(broken.utf8), "multipart/form-data; boundary=cut")))
            }
            #expect(try await status(Data("x".utf8), "multipart/form-data") == 400)
            let unchanged = try await tower.get("/api/v1/students", as: sample.founder.bearer).json()
            #expect(unchanged.list("items").count == 1)
        }
    }

    @Test("refusals name unknown and faulty fields in the caller's language")
    func faultyFields() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let answer = try await tower.post(
                "/api/v1/students",
                bytes: Data(#"{"firstName":"","age":6,"classroomId":"x","avatarTint":"pink"}"#.utf8),
                type: "application/json", as: sample.founder.bearer, [.acceptLanguage: "fr"])
            #expect(answer.status == .unprocessableContent)
            let problem = try answer.json()
            #expect(problem.faultyFields.sorted() == ["age", "avatarTint", "classroomId", "firstName"])
            #expect(try problem.text("code") == "invalid")
            let english = try await tower.post(
                "/api/v1/students", ["firstName": ""], as: sample.founder.bearer, [.acceptLanguage: "de, en;q=0.5"])
            #expect(try english.json().text("title") != problem.text("title"))
            let query = try await tower.get("/api/v1/students?limit=many&odd=1", as: sample.founder.bearer)
            #expect(try query.json().faultyFields.sorted() == ["limit", "odd"])
        }
    }

    @Test("paths that try to leave their folder, and unknown ones, are not found")
    func paths() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            for path in [
                "/classrooms/..%2f", "/classrooms/../../etc/passwd", "/classrooms/%2e%2e/settings",
                "/assets/../Package.swift",
                "/classrooms/%00", "/classrooms/%ff%fe", "/students/\(sample.studentId)%0d%0aX:%20y", "/nowhere",
                "/api/v1/nowhere",
                "/classrooms/\(sample.classroomId.uppercased())x",
                "/api/v1/classrooms/' OR 1=1 --".replacing(" ", with: "%20"),
                "/classrooms/" + String(repeating: "a", count: 7000),
            ] {
                let answer = try await tower.get(path, as: sample.founder.bearer)
                answer.isDecent(String(path.prefix(60)))
                #expect(
                    [400, 404, 422].contains(answer.status.code), "\(path.prefix(60)) is \(answer.status.code)")
                #expect(answer.headers[.contentSecurityPolicy] != nil)
            }
            #expect(try await tower.client.execute(uri: "/classrooms", method: .delete).status.code >= 400)
        }
    }

    @Test("no endpoint fails on any hostile body or query")
    func hostileBodies() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let long = String(repeating: "x", count: 20_000)
            let values: [Any] = [
                NSNull(), true, -1, 1.5, 1e300, "", "\u{0}", "\u{202E}abc", "'; DROP TABLE people; --", "../../x",
                long,
                [], [[]], [1, "a", NSNull()], [:], ["a": ["b": 1]], "👩🏽‍🏫\u{200D}", "%s%n{{7*7}}${x}", Int64.max,
            ]
            for command in tower.composition.features.features.flatMap(\.endpoints.commands) {
                let path = Samples.split(
                    command.contract.path, Samples.fields(of: command.input, in: sample)
                ).path
                for value in values {
                    var body: [String: Any] = [:]
                    for field in command.input where !command.contract.path.contains("{\(field.name)}") {
                        body[field.name] = value
                    }
                    body["unknown"] = value
                    let answer = try await tower.post(
                        path, bytes: Samples.json(body), type: "application/json", as: sample.founder.bearer)
                    answer.isDecent("\(command.contract.name) with \("\(value)".prefix(40))")
                    #expect(answer.status.code >= 400, "an unknown field passed \(command.contract.name)")
                }
                let form = try await tower.post(
                    path,
                    bytes: Data("a[0].b=1&a[x]=2&a=3&[=&]=&.=&=x&name[]=1&firstName=%F0%9F%91%A9&email=a@b".utf8),
                    type: "application/x-www-form-urlencoded", as: sample.founder.bearer)
                form.isDecent("\(command.contract.name) with an odd form")
            }
            for query in tower.composition.features.features.flatMap(\.endpoints.queries) {
                let path = Samples.split(query.contract.path, Samples.fields(of: query.input, in: sample)).path
                for odd in [
                    "?limit=-1&q=%00", "?q=" + long, "?after=%ff", "?limit=1e9&day=2026-99-99", "?a[0]=1&a=2",
                    "?&&==%",
                ] {
                    let answer = try await tower.get(path + odd, as: sample.founder.bearer)
                    answer.isDecent("\(query.contract.name) with \(odd.prefix(30))")
                }
            }
            let still = try await tower.get("/api/v1/students", as: sample.founder.bearer)
            #expect(still.status == .ok)
        }
    }

    @Test("no page fails on hostile addresses")
    func hostilePages() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            for screen in tower.composition.features.features.flatMap(\.pages.screens)
            where !screen.path.contains("{") {
                for odd in [
                    "?q=%3Cscript%3Ealert(1)%3C/script%3E", "?q=%00%ff&from=-9999999999999999999&after=%F0%9F",
                    "?edit=99999999999&code=%22%3E",
                    "?next=//evil.example&sheet=%22onload=x", "?theme=%22%3E%3Cscript%3E&appearance=x",
                ] {
                    let answer = try await tower.page(screen.path + odd, as: sample.founder.browser)
                    answer.isDecent("\(screen.path)\(odd)")
                    #expect(!answer.text.contains("<script>alert"), "\(screen.path)")
                    #expect(!answer.text.contains("\"onload=x"), "\(screen.path)")
                    #expect(answer.headers[.location]?.hasPrefix("//") != true)
                }
            }
        }
    }
}

extension [String: String] {
    fileprivate var asFields: HTTPFields {
        reduce(into: HTTPFields()) { fields, pair in
            if let name = HTTPField.Name(pair.key) { fields[name] = pair.value }
        }
    }
}
