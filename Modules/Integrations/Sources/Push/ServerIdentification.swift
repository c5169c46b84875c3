import Crypto
public import Foundation
import JWTKit
import Synchronization

/// The key with which this server identifies itself to push services (VAPID, RFC 8292).
///
/// Browsers subscribe with its public half. Another key would end every subscription, so it is created once and stored
/// in a file.
public struct ServerIdentification: Sendable {
    /// A key file without a valid key. It is not replaced, because that would end all subscriptions.
    public struct MalformedKey: Error, CustomStringConvertible {
        public let path: String
        public var description: String { "The file \(path) is not a key of 32 bytes. Put the right one back." }
    }
    /// The lifetime of a token in seconds. RFC 8292 section 2 allows a day, so half of it tolerates a slow clock.
    static let lifetime: TimeInterval = 12 * 3600

    private let source: @Sendable () throws -> P256.Signing.PrivateKey
    /// The address at which push services can contact the operator: `mailto:` or `https:`.
    private let contact: String

    init(key: P256.Signing.PrivateKey, contact: String) {
        source = { key }
        self.contact = contact
    }

    /// Creates the identification with the key in a file. The file is created on first use, readable by its owner only.
    ///
    /// - Parameter contact: A `mailto:` or `https:` URL of the server's operator (RFC 8292 section 2.1).
    public init(keyFile: URL, contact: String) {
        let known = KnownKey(keyFile)
        source = { try known.key() }
        self.contact = contact
    }

    /// Reads or creates the key now, so that a damaged file stops the start instead of notifications.
    public func prepare() throws { _ = try source() }

    /// The public key as URL-safe Base64, for browsers to subscribe with.
    var publicKey: String { get throws { try source().publicKey.x963Representation.base64URL } }

    /// The `Authorization` header of a request to an origin (RFC 8292 section 3).
    func authorization(for origin: String, at now: Date) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: try ES256PrivateKey(backing: source()))
        let claims = Claims(
            aud: origin, exp: Int(now.addingTimeInterval(Self.lifetime).timeIntervalSince1970), sub: contact)
        return "vapid t=\(try await keys.sign(claims)),k=\(try publicKey)"
    }

    /// A key in a file, read once.
    private final class KnownKey: Sendable {
        private let file: URL
        private let known = Mutex<P256.Signing.PrivateKey?>(nil)

        init(_ file: URL) { self.file = file }

        func key() throws -> P256.Signing.PrivateKey {
            try known.withLock { known in
                if let known { return known }
                let bytes = try SecretFile.read(file) { Data(P256.Signing.PrivateKey().rawRepresentation) }
                do {
                    let key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
                    known = key
                    return key
                } catch {
                    throw MalformedKey(path: file.path)
                }
            }
        }
    }

    private struct Claims: JWTPayload {
        let aud: String
        let exp: Int
        let sub: String

        func verify(using algorithm: some JWTAlgorithm) {}
    }
}
