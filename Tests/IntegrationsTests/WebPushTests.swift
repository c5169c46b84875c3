import Crypto
import FeatureKit
import Foundation
import NIOCore
import TestKit
import Testing

@testable import Integrations

private func bytes(_ text: String) throws -> [UInt8] { Array(try #require(Data(base64URL: text))) }

/// The browser of RFC 8291, section 5 and appendix A.
private enum Browser {
    static let key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

    static func address(_ target: String) -> PushAddress {
        PushAddress(kind: .web, target: target, key: key, secret: secret)
    }
}

@Suite("Web Push")
struct WebPushTests {
    private let now = Date(timeIntervalSince1970: 1_793_631_600)
    private let accountId = UUID()

    private func message(_ id: String = "school.7", body: String = "Ana wrote to you.") -> PushMessage {
        PushMessage(
            id: id, title: "Maple School", body: body, path: "/messages/1", badge: 2, accountId: accountId,
            expiresAt: now.addingTimeInterval(3600))
    }

    private func sender(timeout: TimeInterval = 120, loopback: Bool = true) throws -> (
        DevicePush, P256.Signing.PrivateKey
    ) {
        let key = P256.Signing.PrivateKey()
        return (
            try DevicePush(
                ServerIdentification(key: key, contact: "mailto:it@maple.example"), clock: FixedClock(now),
                timeout: timeout, allowsLoopback: loopback), key
        )
    }

    private static func answer(_ status: Int, _ headers: [String] = []) -> StandInModels.Reply {
        let all = headers + ["Content-Length: 0"]
        return .raw("HTTP/1.1 \(status) Status\r\n\(all.joined(separator: "\r\n"))\r\n\r\n", closes: false)
    }

    @Test("the example of RFC 8291 appendix A is encrypted byte for byte")
    func vector() throws {
        let ours = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let sealed = try WebPushEncryption.seal(
            Array("When I grow up, I want to be a watermelon".utf8), key: bytes(Browser.key),
            secret: bytes(Browser.secret), ours: ours, salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Data(sealed).base64URL
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
    }

    @Test("content up to the size of a record is encrypted; longer content and invalid keys are refused")
    func limits() throws {
        func seal(_ count: Int, key: String = Browser.key, secret: String = Browser.secret) throws -> [UInt8] {
            try WebPushEncryption.seal(
                Array(repeating: 0x61, count: count), key: bytes(key), secret: bytes(secret),
                ours: P256.KeyAgreement.PrivateKey(), salt: Array(repeating: 7, count: 16))
        }
        #expect(try seal(WebPushEncryption.contentLimit).count == WebPushEncryption.recordSize)
        #expect(throws: WebPushEncryption.Fault.tooLong) { try seal(WebPushEncryption.contentLimit + 1) }
        #expect(throws: WebPushEncryption.Fault.malformedKeys) { try seal(1, secret: "AAAA") }
        #expect(throws: WebPushEncryption.Fault.malformedKeys) { try seal(1, key: "BAAA") }
    }

    @Test(
        "a request follows RFC 8030 and identifies the server as in RFC 8292",
        .requirement("WW-9.04.e"))
    func request() async throws {
        let (sender, key) = try sender()
        try await StandInModels.with([Self.answer(201)]) { server in
            let outcome = await sender.send(message(), to: Browser.address("\(server.address)/push/abc"))
            #expect(outcome == .delivered)
            let asked = try #require(server.requests.first)
            let lines = asked.head.lowercased()
            #expect(asked.head.hasPrefix("POST /push/abc HTTP/1.1\r\n"))
            #expect(lines.contains("\r\ncontent-encoding: aes128gcm\r\n"))
            #expect(lines.contains("\r\nttl: 3600\r\n"))
            let topic = try #require(asked.head.firstMatch(of: /Topic: (\S+)/)?.1)
            #expect(topic.utf8.count == 32)
            // The message is encrypted.
            #expect(!String(decoding: asked.body, as: UTF8.self).contains("Ana"))
            #expect(asked.body.count > 86 && asked.body[16..<21] == [0, 0, 0x10, 0, 65])
            let parts = try #require(asked.head.firstMatch(of: /vapid t=([^.]+)\.([^.]+)\.([^,]+),k=(\S+)/))
            #expect(try parts.4 == sender.applicationServerKey)
            #expect(
                try P256.Signing.PublicKey(x963Representation: bytes(String(parts.4))).rawRepresentation
                    == key.publicKey.rawRepresentation)
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes(String(parts.3)))
            #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts.1).\(parts.2)".utf8)))
            let claims = try #require(
                try JSONSerialization.jsonObject(with: Data(bytes(String(parts.2)))) as? [String: Any])
            #expect(claims["aud"] as? String == server.address)
            #expect(claims["sub"] as? String == "mailto:it@maple.example")
            let expires = try #require(claims["exp"] as? Int)
            #expect((1...86_400).contains(expires - Int(now.timeIntervalSince1970)))
        }
    }

    @Test("a repeated notification has the same topic, and no two messages are encrypted alike")
    func again() async throws {
        let (sender, _) = try sender()
        try await StandInModels.with([Self.answer(201), Self.answer(201), Self.answer(201)]) { server in
            let address = Browser.address("\(server.address)/push/abc")
            for id in ["school.7", "school.7", "school.8"] { _ = await sender.send(message(id), to: address) }
            let topics = server.requests.compactMap { $0.head.firstMatch(of: /Topic: (\S+)/).map { String($0.1) } }
            #expect(topics.count == 3 && topics[0] == topics[1] && topics[1] != topics[2])
            #expect(Set(server.requests.map(\.body)).count == 3)
        }
    }

    @Test(
        "the outcome follows from the push service's response",
        arguments: [
            (201, nil, PushOutcome.delivered), (202, nil, .delivered), (404, nil, .gone), (410, nil, .gone),
            (429, "120", .busy(retryAfter: 120)), (429, nil, .busy(retryAfter: nil)),
            (503, "7", .busy(retryAfter: 7)), (503, "Sun, 25 Oct 2026 00:00:00 GMT", .busy(retryAfter: 0)),
            (500, nil, .unreachable), (400, nil, .refused), (413, nil, .refused), (301, nil, .refused),
        ] as [(Int, String?, PushOutcome)])
    func outcomes(_ status: Int, _ retryAfter: String?, _ expected: PushOutcome) async throws {
        let (sender, _) = try sender()
        let headers = retryAfter.map { ["Retry-After: \($0)"] } ?? []
        try await StandInModels.with([Self.answer(status, headers)]) { server in
            let outcome = await sender.send(message(), to: Browser.address("\(server.address)/push/abc"))
            #expect(outcome == expected)
            #expect(server.requests.count == 1)
        }
    }

    @Test("a push service that hangs, never ends its response or does not listen is unreachable")
    func unreachable() async throws {
        let (sender, _) = try sender(timeout: 0.4)
        let endless = StandInModels.Reply.raw(
            "HTTP/1.1 201 Created\r\nContent-Length: 900000\r\n\r\n\(String(repeating: "a", count: 40_000))",
            closes: false)
        try await StandInModels.with([.silence, endless]) { server in
            let address = Browser.address("\(server.address)/push/abc")
            #expect(await sender.send(message(), to: address) == .unreachable)
            #expect(await sender.send(message(), to: address) == .unreachable)
        }
        #expect(await sender.send(message(), to: Browser.address("http://127.0.0.1:9/push")) == .unreachable)
    }

    @Test("a text that is too long for a record is refused")
    func tooLong() async throws {
        let (sender, _) = try sender()
        let long = message(body: String(repeating: "é", count: 3000))
        #expect(await sender.send(long, to: Browser.address("http://127.0.0.1:9/push")) == .refused)
    }

    @Test(
        "a client cannot make the server send requests into its own network",
        arguments: [
            "http://push.example.com/1", "https://127.0.0.1/1", "https://localhost/1", "https://[::1]/1",
            "https://10.0.0.1/1", "https://2130706433/1", "https://0x7f.1/1", "https://tower/1",
            "https://printer.local/1", "https://db.internal/1", "https://ana@push.example.com/1",
            "https://push.example.com:8443/1", "https://push.example.com/1#part", "ftp://push.example.com/1",
            "https:///1", "", "https://push.example.com/\u{7F}", "http://127.0.0.1:80/1",
        ])
    func refusedAddresses(_ target: String) throws {
        let (sender, _) = try sender(loopback: false)
        #expect(!sender.accepts(Browser.address(target)))
    }

    @Test("only an address of a push service with valid browser keys is accepted")
    func acceptedAddresses() throws {
        let (sender, _) = try sender(loopback: false)
        #expect(sender.accepts(Browser.address("https://fcm.googleapis.com/fcm/send/abc:def")))
        #expect(sender.accepts(Browser.address("https://updates.push.services.mozilla.com:443/wpush/v2/x")))
        for (key, secret) in [("", ""), (Browser.key, "AAAA"), ("BAAA", Browser.secret)] {
            #expect(
                !sender.accepts(
                    PushAddress(kind: .web, target: "https://push.example.com/1", key: key, secret: secret)))
        }
        #expect(!sender.reaches(.apns))
        #expect(!sender.accepts(PushAddress(kind: .apns, target: String(repeating: "ab", count: 32))))
    }

    @Test("a name that resolves to a private address gets no request")
    func resolved() async throws {
        let (sender, _) = try sender(loopback: false)
        #expect(
            await sender.send(message(), to: Browser.address("https://push.invalid/1"))
                == .unreachable)
        for one in [
            "127.0.0.1", "10.1.2.3", "172.20.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
            "255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "ff02::1", "2002:a00:1::",
            "2001:db8::1", "64:ff9b::a00:1",
        ] {
            #expect(!PublicNetwork.isPublic(try SocketAddress(ipAddress: one, port: 443)), "\(one)")
        }
        for one in ["142.250.1.1", "8.8.8.8", "172.32.0.1", "2a00:1450:4009::1", "::ffff:8.8.8.8"] {
            #expect(PublicNetwork.isPublic(try SocketAddress(ipAddress: one, port: 443)), "\(one)")
        }
    }

    @Test("the server's key is created once for its owner only, and a damaged one stops the start")
    func keyFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "push.key")
        func identification() -> ServerIdentification {
            ServerIdentification(keyFile: file, contact: "mailto:it@maple.example")
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(try identification().publicKey == identification().publicKey)
        let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        try Data("not a key".utf8).write(to: file)
        #expect(throws: ServerIdentification.MalformedKey.self) { try identification().prepare() }
    }
}
