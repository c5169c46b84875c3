import AsyncHTTPClient
import FeatureKit
import Foundation
import JWTKit
import NIOCore
import NIOHTTP1

/// The settings of Apple's push service for the server's own app.
public struct ApplePushSettings: Sendable {
    /// The id of the developer team at Apple.
    public let teamId: String
    /// The id of the private key at Apple.
    public let keyId: String
    /// The private key, as the content of the `.p8` file from Apple.
    public let privateKey: String
    /// The bundle id of the app that receives the notifications, which Apple calls the topic.
    public let topic: String
    /// The base URL of Apple's push service, without a slash at its end.
    public let address: String

    /// The address of the service for apps from the App Store.
    public static let standardAddress = "https://api.push.apple.com"

    /// Creates the settings of Apple's push service. The texts are checked when a sender is created.
    public init(
        teamId: String, keyId: String, privateKey: String, topic: String,
        address: String = ApplePushSettings.standardAddress
    ) {
        self.teamId = teamId
        self.keyId = keyId
        self.privateKey = privateKey
        self.topic = topic
        self.address = address
    }
}

/// Apple's push service over HTTP/2 ("Sending notification requests to APNs").
///
/// The developer's key signs a provider token ("Establishing a token-based connection to APNs").
struct ApplePush: Sendable {
    let settings: ApplePushSettings
    let http: BoundedHTTP
    private let tokens: ProviderTokens

    /// Throws `AppleIdentity.MalformedKey`.
    init(_ settings: ApplePushSettings, http: BoundedHTTP) throws {
        self.settings = settings
        self.http = http
        tokens = try ProviderTokens(settings)
    }

    /// Whether the target is a device token: hexadecimal, of a length that Apple does not specify.
    func accepts(_ address: PushAddress) -> Bool {
        let bytes = address.target.utf8
        return (32...200).contains(bytes.count) && bytes.count.isMultiple(of: 2)
            && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    func send(_ message: PushMessage, to address: PushAddress, at now: Date) async -> PushOutcome {
        guard accepts(address) else { return .gone }
        do {
            var request = HTTPClientRequest(url: "\(settings.address)/3/device/\(address.target)")
            request.method = .POST
            request.headers.add(name: "authorization", value: "bearer \(try await tokens.token(at: now))")
            request.headers.add(name: "apns-topic", value: settings.topic)
            request.headers.add(name: "apns-push-type", value: "alert")
            request.headers.add(name: "apns-priority", value: "10")
            // A repeated notification replaces the first on the device. At most 64 bytes.
            request.headers.add(name: "apns-collapse-id", value: String(message.id.prefix(64)))
            request.headers.add(
                name: "apns-expiration", value: String(Int(message.expiresAt.timeIntervalSince1970)))
            request.headers.add(name: "content-type", value: "application/json")
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            request.body = .bytes(ByteBuffer(bytes: try encoder.encode(Content(message))))
            let answer = try await http.send(request, limit: WebPush.answerLimit)
            return await outcome(answer, at: now)
        } catch is BoundedHTTP.Fault {
            return .unreachable
        } catch {
            return .refused
        }
    }

    /// The outcome of a response ("Handling notification responses from APNs").
    private func outcome(_ answer: BoundedHTTP.Response, at now: Date) async -> PushOutcome {
        guard !(200...299).contains(answer.status) else { return .delivered }
        // Without a readable reason the status alone decides.
        let reason = (try? JSONDecoder().decode(Refusal.self, from: answer.body))?.reason
        switch (answer.status, reason) {
        case (410, _), (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): return .gone
        case (403, "ExpiredProviderToken"):
            await tokens.discard()
            return .unreachable
        case (429, _): return .busy(retryAfter: RetryAfter.seconds(answer.retryAfter, at: now))
        case (500...599, _):
            return answer.retryAfter == nil
                ? .unreachable : .busy(retryAfter: RetryAfter.seconds(answer.retryAfter, at: now))
        default: return .refused
        }
    }

    private struct Refusal: Decodable { let reason: String }

    private struct Content: Encodable {
        struct Alert: Encodable {
            let title: String
            let body: String
        }
        struct Payload: Encodable {
            let alert: Alert
            let badge: Int
            let sound = "default"
        }
        let aps: Payload
        let id: String
        /// The page that a tap opens.
        let url: String
        let account: String

        init(_ message: PushMessage) {
            aps = Payload(alert: Alert(title: message.title, body: message.body), badge: message.badge)
            id = message.id
            url = message.path
            account = message.accountId.uuidString.lowercased()
        }
    }
}

/// The provider token and its renewal. Apple requires a new one every hour, but at most every 20 minutes.
private actor ProviderTokens {
    static let lifetime: TimeInterval = 40 * 60

    private let key: ES256PrivateKey
    private let settings: ApplePushSettings
    private var current: (token: String, madeAt: Date)?

    init(_ settings: ApplePushSettings) throws {
        do {
            key = try ES256PrivateKey(pem: settings.privateKey)
        } catch {
            throw AppleIdentity.MalformedKey()
        }
        self.settings = settings
    }

    func token(at now: Date) async throws -> String {
        if let current, (0..<Self.lifetime).contains(now.timeIntervalSince(current.madeAt)) { return current.token }
        let keys = JWTKeyCollection()
        let id = JWKIdentifier(string: settings.keyId)
        await keys.add(ecdsa: key, kid: id)
        let token = try await keys.sign(
            Claims(iss: settings.teamId, iat: Int(now.timeIntervalSince1970)), kid: id)
        current = (token, now)
        return token
    }

    func discard() { current = nil }

    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int

        func verify(using algorithm: some JWTAlgorithm) {}
    }
}
