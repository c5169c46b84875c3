import Crypto
public import Foundation
import JWTKit
import Synchronization

/// The key with which this server says who it is to push services (VAPID, RFC 8292). Browsers subscribe to its public
/// half: with another key every subscription is void, so it is made once and kept in a file of its own.
public struct ServerIdentification: Sendable {
    /// A key file that is none; making another would silence every device.
    public struct MalformedKey: Error, CustomStringConvertible {
        public let path: String
        public var description: String { "The file \(path) is not a key of 32 bytes. Put the right one back." }
    }
    /// RFC 8292 section 2 allows a day; a clock that runs behind is forgiven.
    static let lifetime: TimeInterval = 12 * 3600

    private let source: @Sendable () throws -> P256.Signing.PrivateKey
    /// Whom a push service's operators may write to: `mailto:` or `https:`.
    private let contact: String

    init(key: P256.Signing.PrivateKey, contact: String) {
        source = { key }
        self.contact = contact
    }

    /// With the key of a file, which is made for its owner alone where there is none, once it is needed.
    /// - Parameter contact: `mailto:` or `https:` (section 2.1).
    public init(keyFile: URL, contact: String) {
        let known = KnownKey(keyFile)
        source = { try known.key() }
        self.contact = contact
    }

    /// Reads or makes the key now, so that a damaged file stops the start and not somebody's notifications.
    public func prepare() throws { _ = try source() }

    var publicKey: String { get throws { try source().publicKey.x963Representation.base64URL } }

    /// The field `Authorization` of a request to an origin (section 3).
    func authorization(for origin: String, at now: Date) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: try ES256PrivateKey(backing: source()))
        let claims = Claims(
            aud: origin, exp: Int(now.addingTimeInterval(Self.lifetime).timeIntervalSince1970), sub: contact)
        return "vapid t=\(try await keys.sign(claims)),k=\(try publicKey)"
    }

    /// The key in a file, read once.
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
