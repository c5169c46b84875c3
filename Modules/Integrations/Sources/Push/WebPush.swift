import AsyncHTTPClient
import Crypto
import FeatureKit
import Foundation
import NIOCore
import NIOHTTP1

/// Web Push (RFC 8030) with message encryption (RFC 8291) and server identification (RFC 8292).
struct WebPush: Sendable {
    /// The largest response in bytes. Push services respond with nothing or a short reason.
    static let answerLimit = 16 * 1024

    let identification: ServerIdentification
    let network: PublicNetwork
    let http: BoundedHTTP

    /// The JSON that the service worker reads.
    private struct Content: Encodable {
        let id: String
        let title: String
        let body: String
        let path: String
        let badge: Int
        let account: String
    }

    func accepts(_ address: PushAddress) -> Bool {
        network.origin(of: address.target) != nil && Data(base64URL: address.secret)?.count == 16
            && Data(base64URL: address.key).map { key in
                do {
                    _ = try P256.KeyAgreement.PublicKey(x963Representation: key)
                    return true
                } catch {
                    return false
                }
            } == true
    }

    func send(_ message: PushMessage, to address: PushAddress, at now: Date) async -> PushOutcome {
        guard let (origin, host) = network.origin(of: address.target), let key = Data(base64URL: address.key),
            let secret = Data(base64URL: address.secret)
        else { return .gone }
        guard await network.isReachable(host) else { return .unreachable }
        do {
            let body = try Self.encrypted(message, key: Array(key), secret: Array(secret))
            var request = HTTPClientRequest(url: address.target)
            request.method = .POST
            request.headers.add(
                name: "Authorization", value: try await identification.authorization(for: origin, at: now))
            request.headers.add(name: "Content-Encoding", value: "aes128gcm")
            request.headers.add(name: "Content-Type", value: "application/octet-stream")
            // RFC 8030 section 5.2: the seconds for which the service keeps an undelivered message.
            request.headers.add(name: "TTL", value: String(max(0, Int(message.expiresAt.timeIntervalSince(now)))))
            // Section 5.4: a repeated notification replaces the undelivered one.
            request.headers.add(name: "Topic", value: Self.topic(of: message.id))
            request.headers.add(name: "Urgency", value: "normal")
            request.body = .bytes(ByteBuffer(bytes: body))
            let answer = try await http.send(request, limit: Self.answerLimit)
            return Self.outcome(answer.status, retryAfter: answer.retryAfter, at: now)
        } catch is BoundedHTTP.Fault {
            return .unreachable
        } catch {
            // The keys are invalid or the text is too long; another attempt would fail too.
            return .refused
        }
    }

    /// The outcome for a status (RFC 8030 section 5, and what services use instead).
    static func outcome(_ status: Int, retryAfter: String?, at now: Date) -> PushOutcome {
        switch status {
        case 200...299: .delivered
        case 404, 410: .gone
        case 429: .busy(retryAfter: RetryAfter.seconds(retryAfter, at: now))
        case 500...599:
            retryAfter == nil ? .unreachable : .busy(retryAfter: RetryAfter.seconds(retryAfter, at: now))
        default: .refused
        }
    }

    /// The topic of a notification: at most 32 URL-safe characters.
    private static func topic(of id: String) -> String {
        String(Data(SHA256.hash(data: Data(id.utf8))).base64URL.prefix(32))
    }

    private static func encrypted(_ message: PushMessage, key: [UInt8], secret: [UInt8]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let content = try encoder.encode(
            Content(
                id: message.id, title: message.title, body: message.body, path: message.path, badge: message.badge,
                account: message.accountId.uuidString.lowercased()))
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
        return try WebPushEncryption.seal(
            Array(content), key: key, secret: secret, ours: P256.KeyAgreement.PrivateKey(), salt: salt)
    }
}

/// The `Retry-After` header (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// The seconds from `now`, or `nil` if the text is invalid.
    static func seconds(_ text: String?, at now: Date) -> Int? {
        guard let text else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? seconds : nil }
        let reader = DateFormatter()
        reader.locale = Locale(identifier: "en_US_POSIX")
        reader.timeZone = .gmt
        reader.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return reader.date(from: text).map { max(0, Int($0.timeIntervalSince(now).rounded(.up))) }
    }
}
