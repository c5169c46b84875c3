import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import ScreenKit
import Synchronization
import TestKit
import Testing

@testable import Auth

/// A provider that returns the identity that the test registered for a code.
final class TestProvider: IdentityProvider {
    struct State: Sendable {
        var people: [String: ProvidedIdentity] = [:]
        var fault: IdentityFault?
        var notice: IdentityNotice?
        var nonces: [String] = []
        var revoked: [String] = []
        /// The clients that revoked, in the order of `revoked`.
        var revokers: [IdentityClient] = []
        /// Whether the server is still registered as the app.
        var knowsApp = true
        /// Whether codes of the app are exchanged.
        var exchanges = true
    }

    let name = "apple"
    let hasApp: Bool
    private let guarded = Mutex(State())
    var state: State { guarded.withLock { $0 } }
    func change(_ work: (inout State) -> Void) { guarded.withLock { work(&$0) } }

    init(hasApp: Bool = false) { self.hasApp = hasApp }

    func authorizationAddress(state: String, nonce: String, returnTo address: String) -> String {
        "https://provider.example/?state=\(state)&nonce=\(nonce)&to=\(address)"
    }

    func identity(
        code: String, nonce: String, returnTo address: String, at now: Date
    ) async throws -> ProvidedIdentity {
        try guarded.withLock { state in
            state.nonces.append(nonce)
            if let fault = state.fault { throw fault }
            guard let person = state.people.removeValue(forKey: code) else { throw IdentityFault.refused(.code) }
            return person
        }
    }

    func identity(token: String, code: String?, nonce: String, at now: Date) async throws -> ProvidedIdentity {
        let person = try await identity(code: token, nonce: nonce, returnTo: "the app", at: now)
        return ProvidedIdentity(
            subject: person.subject, email: person.email,
            refreshToken: code != nil && state.exchanges ? person.refreshToken : nil)
    }

    func revoke(_ refreshToken: String, of client: IdentityClient, at now: Date) async throws {
        try guarded.withLock { state in
            if let fault = state.fault { throw fault }
            if client == .app, !state.knowsApp { throw IdentityFault.refused(.audience) }
            state.revoked.append(refreshToken)
            state.revokers.append(client)
        }
    }

    func notice(_ signed: String, at now: Date) async throws -> IdentityNotice {
        try guarded.withLock { state in
            if let fault = state.fault { throw fault }
            guard let notice = state.notice else { throw IdentityFault.refused(.signature) }
            return notice
        }
    }
}

@Suite("Signing in with a provider")
struct ProviderTests {
    /// A browser that was sent to the provider.
    struct Browser: Sendable {
        let state: String
        let ticket: String
        let nonce: String
    }

    struct Setup {
        let auth: AuthFixture
        let provider: TestProvider

        var fixture: TestEnvironment { auth.environment }

        init(confirmsMail: Bool = false, hasApp: Bool = false) async throws {
            provider = TestProvider(hasApp: hasApp)
            auth = try await AuthFixture(confirmsMail: confirmsMail, provider: provider)
        }

        func leave(
            _ path: String = "/sign-in/apple", as caller: Caller = .nobody, next: String? = nil
        ) async throws -> Browser {
            let answer = try await fixture.screen(path, as: caller, query: next.map { ["next": $0] } ?? [:])
            guard case .leave(let departure) = answer else {
                throw TestEnvironment.Unknown(description: "\(path) leads nowhere else")
            }
            let items = try #require(URLComponents(string: departure.address)?.queryItems)
            func value(_ name: String) throws -> String {
                try #require(items.first { $0.name == name }?.value)
            }
            #expect(try value("to") == "https://tower.example/api/v1/auth/apple/return")
            return Browser(state: try value("state"), ticket: departure.ticket, nonce: try value("nonce"))
        }

        /// Returns from the provider as a person; `nil` stands for a refusal there.
        func comeBack(
            _ browser: Browser, as person: ProvidedIdentity?, state: String? = nil, ticket: String? = nil,
            user: String? = nil
        ) async throws -> Pipeline.Outcome {
            let code = UUID().uuidString
            provider.change { $0.people[code] = person }
            var fields: [String: InputValue] = ["state": .text(state ?? browser.state)]
            if person == nil {
                fields["error"] = "user_cancelled_authorize"
            } else {
                fields["code"] = .text(code)
            }
            if let user { fields["user"] = .text(user) }
            return try await fixture.execute(
                "auth.appleReturn", .object(fields), as: .nobody, isForm: true, ticket: ticket ?? browser.ticket)
        }

        /// Goes to the provider, returns, and finishes the sign-up.
        @discardableResult
        func signUp(
            as person: ProvidedIdentity = ana, bornOn: String = "1990-02-28", parent: String? = nil
        ) async throws -> SignInAnswer {
            let browser = try await leave()
            let back = try await comeBack(browser, as: person)
            try #require(back.destination == "/sign-up/apple")
            return try await finish(browser, bornOn: bornOn, parent: parent)
        }

        func finish(
            _ browser: Browser, bornOn: String = "1990-02-28", parent: String? = nil
        ) async throws -> SignInAnswer {
            try await fixture.execute(
                "auth.appleSignUp",
                [
                    "name": "Ana Kovač", "bornOn": .text(bornOn), "agrees": true,
                    "parentEmail": parent.map(InputValue.text) ?? .null,
                ], as: .nobody, ticket: browser.ticket
            ).result()
        }

        /// Signs in as a person who has an account.
        func signIn(as person: ProvidedIdentity = ana) async throws -> SessionTokens {
            let back = try await comeBack(try await leave(), as: person)
            guard case .start(let tokens) = back.session else {
                throw TestEnvironment.Unknown(description: "no session, but \(back.destination ?? "nothing")")
            }
            return tokens
        }

        /// Gives an account an authenticator app and returns the code that it shows now.
        func turnOnAuthenticator(_ tokens: SessionTokens) async throws -> String {
            let account = try #require(try await auth.caller(tokens).account)
            let secret: [UInt8] = Array(repeating: 3, count: OneTimeCode.secretLength)
            let now = fixture.clock.now
            try await fixture.directory.write { sql in
                try AuthenticatorRepository.insert(
                    TestCryptography().seal(secret, for: SecondFactorService.purpose(account.id)), of: account.id,
                    at: now, in: sql)
                try AuthenticatorRepository.confirm(account.id, at: now, in: sql)
            }
            return TestCryptography().oneTimePassword(
                secret, counter: UInt64(OneTimeCode.step(at: now)), digits: OneTimeCode.digits)
        }

        func isOpen(_ tokens: SessionTokens) async throws -> Bool {
            try await auth.auth.account(accessToken: tokens.accessToken) != nil
        }

        /// Runs the job, which must report these faults.
        func runJob(reporting expected: [String] = []) async throws {
            let (runner, fixture) = (try #require(fixture.features.flatMap(\.jobs).first), fixture)
            let faults = Mutex<[String]>([])
            await JobRunner(
                [runner], directory: fixture.directory, schools: fixture.schools, allSchools: { [] },
                hub: fixture.hub,
                clock: fixture.clock, ids: fixture.ids
            ) { fault in faults.withLock { $0.append("\(fault.error)") } }.runDue()
            #expect(faults.withLock { $0 } == expected)
        }
    }

    static let ana = ProvidedIdentity(
        subject: "001.ana", email: "Ana@Maple.example", refreshToken: "ana's grant")

    // MARK: - Without settings

    @Test("without a provider there is no button, no page and no endpoint")
    func off() async throws {
        let auth = try await AuthFixture()
        for path in ["/sign-in", "/sign-up"] {
            #expect(try await !auth.environment.outline(path, as: .nobody).contains("Apple"))
        }
        #expect(
            !auth.environment.features.flatMap(\.endpoints.commands).contains { $0.contract.path.contains("apple") }
        )
        #expect(!auth.environment.features.flatMap(\.pages.screens).contains { $0.path.contains("apple") })
        #expect(!auth.environment.features.flatMap(\.pages.navigation).contains { $0.path.contains("apple") })
    }

    // MARK: - Signing up and in

    @Test("the first sign-in makes an account after birth date and consent; the next needs one press")
    func firstTime() async throws {
        let setup = try await Setup()
        let browser = try await setup.leave(next: "/join/ABC")
        let back = try await setup.comeBack(
            browser, as: Self.ana, user: #"{"name":{"firstName":"Ana","lastName":"Kovač"},"email":"x@y.example"}"#)
        #expect(back.destination == "/sign-up/apple" && back.session == nil)
        #expect(setup.provider.state.nonces == [browser.nonce])
        let page = try await setup.fixture.outline("/sign-up/apple", as: .nobody, ticket: browser.ticket)
        #expect(page.contains("ana@maple.example") && page.contains("Ana Kovač"))
        let done = try await setup.fixture.execute(
            "auth.appleSignUp", ["name": "Ana K.", "bornOn": "1990-02-28", "agrees": true], as: .nobody,
            ticket: browser.ticket)
        #expect(done.destination == "/join/ABC")
        let account = try #require(try await setup.auth.auth.account(email: "ana@maple.example"))
        #expect(account.name == "Ana K.")
        let consents = try await setup.fixture.directory.read {
            try ConsentRepository.consents(of: account.id, in: $0)
        }
        #expect(consents.map(\.purpose).sorted() == ["privacy", "terms"])
        let again = try await setup.comeBack(try await setup.leave(next: "/home"), as: Self.ana)
        #expect(again.session != nil && again.destination == "/home")
    }

    @Test("a sign-up with a provider passes the age gate and the consents")
    func gates() async throws {
        let setup = try await Setup()
        let browser = try await setup.leave()
        _ = try await setup.comeBack(browser, as: Self.ana)
        func refusal(_ fields: InputValue) async throws -> [String]? {
            try await problem {
                try await setup.fixture.execute("auth.appleSignUp", fields, as: .nobody, ticket: browser.ticket)
            }?.faults.map(\.code)
        }
        #expect(try await refusal(["name": "Ana", "bornOn": "1990-02-28"]) == ["auth.agreeNeeded"])
        #expect(
            try await refusal(["name": "Ana", "bornOn": "2020-02-28", "agrees": true]) == ["auth.parentNeeded"])
        #expect(
            try await refusal([
                "name": "Ana", "bornOn": "2020-02-28", "agrees": true, "parentEmail": "ana@maple.example",
            ]) == ["auth.parentOther"])
        // A child needs a parent's consent; until then Apple does not sign in.
        let answer = try await setup.finish(browser, bornOn: "2020-02-28", parent: "pia@maple.example")
        #expect(answer.waitsFor == .parent && answer.session == nil)
        #expect(setup.auth.mailer.mails.map(\.to) == ["pia@maple.example"])
        let back = try await setup.comeBack(try await setup.leave(), as: Self.ana)
        #expect(back.destination == "/sign-in/apple/parent" && back.session == nil)
        // A parent's refusal revokes the provider's token too.
        let mail = try #require(setup.auth.mailer.mails.last)
        let token = try #require(mail.text.split(separator: "/consent/").last).prefix { !$0.isWhitespace }
        try await setup.fixture.execute(
            "auth.answerForChild", ["token": .text(String(token)), "answer": "refuse"], as: .nobody)
        try await setup.runJob()
        #expect(setup.provider.state.revoked == ["ana's grant"])
    }

    @Test("an address that the provider confirmed needs no email")
    func confirmed() async throws {
        let setup = try await Setup(confirmsMail: true)
        #expect(try await setup.signUp().session != nil)
        #expect(setup.auth.mailer.mails.isEmpty)
    }

    @Test("an account with the same address is linked only with its password")
    func known() async throws {
        let setup = try await Setup()
        let tokens = try await setup.auth.signUp()
        let back = try await setup.comeBack(try await setup.leave(), as: Self.ana)
        #expect(back.destination == "/sign-in/apple/known" && back.session == nil)
        let page = try await setup.fixture.outline("/sign-in/apple/known", as: .nobody)
        #expect(page.contains("password") && page.contains("/sign-in?next=/settings/security/apple"))
        // It can be linked from Settings with the password.
        let me = try await setup.auth.caller(tokens)
        let browser = try await setup.leave("/settings/security/apple/leave", as: me)
        #expect(try await setup.comeBack(browser, as: Self.ana).destination == "/settings/security/apple")
        func link(_ password: String, as caller: Caller, _ ticket: String?) async throws -> Problem? {
            try await problem {
                try await setup.fixture.execute(
                    "auth.appleLink", ["password": .text(password)], as: caller, ticket: ticket)
            }
        }
        let other = try await setup.auth.caller(setup.auth.signUp("bo@maple.example"))
        #expect(try await link(AuthFixture.password, as: other, browser.ticket)?.status == 410)
        #expect(try await link(AuthFixture.password, as: me, nil)?.status == 410)
        #expect(try await link("not it", as: me, browser.ticket)?.faults.map(\.code) == ["auth.wrongPassword"])
        #expect(try await link(AuthFixture.password, as: me, browser.ticket) == nil)
        #expect(try await link(AuthFixture.password, as: me, browser.ticket)?.status == 410)
        _ = try await setup.signIn()
        // The identity signs in to this account only.
        let twice = try await setup.leave("/settings/security/apple/leave", as: other)
        #expect(try await setup.comeBack(twice, as: Self.ana).destination == "/sign-in/apple/taken")
    }

    @Test("an unconfirmed address makes no account, but a linked identity still signs in")
    func noAddress() async throws {
        let setup = try await Setup()
        let nameless = ProvidedIdentity(subject: Self.ana.subject, email: nil, refreshToken: nil)
        let back = try await setup.comeBack(try await setup.leave(), as: nameless)
        #expect(back.destination == "/sign-in/apple/noAddress")
        try await setup.signUp()
        _ = try await setup.signIn(as: nameless)
    }

    @Test("a provider sign-in asks for the code of an authenticator app too")
    func secondStep() async throws {
        let setup = try await Setup()
        let code = try await setup.turnOnAuthenticator(try #require(try await setup.signUp().session))
        let now = setup.fixture.clock.now
        let back = try await setup.comeBack(try await setup.leave(next: "/home"), as: Self.ana)
        #expect(back.session == nil)
        let detour = try #require(back.detour)
        #expect(detour.hasPrefix("/sign-in/code/") && detour.hasSuffix("?next=/home"))
        let token = String(detour.dropFirst("/sign-in/code/".count).prefix { $0 != "?" })
        let session = try await setup.fixture.execute(
            SecondStep.self, ["token": .text(token), "code": .text(code)], as: .nobody)
        #expect(try await setup.isOpen(session))
        // The session began with the provider, so the provider's report ends it.
        setup.provider.change { $0.notice = IdentityNotice(kind: .ended, subject: Self.ana.subject, at: now) }
        try await setup.fixture.execute("auth.appleNotice", ["payload": "signed"], as: .nobody)
        #expect(try await !setup.isOpen(session))
    }

    // MARK: - Hostile answers

    @Test("a state works once, for ten minutes, in the browser that started")
    func states() async throws {
        let setup = try await Setup()
        try await setup.signUp()
        func refusal(_ outcome: Pipeline.Outcome) -> String? { outcome.session == nil ? outcome.destination : nil }
        let over = "/sign-in/apple/over"
        let (mine, theirs) = (try await setup.leave(), try await setup.leave())
        #expect(mine.state != theirs.state && mine.nonce != theirs.nonce && mine.ticket != theirs.ticket)
        #expect(refusal(try await setup.comeBack(theirs, as: Self.ana, ticket: mine.ticket)) == over)
        #expect(refusal(try await setup.comeBack(mine, as: Self.ana, state: "made up")) == over)
        let nameless = try await setup.fixture.execute(
            "auth.appleReturn", ["state": .text(mine.state), "code": "x"], as: .nobody, isForm: true)
        #expect(refusal(nameless) == over)
        // Other browsers' attempts have not used the state.
        #expect(try await setup.comeBack(mine, as: Self.ana).session != nil)
        #expect(refusal(try await setup.comeBack(mine, as: Self.ana)) == over)
        setup.fixture.clock.advance(by: ProviderService.awayLifetime)
        #expect(refusal(try await setup.comeBack(theirs, as: Self.ana)) == over)
        // A refused callback uses its state too.
        let third = try await setup.leave()
        #expect(refusal(try await setup.comeBack(third, as: nil)) == "/sign-in/apple/cancelled")
        #expect(refusal(try await setup.comeBack(third, as: Self.ana)) == over)
    }

    @Test("each fault of the provider has its page in both languages and signs nobody in")
    func faults() async throws {
        let setup = try await Setup()
        try await setup.signUp()
        for (fault, place) in [
            (IdentityFault.unreachable, "unreachable"), (.refused(.nonce), "refused"), (.refused(.code), "refused"),
        ] {
            setup.provider.change { $0.fault = fault }
            let back = try await setup.comeBack(try await setup.leave(), as: Self.ana)
            #expect(back.destination == "/sign-in/apple/\(place)" && back.session == nil)
        }
        for refusal in ProviderRefusal.allCases {
            for language in Language.allCases {
                let page = try await setup.fixture.outline(
                    ProviderScreens.path(of: refusal), as: .nobody, language: language)
                #expect(page.contains("/sign-in"), "\(refusal)")
                #expect(!page.contains("auth.apple."), "\(refusal) lacks words: \(page)")
            }
        }
        #expect(
            try await problem { _ = try await setup.fixture.outline("/sign-in/apple/else", as: .nobody) }
                == .notFound
        )
    }

    @Test("the last step of a sign-up works once, in its browser, within half an hour")
    func lastStep() async throws {
        let setup = try await Setup()
        let (browser, other) = (try await setup.leave(), try await setup.leave())
        _ = try await setup.comeBack(browser, as: Self.ana)
        #expect(try await problem { _ = try await setup.finish(other) } == Problem(410, "auth.apple.over"))
        let place = try await setup.fixture.screen("/sign-up/apple", as: .nobody, ticket: other.ticket)
        guard case .redirect("/sign-in/apple/over") = place else {
            Issue.record("another browser sees \(place)")
            return
        }
        _ = try await setup.finish(browser)
        #expect(try await problem { _ = try await setup.finish(browser) } == Problem(410, "auth.apple.over"))
        let late = try await setup.leave()
        _ = try await setup.comeBack(
            late, as: ProvidedIdentity(subject: "002", email: "bo@maple.example", refreshToken: nil))
        setup.fixture.clock.advance(by: ProviderService.arrivedLifetime)
        #expect(try await problem { _ = try await setup.finish(late) } == Problem(410, "auth.apple.over"))
    }

    @Test("two browsers with the same new identity make one account")
    func race() async throws {
        let setup = try await Setup()
        let (first, second) = (try await setup.leave(), try await setup.leave())
        _ = try await setup.comeBack(first, as: Self.ana)
        _ = try await setup.comeBack(second, as: Self.ana)
        _ = try await setup.finish(first)
        #expect(try await problem { _ = try await setup.finish(second) }?.faults.map(\.code) == ["auth.emailTaken"])
    }

    @Test("repeated departures are limited")
    func limit() async throws {
        let setup = try await Setup()
        let refusal = try await problem { for _ in 0..<300 { _ = try await setup.leave() } }
        #expect(refusal?.status == 429)
        let school = try await Setup()
        try await school.signUp()
        for _ in 0..<300 { _ = try await school.signIn() }
    }

    @Test(
        "the provider's name only prefills the form; malformed values are ignored",
        arguments: [
            (#"{"name":{"firstName":"Ana","lastName":"Kovač"}}"#, "Ana Kovač"),
            (#"{"name":{"firstName":"Ana"}}"#, "Ana"), (#"{"email":"a@b.example"}"#, nil),
            (#"{"name":{"firstName":"  "}}"#, nil), ("[", nil), (#"{"name":"Ana"}"#, nil),
        ] as [(String, String?)])
    func names(_ user: String, _ name: String?) {
        #expect(ProviderHandlers.name(in: user) == name)
    }

    // MARK: - Without a password

    @Test("an account without a password must set one by email before it unlinks")
    func withoutPassword() async throws {
        let setup = try await Setup()
        let me = try await setup.auth.caller(try #require(try await setup.signUp().session))
        for (name, field) in [("auth.appleUnlink", "password"), ("auth.startAuthenticator", "password")] {
            let refusal = try await problem {
                try await setup.fixture.execute(name, [field: "a guess at it"], as: me)
            }
            #expect(refusal == .invalid(field, "auth.noPassword"), "\(name)")
        }
        let change = try await problem {
            try await setup.fixture.execute(
                "auth.changePassword", ["currentPassword": "a guess", "password": "ten letters"], as: me)
        }
        #expect(change == .invalid("currentPassword", "auth.noPassword"))
        #expect(
            try await problem { try await setup.auth.signIn(password: "a guess at it") }
                == Problem(401, "auth.wrongSignIn"))
        for path in ["/settings/password", "/settings/security/apple"] {
            #expect(try await setup.fixture.outline(path, as: me).contains("Email me the link"), "\(path)")
        }
        try await setup.fixture.execute("auth.requestReset", ["email": "ana@maple.example"], as: me)
        let mail = try #require(setup.auth.mailer.mails.last)
        let token = try #require(mail.text.split(separator: "/reset/").last).prefix { !$0.isWhitespace }
        let answer = try await setup.fixture.execute(
            ResetPassword.self, ["token": .text(String(token)), "password": .text(AuthFixture.password)],
            as: .nobody)
        let fresh = try await setup.auth.caller(try #require(answer.session))
        #expect(try await !setup.fixture.outline("/settings/password", as: fresh).contains("Email me the link"))
        try await setup.fixture.execute(
            "auth.appleUnlink", ["password": .text(AuthFixture.password)], as: fresh)
        #expect(
            try await setup.comeBack(try await setup.leave(), as: Self.ana).destination == "/sign-in/apple/known")
    }

    // MARK: - Revocation

    @Test("unlinking revokes the provider's token, also when the provider is down at first")
    func revocation() async throws {
        let setup = try await Setup()
        let me = try await setup.linked()
        // The newest token is the one to revoke.
        _ = try await setup.signIn(
            as: ProvidedIdentity(subject: Self.ana.subject, email: nil, refreshToken: "a newer grant"))
        try await setup.fixture.execute("auth.appleUnlink", ["password": .text(AuthFixture.password)], as: me)
        setup.provider.change { $0.fault = .unreachable }
        try await setup.runJob()
        #expect(setup.provider.state.revoked == [])
        setup.provider.change { $0.fault = nil }
        try await setup.runJob()
        try await setup.runJob()
        #expect(setup.provider.state.revoked == ["a newer grant"])
        #expect(setup.provider.state.revokers == [.web])
        let stored = try await setup.fixture.directory.read { sql in
            try sql.rows("SELECT * FROM linked_identities").count
                + sql.rows("SELECT * FROM identity_revocations").count
        }
        #expect(stored == 0)
    }

    @Test("a token that was sealed alone, before the app had tokens, is revoked as the browser's")
    func alone() async throws {
        let setup = try await Setup()
        let me = try await setup.linked()
        try await setup.fixture.directory.write { sql in
            let id = try #require(try sql.value("SELECT id FROM linked_identities", as: UUID.self))
            let sealed = try TestCryptography().seal(Array("an old grant".utf8), for: "provider token \(id.text)")
            try ProviderRepository.touch(id, sealedToken: sealed, at: setup.fixture.clock.now, in: sql)
        }
        try await setup.fixture.execute("auth.appleUnlink", ["password": .text(AuthFixture.password)], as: me)
        try await setup.runJob()
        #expect(setup.provider.state.revoked == ["an old grant"] && setup.provider.state.revokers == [.web])
    }

    @Test(
        "waiting tokens that were sealed with a lost key do not keep the others from being revoked",
        arguments: [1, 120])
    func lostKey(_ count: Int) async throws {
        let setup = try await Setup()
        let me = try await setup.linked()
        try await setup.fixture.directory.write { sql in
            for _ in 0..<count {
                try sql.execute(
                    """
                    INSERT INTO identity_revocations (id, provider, sealed_token, asked_at)
                    SELECT \(UUID()), provider, 'sealed with another key', \(Date.distantPast) FROM linked_identities
                    """)
            }
        }
        try await setup.fixture.execute("auth.appleUnlink", ["password": .text(AuthFixture.password)], as: me)
        try await setup.runJob(reporting: ["NotOpened()"])
        #expect(setup.provider.state.revoked == ["ana's grant"])
        let left = try await setup.fixture.directory.read { sql in
            try sql.rows("SELECT sealed_token FROM identity_revocations").map {
                try $0.get("sealed_token", as: String.self)
            }
        }
        #expect(left == Array(repeating: "sealed with another key", count: count))
    }

    @Test("a sign-up that ends without an account is withdrawn at the provider once its time is over")
    func unfinished() async throws {
        let setup = try await Setup()
        let bo = ProvidedIdentity(subject: "002", email: "bo@maple.example", refreshToken: "bo's grant")
        _ = try await setup.comeBack(try await setup.leave(), as: bo)
        setup.fixture.clock.advance(by: ProviderService.arrivedLifetime - 1)
        try await setup.runJob()
        #expect(setup.provider.state.revoked == [])
        setup.fixture.clock.advance(by: 61)
        try await setup.runJob()
        #expect(setup.provider.state.revoked == ["bo's grant"])
        setup.fixture.clock.advance(by: 60)
        try await setup.runJob()
        #expect(setup.provider.state.revoked == ["bo's grant"])
    }

    @Test(
        "a sign-up that was begun twice and finished once is not withdrawn at the provider",
        arguments: [true, false])
    func begunTwice(_ isFinishedEarly: Bool) async throws {
        let setup = try await Setup()
        _ = try await setup.comeBack(try await setup.leave(), as: Self.ana)
        setup.fixture.clock.advance(by: ProviderService.arrivedLifetime - 60)
        let browser = try await setup.leave()
        _ = try await setup.comeBack(browser, as: Self.ana)
        if isFinishedEarly { _ = try await setup.finish(browser) }
        setup.fixture.clock.advance(by: 120)
        // The time of the first attempt is over.
        try await setup.runJob()
        if !isFinishedEarly { _ = try await setup.finish(browser) }
        setup.fixture.clock.advance(by: ProviderService.arrivedLifetime)
        try await setup.runJob()
        #expect(setup.provider.state.revoked == [])
    }

    @Test("a person who unlinks and links again at once keeps the grant at the provider")
    func linkedAgain() async throws {
        let setup = try await Setup()
        let me = try await setup.linked()
        try await setup.fixture.execute("auth.appleUnlink", ["password": .text(AuthFixture.password)], as: me)
        try await setup.link(me)
        try await setup.runJob()
        #expect(setup.provider.state.revoked == [])
    }

    @Test("provider tokens are sealed, states and tickets stored as fingerprints", .requirement("PT-1.13.d"))
    func sealed() async throws {
        let setup = try await Setup()
        try await setup.signUp()
        let browser = try await setup.leave()
        let waiting = try await setup.leave()
        _ = try await setup.comeBack(
            waiting, as: ProvidedIdentity(subject: "002", email: "bo@maple.example", refreshToken: "bo's grant"))
        let stored = try await setup.fixture.directory.read { sql in
            try ["linked_identities", "provider_departures", "arrived_identities"].flatMap { table in
                try sql.rows(SQL(stringLiteral: "SELECT * FROM \(table)")).map { "\($0.values)" }
            }.joined(separator: "\n")
        }
        #expect(stored.contains("provider token"))
        for secret in ["ana's grant", "bo's grant", browser.state, browser.ticket, waiting.ticket] {
            #expect(!stored.contains(secret), "\(secret)")
        }
    }

    @Test("a report of the provider unlinks the identity and ends its sessions, but not those of a later link")
    func notices() async throws {
        let setup = try await Setup()
        let mine = try await setup.linked()
        let withApple = try await setup.signIn()
        func hear(_ kind: IdentityNotice.Kind, at instant: Date) async throws {
            setup.provider.change {
                $0.notice = IdentityNotice(kind: kind, subject: Self.ana.subject, at: instant)
            }
            try await setup.fixture.execute("auth.appleNotice", ["payload": "signed", "else": "x"], as: .nobody)
        }
        let linkedAt = setup.fixture.clock.now
        try await hear(.other, at: linkedAt)
        try await hear(.ended, at: linkedAt.addingTimeInterval(-3600))
        #expect(try await setup.isOpen(withApple))
        setup.fixture.clock.advance(by: 300)
        let ended = setup.fixture.clock.now
        try await hear(.ended, at: ended)
        #expect(try await !setup.isOpen(withApple))
        #expect(try await setup.auth.auth.isValid(sessionId: #require(mine.account).sessionId))
        #expect(
            try await setup.comeBack(try await setup.leave(), as: Self.ana).destination == "/sign-in/apple/known")
        // After a new link, the old report has no effect.
        setup.fixture.clock.advance(by: 300)
        try await setup.link(mine)
        let again = try await setup.signIn()
        try await hear(.ended, at: ended)
        #expect(try await setup.isOpen(again))
        setup.provider.change { $0.fault = .refused(.signature) }
        let forged = try await problem { try await hear(.ended, at: setup.fixture.clock.now) }
        #expect(forged == Problem(422, "auth.apple.refused"))
        setup.provider.change { $0.fault = .unreachable }
        #expect(try await problem { try await hear(.ended, at: setup.fixture.clock.now) }?.status == 503)
        #expect(try await setup.isOpen(again))
    }

    @Test("the queries of a provider sign-in use their indexes")
    func plans() async throws {
        let setup = try await Setup()
        let (id, now) = (UUID(), setup.fixture.clock.now)
        for sql: SQL in [
            "SELECT * FROM linked_identities WHERE provider = \("apple") AND subject = \("001")",
            "SELECT * FROM linked_identities WHERE account_id = \(id) AND provider = \("apple")",
            "SELECT id FROM sessions WHERE identity_id = \(id) AND ended_at IS NULL",
            "DELETE FROM provider_departures WHERE expires_at <= \(now)",
            "DELETE FROM arrived_identities WHERE provider = \("apple") AND expires_at <= \(now)",
            "DELETE FROM identity_revocations WHERE provider = \("apple") AND subject = \("001")",
        ] {
            try await setup.fixture.expectIndexed(sql)
        }
    }
}

extension ProviderTests.Setup {
    /// A person with a password and a linked identity.
    func linked() async throws -> Caller {
        let me = try await auth.caller(auth.signUp())
        try await link(me)
        return me
    }

    func link(_ caller: Caller) async throws {
        let browser = try await leave("/settings/security/apple/leave", as: caller)
        _ = try await comeBack(browser, as: ProviderTests.ana)
        try await fixture.execute(
            "auth.appleLink", ["password": .text(AuthFixture.password)], as: caller, ticket: browser.ticket)
    }
}
