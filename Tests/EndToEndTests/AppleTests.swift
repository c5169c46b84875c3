import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerApp
import TestKit
import Testing

@testable import standinapple

/// The complete sign-in, with a substitute for Apple on this machine.
@Suite("Sign in with Apple over HTTP")
struct AppleTests {
    private static let returnPath = "/api/v1/auth/apple/return"

    /// A server that is configured for the substitute.
    ///
    /// - Parameter appTeam: the team of the school's app; `nil` for a school without one.
    private static func with(
        secure: Bool = false, appTeam: String? = StandInApple.teamId,
        _ work: @escaping @Sendable (Tower, StandInApple) async throws -> Void
    ) async throws {
        // Both sides share one clock, however slow this machine is.
        let start = Date()
        try await StandInApple.with(clock: { start }) { apple in
            let folder = try TemporaryFolder()
            let keyFile = folder.file("key.p8")
            try apple.keyFile.write(to: keyFile)
            try await Tower.with(in: folder) { settings in
                if secure { settings.publicURL = "https://tower.example" }
                settings.apple = AppleSettings(
                    servicesId: StandInApple.servicesId, teamId: StandInApple.teamId, keyId: StandInApple.keyId,
                    keyFile: keyFile, address: apple.state.address)
                settings.apns = appTeam.map {
                    AppPushSettings(
                        teamId: $0, keyId: StandInApple.keyId, keyFile: keyFile, topic: StandInApple.appId)
                }
            } _: { tower in
                tower.clock.set(start)
                try await work(tower, apple)
            }
        }
    }

    /// Leaves for Apple; returns the address and the cookie of the ticket.
    private func leave(_ tower: Tower, _ path: String = "/sign-in/apple", as who: Tower.As = .nobody) async throws
        -> (address: String, cookie: String)
    {
        let answer = try await tower.page(path, as: who)
        #expect(answer.status == .seeOther)
        let cookie = answer.headers[values: .setCookie].first { $0.contains("pt_away=") }
        return (try #require(answer.headers[.location]), try #require(cookie))
    }

    /// The form that Apple's page sends back, with the headers of a browser that comes from there.
    private func comeBack(
        _ tower: Tower, _ answer: StandInApple.Answer, _ cookie: String, path: String = returnPath,
        more: [(String, String)] = []
    ) async throws -> TestResponse {
        try await tower.form(
            path, answer.fields.map { ($0.name, $0.value) } + more, as: .nobody,
            [
                .cookie: String(cookie.prefix { $0 != ";" }), .secFetchSite: "cross-site",
                .origin: "https://appleid.apple.com", .accept: "text/html",
            ])
    }

    @Test(
        "a person leaves for Apple, comes back, makes an account and is signed in, and the second time at once on the same device",
        .requirement("PT-1.13.a"))
    func journey() async throws {
        try await Self.with { tower, apple in
            let (address, cookie) = try await leave(tower)
            let back = try await comeBack(tower, apple.agree(to: address), cookie)
            #expect(back.status == .seeOther && back.headers[.location] == "/sign-up/apple", "\(back.text)")
            let ticket = String(cookie.prefix { $0 != ";" })
            let page = try await tower.get("/sign-up/apple", as: .nobody, [.accept: "text/html", .cookie: ticket])
            #expect(page.text.contains("Ana Kovač") && page.text.contains("ana@privaterelay.example"))
            let made = try await tower.form(
                "/api/v1/auth/apple/sign-up", [("name", "Ana"), ("bornOn", "1990-02-28"), ("agrees", "on")],
                as: .nobody, [.cookie: ticket, .secFetchSite: "same-origin", .accept: "text/html"])
            #expect(made.status == .seeOther, "\(made.text)")
            let device = try #require(made.cookies["pt_device"])
            #expect(
                try await tower.get("/api/v1/auth/me", as: .browser(#require(made.cookies["pt_access"]))).text
                    .contains("\"isAuthenticated\":true"))
            // A known device leaves with its cookie and comes back without it, because the cookie is SameSite=Lax.
            let known = try await tower.get(
                "/sign-in/apple?next=/settings", as: .nobody, [.cookie: "pt_device=\(device)"])
            let again = try await comeBack(
                tower, apple.agree(to: #require(known.headers[.location])),
                #require(known.headers[values: .setCookie].first))
            #expect(again.headers[.location] == "/settings")
            #expect(again.cookies["pt_device"] == device)
            #expect(
                try await tower.get("/api/v1/auth/me", as: .browser(#require(again.cookies["pt_access"]))).text
                    .contains("\"isAuthenticated\":true"))
        }
    }

    @Test(
        "the ticket is a cookie that scripts cannot read and that comes back from another site, bound to the host over TLS"
    )
    func cookies() async throws {
        try await Self.with { tower, _ in
            let cookie = try await leave(tower).cookie
            #expect(cookie.hasPrefix("pt_away="))
            for part in ["SameSite=None", "Secure", "HttpOnly", "Max-Age=2400", "Path=/"] {
                #expect(cookie.contains(part), "\(cookie) lacks \(part)")
            }
            #expect(!cookie.contains("Domain"))
        }
        try await Self.with(secure: true) { tower, _ in
            let cookie = try await leave(tower).cookie
            #expect(cookie.hasPrefix("__Host-pt_away="))
        }
    }

    @Test("a form on another site can run only this command, without an account, and cannot choose the next page")
    func crossSite() async throws {
        try await Self.with { tower, apple in
            let open = tower.composition.features.features.flatMap(\.endpoints.commands).filter(
                \.contract.acceptsCrossSitePost)
            #expect(open.map(\.contract.path) == [Self.returnPath])
            let person = try await tower.signUp()
            let session: HTTPFields = [
                .cookie: "pt_access=\(person.access)", .secFetchSite: "cross-site", .accept: "text/html",
            ]
            for command in tower.composition.features.features.flatMap(\.endpoints.commands)
            where !command.contract.acceptsCrossSitePost {
                let path = command.contract.path.replacing(#/\{[A-Za-z]+\}/#, with: "x")
                let answer = try await tower.form(path, [], as: .nobody, session)
                #expect(answer.status == .forbidden, "\(path): \(answer.status)")
            }
            // The answer to another browser's departure, sent with a session: the session is not used.
            let (address, cookie) = try await leave(tower)
            let answer = try apple.agree(to: address)
            let alien = try await tower.form(
                Self.returnPath, answer.fields.map { ($0.name, $0.value) }, as: .nobody, session)
            #expect(alien.headers[.location] == "/sign-in/apple/over")
            let back = try await comeBack(
                tower, answer, cookie,
                more: [("_to", "/settings/members"), ("_from", "/settings"), ("surprise", "x")])
            #expect(back.headers[.location] == "/sign-up/apple")
        }
    }

    @Test("a form that is not from Apple gets a page, and the server logs no error")
    func nonsense() async throws {
        try await Self.with { tower, _ in
            let headers: HTTPFields = [.secFetchSite: "cross-site", .accept: "text/html"]
            for fields in [[], [("state", String(repeating: "s", count: 5000))], [("user", "\u{1}")]] {
                let answer = try await tower.form(Self.returnPath, fields, as: .nobody, headers)
                answer.isDecent("\(fields)")
                #expect(answer.status == .seeOther || answer.text.contains("<html"))
            }
            let large = try await tower.form(
                Self.returnPath, [("user", String(repeating: "u", count: 20_000))], as: .nobody, headers)
            #expect(large.status == .contentTooLarge)
        }
    }

    @Test("an unreachable provider is reported in a sentence, in the language of the person")
    func down() async throws {
        try await Self.with { tower, apple in
            apple.change { $0.moods["/auth/token"] = .failing }
            let (address, cookie) = try await leave(tower)
            let back = try await comeBack(tower, apple.agree(to: address), cookie)
            let place = try #require(back.headers[.location])
            let page = try await tower.page(place, as: .nobody, language: "fr")
            #expect(page.status == .ok && page.text.contains("Apple ne répond pas"))
            #expect(page.text.contains("Retour à la connexion"))
        }
    }

    @Test("unlinking revokes the grant at Apple, and a message from Apple ends the sessions")
    func revocation() async throws {
        try await Self.with { tower, apple in
            let person = try await tower.signUp()
            let away = try await leave(tower, "/settings/security/apple/leave", as: .browser(person.access))
            let back = try await comeBack(tower, apple.agree(to: away.address), away.cookie)
            #expect(back.headers[.location] == "/settings/security/apple", "\(back.text)")
            let ticket = String(away.cookie.prefix { $0 != ";" })
            func run(_ name: String, _ ticket: String) async throws {
                let answer = try await tower.post(
                    "/api/v1/auth/apple/\(name)", ["password": Tower.password], as: .nobody,
                    [.cookie: "pt_access=\(person.access); \(ticket)", .secFetchSite: "same-origin"])
                #expect(answer.status == .ok, "\(name): \(answer.text)")
            }
            try await run("link", ticket)
            let again = try await leave(tower)
            let signedIn = try await comeBack(tower, apple.agree(to: again.address), again.cookie)
            let session = try #require(signedIn.cookies["pt_access"])
            let notice = try await tower.post(
                "/api/v1/auth/apple/notice", ["payload": apple.notice("consent-revoked")])
            #expect(notice.status == .ok, "\(notice.text)")
            #expect(try await tower.get("/api/v1/auth/devices", as: .bearer(session)).status == .unauthorized)
            let forged = try await tower.post("/api/v1/auth/apple/notice", ["payload": "a.b.c"])
            #expect(forged.status == .unprocessableContent)

            let third = try await leave(tower, "/settings/security/apple/leave", as: .browser(person.access))
            _ = try await comeBack(tower, apple.agree(to: third.address), third.cookie)
            let thirdTicket = String(third.cookie.prefix { $0 != ";" })
            try await run("link", thirdTicket)
            try await run("unlink", thirdTicket)
            await tower.composition.runJobs()
            #expect(apple.state.revoked.count == 1)
        }
    }

    // MARK: - The app

    private static let native = "/api/v1/auth/apple/native"

    /// Signs the current person in from the app, which asks the stand-in for a token with the server's nonce.
    private func signInFromApp(_ tower: Tower, _ apple: StandInApple, nonce: String? = nil) async throws
        -> TestResponse
    {
        let options = try await tower.post("\(Self.native)/options", [String: String]())
        #expect(options.status == .ok, "\(options.text)")
        let used = try nonce ?? options.json().text("nonce")
        return try await tower.post(
            Self.native,
            [
                "identityToken": apple.appToken(nonce: used), "authorizationCode": apple.appCode(nonce: used),
                "nonce": used, "name": "Ana Kovač",
            ])
    }

    /// Makes the account of a person who signed in from the app; returns the access token.
    private func signUpFromApp(_ tower: Tower, _ apple: StandInApple) async throws -> String {
        let token = try await signInFromApp(tower, apple).json().text("signUpToken")
        let made = try await tower.post(
            "/api/v1/auth/apple/sign-up",
            bytes: Samples.json(["name": "Ana", "bornOn": "1990-02-28", "agrees": true, "signUpToken": token]),
            type: "application/json")
        #expect(made.status == .created, "\(made.text)")
        return try made.json().text("accessToken")
    }

    /// The secret of the last link that the server mailed.
    private func mailed(_ pattern: String, _ tower: Tower, as who: Tower.As) async throws -> String {
        let list = try await tower.page("/settings/outbox", as: who).text
        let letter = try #require(list.firstMatch(of: #//settings/outbox/[^"?#]+/#)).output
        let text = try await tower.page(String(letter), as: who).text
        let link = try #require(text.range(of: "\(pattern)[A-Za-z0-9_-]+", options: .regularExpression))
        return String(text[link].dropFirst(pattern.count))
    }

    @Test("the end of an account that only used the app takes the app's grant back at Apple")
    func appGrant() async throws {
        try await Self.with { tower, apple in
            let founder = try await tower.sampleSchool().founder
            _ = try await signUpFromApp(tower, apple)
            #expect(Array(apple.state.refreshTokens.values) == [StandInApple.appId])
            // An account without a password sets one by mail before it is deleted.
            _ = try await tower.post("/api/v1/auth/reset-request", ["email": "ana@privaterelay.example"])
            let secret = try await mailed("/reset/", tower, as: founder.browser)
            let set = try await tower.post("/api/v1/auth/reset", ["token": secret, "password": Tower.password])
            #expect(set.status == .ok, "\(set.text)")
            let deleted = try await tower.post(
                "/api/v1/auth/account/delete",
                bytes: Samples.json(["password": Tower.password, "understands": true]), type: "application/json",
                as: .bearer(set.json().text("accessToken")))
            #expect(deleted.status == .ok, "\(deleted.text)")
            await tower.composition.runJobs()
            #expect(apple.state.revoked.count == 1 && apple.state.refreshTokens.isEmpty)
        }
    }

    @Test("a person signs in from the app also while Apple exchanges no codes, and gives the grant the next time")
    func appLaterGrant() async throws {
        try await Self.with { tower, apple in
            apple.change { $0.moods["/auth/token"] = .failing }
            _ = try await signUpFromApp(tower, apple)
            #expect(apple.state.refreshTokens.isEmpty)
            apple.change { $0.moods = [:] }
            #expect(try await signInFromApp(tower, apple).status == .ok)
            #expect(Array(apple.state.refreshTokens.values) == [StandInApple.appId])
        }
    }

    @Test("an app reads the form of a new account as a screen, with the name, and without what only browsers have")
    func appForm() async throws {
        try await Self.with { tower, apple in
            func read(_ path: String) async throws -> TestResponse {
                try await tower.get(path, as: .nobody, [.accept: "application/vnd.pinktower.screen+json"])
            }
            let token = try await signInFromApp(tower, apple).json().text("signUpToken")
            let page = try await read("/sign-up/apple/\(token)")
            #expect(page.status == .ok)
            for part in [token, "Ana Kovač", "ana@privaterelay.example", "bornOn", "parentEmail"] {
                #expect(page.text.contains(part), "\(part)")
            }
            let plain = try await read("/sign-up")
            #expect(plain.text.contains("/sign-in/apple") && !plain.text.contains("/display"))
            let browser = try await tower.page("/sign-up", as: .nobody)
            #expect(browser.text.contains("/sign-in/apple") && browser.text.contains("/display"))
            // A made-up or used secret leads to the page that says so.
            #expect(try await read("/sign-up/apple/made-up").headers[.location] == "/sign-in/apple/over")
        }
        try await Self.with(appTeam: nil) { tower, _ in
            let page = try await tower.get(
                "/sign-up", as: .nobody, [.accept: "application/vnd.pinktower.screen+json"])
            #expect(page.status == .ok && !page.text.contains("/sign-in/apple"))
        }
    }

    @Test("a person signs in from the app: without an account through a sign-up, and then at once")
    func app() async throws {
        try await Self.with { tower, apple in
            let made = try await signUpFromApp(tower, apple)
            let again = try await signInFromApp(tower, apple).json()
            #expect(try !again.text("refreshToken").isEmpty)
            for access in [made, try again.text("accessToken")] {
                let me = try await tower.get("/api/v1/auth/me", as: .bearer(access))
                #expect(me.text.contains("\"isAuthenticated\":true"), "\(me.text)")
            }
        }
    }

    @Test("a token of the app is refused with another audience, key, nonce or time, and its nonce is used up")
    func appRefusals() async throws {
        try await Self.with { tower, apple in
            let stranger = try StandInApple.SigningKey("key-1")
            let past = apple.clock().addingTimeInterval(-3600).timeIntervalSince1970
            for forgery in [
                StandInApple.Forgery(claims: ["aud": .text(StandInApple.servicesId)]),
                .init(claims: ["nonce": .text("another")]), .init(claims: ["exp": .number(past)]),
                .init(signing: .rs256(stranger)), .init(signing: .none),
            ] {
                apple.change { $0.forgery = forgery }
                let answer = try await signInFromApp(tower, apple)
                #expect(answer.status == .unauthorized)
                #expect(try answer.json().text("code") == "auth.apple.refused")
            }
            apple.change { $0.forgery = .init() }
            let made = try await signInFromApp(tower, apple, nonce: "chosen by the app")
            #expect(made.status == .gone)
            let options = try await tower.post("\(Self.native)/options", [String: String]())
            let nonce = try options.json().text("nonce")
            #expect(try await signInFromApp(tower, apple, nonce: nonce).status == .ok)
            let replayed = try await signInFromApp(tower, apple, nonce: nonce)
            #expect(replayed.status == .gone)
            #expect(try replayed.json().text("code") == "auth.apple.over")
            apple.change { $0.person.isVerified = false }
            let unverified = try await signInFromApp(tower, apple)
            #expect(unverified.status == .conflict)
            #expect(try unverified.json().text("code") == "auth.apple.noAddress")
        }
    }

    @Test("a request of the app that is none is refused with a problem, and the server logs no error")
    func appNonsense() async throws {
        try await Self.with { tower, apple in
            let long = String(repeating: "a", count: 12_001)
            let good = try apple.appToken(nonce: "n")
            for fields in [
                [:], ["identityToken": good], ["nonce": "n"], ["identityToken": "", "nonce": ""],
                ["identityToken": good, "nonce": long], ["identityToken": long, "nonce": "n"],
                ["identityToken": good, "nonce": "n", "name": String(repeating: "n", count: 121)],
                ["identityToken": good, "nonce": "n", "surprise": "x"],
                ["identityToken": good, "nonce": "n", "authorizationCode": String(repeating: "c", count: 2001)],
                ["identityToken": good, "nonce": "n", "authorizationCode": ["c"]],
                ["identityToken": good, "nonce": "n\u{0}\u{1F600}"], ["identityToken": "a.b.c", "nonce": "n"],
                ["identityToken": [1, 2], "nonce": "n"], ["identityToken": good, "nonce": ["n": "n"]],
            ] as [[String: Any]] {
                let answer = try await tower.post(
                    Self.native, bytes: Samples.json(fields), type: "application/json")
                answer.isDecent("\(fields)")
                #expect((400..<500).contains(answer.status.code), "\(fields): \(answer.status)")
            }
            let large = try await tower.post(
                Self.native, ["identityToken": String(repeating: "a", count: 20_000), "nonce": "n"])
            #expect(large.status == .contentTooLarge)
        }
    }

    @Test("each answer to the app has the form that the description of the API gives")
    func appSchema() async throws {
        try await Self.with { tower, apple in
            let document = try await EndpointTests.document(tower)
            let options = try await tower.post("\(Self.native)/options", [String: String]())
            for (path, answer) in [
                ("\(Self.native)/options", options), (Self.native, try await signInFromApp(tower, apple)),
            ] {
                let operation = try #require(EndpointTests.operation(document, "post", path))
                let faults = EndpointTests.faults(
                    of: try answer.json().value, against: EndpointTests.schema(of: operation, answer.status.code))
                #expect(faults == [], "\(path)")
            }
        }
    }

    @Test(
        "without an app, or with an app of another team, there is no endpoint for one",
        arguments: [nil, "OTHER12345"])
    func noApp(_ team: String?) async throws {
        try await Self.with(appTeam: team) { tower, _ in
            for path in [Self.native, "\(Self.native)/options"] {
                let answer = try await tower.post(path, [String: String]())
                #expect(answer.status == .notFound)
            }
        }
    }

    @Test("a server without the settings has no page, endpoint or button for Apple")
    func off() async throws {
        try await Tower.with { tower in
            let page = try await tower.page("/sign-in/apple", as: .nobody)
            #expect(page.status == .notFound)
            #expect(try await tower.post(Self.returnPath, ["state": "x"]).status == .notFound)
            #expect(try await tower.post("\(Self.native)/options", [String: String]()).status == .notFound)
            #expect(try await !tower.page("/sign-in", as: .nobody).text.contains("Apple"))
        }
    }

    // MARK: - Settings

    private static let complete = [
        "PINKTOWER_APPLE_SERVICES_ID": "example.web", "PINKTOWER_APPLE_TEAM_ID": "TEAM",
        "PINKTOWER_APPLE_KEY_ID": "KEY",
        "PINKTOWER_APPLE_KEY_FILE": "/etc/pinktower/key.p8", "PINKTOWER_PUBLIC_URL": "https://tower.example",
    ]

    @Test("the settings must be complete, use TLS, and name no address other than Apple's or this machine")
    func settings() async throws {
        func faults(_ change: [String: String?]) async throws -> [String] {
            let environment = Self.complete.merging(change.compactMapValues(\.self)) { $1 }
                .filter { change[$0.key] != .some(nil) }
            do {
                _ = try await ServerSettings.read(flags: [:], environment: environment)
                return []
            } catch let malformed as ServerSettings.Malformed {
                return malformed.faults
            }
        }
        let read = try await ServerSettings.read(flags: [:], environment: Self.complete).apple
        #expect(read?.address == "https://appleid.apple.com" && read?.servicesId == "example.web")
        #expect(try await faults([:]) == [])
        let partly = try await faults(["PINKTOWER_APPLE_TEAM_ID": nil, "PINKTOWER_APPLE_KEY_FILE": nil])
        #expect(partly.count == 2 && partly.allSatisfy { $0.contains("is missing") })
        #expect(try await faults(["PINKTOWER_PUBLIC_URL": "http://tower.example"]).count == 1)
        #expect(try await faults(["PINKTOWER_APPLE_URL": "https://elsewhere.example"]).count == 1)
        #expect(
            try await faults([
                "PINKTOWER_APPLE_URL": "http://127.0.0.1:9999", "PINKTOWER_PUBLIC_URL": "http://127.0.0.1:8080",
            ]) == [])
    }

    @Test("a missing or invalid key file stops the start with its path, without its content")
    func keyFile() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("key.p8")
        func message() async throws -> String {
            var settings = Tower.settings(in: folder)
            settings.apple = AppleSettings(servicesId: "a", teamId: "b", keyId: "c", keyFile: file)
            let malformed = await #expect(throws: ServerSettings.Malformed.self) {
                try await ServerComposition.build(settings).close()
            }
            return try #require(malformed).description
        }
        #expect(try await message().contains(file.path))
        try Data("top secret".utf8).write(to: file)
        let said = try await message()
        #expect(said.contains(file.path) && !said.contains("top secret"))
    }
}
