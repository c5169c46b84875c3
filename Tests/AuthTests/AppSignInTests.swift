import AuthInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Signing in with a provider from the school's app")
struct AppSignInTests {
    private typealias Setup = ProviderTests.Setup

    @Test("a server without an app has no endpoint for one")
    func off() async throws {
        let setup = try await Setup()
        #expect(
            !setup.fixture.features.flatMap(\.endpoints.commands).contains { $0.contract.path.contains("native") })
    }

    @Test("a person without an account signs up with a token of their own, and signs in at once afterwards")
    func firstTime() async throws {
        let setup = try await Setup(hasApp: true)
        let nonce = try await setup.nonce()
        let answer = try await setup.answerApp(nonce, name: "Ana Kovač")
        let token = try #require(answer.signUpToken)
        #expect(answer.session == nil && answer.waitsFor == nil && token != nonce)
        #expect(
            answer.signUpExpiresAt == setup.fixture.clock.now.addingTimeInterval(ProviderService.arrivedLifetime))
        #expect(setup.provider.state.nonces == [nonce])
        // The nonce is known to the provider and does not finish the sign-up.
        #expect(try await problem { try await setup.finishApp(nonce) } == Problem(410, "auth.apple.over"))
        let child = try await problem { try await setup.finishApp(token, bornOn: "2020-02-28") }
        #expect(child?.faults.map(\.code) == ["auth.parentNeeded"])
        #expect(try await setup.finishApp(token).session != nil)
        #expect(try await problem { try await setup.finishApp(token) } == Problem(410, "auth.apple.over"))
        let again = try await setup.answerApp()
        #expect(try await setup.isOpen(#require(again.session)) && again.signUpToken == nil)
        let account = try #require(try await setup.auth.auth.account(email: "ana@maple.example"))
        #expect(account.name == "Ana Kovač")
    }

    @Test("a child's account that was made in the app waits for a parent")
    func child() async throws {
        let setup = try await Setup(hasApp: true)
        let token = try #require(try await setup.answerApp().signUpToken)
        let answer = try await setup.finishApp(token, bornOn: "2020-02-28", parent: "pia@maple.example")
        #expect(answer.waitsFor == .parent && answer.session == nil)
        #expect(try await problem { try await setup.answerApp() } == Problem(403, "auth.parentFirst"))
    }

    @Test(
        "an identity that was linked in a browser signs in from the app, and the provider's report ends the session"
    )
    func linked() async throws {
        let setup = try await Setup(hasApp: true)
        _ = try await setup.linked()
        let tokens = try #require(try await setup.answerApp().session)
        #expect(try await setup.isOpen(tokens))
        setup.provider.change {
            $0.notice = IdentityNotice(
                kind: .ended, subject: ProviderTests.ana.subject, at: setup.fixture.clock.now)
        }
        try await setup.fixture.execute("auth.appleNotice", ["payload": "signed"], as: .nobody)
        #expect(try await !setup.isOpen(tokens))
    }

    @Test("the end of a link revokes what the browser and the app got, each as itself", arguments: [true, false])
    func bothGrants(_ isBrowserFirst: Bool) async throws {
        let setup = try await Setup(hasApp: true)
        let me = try await setup.linked()
        let inApp = ProvidedIdentity(
            subject: ProviderTests.ana.subject, email: nil, refreshToken: "the app's grant")
        // Without a code nothing is exchanged, and what was stored stays.
        _ = try await setup.answerApp(as: inApp)
        _ = try await setup.answerApp(as: inApp, code: "a code")
        if !isBrowserFirst { _ = try await setup.signIn() }
        try await setup.fixture.execute("auth.appleUnlink", ["password": .text(AuthFixture.password)], as: me)
        try await setup.runJob()
        let state = setup.provider.state
        #expect(
            Dictionary(zip(state.revoked, state.revokers)) { first, _ in first }
                == ["ana's grant": .web, "the app's grant": .app])
    }

    @Test("a school that has no app any more revokes what the browser got")
    func noAppLeft() async throws {
        let setup = try await Setup(hasApp: true)
        let me = try await setup.linked()
        _ = try await setup.answerApp(
            as: ProvidedIdentity(subject: ProviderTests.ana.subject, email: nil, refreshToken: "the app's grant"),
            code: "a code")
        setup.provider.change { $0.knowsApp = false }
        try await setup.fixture.execute("auth.appleUnlink", ["password": .text(AuthFixture.password)], as: me)
        try await setup.runJob()
        #expect(setup.provider.state.revoked == ["ana's grant"])
        let waiting = try await setup.fixture.directory.read { sql in
            try sql.rows("SELECT id FROM identity_revocations").count
        }
        #expect(waiting == 0)
    }

    @Test("the end of an account that only used the app revokes the app's grant, also where a parent refuses")
    func appOnly() async throws {
        let setup = try await Setup(hasApp: true)
        let token = try #require(try await setup.answerApp(code: "a code").signUpToken)
        try await setup.finishApp(token, bornOn: "2020-02-28", parent: "pia@maple.example")
        let mail = try #require(setup.auth.mailer.mails.last)
        let link = try #require(mail.text.split(separator: "/consent/").last).prefix { !$0.isWhitespace }
        try await setup.fixture.execute(
            "auth.answerForChild", ["token": .text(String(link)), "answer": "refuse"], as: .nobody)
        try await setup.runJob()
        #expect(setup.provider.state.revoked == ["ana's grant"] && setup.provider.state.revokers == [.app])
    }

    @Test("a code that cannot be exchanged does not stop the sign-in, and the next sign-in brings the grant")
    func laterGrant() async throws {
        let setup = try await Setup(hasApp: true)
        setup.provider.change { $0.exchanges = false }
        let token = try #require(try await setup.answerApp(code: "a code").signUpToken)
        let tokens = try #require(try await setup.finishApp(token).session)
        func sealed() async throws -> [String?] {
            try await setup.fixture.directory.read { sql in
                try sql.rows("SELECT sealed_token FROM linked_identities").map { try $0.optional("sealed_token") }
            }
        }
        #expect(try await sealed() == [nil])
        #expect(try await setup.answerApp(code: "a code").session != nil)
        #expect(try await sealed() == [nil])
        setup.provider.change { $0.exchanges = true }
        #expect(try await setup.answerApp(code: "another").session != nil)
        #expect(try await sealed().first??.isEmpty == false)
        #expect(try await setup.isOpen(tokens))
    }

    @Test("a sign-in from the app asks for the code of an authenticator app")
    func secondStep() async throws {
        let setup = try await Setup(hasApp: true)
        let code = try await setup.turnOnAuthenticator(try #require(try await setup.signUp().session))
        let answer = try await setup.answerApp()
        let token = try #require(answer.secondStepToken)
        #expect(answer.session == nil)
        let session = try await setup.fixture.execute(
            SecondStep.self, ["token": .text(token), "code": .text(code)], as: .nobody)
        #expect(try await setup.isOpen(session))
    }

    @Test("an account with the same address is never linked, and an unconfirmed address makes no account")
    func refusals() async throws {
        let setup = try await Setup(hasApp: true)
        try await setup.auth.signUp()
        #expect(try await problem { try await setup.answerApp() } == Problem(409, "auth.apple.known"))
        let nameless = ProvidedIdentity(subject: "002", email: nil, refreshToken: nil)
        #expect(
            try await problem { try await setup.answerApp(as: nameless) } == Problem(409, "auth.apple.noAddress"))
        for (fault, expected) in [
            (IdentityFault.unreachable, Problem(503, "auth.apple.unreachable", retryAfter: 60)),
            (.refused(.audience), Problem(401, "auth.apple.refused")),
        ] {
            setup.provider.change { $0.fault = fault }
            #expect(try await problem { try await setup.answerApp() } == expected)
        }
    }

    @Test("a nonce works once, for ten minutes, also where the token is refused")
    func nonces() async throws {
        let setup = try await Setup(hasApp: true)
        try await setup.signUp()
        let over = Problem(410, "auth.apple.over")
        let nonce = try await setup.nonce()
        _ = try await setup.answerApp(nonce)
        #expect(try await problem { try await setup.answerApp(nonce) } == over)
        #expect(try await problem { try await setup.answerApp("made up") } == over)
        let refused = try await setup.nonce()
        setup.provider.change { $0.fault = .refused(.signature) }
        #expect(try await problem { try await setup.answerApp(refused) }?.status == 401)
        setup.provider.change { $0.fault = nil }
        #expect(try await problem { try await setup.answerApp(refused) } == over)
        let late = try await setup.nonce()
        setup.fixture.clock.advance(by: ProviderService.awayLifetime)
        #expect(try await problem { try await setup.answerApp(late) } == over)
        // A browser's departure is not a nonce.
        let browser = try await setup.leave()
        for text in [browser.state, browser.ticket, browser.nonce] {
            #expect(try await problem { try await setup.answerApp(text) } == over)
        }
    }

    @Test("thirty requests with one nonce start one session")
    func together() async throws {
        let setup = try await Setup(hasApp: true)
        try await setup.signUp()
        let nonce = try await setup.nonce()
        let started = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<30 {
                group.addTask { try await problem { try await setup.answerApp(nonce) } == nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(started == 1)
    }

    @Test("repeated starts are limited, successful sign-ins of a school are not")
    func limit() async throws {
        let setup = try await Setup(hasApp: true)
        #expect(try await problem { for _ in 0..<300 { _ = try await setup.nonce() } }?.status == 429)
        let school = try await Setup(hasApp: true)
        try await school.signUp()
        for _ in 0..<300 { _ = try await school.answerApp() }
    }

    @Test("at most a fixed number of departures is stored, and the oldest make room")
    func bound() async throws {
        let setup = try await Setup(hasApp: true)
        for number in 0..<8 {
            setup.fixture.clock.advance(by: 1)
            let now = setup.fixture.clock.now
            try await setup.fixture.directory.write { sql in
                try ProviderRepository.insert(
                    ProviderDeparture(
                        ticket: "t\(number)", accountId: nil, deviceId: nil, next: nil,
                        expiresAt: now.addingTimeInterval(60)),
                    state: "s\(number)", at: now, limit: 5, in: sql)
            }
        }
        let stored = try await setup.fixture.directory.read { sql in
            try sql.rows("SELECT fingerprint FROM provider_departures ORDER BY fingerprint").map {
                try $0.get("fingerprint", as: String.self)
            }
        }
        #expect(stored == ["s3", "s4", "s5", "s6", "s7"])
    }

    @Test("nonces and sign-up tokens are stored as fingerprints")
    func sealed() async throws {
        let setup = try await Setup(hasApp: true)
        let nonce = try await setup.nonce()
        let token = try #require(try await setup.answerApp().signUpToken)
        let stored = try await setup.fixture.directory.read { sql in
            try ["provider_departures", "arrived_identities"].flatMap { table in
                try sql.rows(SQL(stringLiteral: "SELECT * FROM \(table)")).map { "\($0.values)" }
            }.joined()
        }
        #expect(!stored.isEmpty && !stored.contains(nonce) && !stored.contains(token))
    }
}

extension ProviderTests.Setup {
    /// The nonce of a sign-in from the app.
    func nonce() async throws -> String {
        try await fixture.execute(StartAppSignIn.self, [:], as: .nobody).nonce
    }

    /// Signs a person in from the app, with a new nonce or the given one.
    @discardableResult
    func answerApp(
        _ nonce: String? = nil, as person: ProvidedIdentity = ProviderTests.ana, name: String? = nil,
        code: String? = nil
    ) async throws -> SignInAnswer {
        let used: String
        if let nonce { used = nonce } else { used = try await self.nonce() }
        let token = UUID().uuidString
        provider.change { $0.people[token] = person }
        return try await fixture.execute(
            SignInFromApp.self,
            [
                "identityToken": .text(token), "nonce": .text(used),
                "name": name.map(InputValue.text) ?? .null,
                "authorizationCode": code.map(InputValue.text) ?? .null,
            ], as: .nobody)
    }

    /// Finishes a sign-up that began in the app.
    @discardableResult
    func finishApp(_ token: String, bornOn: String = "1990-02-28", parent: String? = nil) async throws
        -> SignInAnswer
    {
        try await fixture.execute(
            SignUpWithProvider.self,
            [
                "name": "Ana Kovač", "bornOn": .text(bornOn), "agrees": true, "signUpToken": .text(token),
                "parentEmail": parent.map(InputValue.text) ?? .null,
            ], as: .nobody)
    }
}
