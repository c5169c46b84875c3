import Crypto
import FeatureKit
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdHTTP2
import JWTKit
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization
import TestKit
import Testing

@testable import Integrations

/// Of localhost, for these tests alone: whoever has the key can pretend to be this machine to these tests.
private let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBlDCCATugAwIBAgIUfXgAP5u5cC3hm+pcOnEU+rOLHPIwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE3MDIwMVoYDzIxMjYxMDI5
    MTcwMjAxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAAQGxGJdV8sO7tH99ztWch559P4IhflRtzkpxv6q1jgzGRHpFS6TRBM/
    BqDwmrTZda65GQ/iIENl0cq0LHNwMjJmo2kwZzAdBgNVHQ4EFgQU5Ji8APuYaga8
    y5KC8Sn9MJ4Au28wHwYDVR0jBBgwFoAU5Ji8APuYaga8y5KC8Sn9MJ4Au28wDwYD
    VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
    RwAwRAIgcJ/rmuVPsZLXxH9pYxi/1rLcLkY91I1Oy2iArT2GXkYCIBVNyiaYoMiz
    RrDGZCnGnOIZjvKM7BccuxhE14Mh3iMp
    -----END CERTIFICATE-----
    """
private let certificateKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguhmMbQNwUuekwY5W
    C+79v6fv3IXECdRZl6n+VpjU2B6hRANCAAQGxGJdV8sO7tH99ztWch559P4IhflR
    tzkpxv6q1jgzGRHpFS6TRBM/BqDwmrTZda65GQ/iIENl0cq0LHNwMjJm
    -----END PRIVATE KEY-----
    """

/// Tells whether a request came over a stream of HTTP/2.
private struct StreamContext: Hummingbird.RequestContext {
    var coreContext: CoreRequestContextStorage
    let isStream: Bool

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        isStream = "\(type(of: source.channel))".contains("HTTP2")
    }
}

/// Apple's service on this machine, over TLS and HTTP/2.
private final class StandInAPNs: Sendable {
    struct Asked: Sendable {
        let path: String
        let isStream: Bool
        let fields: HTTPFields
        let body: Data
    }
    struct Reply: Sendable {
        var status: HTTPResponse.Status = .ok
        var body = ""
        var fields: HTTPFields = [:]
    }

    private let state = Mutex<(asked: [Asked], replies: [Reply])>(([], []))
    var asked: [Asked] { state.withLock { $0.asked } }

    /// - Parameter work: gets the service and its address.
    static func with(
        _ replies: [Reply] = [], _ work: @escaping @Sendable (StandInAPNs, String) async throws -> Void
    ) async throws {
        let service = StandInAPNs()
        service.state.withLock { $0.replies = replies }
        let router = Router(context: StreamContext.self)
        router.post("/3/device/:token") { request, context -> Response in
            let body = try await request.body.collect(upTo: 8192)
            let reply = service.state.withLock { state -> Reply in
                state.asked.append(
                    Asked(
                        path: request.uri.path, isStream: context.isStream, fields: request.headers,
                        body: Data(body.readableBytesView)))
                return state.replies.isEmpty ? Reply() : state.replies.removeFirst()
            }
            return Response(
                status: reply.status, headers: reply.fields, body: .init(byteBuffer: ByteBuffer(string: reply.body))
            )
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "apns")
        logger.logLevel = .critical
        let server = Application(
            router: router,
            server: try .http2Upgrade(
                tlsConfiguration: .makeServerConfiguration(
                    certificateChain: NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map {
                        .certificate($0)
                    },
                    privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(certificateKey.utf8), format: .pem)))),
            configuration: .init(address: .hostname("localhost", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await number in ports {
                do {
                    try await work(service, "https://localhost:\(number)")
                } catch {
                    await group.triggerGracefulShutdown()
                    throw error
                }
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

@Suite("Push to Apple's devices", .requirement("WW-9.04"))
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
                topic: "example.tower.app", address: address), clock: clock, patience: 10, allowsLoopback: false,
            trusting: NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).first)
    }

    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test("a request goes over HTTP/2 as Apple wants it, with a token that the developer's key signed")
    func request() async throws {
        let key = P256.Signing.PrivateKey()
        try await StandInAPNs.with { service, address in
            let outcome = try await sender(at: address, key: key).send(message(), to: device)
            #expect(outcome == .delivered)
            let asked = try #require(service.asked.first)
            #expect(asked.isStream, "it did not come over HTTP/2")
            #expect(asked.path == "/3/device/\(device.target)")
            func field(_ name: String) throws -> String? { asked.fields[try #require(HTTPField.Name(name))] }
            #expect(try field("apns-topic") == "example.tower.app")
            #expect(try field("apns-push-type") == "alert")
            #expect(try field("apns-priority") == "10")
            #expect(try field("apns-collapse-id") == "school.7")
            #expect(try field("apns-expiration") == "1793635200")
            let shown = try #require(try field("authorization"))
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

    @Test("the token is shown again for a while, then renewed")
    func token() async throws {
        let key = P256.Signing.PrivateKey()
        try await StandInAPNs.with { service, address in
            let sender = try sender(at: address, key: key)
            for pause: TimeInterval in [0, 1800, 1200] {
                clock.advance(by: pause)
                _ = await sender.send(message(), to: device)
            }
            let tokens = service.asked.map { $0.fields[.authorization] }
            #expect(tokens.count == 3 && tokens[0] == tokens[1] && tokens[1] != tokens[2])
        }
    }

    @Test("what Apple answers decides what follows")
    func outcomes() async throws {
        let cases: [(StandInAPNs.Reply, PushOutcome)] = [
            (.init(status: .gone, body: #"{"reason": "Unregistered", "timestamp": 1}"#), .gone),
            (.init(status: .badRequest, body: #"{"reason": "BadDeviceToken"}"#), .gone),
            (.init(status: .badRequest, body: #"{"reason": "BadCollapseId"}"#), .refused),
            (.init(status: .forbidden, body: #"{"reason": "ExpiredProviderToken"}"#), .unreachable),
            (.init(status: .tooManyRequests, fields: [.retryAfter: "30"]), .busy(retryAfter: 30)),
            (.init(status: .internalServerError, body: "no JSON"), .unreachable),
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

    @Test("a token that is none, and a server that Apple does not know, reach nobody")
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
