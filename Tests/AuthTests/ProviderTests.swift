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

/// A provider that names whom a test tells it to, by the code.
final class TestProvider: IdentityProvider {
    struct State: Sendable {
        var people: [String: ProvidedIdentity] = [:]
        var fault: IdentityFault?
        var notice: IdentityNotice?
        var nonces: [String] = []
        var revoked: [String] = []
    }

    let name = "apple"
    private let guarded = Mutex(State())
    var state: State { guarded.withLock { $0 } }
    func change(_ work: (inout State) -> Void) { guarded.withLock { work(&$0) } }

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

    func revoke(_ refreshToken: String, at now: Date) async throws {
        try guarded.withLock { state in
            if let fault = state.fault { throw fault }
            state.revoked.append(refreshToken)
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
    /// A browser that went away and may come back.
    struct Browser: Sendable {
        let state: String
        let ticket: String
        let nonce: String
    }

    struct Scene {
        let auth: AuthFixture
        let provider: TestProvider

        var fixture: TestEnvironment { auth.environment }

        init(confirmsMail: Bool = false) async throws {
            provider = TestProvider()
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

        /// The provider names somebody; `nil` for whoever says no.
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

        /// Away, back, and the last step of a sign-up.
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

        /// Signs in as somebody who is known.
        func signIn(as person: ProvidedIdentity = ana) async throws -> SessionTokens {
            let back = try await comeBack(try await leave(), as: person)
            guard case .start(let tokens) = back.session else {
                throw TestEnvironment.Unknown(description: "no session, but \(back.destination ?? "nothing")")
            }
            return tokens
        }

        func isOpen(_ tokens: SessionTokens) async throws -> Bool {
            try await auth.auth.account(accessToken: tokens.accessToken) != nil
        }

        func runJob() async throws {
            let (runner, fixture) = (try #require(fixture.features.flatMap(\.jobs).first), fixture)
            let faults = Mutex<[String]>([])
            await JobRunner(
                [runner], directory: fixture.directory, schools: fixture.schools, allSchools: { [] },
                hub: fixture.hub,
                clock: fixture.clock, ids: fixture.ids
            ) { fault in faults.withLock { $0.append("\(fault.error)") } }.runDue()
            #expect(faults.withLock { $0 } == [])
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

    @Test("the first time makes an account after birth date and consent; then one press signs in")
    func firstTime() async throws {
        let scene = try await Scene()
        let browser = try await scene.leave(next: "/join/ABC")
        let back = try await scene.comeBack(
            browser, as: Self.ana, user: #"{"name":{"firstName":"Ana","lastName":"Kovač"},"email":"x@y.example"}"#)
        #expect(back.destination == "/sign-up/apple" && back.session == nil)
        #expect(scene.provider.state.nonces == [browser.nonce])
        let page = try await scene.fixture.outline("/sign-up/apple", as: .nobody, ticket: browser.ticket)
        #expect(page.contains("ana@maple.example") && page.contains("Ana Kovač"))
        let done = try await scene.fixture.execute(
            "auth.appleSignUp", ["name": "Ana K.", "bornOn": "1990-02-28", "agrees": true], as: .nobody,
            ticket: browser.ticket)
        #expect(done.destination == "/join/ABC")
        let account = try #require(try await scene.auth.auth.account(email: "ana@maple.example"))
        #expect(account.name == "Ana K.")
        let consents = try await scene.fixture.directory.read {
            try ConsentRepository.consents(of: account.id, in: $0)
        }
        #expect(consents.map(\.purpose).sorted() == ["privacy", "terms"])
        let again = try await scene.comeBack(try await scene.leave(next: "/home"), as: Self.ana)
        #expect(again.session != nil && again.destination == "/home")
    }

    @Test("the age gate and the consents hold as for everybody")
    func gates() async throws {
        let scene = try await Scene()
        let browser = try await scene.leave()
        _ = try await scene.comeBack(browser, as: Self.ana)
        func refusal(_ fields: InputValue) async throws -> [String]? {
            try await problem {
                try await scene.fixture.execute("auth.appleSignUp", fields, as: .nobody, ticket: browser.ticket)
            }?.faults.map(\.code)
        }
        #expect(try await refusal(["name": "Ana", "bornOn": "1990-02-28"]) == ["auth.agreeNeeded"])
        #expect(
            try await refusal(["name": "Ana", "bornOn": "2020-02-28", "agrees": true]) == ["auth.parentNeeded"])
        #expect(
            try await refusal([
                "name": "Ana", "bornOn": "2020-02-28", "agrees": true, "parentEmail": "ana@maple.example",
            ]) == ["auth.parentOther"])
        // A child waits for a parent, and until then Apple opens nothing.
        let answer = try await scene.finish(browser, bornOn: "2020-02-28", parent: "pia@maple.example")
        #expect(answer.waitsFor == .parent && answer.session == nil)
        #expect(scene.auth.mailer.mails.map(\.to) == ["pia@maple.example"])
        let back = try await scene.comeBack(try await scene.leave(), as: Self.ana)
        #expect(back.destination == "/sign-in/apple/parent" && back.session == nil)
        // A parent who refuses takes it back at the provider as well.
        let mail = try #require(scene.auth.mailer.mails.last)
        let token = try #require(mail.text.split(separator: "/consent/").last).prefix { !$0.isWhitespace }
        try await scene.fixture.execute(
            "auth.answerForChild", ["token": .text(String(token)), "answer": "refuse"], as: .nobody)
        try await scene.runJob()
        #expect(scene.provider.state.revoked == ["ana's grant"])
    }

    @Test("where addresses are confirmed by mail, one that the provider confirmed needs none")
    func confirmed() async throws {
        let scene = try await Scene(confirmsMail: true)
        #expect(try await scene.signUp().session != nil)
        #expect(scene.auth.mailer.mails.isEmpty)
    }

    @Test("an account with the same address is not linked in silence; its password comes first")
    func known() async throws {
        let scene = try await Scene()
        let tokens = try await scene.auth.signUp()
        let back = try await scene.comeBack(try await scene.leave(), as: Self.ana)
        #expect(back.destination == "/sign-in/apple/known" && back.session == nil)
        let page = try await scene.fixture.outline("/sign-in/apple/known", as: .nobody)
        #expect(page.contains("password") && page.contains("/sign-in?next=/settings/security/apple"))
        // From Settings, with the password, it is.
        let me = try await scene.auth.caller(tokens)
        let browser = try await scene.leave("/settings/security/apple/leave", as: me)
        #expect(try await scene.comeBack(browser, as: Self.ana).destination == "/settings/security/apple")
        func link(_ password: String, as caller: Caller, _ ticket: String?) async throws -> Problem? {
            try await problem {
                try await scene.fixture.execute(
                    "auth.appleLink", ["password": .text(password)], as: caller, ticket: ticket)
            }
        }
        let other = try await scene.auth.caller(scene.auth.signUp("bo@maple.example"))
        #expect(try await link(AuthFixture.password, as: other, browser.ticket)?.status == 410)
        #expect(try await link(AuthFixture.password, as: me, nil)?.status == 410)
        #expect(try await link("not it", as: me, browser.ticket)?.faults.map(\.code) == ["auth.wrongPassword"])
        #expect(try await link(AuthFixture.password, as: me, browser.ticket) == nil)
        #expect(try await link(AuthFixture.password, as: me, browser.ticket)?.status == 410)
        _ = try await scene.signIn()
        // It opens this account alone.
        let twice = try await scene.leave("/settings/security/apple/leave", as: other)
        #expect(try await scene.comeBack(twice, as: Self.ana).destination == "/sign-in/apple/taken")
    }

    @Test("an address that the provider has not confirmed makes no account, and signs in whoever is linked")
    func noAddress() async throws {
        let scene = try await Scene()
        let nameless = ProvidedIdentity(subject: Self.ana.subject, email: nil, refreshToken: nil)
        let back = try await scene.comeBack(try await scene.leave(), as: nameless)
        #expect(back.destination == "/sign-in/apple/noAddress")
        try await scene.signUp()
        _ = try await scene.signIn(as: nameless)
    }

    @Test("whoever has an authenticator app shows its code, whichever way the first step went")
    func secondStep() async throws {
        let scene = try await Scene()
        let tokens = try #require(try await scene.signUp().session)
        let account = try #require(try await scene.auth.caller(tokens).account)
        let secret: [UInt8] = Array(repeating: 3, count: OneTimeCode.secretLength)
        let now = scene.fixture.clock.now
        try await scene.fixture.directory.write { sql in
            try AuthenticatorRepository.insert(
                TestCryptography().seal(secret, for: SecondFactorService.purpose(account.id)), of: account.id,
                at: now, in: sql)
            try AuthenticatorRepository.confirm(account.id, at: now, in: sql)
        }
        let back = try await scene.comeBack(try await scene.leave(next: "/home"), as: Self.ana)
        #expect(back.session == nil)
        let detour = try #require(back.detour)
        #expect(detour.hasPrefix("/sign-in/code/") && detour.hasSuffix("?next=/home"))
        let token = String(detour.dropFirst("/sign-in/code/".count).prefix { $0 != "?" })
        let code = TestCryptography().oneTimePassword(
            secret, counter: UInt64(OneTimeCode.step(at: now)), digits: OneTimeCode.digits)
        let session = try await scene.fixture.execute(
            SecondStep.self, ["token": .text(token), "code": .text(code)], as: .nobody)
        #expect(try await scene.isOpen(session))
        // It began with the provider, so it ends with what ends there.
        scene.provider.change { $0.notice = IdentityNotice(kind: .ended, subject: Self.ana.subject, at: now) }
        try await scene.fixture.execute("auth.appleNotice", ["payload": "signed"], as: .nobody)
        #expect(try await !scene.isOpen(session))
    }

    // MARK: - Hostile answers

    @Test("a state works once, for ten minutes, and in the browser that left with it")
    func states() async throws {
        let scene = try await Scene()
        try await scene.signUp()
        func refusal(_ outcome: Pipeline.Outcome) -> String? { outcome.session == nil ? outcome.destination : nil }
        let over = "/sign-in/apple/over"
        let (mine, theirs) = (try await scene.leave(), try await scene.leave())
        #expect(mine.state != theirs.state && mine.nonce != theirs.nonce && mine.ticket != theirs.ticket)
        #expect(refusal(try await scene.comeBack(theirs, as: Self.ana, ticket: mine.ticket)) == over)
        #expect(refusal(try await scene.comeBack(mine, as: Self.ana, state: "made up")) == over)
        let nameless = try await scene.fixture.execute(
            "auth.appleReturn", ["state": .text(mine.state), "code": "x"], as: .nobody, isForm: true)
        #expect(refusal(nameless) == over)
        // Nobody else's try has used it up.
        #expect(try await scene.comeBack(mine, as: Self.ana).session != nil)
        #expect(refusal(try await scene.comeBack(mine, as: Self.ana)) == over)
        scene.fixture.clock.advance(by: ProviderService.awayLifetime)
        #expect(refusal(try await scene.comeBack(theirs, as: Self.ana)) == over)
        // An answer that is no good uses its state up as well.
        let third = try await scene.leave()
        #expect(refusal(try await scene.comeBack(third, as: nil)) == "/sign-in/apple/cancelled")
        #expect(refusal(try await scene.comeBack(third, as: Self.ana)) == over)
    }

    @Test("a fault of the provider signs nobody in, and each has its page in both languages")
    func faults() async throws {
        let scene = try await Scene()
        try await scene.signUp()
        for (fault, place) in [
            (IdentityFault.unreachable, "unreachable"), (.refused(.nonce), "refused"), (.refused(.code), "refused"),
        ] {
            scene.provider.change { $0.fault = fault }
            let back = try await scene.comeBack(try await scene.leave(), as: Self.ana)
            #expect(back.destination == "/sign-in/apple/\(place)" && back.session == nil)
        }
        for refusal in ProviderRefusal.allCases {
            for language in Language.allCases {
                let page = try await scene.fixture.outline(
                    ProviderScreens.path(of: refusal), as: .nobody, language: language)
                #expect(page.contains("/sign-in"), "\(refusal)")
                #expect(!page.contains("auth.apple."), "\(refusal) lacks words: \(page)")
            }
        }
        #expect(
            try await problem { _ = try await scene.fixture.outline("/sign-in/apple/else", as: .nobody) }
                == .notFound
        )
    }

    @Test("the last step of a sign-up is the browser's own, works once, and is over after half an hour")
    func lastStep() async throws {
        let scene = try await Scene()
        let (browser, other) = (try await scene.leave(), try await scene.leave())
        _ = try await scene.comeBack(browser, as: Self.ana)
        #expect(try await problem { _ = try await scene.finish(other) } == Problem(410, "auth.apple.over"))
        let place = try await scene.fixture.screen("/sign-up/apple", as: .nobody, ticket: other.ticket)
        guard case .redirect("/sign-in/apple/over") = place else {
            Issue.record("another browser sees \(place)")
            return
        }
        _ = try await scene.finish(browser)
        #expect(try await problem { _ = try await scene.finish(browser) } == Problem(410, "auth.apple.over"))
        let late = try await scene.leave()
        _ = try await scene.comeBack(
            late, as: ProvidedIdentity(subject: "002", email: "bo@maple.example", refreshToken: nil))
        scene.fixture.clock.advance(by: ProviderService.arrivedLifetime)
        #expect(try await problem { _ = try await scene.finish(late) } == Problem(410, "auth.apple.over"))
    }

    @Test("two browsers that come back with the same stranger make one account")
    func race() async throws {
        let scene = try await Scene()
        let (first, second) = (try await scene.leave(), try await scene.leave())
        _ = try await scene.comeBack(first, as: Self.ana)
        _ = try await scene.comeBack(second, as: Self.ana)
        _ = try await scene.finish(first)
        #expect(try await problem { _ = try await scene.finish(second) }?.faults.map(\.code) == ["auth.emailTaken"])
    }

    @Test("whoever leaves again and again is told to wait")
    func limit() async throws {
        let scene = try await Scene()
        let refusal = try await problem { for _ in 0..<300 { _ = try await scene.leave() } }
        #expect(refusal?.status == 429)
        let school = try await Scene()
        try await school.signUp()
        for _ in 0..<300 { _ = try await school.signIn() }
    }

    @Test(
        "a name is a suggestion: whatever else comes in its place is left out",
        arguments: [
            (#"{"name":{"firstName":"Ana","lastName":"Kovač"}}"#, "Ana Kovač"),
            (#"{"name":{"firstName":"Ana"}}"#, "Ana"), (#"{"email":"a@b.example"}"#, nil),
            (#"{"name":{"firstName":"  "}}"#, nil), ("[", nil), (#"{"name":"Ana"}"#, nil),
        ] as [(String, String?)])
    func names(_ user: String, _ name: String?) {
        #expect(ProviderHandlers.name(in: user) == name)
    }

    // MARK: - Without a password

    @Test("an account without a password is told to set one first, by mail; then it may unlink")
    func withoutPassword() async throws {
        let scene = try await Scene()
        let me = try await scene.auth.caller(try #require(try await scene.signUp().session))
        for (name, field) in [("auth.appleUnlink", "password"), ("auth.startAuthenticator", "password")] {
            let refusal = try await problem {
                try await scene.fixture.execute(name, [field: "a guess at it"], as: me)
            }
            #expect(refusal == .invalid(field, "auth.noPassword"), "\(name)")
        }
        let change = try await problem {
            try await scene.fixture.execute(
                "auth.changePassword", ["currentPassword": "a guess", "password": "ten letters"], as: me)
        }
        #expect(change == .invalid("currentPassword", "auth.noPassword"))
        #expect(
            try await problem { try await scene.auth.signIn(password: "a guess at it") }
                == Problem(401, "auth.wrongSignIn"))
        for path in ["/settings/password", "/settings/security/apple"] {
            #expect(try await scene.fixture.outline(path, as: me).contains("Email me the link"), "\(path)")
        }
        try await scene.fixture.execute("auth.requestReset", ["email": "ana@maple.example"], as: me)
        let mail = try #require(scene.auth.mailer.mails.last)
        let token = try #require(mail.text.split(separator: "/reset/").last).prefix { !$0.isWhitespace }
        let answer = try await scene.fixture.execute(
            ResetPassword.self, ["token": .text(String(token)), "password": .text(AuthFixture.password)],
            as: .nobody)
        let fresh = try await scene.auth.caller(try #require(answer.session))
        #expect(try await !scene.fixture.outline("/settings/password", as: fresh).contains("Email me the link"))
        try await scene.fixture.execute(
            "auth.appleUnlink", ["password": .text(AuthFixture.password)], as: fresh)
        #expect(
            try await scene.comeBack(try await scene.leave(), as: Self.ana).destination == "/sign-in/apple/known")
    }

    // MARK: - Taking back

    @Test("unlinking asks the provider to take the grant back, also where it is down at first")
    func revocation() async throws {
        let scene = try await Scene()
        let me = try await scene.linked()
        // The newest grant is the one that counts.
        _ = try await scene.signIn(
            as: ProvidedIdentity(subject: Self.ana.subject, email: nil, refreshToken: "a newer grant"))
        try await scene.fixture.execute("auth.appleUnlink", ["password": .text(AuthFixture.password)], as: me)
        scene.provider.change { $0.fault = .unreachable }
        try await scene.runJob()
        #expect(scene.provider.state.revoked == [])
        scene.provider.change { $0.fault = nil }
        try await scene.runJob()
        try await scene.runJob()
        #expect(scene.provider.state.revoked == ["a newer grant"])
        let stored = try await scene.fixture.directory.read { sql in
            try sql.rows("SELECT * FROM linked_identities").count
                + sql.rows("SELECT * FROM identity_revocations").count
        }
        #expect(stored == 0)
    }

    @Test("grants are sealed, states and tickets kept as fingerprints", .requirement("PT-1.13.d"))
    func sealed() async throws {
        let scene = try await Scene()
        try await scene.signUp()
        let browser = try await scene.leave()
        let waiting = try await scene.leave()
        _ = try await scene.comeBack(
            waiting, as: ProvidedIdentity(subject: "002", email: "bo@maple.example", refreshToken: "bo's grant"))
        let stored = try await scene.fixture.directory.read { sql in
            try ["linked_identities", "provider_departures", "arrived_identities"].flatMap { table in
                try sql.rows(SQL(stringLiteral: "SELECT * FROM \(table)")).map { "\($0.values)" }
            }.joined(separator: "\n")
        }
        #expect(stored.contains("provider token"))
        for secret in ["ana's grant", "bo's grant", browser.state, browser.ticket, waiting.ticket] {
            #expect(!stored.contains(secret), "\(secret)")
        }
    }

    @Test("a report of the provider unlinks and ends what began with it, once, and nothing that came later")
    func notices() async throws {
        let scene = try await Scene()
        let mine = try await scene.linked()
        let withApple = try await scene.signIn()
        func hear(_ kind: IdentityNotice.Kind, at instant: Date) async throws {
            scene.provider.change {
                $0.notice = IdentityNotice(kind: kind, subject: Self.ana.subject, at: instant)
            }
            try await scene.fixture.execute("auth.appleNotice", ["payload": "signed", "else": "x"], as: .nobody)
        }
        let linkedAt = scene.fixture.clock.now
        try await hear(.other, at: linkedAt)
        try await hear(.ended, at: linkedAt.addingTimeInterval(-3600))
        #expect(try await scene.isOpen(withApple))
        scene.fixture.clock.advance(by: 300)
        let ended = scene.fixture.clock.now
        try await hear(.ended, at: ended)
        #expect(try await !scene.isOpen(withApple))
        #expect(try await scene.auth.auth.isValid(sessionId: #require(mine.account).sessionId))
        #expect(
            try await scene.comeBack(try await scene.leave(), as: Self.ana).destination == "/sign-in/apple/known")
        // Linked anew, the old report sent again ends nothing.
        scene.fixture.clock.advance(by: 300)
        try await scene.link(mine)
        let again = try await scene.signIn()
        try await hear(.ended, at: ended)
        #expect(try await scene.isOpen(again))
        scene.provider.change { $0.fault = .refused(.signature) }
        let forged = try await problem { try await hear(.ended, at: scene.fixture.clock.now) }
        #expect(forged == Problem(422, "auth.apple.refused"))
        scene.provider.change { $0.fault = .unreachable }
        #expect(try await problem { try await hear(.ended, at: scene.fixture.clock.now) }?.status == 503)
        #expect(try await scene.isOpen(again))
    }

    @Test("what is looked up on the way is looked up by an index")
    func plans() async throws {
        let scene = try await Scene()
        let (id, now) = (UUID(), scene.fixture.clock.now)
        for sql: SQL in [
            "SELECT * FROM linked_identities WHERE provider = \("apple") AND subject = \("001")",
            "SELECT * FROM linked_identities WHERE account_id = \(id) AND provider = \("apple")",
            "SELECT id FROM sessions WHERE identity_id = \(id) AND ended_at IS NULL",
            "DELETE FROM provider_departures WHERE expires_at <= \(now)",
            "DELETE FROM arrived_identities WHERE expires_at <= \(now)",
        ] {
            try await scene.fixture.expectIndexed(sql)
        }
    }
}

extension ProviderTests.Scene {
    /// Somebody with a password and Apple.
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
