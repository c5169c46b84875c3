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

/// The complete sign-in, with a stand-in for Apple on this machine.
@Suite("Sign in with Apple over HTTP")
struct AppleTests {
    private static let returnPath = "/api/v1/auth/apple/return"

    /// Runs a server that is registered at a stand-in.
    private static func with(
        secure: Bool = false, _ work: @escaping @Sendable (Tower, StandInApple) async throws -> Void
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
            } _: { tower in
                tower.clock.set(start)
                try await work(tower, apple)
            }
        }
    }

    /// Starts the sign-in; returns the provider's address and the cookie line of the ticket.
    private func leave(_ tower: Tower, _ path: String = "/sign-in/apple", as who: Tower.As = .nobody) async throws
        -> (address: String, cookie: String)
    {
        let answer = try await tower.page(path, as: who)
        #expect(answer.status == .seeOther)
        let cookie = answer.headers[values: .setCookie].first { $0.contains("pt_away=") }
        return (try #require(answer.headers[.location]), try #require(cookie))
    }

    /// Posts the form of Apple's page, with the headers of a browser that comes from there.
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
        "a first sign-in takes one step for the account; the second is immediate, on the same device",
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
            // A known device leaves with its cookie and returns without it, because it is `Lax`.
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
        "the ticket cookie is hidden from scripts, returns from another site, and is bound to the host over TLS"
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

    @Test("another site's form runs only this command, without an account, and cannot choose the next page")
    func crossSite() async throws {
        try await Self.with { tower, apple in
            let open = tower.composition.features.features.flatMap(\.endpoints.commands).filter(
                \.contract.isFromElsewhere)
            #expect(open.map(\.contract.path) == [Self.returnPath])
            let person = try await tower.signUp()
            let session: HTTPFields = [
                .cookie: "pt_access=\(person.access)", .secFetchSite: "cross-site", .accept: "text/html",
            ]
            for command in tower.composition.features.features.flatMap(\.endpoints.commands)
            where !command.contract.isFromElsewhere {
                let path = command.contract.path.replacing(#/\{[A-Za-z]+\}/#, with: "x")
                let answer = try await tower.form(path, [], as: .nobody, session)
                #expect(answer.status == .forbidden, "\(path): \(answer.status)")
            }
            // Another person's callback, sent with a session: nothing of the session is used.
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

    @Test("a forged form gets a page and causes no server error")
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

    @Test("a provider that is down gives a message in the person's language")
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

    @Test("unlinking revokes the token at Apple, and a report of Apple ends the sessions")
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

    @Test("without settings there is no page, no endpoint and no button")
    func off() async throws {
        try await Tower.with { tower in
            let page = try await tower.page("/sign-in/apple", as: .nobody)
            #expect(page.status == .notFound)
            #expect(try await tower.post(Self.returnPath, ["state": "x"]).status == .notFound)
            #expect(try await !tower.page("/sign-in", as: .nobody).text.contains("Apple"))
        }
    }

    // MARK: - Settings

    private static let complete = [
        "PINKTOWER_APPLE_SERVICES_ID": "example.web", "PINKTOWER_APPLE_TEAM_ID": "TEAM",
        "PINKTOWER_APPLE_KEY_ID": "KEY",
        "PINKTOWER_APPLE_KEY_FILE": "/etc/pinktower/key.p8", "PINKTOWER_PUBLIC_URL": "https://tower.example",
    ]

    @Test("settings are complete or absent, need TLS, and name another host than Apple's only on this machine")
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

    @Test("a missing or malformed key file stops the start with its path, without its content")
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
