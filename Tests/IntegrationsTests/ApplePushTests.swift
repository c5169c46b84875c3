import Crypto
import FeatureKit
import Foundation
import JWTKit
import NIOSSL
import TestKit
import Testing

@testable import Integrations
@testable import standinapple

@Suite("Push notifications to Apple devices")
struct ApplePushTests {
    private let clock = FixedClock(Date(timeIntervalSince1970: 1_793_631_600))
    private let device = PushAddress(kind: .apns, target: String(repeating: "0a", count: 32))
    private let accountId = UUID()

    private func message(_ id: String = "school.7") -> PushMessage {
        PushMessage(
            id: id, title: "Maple School", body: "Ana wrote to you.", path: "/messages/1", badge: 3,
            accountId: accountId, expiresAt: clock.now.addingTimeInterval(3600))
    }

    private func sender(at address: String, key: P256.Signing.PrivateKey) throws -> DevicePush {
        try DevicePush(
            ServerIdentification(key: P256.Signing.PrivateKey(), contact: "mailto:it@maple.example"),
            apple: ApplePushSettings(
                teamId: "TEAM123456", keyId: "KEY1234567", privateKey: key.pemRepresentation,
                topic: "com.timequest.app", address: address), clock: clock, timeout: 120, allowsLoopback: false,
            trusting: NIOSSLCertificate.fromPEMBytes(Array(StandInAPNs.certificate.utf8)).first)
    }

    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test(
        "a request uses HTTP/2, the app's bundle id, and a token that the developer's key signed",
        .requirement("WW-9.04.b", "WW-9.04.f"))
    func request() async throws {
        let key = P256.Signing.PrivateKey()
        try await StandInAPNs.with { service, address in
            let outcome = try await sender(at: address, key: key).send(message(), to: device)
            #expect(outcome == .delivered)
            let asked = try #require(service.asked.first)
            #expect(asked.isStream, "it did not come over HTTP/2")
            #expect(asked.path == "/3/device/\(device.target)")
            let fields = asked.fields
            #expect(fields["apns-topic"] == "com.timequest.app")
            #expect(fields["apns-push-type"] == "alert")
            #expect(fields["apns-priority"] == "10")
            #expect(fields["apns-collapse-id"] == "school.7")
            #expect(fields["apns-expiration"] == "1793635200")
            let shown = try #require(fields["authorization"])
            #expect(shown.hasPrefix("bearer "))
            let keys = JWTKeyCollection()
            await keys.add(ecdsa: try ES256PublicKey(backing: key.publicKey), kid: "KEY1234567")
            let claims = try await keys.verify(String(shown.dropFirst(7)), as: Claims.self)
            #expect(claims.iss == "TEAM123456" && claims.iat == 1_793_631_600)
            let content = try #require(try JSONSerialization.jsonObject(with: asked.body) as? [String: Any])
            let payload = try #require(content["aps"] as? [String: Any])
            #expect(
                payload["alert"] as? [String: String] == ["title": "Maple School", "body": "Ana wrote to you."])
            #expect(payload["badge"] as? Int == 3)
            #expect(payload["sound"] as? String == "default")
            #expect(content["url"] as? String == "/messages/1")
        }
    }

    @Test("a token is reused for forty minutes and then renewed")
    func token() async throws {
        let key = P256.Signing.PrivateKey()
        try await StandInAPNs.with { service, address in
            let sender = try sender(at: address, key: key)
            for pause: TimeInterval in [0, 1800, 1200] {
                clock.advance(by: pause)
                _ = await sender.send(message(), to: device)
            }
            let tokens = service.asked.map { $0.fields["authorization"] }
            #expect(tokens.count == 3 && tokens[0] == tokens[1] && tokens[1] != tokens[2])
        }
    }

    @Test("the outcome follows from Apple's response")
    func outcomes() async throws {
        let cases: [(StandInAPNs.Reply, PushOutcome)] = [
            (.init(status: 410, body: #"{"reason": "Unregistered", "timestamp": 1}"#), .gone),
            (.init(status: 400, body: #"{"reason": "BadDeviceToken"}"#), .gone),
            (.init(status: 400, body: #"{"reason": "BadCollapseId"}"#), .refused),
            (.init(status: 403, body: #"{"reason": "ExpiredProviderToken"}"#), .unreachable),
            (.init(status: 429, retryAfter: "30"), .busy(retryAfter: 30)),
            (.init(status: 500, body: "no JSON"), .unreachable),
        ]
        let key = P256.Signing.PrivateKey()
        try await StandInAPNs.with(cases.map(\.0)) { service, address in
            let sender = try sender(at: address, key: key)
            for (reply, expected) in cases {
                #expect(await sender.send(message(), to: device) == expected, "\(reply.status) \(reply.body)")
            }
            #expect(service.asked.count == cases.count)
        }
    }

    @Test("an invalid device token is never sent, and a malformed key stops the start")
    func refused() async throws {
        let sender = try sender(at: "https://localhost:1", key: P256.Signing.PrivateKey())
        #expect(sender.reaches(.apns))
        for token in ["", "ab", "../../etc", String(repeating: "G", count: 64), String(repeating: "a", count: 63)] {
            #expect(!sender.accepts(PushAddress(kind: .apns, target: token)), "\(token)")
            #expect(await sender.send(message(), to: PushAddress(kind: .apns, target: token)) == .gone)
        }
        #expect(throws: AppleIdentity.MalformedKey.self) {
            try DevicePush(
                ServerIdentification(key: P256.Signing.PrivateKey(), contact: "mailto:it@maple.example"),
                apple: ApplePushSettings(teamId: "T", keyId: "K", privateKey: "no key", topic: "t"), clock: clock)
        }
    }
}
