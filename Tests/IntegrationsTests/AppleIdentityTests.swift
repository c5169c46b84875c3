import Crypto
import CryptoExtras
import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Integrations
@testable import standinapple

@Suite("The protocol of Sign in with Apple")
struct AppleIdentityTests {
    private static let returnAddress = "https://tower.example/return"
    private static let nonce = "a nonce of this browser"

    /// A server that is registered with the stand-in for Apple.
    private struct Fixture: Sendable {
        let apple: StandInApple
        let identity: AppleIdentity
        let clock: FixedClock
        let faults: Faults

        /// Signs a person in: the person agrees and the server exchanges the code.
        func meet() async throws -> ProvidedIdentity {
            try await swap(try agree())
        }

        /// Signs the current person in from the app.
        func meetInApp(_ code: String?) async throws -> ProvidedIdentity {
            try await identity.identity(
                token: apple.appToken(nonce: AppleIdentityTests.nonce), code: code, nonce: AppleIdentityTests.nonce,
                at: clock.now)
        }

        /// The confirmed address of the person who signs in.
        func email() async throws -> String? { try await meet().email }

        func agree() throws -> String {
            let address = identity.authorizationAddress(
                state: "a state", nonce: AppleIdentityTests.nonce, returnTo: AppleIdentityTests.returnAddress)
            return try #require(try apple.agree(to: address)["code"])
        }

        func swap(_ code: String, returnTo address: String = returnAddress) async throws -> ProvidedIdentity {
            try await identity.identity(
                code: code, nonce: AppleIdentityTests.nonce, returnTo: address, at: clock.now)
        }

        /// Signs a person in and expects this fault, or success for `nil`.
        func expect(
            _ expected: IdentityFault?, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            var fault: IdentityFault?
            do {
                _ = try await meet()
            } catch let caught as IdentityFault {
                fault = caught
            }
            #expect(fault == expected, sourceLocation: sourceLocation)
        }
    }

    private final class Faults: Sendable {
        private let all = Mutex<[IdentityFault]>([])
        var reported: [IdentityFault] { all.withLock { $0 } }
        func report(_ fault: IdentityFault) { all.withLock { $0.append(fault) } }
    }

    private static func identity(
        at address: String, key: P256.Signing.PrivateKey, keyId: String = StandInApple.keyId,
        hasApp: Bool = true, timeout: TimeInterval = 5, _ faults: Faults = Faults()
    ) throws -> AppleIdentity {
        try AppleIdentity(
            .init(
                servicesId: StandInApple.servicesId, teamId: StandInApple.teamId, keyId: keyId,
                appId: hasApp ? StandInApple.appId : nil),
            privateKey: key.pemRepresentation, at: address, timeout: timeout, report: faults.report)
    }

    /// - Parameter timeout: Longer than any load on the machine, unless the test is about it.
    private func withFixture(
        timeout: TimeInterval = 120, _ work: @escaping @Sendable (Fixture) async throws -> Void
    ) async throws {
        let clock = FixedClock()
        try await StandInApple.with(clock: { clock.now }) { apple in
            let faults = Faults()
            let identity = try Self.identity(
                at: apple.state.address, key: apple.clientKey, timeout: timeout, faults)
            try await work(Fixture(apple: apple, identity: identity, clock: clock, faults: faults))
        }
    }

    // MARK: - Success

    @Test(
        "a sign-in request has Apple's form, and the code leads to a person with a confirmed address",
        .requirement("PT-1.13.b"))
    func good() async throws {
        try await withFixture { fixture in
            let person = try await fixture.meet()
            #expect(person.subject == fixture.apple.state.person.subject)
            #expect(person.email == "ana@privaterelay.example")
            #expect(
                fixture.apple.state.refreshTokens == [try #require(person.refreshToken): StandInApple.servicesId])
            #expect(fixture.faults.reported.isEmpty)
        }
    }

    @Test("an address that Apple has not confirmed is ignored")
    func unverified() async throws {
        try await withFixture { fixture in
            fixture.apple.change { $0.person.isVerified = false }
            var email = try await fixture.email()
            #expect(email == nil)
            for claim in [StandInApple.Claim.flag(false), nil] {
                fixture.apple.change { $0.forgery.claims = ["email_verified": claim] }
                email = try await fixture.email()
                #expect(email == nil)
            }
            fixture.apple.change { $0.forgery.claims = ["email_verified": .flag(true)] }
            email = try await fixture.email()
            #expect(email == "ana@privaterelay.example")
        }
    }

    @Test("a code works once and only for its own return address")
    func codes() async throws {
        try await withFixture { fixture in
            let code = try fixture.agree()
            _ = try await fixture.swap(code)
            await #expect(throws: IdentityFault.refused(.code)) { try await fixture.swap(code) }
            let other = try fixture.agree()
            await #expect(throws: IdentityFault.refused(.code)) {
                try await fixture.swap(other, returnTo: "https://elsewhere.example/return")
            }
        }
    }

    // MARK: - Hostile tokens

    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: IdentityFault.Reason
        let forge: @Sendable (Date) throws -> StandInApple.Forgery

        init(
            _ name: String, _ reason: IdentityFault.Reason,
            _ forge: @escaping @Sendable (Date) throws -> StandInApple.Forgery
        ) {
            testDescription = name
            self.reason = reason
            self.forge = forge
        }

        init(_ name: String, _ reason: IdentityFault.Reason, claims: [String: StandInApple.Claim?]) {
            self.init(name, reason) { _ in .init(claims: claims) }
        }

        init(_ name: String, _ reason: IdentityFault.Reason, _ claim: String, after seconds: TimeInterval) {
            self.init(name, reason) { now in
                .init(claims: [claim: .number(now.timeIntervalSince1970 + seconds)])
            }
        }

        static let all = [
            Hostile("signed with nothing", .algorithm) { _ in .init(signing: .none) },
            Hostile("signed with HS256 and the public key", .algorithm) { _ in .init(signing: .hs256WithPublicKey)
            },
            Hostile("signed with HS256 and called RS256", .signature) { _ in
                .init(header: ["alg": "RS256"], signing: .hs256WithPublicKey)
            },
            Hostile("not signed and called RS256", .signature) { _ in
                .init(header: ["alg": "RS256"], signing: .none)
            },
            Hostile("called PS256", .algorithm) { _ in .init(header: ["alg": "PS256"]) },
            Hostile("of no algorithm", .algorithm) { _ in .init(header: ["alg": nil]) },
            Hostile("of another key under the id of ours", .signature) { _ in
                .init(signing: .rs256(try .init("key-1")))
            },
            Hostile("of a key that nobody published", .key) { _ in .init(signing: .rs256(try .init("key-9"))) },
            Hostile("of a key without an id", .key) { _ in .init(header: ["kid": nil]) },
            Hostile("of another issuer", .issuer, claims: ["iss": .text("https://appleid.example")]),
            Hostile("for another client", .audience, claims: ["aud": .text("example.other.web")]),
            Hostile(
                "for another client as well", .audience,
                claims: ["aud": .list([StandInApple.servicesId, "example.other.web"])]),
            Hostile("for nobody", .audience, claims: ["aud": nil]),
            Hostile("expired", .expired, "exp", after: -60),
            Hostile("that never expires", .expired, claims: ["exp": nil]),
            Hostile("from the future", .notYet, "iat", after: 61),
            Hostile("not valid yet", .notYet, "nbf", after: 61),
            Hostile("from no time", .notYet, claims: ["iat": nil]),
            Hostile("with another nonce", .nonce, claims: ["nonce": .text("another browser's")]),
            Hostile("without a nonce", .nonce, claims: ["nonce": nil]),
            Hostile("about nobody", .subject, claims: ["sub": nil]),
            Hostile("about an empty name", .subject, claims: ["sub": .text("")]),
            Hostile(
                "about a name without end", .subject, claims: ["sub": .text(String(repeating: "a", count: 256))]),
            Hostile("with a time that is none", .malformed, claims: ["exp": .text("tomorrow")]),
        ]
    }

    @Test("each hostile token is refused with its own fault", .requirement("PT-1.13.b"), arguments: Hostile.all)
    func hostile(_ hostile: Hostile) async throws {
        try await withFixture { fixture in
            let forgery = try hostile.forge(fixture.clock.now)
            fixture.apple.change { $0.forgery = forgery }
            try await fixture.expect(.refused(hostile.reason))
            #expect(fixture.faults.reported == [.refused(hostile.reason)])
            // A genuine token after it is accepted.
            fixture.apple.change { $0.forgery = .init() }
            try await fixture.expect(nil)
        }
    }

    @Test("each hostile token of the app is refused with its own fault", arguments: Hostile.all)
    func hostileInApp(_ hostile: Hostile) async throws {
        try await withFixture { fixture in
            let (apple, identity, now) = (fixture.apple, fixture.identity, fixture.clock.now)
            let forgery = try hostile.forge(now)
            apple.change { $0.forgery = forgery }
            await #expect(throws: IdentityFault.refused(hostile.reason)) {
                try await identity.identity(
                    token: apple.appToken(nonce: Self.nonce), code: nil, nonce: Self.nonce, at: now)
            }
            #expect(fixture.faults.reported == [.refused(hostile.reason)])
            apple.change { $0.forgery = .init() }
            let person = try await identity.identity(
                token: apple.appToken(nonce: Self.nonce), code: nil, nonce: Self.nonce, at: now)
            #expect(person.subject == apple.state.person.subject && person.email == apple.state.person.email)
            #expect(person.refreshToken == nil)
        }
    }

    @Test("a token of the web is not one of the app, and neither is accepted where the other is expected")
    func audiences() async throws {
        try await withFixture { fixture in
            let (apple, now) = (fixture.apple, fixture.clock.now)
            apple.change { $0.forgery.claims = ["aud": .text(StandInApple.servicesId)] }
            await #expect(throws: IdentityFault.refused(.audience)) {
                try await fixture.identity.identity(
                    token: apple.appToken(nonce: Self.nonce), code: nil, nonce: Self.nonce, at: now)
            }
            apple.change { $0.forgery.claims = ["aud": .text(StandInApple.appId)] }
            try await fixture.expect(.refused(.audience))
            apple.change { $0.forgery = .init() }
            let webOnly = try Self.identity(at: apple.state.address, key: apple.clientKey, hasApp: false)
            #expect(!webOnly.hasApp && fixture.identity.hasApp)
            await #expect(throws: IdentityFault.refused(.audience)) {
                try await webOnly.identity(
                    token: apple.appToken(nonce: Self.nonce), code: nil, nonce: Self.nonce, at: now)
            }
            let notice = try apple.notice("consent-revoked", for: StandInApple.appId)
            #expect(try await fixture.identity.notice(notice, at: now).kind == .ended)
            await #expect(throws: IdentityFault.refused(.audience)) { try await webOnly.notice(notice, at: now) }
        }
    }

    @Test("an address of the app's token that Apple has not confirmed is ignored")
    func unverifiedInApp() async throws {
        try await withFixture { fixture in
            let (apple, now) = (fixture.apple, fixture.clock.now)
            apple.change { $0.person.isVerified = false }
            let person = try await fixture.identity.identity(
                token: apple.appToken(nonce: Self.nonce), code: nil, nonce: Self.nonce, at: now)
            #expect(person.email == nil)
        }
    }

    // MARK: - The grant of the app

    @Test("the code of the app is exchanged as the app, and only the app revokes what it got")
    func appGrant() async throws {
        try await withFixture { fixture in
            let (apple, identity, now) = (fixture.apple, fixture.identity, fixture.clock.now)
            let person = try await fixture.meetInApp(apple.appCode(nonce: Self.nonce))
            let token = try #require(person.refreshToken)
            #expect(apple.state.refreshTokens == [token: StandInApple.appId])
            try await identity.revoke(token, of: .web, at: now)
            #expect(apple.state.revoked == [])
            let webOnly = try Self.identity(at: apple.state.address, key: apple.clientKey, hasApp: false)
            await #expect(throws: IdentityFault.refused(.audience)) {
                try await webOnly.revoke(token, of: .app, at: now)
            }
            try await identity.revoke(token, of: .app, at: now)
            #expect(apple.state.revoked == [token])
        }
    }

    @Test(
        "a person signs in from the app also where the code is not exchanged, and the fault is reported",
        arguments: [StandInApple.Mood.failing, .nonsense, .huge, .redirecting])
    func appWithoutGrant(_ mood: StandInApple.Mood) async throws {
        try await withFixture { fixture in
            fixture.apple.change { $0.moods["/auth/token"] = mood }
            let person = try await fixture.meetInApp(fixture.apple.appCode(nonce: Self.nonce))
            #expect(person.subject == fixture.apple.state.person.subject && person.refreshToken == nil)
            #expect(fixture.faults.reported == [.unreachable])
        }
    }

    @Test("a code that was used, is made up, is of the web or of another person brings no grant")
    func appCodes() async throws {
        try await withFixture { fixture in
            let apple = fixture.apple
            let used = apple.appCode(nonce: Self.nonce)
            _ = try await fixture.meetInApp(used)
            for code in [used, "made up", try fixture.agree()] {
                #expect(try await fixture.meetInApp(code).refreshToken == nil)
            }
            #expect(fixture.faults.reported == Array(repeating: .refused(.code), count: 3))
            let theirs = apple.appCode(nonce: Self.nonce)
            apple.change { $0.person.subject = "002.bo" }
            #expect(try await fixture.meetInApp(theirs).refreshToken == nil)
            #expect(fixture.faults.reported.last == .refused(.subject))
        }
    }

    @Test("clocks may differ by one minute", arguments: [("exp", -59.0), ("iat", 60.0), ("nbf", 60.0)])
    func skew(_ claim: String, _ seconds: TimeInterval) async throws {
        try await withFixture { fixture in
            let instant = fixture.clock.now.timeIntervalSince1970 + seconds
            fixture.apple.change { $0.forgery.claims = [claim: .number(instant)] }
            try await fixture.expect(nil)
        }
    }

    // MARK: - Keys

    @Test("keys are fetched once an hour, or as often as the response says")
    func cache() async throws {
        try await withFixture { fixture in
            for _ in 0..<3 { _ = try await fixture.meet() }
            #expect(fixture.apple.state.asked["/auth/keys"] == 1)
            fixture.clock.advance(by: 3599)
            _ = try await fixture.meet()
            #expect(fixture.apple.state.asked["/auth/keys"] == 1)
            fixture.clock.advance(by: 1)
            fixture.apple.change { $0.cacheControl = "public, max-age=120" }
            _ = try await fixture.meet()
            #expect(fixture.apple.state.asked["/auth/keys"] == 2)
            fixture.clock.advance(by: 120)
            _ = try await fixture.meet()
            #expect(fixture.apple.state.asked["/auth/keys"] == 3)
        }
    }

    @Test(
        "the cache lifetime of keys stays within bounds",
        arguments: [
            (nil, 3600), ("max-age=300", 300), ("Public, Max-Age=300", 300), ("max-age=0", 60),
            ("max-age=99999999999", 86_400), ("max-age=soon", 3600), ("no-store", 3600), ("max-age=-5", 60),
        ] as [(String?, TimeInterval)])
    func lifetimes(_ cacheControl: String?, _ seconds: TimeInterval) {
        #expect(SigningKeys.lifetime(cacheControl) == seconds)
    }

    @Test("a new key is found, and unknown keys cause at most one request a minute")
    func rotation() async throws {
        try await withFixture { fixture in
            _ = try await fixture.meet()
            let fresh = try StandInApple.SigningKey("key-2")
            fixture.apple.change { $0.keys.insert(fresh, at: 0) }
            // Keys are not fetched again within a minute of the first request.
            try await fixture.expect(.refused(.key))
            fixture.clock.advance(by: 60)
            try await fixture.expect(nil)
            #expect(fixture.apple.state.asked["/auth/keys"] == 2)
            fixture.clock.advance(by: 60)
            let stranger = try StandInApple.SigningKey("key-9")
            fixture.apple.change { $0.forgery.signing = .rs256(stranger) }
            for _ in 0..<5 { try await fixture.expect(.refused(.key)) }
            #expect(fixture.apple.state.asked["/auth/keys"] == 3)
            // A withdrawn key is refused once the keys are fetched again.
            let old = try #require(fixture.apple.state.keys.last)
            fixture.apple.change {
                $0.forgery.signing = .rs256(old)
                $0.keys.removeLast()
            }
            try await fixture.expect(nil)
            fixture.clock.advance(by: 3600)
            try await fixture.expect(.refused(.key))
        }
    }

    @Test("thirty concurrent sign-ins fetch the keys once")
    func together() async throws {
        try await withFixture { fixture in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<30 { group.addTask { _ = try await fixture.meet() } }
                try await group.waitForAll()
            }
            #expect(fixture.apple.state.asked["/auth/keys"] == 1)
        }
    }

    @Test(
        "a provider that fails or responds with nonsense is unreachable until it recovers",
        arguments: ["/auth/keys", "/auth/token"],
        [StandInApple.Mood.failing, .nonsense, .huge, .redirecting])
    func moods(_ path: String, _ mood: StandInApple.Mood) async throws {
        try await withFixture { fixture in
            fixture.apple.change { $0.moods[path] = mood }
            try await fixture.expect(.unreachable)
            fixture.apple.change { $0.moods = [:] }
            try await fixture.expect(nil)
        }
    }

    @Test(
        "a provider that never finishes its response times out", .timeLimit(.minutes(3)),
        arguments: ["/auth/keys", "/auth/token"], [StandInApple.Mood.silent, .dripping])
    func slow(_ path: String, _ mood: StandInApple.Mood) async throws {
        try await withFixture(timeout: 1) { fixture in
            fixture.apple.change { $0.moods[path] = mood }
            try await fixture.expect(.unreachable)
        }
    }

    @Test("a provider is unreachable when it does not listen or does not know this server")
    func unreachable() async throws {
        let nobody = try Self.identity(at: "http://127.0.0.1:9", key: P256.Signing.PrivateKey())
        await #expect(throws: IdentityFault.unreachable) {
            try await nobody.identity(code: "a", nonce: "b", returnTo: Self.returnAddress, at: Date())
        }
        try await withFixture { fixture in
            for (key, id) in [(P256.Signing.PrivateKey(), StandInApple.keyId), (fixture.apple.clientKey, "OTHER")] {
                let stranger = try Self.identity(at: fixture.apple.state.address, key: key, keyId: id)
                let code = try fixture.agree()
                await #expect(throws: IdentityFault.unreachable) {
                    try await stranger.identity(
                        code: code, nonce: Self.nonce, returnTo: Self.returnAddress, at: fixture.clock.now)
                }
            }
        }
    }

    // MARK: - Revocations and notifications

    @Test("revoking a grant twice is harmless, and a failed revocation throws")
    func revocation() async throws {
        try await withFixture { fixture in
            let token = try #require(try await fixture.meet().refreshToken)
            fixture.apple.change { $0.moods["/auth/revoke"] = .failing }
            await #expect(throws: IdentityFault.unreachable) {
                try await fixture.identity.revoke(token, of: .web, at: fixture.clock.now)
            }
            fixture.apple.change { $0.moods = [:] }
            try await fixture.identity.revoke(token, of: .web, at: fixture.clock.now)
            #expect(fixture.apple.state.revoked == [token])
            try await fixture.identity.revoke(token, of: .web, at: fixture.clock.now)
            let stranger = try Self.identity(at: fixture.apple.state.address, key: P256.Signing.PrivateKey())
            await #expect(throws: IdentityFault.unreachable) {
                try await stranger.revoke(token, of: .web, at: fixture.clock.now)
            }
        }
    }

    @Test("a notification is accepted only if Apple has signed it for this client, and says what ended when")
    func notices() async throws {
        try await withFixture { fixture in
            let (apple, identity, now) = (fixture.apple, fixture.identity, fixture.clock.now)
            for (type, kind) in [
                ("consent-revoked", IdentityNotice.Kind.ended), ("account-delete", .ended),
                ("email-disabled", .other),
                ("email-enabled", .other),
            ] {
                let notice = try await identity.notice(apple.notice(type, at: now), at: now)
                #expect(notice == IdentityNotice(kind: kind, subject: apple.state.person.subject, at: now))
            }
            for hostile in Hostile.all
            where [.algorithm, .signature, .key, .issuer, .audience, .notYet].contains(hostile.reason) {
                let forgery = try hostile.forge(now)
                apple.change { $0.forgery = forgery }
                await #expect(throws: IdentityFault.refused(hostile.reason), "\(hostile.testDescription)") {
                    try await identity.notice(apple.notice("consent-revoked"), at: now)
                }
            }
            apple.change { $0.forgery = .init(claims: ["events": .text("{}")]) }
            await #expect(throws: IdentityFault.refused(.malformed)) {
                try await identity.notice(apple.notice("consent-revoked"), at: now)
            }
            for text in ["", "a.b", "a.b.c", "a.b.c.d", String(repeating: "a", count: 100_000)] {
                await #expect(throws: IdentityFault.refused(.malformed)) {
                    try await identity.notice(text, at: now)
                }
            }
        }
    }

    @Test("a malformed key file is refused at the start", arguments: ["", "secret", "RSA"])
    func keyFile(_ text: String) throws {
        let pem = text == "RSA" ? try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation : text
        #expect(throws: AppleIdentity.MalformedKey.self) {
            try AppleIdentity(.init(servicesId: "a", teamId: "b", keyId: "c"), privateKey: pem)
        }
    }
}
