import Crypto
import CryptoExtras
import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Integrations
@testable import standinapple

@Suite("Sign in with Apple: the protocol")
struct AppleIdentityTests {
    private static let returnAddress = "https://tower.example/return"
    private static let nonce = "a nonce of this browser"

    /// A server that is known at the stand-in.
    private struct Scene: Sendable {
        let apple: StandInApple
        let identity: AppleIdentity
        let clock: FixedClock
        let faults: Faults

        /// Somebody says yes, and the server asks who it was.
        func meet() async throws -> ProvidedIdentity {
            try await swap(try agree())
        }

        /// The confirmed address of somebody who says yes.
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

        /// Somebody says yes, and it ends with this fault, or well.
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
        patience: TimeInterval = 5, _ faults: Faults = Faults()
    ) throws -> AppleIdentity {
        try AppleIdentity(
            .init(servicesId: StandInApple.servicesId, teamId: StandInApple.teamId, keyId: keyId),
            privateKey: key.pemRepresentation, at: address, patience: patience, report: faults.report)
    }

    /// - Parameter patience: longer than any load of the machine lasts, but where it is what the test is about.
    private func scene(
        patience: TimeInterval = 120, _ work: @escaping @Sendable (Scene) async throws -> Void
    ) async throws {
        let clock = FixedClock()
        try await StandInApple.with(clock: { clock.now }) { apple in
            let faults = Faults()
            let identity = try Self.identity(
                at: apple.state.address, key: apple.clientKey, patience: patience, faults)
            try await work(Scene(apple: apple, identity: identity, clock: clock, faults: faults))
        }
    }

    // MARK: - Well

    @Test(
        "the request asks as Apple wants to be asked, and the code becomes a person with a confirmed address",
        .requirement("PT-1.13.b"))
    func good() async throws {
        try await scene { scene in
            let person = try await scene.meet()
            #expect(person.subject == scene.apple.state.person.subject)
            #expect(person.email == "ana@privaterelay.example")
            #expect(scene.apple.state.refreshTokens == [try #require(person.refreshToken)])
            #expect(scene.faults.reported.isEmpty)
        }
    }

    @Test("an address that Apple has not confirmed is none, whether it says so in words or as a value")
    func unverified() async throws {
        try await scene { scene in
            scene.apple.change { $0.person.isVerified = false }
            var email = try await scene.email()
            #expect(email == nil)
            for claim in [StandInApple.Claim.flag(false), nil] {
                scene.apple.change { $0.forgery.claims = ["email_verified": claim] }
                email = try await scene.email()
                #expect(email == nil)
            }
            scene.apple.change { $0.forgery.claims = ["email_verified": .flag(true)] }
            email = try await scene.email()
            #expect(email == "ana@privaterelay.example")
        }
    }

    @Test("a code works once, and only for the address that it was made for")
    func codes() async throws {
        try await scene { scene in
            let code = try scene.agree()
            _ = try await scene.swap(code)
            await #expect(throws: IdentityFault.refused(.code)) { try await scene.swap(code) }
            let other = try scene.agree()
            await #expect(throws: IdentityFault.refused(.code)) {
                try await scene.swap(other, returnTo: "https://elsewhere.example/return")
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

    @Test("a hostile token is refused, each for its own fault", .requirement("PT-1.13.b"), arguments: Hostile.all)
    func hostile(_ hostile: Hostile) async throws {
        try await scene { scene in
            let forgery = try hostile.forge(scene.clock.now)
            scene.apple.change { $0.forgery = forgery }
            try await scene.expect(.refused(hostile.reason))
            #expect(scene.faults.reported == [.refused(hostile.reason)])
            // The genuine one after it is taken.
            scene.apple.change { $0.forgery = .init() }
            try await scene.expect(nil)
        }
    }

    @Test("two clocks may differ by a minute", arguments: [("exp", -59.0), ("iat", 60.0), ("nbf", 60.0)])
    func skew(_ claim: String, _ seconds: TimeInterval) async throws {
        try await scene { scene in
            let instant = scene.clock.now.timeIntervalSince1970 + seconds
            scene.apple.change { $0.forgery.claims = [claim: .number(instant)] }
            try await scene.expect(nil)
        }
    }

    // MARK: - Keys

    @Test("keys are asked for once in an hour, or as often as they say")
    func cache() async throws {
        try await scene { scene in
            for _ in 0..<3 { _ = try await scene.meet() }
            #expect(scene.apple.state.asked["/auth/keys"] == 1)
            scene.clock.advance(by: 3599)
            _ = try await scene.meet()
            #expect(scene.apple.state.asked["/auth/keys"] == 1)
            scene.clock.advance(by: 1)
            scene.apple.change { $0.cacheControl = "public, max-age=120" }
            _ = try await scene.meet()
            #expect(scene.apple.state.asked["/auth/keys"] == 2)
            scene.clock.advance(by: 120)
            _ = try await scene.meet()
            #expect(scene.apple.state.asked["/auth/keys"] == 3)
        }
    }

    @Test(
        "how long keys are kept stays within bounds, whatever is said",
        arguments: [
            (nil, 3600), ("max-age=300", 300), ("Public, Max-Age=300", 300), ("max-age=0", 60),
            ("max-age=99999999999", 86_400), ("max-age=soon", 3600), ("no-store", 3600), ("max-age=-5", 60),
        ] as [(String?, TimeInterval)])
    func lifetimes(_ cacheControl: String?, _ seconds: TimeInterval) {
        #expect(SigningKeys.lifetime(cacheControl) == seconds)
    }

    @Test("a new key is found at once; unknown ones make the server ask once a minute at most")
    func rotation() async throws {
        try await scene { scene in
            _ = try await scene.meet()
            let fresh = try StandInApple.SigningKey("key-2")
            scene.apple.change { $0.keys.insert(fresh, at: 0) }
            // Within the minute of the first asking it is not looked for.
            try await scene.expect(.refused(.key))
            scene.clock.advance(by: 60)
            try await scene.expect(nil)
            #expect(scene.apple.state.asked["/auth/keys"] == 2)
            scene.clock.advance(by: 60)
            let stranger = try StandInApple.SigningKey("key-9")
            scene.apple.change { $0.forgery.signing = .rs256(stranger) }
            for _ in 0..<5 { try await scene.expect(.refused(.key)) }
            #expect(scene.apple.state.asked["/auth/keys"] == 3)
            // One that is withdrawn is good for nothing once the keys are read again.
            let old = try #require(scene.apple.state.keys.last)
            scene.apple.change {
                $0.forgery.signing = .rs256(old)
                $0.keys.removeLast()
            }
            try await scene.expect(nil)
            scene.clock.advance(by: 3600)
            try await scene.expect(.refused(.key))
        }
    }

    @Test("thirty who come at once ask for the keys once")
    func together() async throws {
        try await scene { scene in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<30 { group.addTask { _ = try await scene.meet() } }
                try await group.waitForAll()
            }
            #expect(scene.apple.state.asked["/auth/keys"] == 1)
        }
    }

    @Test(
        "a provider that is down or talks nonsense, without end too, is unreachable and asked again later",
        arguments: ["/auth/keys", "/auth/token"],
        [StandInApple.Mood.failing, .nonsense, .huge, .redirecting])
    func moods(_ path: String, _ mood: StandInApple.Mood) async throws {
        try await scene { scene in
            scene.apple.change { $0.moods[path] = mood }
            try await scene.expect(.unreachable)
            scene.apple.change { $0.moods = [:] }
            try await scene.expect(nil)
        }
    }

    @Test(
        "one that never answers, or never comes to an end, is given up", .timeLimit(.minutes(3)),
        arguments: ["/auth/keys", "/auth/token"], [StandInApple.Mood.silent, .dripping])
    func slow(_ path: String, _ mood: StandInApple.Mood) async throws {
        try await scene(patience: 1) { scene in
            scene.apple.change { $0.moods[path] = mood }
            try await scene.expect(.unreachable)
        }
    }

    @Test("nobody there is unreachable, and so is a provider that does not know this server")
    func unreachable() async throws {
        let nobody = try Self.identity(at: "http://127.0.0.1:9", key: P256.Signing.PrivateKey())
        await #expect(throws: IdentityFault.unreachable) {
            try await nobody.identity(code: "a", nonce: "b", returnTo: Self.returnAddress, at: Date())
        }
        try await scene { scene in
            for (key, id) in [(P256.Signing.PrivateKey(), StandInApple.keyId), (scene.apple.clientKey, "OTHER")] {
                let stranger = try Self.identity(at: scene.apple.state.address, key: key, keyId: id)
                let code = try scene.agree()
                await #expect(throws: IdentityFault.unreachable) {
                    try await stranger.identity(
                        code: code, nonce: Self.nonce, returnTo: Self.returnAddress, at: scene.clock.now)
                }
            }
        }
    }

    // MARK: - Taking back, and reports

    @Test("a grant is taken back; once more does no harm, and a provider that is down is told later")
    func revocation() async throws {
        try await scene { scene in
            let token = try #require(try await scene.meet().refreshToken)
            scene.apple.change { $0.moods["/auth/revoke"] = .failing }
            await #expect(throws: IdentityFault.unreachable) {
                try await scene.identity.revoke(token, at: scene.clock.now)
            }
            scene.apple.change { $0.moods = [:] }
            try await scene.identity.revoke(token, at: scene.clock.now)
            #expect(scene.apple.state.revoked == [token])
            try await scene.identity.revoke(token, at: scene.clock.now)
            let stranger = try Self.identity(at: scene.apple.state.address, key: P256.Signing.PrivateKey())
            await #expect(throws: IdentityFault.unreachable) {
                try await stranger.revoke(token, at: scene.clock.now)
            }
        }
    }

    @Test("a report is believed where Apple has signed it for this client, and says what ended when")
    func notices() async throws {
        try await scene { scene in
            let (apple, identity, now) = (scene.apple, scene.identity, scene.clock.now)
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

    @Test("a key file that is none is told before anybody signs in", arguments: ["", "secret", "RSA"])
    func keyFile(_ text: String) throws {
        let pem = text == "RSA" ? try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation : text
        #expect(throws: AppleIdentity.MalformedKey.self) {
            try AppleIdentity(.init(servicesId: "a", teamId: "b", keyId: "c"), privateKey: pem)
        }
    }
}
