import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import Integrations
import ServerApp
import Synchronization
import TestKit
import Testing

@Suite("Second factors over HTTP")
struct SecondFactorTests {
    /// Computes the code of an authenticator app (RFC 6238) independently of the server.
    private func code(_ secret: String, at now: Date) throws -> String {
        var bits = 0
        var value: UInt64 = 0
        var bytes: [UInt8] = []
        for letter in secret {
            let index = try #require(Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").firstIndex(of: letter))
            value = (value << 5 | UInt64(index)) & 0xFFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(bits)))
            }
        }
        return SystemCryptography(key: Array(repeating: 0, count: 32)).oneTimePassword(
            bytes, counter: UInt64(now.timeIntervalSince1970) / 30, digits: 6)
    }

    /// Switches the second factor on and returns the secret.
    private func switchOn(_ tower: Tower, _ person: Tower.Person) async throws -> String {
        let made = try await tower.post(
            "/api/v1/auth/authenticator", ["password": Tower.password], as: person.bearer)
        let secret = try made.json().text("secret")
        let confirmed = try await tower.post(
            "/api/v1/auth/authenticator/confirm", ["code": code(secret, at: tower.clock.now)], as: person.bearer)
        #expect(confirmed.status == .ok, "\(confirmed.text)")
        tower.clock.advance(by: 30)
        return secret
    }

    @Test(
        "a browser without scripts gets a page for the code, no cookie before it, and then the page that it wanted")
    func form() async throws {
        try await Tower.with { tower in
            let person = try await tower.signUp()
            let secret = try await switchOn(tower, person)
            let first = try await tower.form(
                "/api/v1/auth/sign-in",
                [
                    ("email", person.email), ("password", Tower.password), ("_from", "/sign-in"),
                    ("_to", "/settings"),
                ])
            #expect(first.status == .seeOther)
            let place = try #require(first.headers[.location])
            #expect(place.hasPrefix("/sign-in/code/") && place.hasSuffix("?next=%2Fsettings"))
            #expect(first.cookies["pt_access"] == nil && first.cookies["pt_refresh"] == nil)
            let page = try await tower.page(place, as: .nobody)
            #expect(page.text.contains("Two-step sign-in"))
            let token = String(place.dropFirst("/sign-in/code/".count).prefix { $0 != "?" })
            let wrong = try await tower.form(
                "/api/v1/auth/second-step", [("token", token), ("code", "000000"), ("_from", place)])
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("This code is wrong"))
            let good = try await tower.form(
                "/api/v1/auth/second-step",
                [
                    ("token", token), ("code", code(secret, at: tower.clock.now)), ("_from", place),
                    ("_to", "/settings"),
                ])
            #expect(good.status == .seeOther)
            #expect(good.headers[.location] == "/settings")
            #expect(good.cookies["pt_access"] != nil)
        }
    }

    @Test("a lock states its duration in the sentence, and in Retry-After for programs and pages")
    func retryAfter() async throws {
        try await Tower.with { tower in
            let body = ["email": "nobody@maple.example", "password": "a guess"]
            for _ in 0..<5 {
                #expect(try await tower.post("/api/v1/auth/sign-in", body).status == .unauthorized)
            }
            let refused = try await tower.post("/api/v1/auth/sign-in", body)
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "30")
            let page = try await tower.form(
                "/api/v1/auth/sign-in", body.map { ($0.key, $0.value) } + [("_from", "/sign-in")],
                [.acceptLanguage: "fr"])
            #expect(page.status == .tooManyRequests)
            #expect(page.headers[.retryAfter] == "30")
            #expect(page.text.contains("Réessayez dans 30 secondes."))
        }
    }

    @Test(
        "staff without the required second factor see only the page for setting it up",
        .requirement("BY-1.23.c"))
    func required() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let guide = try await tower.member(.guide, of: sample)
            let parent = try await tower.member(.parent, of: sample)
            _ = try await switchOn(tower, sample.founder)
            let on = try await tower.post(
                "/api/v1/organization/second-factor", ["isRequired": true], as: sample.founder.bearer)
            #expect(on.status == .ok, "\(on.text)")
            for feature in tower.composition.features.features {
                for query in feature.endpoints.queries {
                    guard case .member = query.contract.access else { continue }
                    let (path, rest) = Samples.split(
                        query.contract.path, Samples.fields(of: query.input, in: sample))
                    let answer = try await tower.get(path + Samples.query(rest), as: guide.bearer)
                    #expect(answer.status == .forbidden, "\(query.contract.name)")
                    #expect(try answer.json().text("code") == "secondFactorNeeded", "\(query.contract.name)")
                }
                for command in feature.endpoints.commands {
                    guard case .member = command.contract.access else { continue }
                    let (path, rest) = Samples.split(
                        command.contract.path, Samples.fields(of: command.input, in: sample))
                    let answer = try await tower.post(
                        path, bytes: Samples.json(rest), type: "application/json", as: guide.bearer)
                    #expect(try answer.json().text("code") == "secondFactorNeeded", "\(command.contract.name)")
                }
            }
            for path in ["/", "/homeroom", "/settings/organization", "/classrooms/\(sample.classroomId)"] {
                let page = try await tower.page(path, as: guide.browser)
                #expect(page.status == .seeOther, "\(path)")
                let target = try #require(page.headers[.location])
                #expect(target == "/settings/security" || path == "/", "\(path) leads to \(target)")
            }
            let live = try await tower.get("/api/v1/live", as: guide.bearer)
            #expect(live.status == .forbidden)
            for path in ["/settings/security", "/settings/password", "/settings/devices", "/settings/display"] {
                let page = try await tower.page(path, as: guide.browser)
                #expect(page.status == .ok, "\(path)")
                #expect(!page.text.contains("Bea"), "\(path)")
            }
            #expect(
                try await tower.page("/settings/security", as: guide.browser).text.contains(
                    "Your school requires two-step sign-in"))
            #expect(
                try await tower.page("/classrooms/\(sample.classroomId)", as: parent.browser).status != .seeOther)
            _ = try await switchOn(tower, guide)
            #expect(try await tower.get("/api/v1/classrooms", as: guide.bearer).status == .ok)
            #expect(
                try await tower.post("/api/v1/auth/sign-out", [String: String](), as: guide.bearer).status == .ok)
        }
    }

    @Test("the operator removes the lost second factors of an account, and its sessions end")
    func lost() async throws {
        let folder = try TemporaryFolder()
        let emails = Mutex<[String]>([])
        try await Tower.with(in: folder) { tower in
            let person = try await tower.signUp()
            _ = try await switchOn(tower, person)
            emails.withLock { $0 = [person.email] }
        }
        let email = try #require(emails.withLock { $0.first })
        let line = try await removeSecondFactors(of: email, Tower.settings(in: folder))
        #expect(line.contains(email))
        await #expect(throws: TaskRefused.self) {
            try await removeSecondFactors(of: "nobody@maple.example", Tower.settings(in: folder))
        }
        try await Tower.with(in: folder) { tower in
            let answer = try await tower.post(
                "/api/v1/auth/sign-in", ["email": email, "password": Tower.password])
            #expect(answer.status == .ok && answer.text.contains("accessToken"), "\(answer.text)")
        }
    }
}
