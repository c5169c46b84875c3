import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("The CBOR subset of passkeys")
struct CBORTests {
    @Test(
        "the reader decodes the examples of RFC 8949",
        arguments: [
            ([0x00], .unsigned(0)), ([0x17], .unsigned(23)), ([0x18, 0x64], .unsigned(100)),
            ([0x19, 0x03, 0xE8], .unsigned(1000)), ([0x1B] + Array(repeating: 0xFF, count: 8), .unsigned(.max)),
            ([0x20], .number(-1)), ([0x39, 0x03, 0xE7], .number(-1000)), ([0xF4], .bool(false)),
            ([0xF5], .bool(true)), ([0xF6], .null), ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])),
            ([0x62, 0xC3, 0xBC], .text("ü")),
            ([0x83, 1, 2, 3], .list([.unsigned(1), .unsigned(2), .unsigned(3)])),
            ([0xA2, 0x61, 0x61, 0x01, 0x61, 0x62, 0x80], .map([.text("a"): .unsigned(1), .text("b"): .list([])])),
        ] as [([UInt8], CBOR)])
    func reads(_ bytes: [UInt8], _ value: CBOR) throws {
        #expect(try CBOR(bytes) == value)
    }

    @Test(
        "the reader refuses truncated, indefinite, deep, duplicate and unsupported values, and reserves no more than was sent",
        arguments: [
            [], [0x18], [0x19, 1], [0x44, 1, 2], [0x62, 0xFF, 0xFF], [0x9F, 0xFF], [0x5F, 0xFF], [0xBF, 0xFF],
            [0x83, 1, 2], [0xA1, 1], [0xA2, 1, 1, 1, 2], [0xC0, 0x00], [0xF9, 0, 0], [0xF7], [0x1C], [0x1F],
            [0x00, 0x00],
            [0x9B] + Array(repeating: 0xFF, count: 8), [0x5B] + Array(repeating: 0xFF, count: 8),
            [0xBB] + Array(repeating: 0xFF, count: 8), [0x7B, 0x7F] + Array(repeating: 0xFF, count: 7),
            Array(repeating: 0x81, count: 10_000) + [0],
        ] as [[UInt8]])
    func refuses(_ bytes: [UInt8]) {
        #expect(throws: CBOR.Malformed.self) { try CBOR(bytes) }
    }
}

/// A software authenticator with one passkey.
struct SoftAuthenticator {
    let cryptography = TestCryptography()
    var origin = "https://tower.example"
    var relyingParty = "tower.example"
    var flags: UInt8 = 0x05
    var id: [UInt8] = [1, 2, 3, 4]
    var key = SignatureKey.es256(x: Array(repeating: 3, count: 32), y: Array(repeating: 4, count: 32))
    var signCount: UInt32 = 1
    var type: String?
    var format = "none"
    var crossOrigin = false

    func clientData(_ challenge: String, _ type: String) -> [UInt8] {
        Array(
            #"{"type":"\#(self.type ?? type)","challenge":"\#(challenge)","origin":"\#(origin)","crossOrigin":\#(crossOrigin)}"#
                .utf8)
    }

    func data(flags: UInt8, tail: [UInt8] = []) -> [UInt8] {
        cryptography.sha256(Array(relyingParty.utf8)) + [flags]
            + (0..<4).map { UInt8(truncatingIfNeeded: signCount >> (24 - 8 * $0)) } + tail
    }

    private var cose: [UInt8] {
        switch key {
        case .es256(let x, let y):
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32] + x + [0x22, 0x58, 32] + y
        case .rs256(let modulus, let exponent):
            [
                0xA4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59, UInt8(modulus.count >> 8),
                UInt8(modulus.count & 255),
            ]
                + modulus + [0x21, 0x40 | UInt8(exponent.count)] + exponent
        }
    }

    func attestation(_ change: ([UInt8]) -> [UInt8] = { $0 }) -> [UInt8] {
        let tail = Array(repeating: UInt8(0), count: 16) + [0, UInt8(id.count)] + id + cose
        let auth = change(data(flags: flags | 0x40, tail: tail))
        return [0xA3, 0x63] + Array("fmt".utf8) + [0x60 | UInt8(format.utf8.count)] + Array(format.utf8)
            + [0x67] + Array("attStmt".utf8) + [0xA0, 0x68] + Array("authData".utf8)
            + [0x59, UInt8(auth.count >> 8), UInt8(auth.count & 255)] + auth
    }

    func made(_ challenge: String) -> [String: String] {
        [
            "name": "My phone", "clientData": Base64URL.encode(clientData(challenge, "webauthn.create")),
            "attestation": Base64URL.encode(attestation()),
        ]
    }

    func shown(_ challenge: String) -> [String: String] {
        let (client, data) = (clientData(challenge, "webauthn.get"), data(flags: flags))
        return [
            "passkeyId": Base64URL.encode(id), "clientData": Base64URL.encode(client),
            "authenticatorData": Base64URL.encode(data),
            "signature": Base64URL.encode(cryptography.sign(data + cryptography.sha256(client), key: key)),
        ]
    }
}

@Suite("Passkeys")
struct PasskeyTests {
    let auth: AuthFixture
    let me: Caller

    init() async throws {
        auth = try await AuthFixture()
        me = try await auth.caller(auth.signUp())
    }

    private func run<C: Command>(
        _ type: C.Type, _ fields: [String: String], as caller: Caller
    ) async throws -> C.Result {
        try await auth.environment.execute(type, .object(fields.mapValues { .text($0) }), as: caller)
    }

    private func challenge(as caller: Caller) async throws -> String {
        try await run(StartPasskey.self, ["password": AuthFixture.password], as: caller).challenge
    }

    /// The caller with the current state of the session.
    private func fresh(_ caller: Caller) async throws -> Caller {
        let (session, now) = (try #require(caller.account?.sessionId), auth.environment.clock.now)
        return Caller(
            account: try await auth.environment.directory.read {
                try SessionRepository.account(sessionId: session, at: now, in: $0)
            },
            membership: nil)
    }

    private func add(_ device: SoftAuthenticator = SoftAuthenticator()) async throws {
        _ = try await run(AddPasskey.self, device.made(challenge(as: fresh(me))), as: me)
    }

    private func signInChallenge() async throws -> String {
        try await run(StartPasskeySignIn.self, [:], as: .nobody).challenge
    }

    private func signIn(_ device: SoftAuthenticator) async throws -> SessionTokens {
        try await run(SignInWithPasskey.self, device.shown(signInChallenge()), as: .nobody)
    }

    @Test(
        "a passkey is created with the password, listed, renamed, used to sign in, and removed",
        .requirement("BY-1.23.b"))
    func roundTrip() async throws {
        #expect(
            try await problem { _ = try await run(StartPasskey.self, ["password": "a guess"], as: me) }?.status
                == 422)
        var device = SoftAuthenticator()
        try await add(device)
        let listed = try await auth.environment.answer(ListPasskeys.self, as: me).items
        #expect(listed.map(\.name) == ["My phone"])
        let id = try #require(listed.first?.id)
        device.signCount = 2
        let session = try await auth.caller(signIn(device))
        #expect(session.account?.id == me.account?.id)
        #expect(session.account?.hasSecondFactor == true)
        _ = try await run(RenamePasskey.self, ["passkeyId": id, "name": "Blue phone"], as: me)
        #expect(try await auth.environment.outline(SecondFactorScreens.home, as: me).contains("Blue phone"))
        let page = try await auth.environment.outline("\(SecondFactorScreens.home)/passkeys/\(id)", as: me)
        #expect(page.contains("Remove passkey"))
        let eve = try await auth.caller(auth.signUp("eve@maple.example"))
        for work in [
            { _ = try await run(RenamePasskey.self, ["passkeyId": id, "name": "Mine"], as: eve) },
            { _ = try await auth.environment.outline("\(SecondFactorScreens.home)/passkeys/\(id)", as: eve) },
        ] as [() async throws -> Void] { #expect(try await problem { try await work() } == .notFound) }
        #expect(
            try await problem {
                _ = try await run(RemovePasskey.self, ["passkeyId": id, "password": AuthFixture.password], as: me)
            } == Problem(403, "auth.showFactorFirst"), "the password alone takes no stronger lock away")
        _ = try await run(
            RemovePasskey.self, ["passkeyId": id, "password": AuthFixture.password], as: fresh(me))
        device.signCount = 3
        #expect(try await problem { _ = try await signIn(device) } == Problem(401, "auth.wrongPasskey"))
        #expect(try await fresh(me).account?.hasSecondFactor == false)
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout SoftAuthenticator) -> Void

        init(_ what: String, _ change: @escaping @Sendable (inout SoftAuthenticator) -> Void) {
            testDescription = what
            self.change = change
        }

        static let all = [
            Hostile("another origin") { $0.origin = "https://evil.example" },
            Hostile("another port") { $0.origin = "https://tower.example:444" },
            Hostile("plain http") { $0.origin = "http://tower.example" },
            Hostile("a subdomain") { $0.origin = "https://a.tower.example" },
            Hostile("inside a foreign page") { $0.crossOrigin = true },
            Hostile("another relying party") { $0.relyingParty = "evil.example" },
            Hostile("nobody there") { $0.flags = 0x04 },
            Hostile("nobody verified") { $0.flags = 0x01 },
            Hostile("the other ceremony") { $0.type = "webauthn.other" },
        ]
    }

    @Test(
        "only a complete answer of the right device to our challenge is accepted", .requirement("BY-1.23.b"),
        arguments: Hostile.all)
    func hostile(_ hostile: Hostile) async throws {
        var foreign = SoftAuthenticator()
        hostile.change(&foreign)
        #expect(
            try await problem { _ = try await run(AddPasskey.self, foreign.made(challenge(as: me)), as: me) }
                == Problem(422, "auth.passkeyRefused"))
        try await add()
        foreign.signCount = 9
        #expect(try await problem { _ = try await signIn(foreign) } == Problem(401, "auth.wrongPasskey"))
    }

    @Test("a challenge works for its account, for five minutes and one attempt")
    func challenges() async throws {
        var device = SoftAuthenticator()
        let eve = try await auth.caller(auth.signUp("eve@maple.example"))
        let refused = Problem(422, "auth.passkeyRefused")
        #expect(
            try await problem { _ = try await run(AddPasskey.self, device.made("invented"), as: me) } == refused)
        let hers = try await challenge(as: eve)
        #expect(try await problem { _ = try await run(AddPasskey.self, device.made(hers), as: me) } == refused)
        let late = try await challenge(as: me)
        auth.environment.clock.advance(by: 301)
        #expect(try await problem { _ = try await run(AddPasskey.self, device.made(late), as: me) } == refused)
        let anyones = try await signInChallenge()
        #expect(try await problem { _ = try await run(AddPasskey.self, device.made(anyones), as: me) } == refused)
        try await add(device)
        device.signCount = 2
        let answer = device.shown(try await signInChallenge())
        _ = try await run(SignInWithPasskey.self, answer, as: .nobody)
        #expect(
            try await problem { _ = try await run(SignInWithPasskey.self, answer, as: .nobody) }
                == Problem(401, "auth.wrongPasskey"), "replayed")
        // A failed attempt uses its challenge too.
        let challenge = try await signInChallenge()
        var wrong = device
        wrong.origin = "https://evil.example"
        _ = try await problem { _ = try await run(SignInWithPasskey.self, wrong.shown(challenge), as: .nobody) }
        device.signCount = 3
        #expect(
            try await problem { _ = try await run(SignInWithPasskey.self, device.shown(challenge), as: .nobody) }
                == Problem(401, "auth.wrongPasskey"))
    }

    @Test("a copied authenticator is refused by its count; one that does not count is accepted")
    func counter() async throws {
        var device = SoftAuthenticator()
        device.signCount = 7
        try await add(device)
        for (count, isFine) in [(UInt32(7), false), (6, false), (0, false), (8, true), (8, false), (100, true)] {
            device.signCount = count
            #expect(try await (problem { _ = try await signIn(device) } == nil) == isFine, "\(count)")
        }
        var still = SoftAuthenticator()
        still.id = [9]
        still.signCount = 0
        try await add(still)
        for _ in 0..<3 { _ = try await signIn(still) }
    }

    @Test("a wrong key, an unknown passkey, a wrong owner and damaged bytes get the same answer")
    func signatures() async throws {
        try await add()
        var other = SoftAuthenticator()
        other.key = .es256(x: Array(repeating: 5, count: 32), y: Array(repeating: 4, count: 32))
        other.signCount = 5
        let refused = Problem(401, "auth.wrongPasskey")
        #expect(try await problem { _ = try await signIn(other) } == refused)
        other = SoftAuthenticator()
        other.id = [7]
        #expect(try await problem { _ = try await signIn(other) } == refused)
        var device = SoftAuthenticator()
        device.signCount = 5
        for (field, value) in [
            ("userHandle", "AAAA"), ("authenticatorData", "AAAA"), ("clientData", "AAAA"), ("clientData", "a+b/"),
            ("signature", "AAAA"), ("signature", "!!"), ("clientData", Base64URL.encode(Array("{}".utf8))),
        ] {
            var answer = device.shown(try await signInChallenge())
            answer[field] = value
            #expect(
                try await problem { _ = try await run(SignInWithPasskey.self, answer, as: .nobody) } == refused,
                "\(field)")
        }
    }

    @Test("an attestation is accepted only when complete, of format none, with a supported key")
    func attestations() throws {
        let checks = try #require(WebAuthn(publicURL: "https://tower.example", TestCryptography()))
        var device = SoftAuthenticator()
        let client = device.clientData("question", "webauthn.create")
        let whole = device.attestation()
        func register(_ bytes: [UInt8]) throws -> WebAuthn.Credential {
            try checks.register(clientData: client, attestation: bytes, challenge: "question")
        }
        #expect(try register(whole).id == [1, 2, 3, 4])
        for length in whole.indices {
            #expect(throws: WebAuthn.Refusal.self) { try register(Array(whole.prefix(length))) }
        }
        #expect(throws: WebAuthn.Refusal.attestation) { try register(whole + [0]) }
        #expect(throws: WebAuthn.Refusal.self) { try register(device.attestation { $0 + [1, 2] }) }
        #expect(throws: WebAuthn.Refusal.self) { try register(device.attestation { Array($0.dropLast(3)) }) }
        #expect(throws: WebAuthn.Refusal.authenticatorData) {
            try register(device.attestation { Array($0.prefix(37)) })
        }
        device.format = "packed"
        #expect(throws: WebAuthn.Refusal.attestation) { try register(device.attestation()) }
        device.format = "none"
        device.key = .rs256(modulus: Array(repeating: 9, count: 256), exponent: [1, 0, 1])
        #expect(try register(device.attestation()).key == device.key)
        device.key = .rs256(modulus: Array(repeating: 9, count: 128), exponent: [1, 0, 1])
        #expect(throws: WebAuthn.Refusal.key) { try register(device.attestation()) }
    }

    @Test("a session without a second factor must pass one before adding another")
    func second() async throws {
        try await add()
        let elsewhere = try await auth.caller(auth.signIn())
        #expect(
            try await problem { _ = try await challenge(as: elsewhere) } == Problem(403, "auth.showFactorFirst"))
        #expect(
            try await problem {
                _ = try await run(StartAuthenticator.self, ["password": AuthFixture.password], as: elsewhere)
            } == Problem(403, "auth.showFactorFirst"))
        #expect(
            try await problem { try await add() } == Problem(409, "auth.passkeyKnown"), "the same one twice")
        // The session with a second factor replaces the one without.
        var device = SoftAuthenticator()
        device.signCount = 4
        _ = try await run(SignInWithPasskey.self, device.shown(signInChallenge()), as: elsewhere)
        let session = try #require(elsewhere.account?.sessionId)
        #expect(try await !auth.auth.isValid(sessionId: session))
    }

    @Test(
        "passkeys need a host name over https, or localhost",
        arguments: [
            ("https://tower.example", "tower.example", "https://tower.example"),
            ("https://Tower.Example:8443", "tower.example", "https://tower.example:8443"),
            ("http://localhost:8080", "localhost", "http://localhost:8080"),
            ("http://tower.example", nil, nil), ("http://127.0.0.1:8080", nil, nil),
            ("https://192.168.1.4", nil, nil),
            ("https://[::1]:8080", nil, nil), ("https://[fe80::1]", nil, nil), ("nonsense", nil, nil),
        ] as [(String, String?, String?)])
    func names(_ url: String, _ relyingParty: String?, _ origin: String?) {
        let checks = WebAuthn(publicURL: url, TestCryptography())
        #expect(checks?.relyingParty == relyingParty)
        #expect(checks?.origin == origin)
    }
}
