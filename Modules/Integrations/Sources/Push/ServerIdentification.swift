import Crypto
public import Foundation
import JWTKit

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

    private let key: P256.Signing.PrivateKey
    /// Whom a push service's operators may write to: `mailto:` or `https:`.
    private let contact: String

    init(key: P256.Signing.PrivateKey, contact: String) {
        self.key = key
        self.contact = contact
    }

    /// Reads the key, or makes it where there is none yet, for its owner alone.
    /// - Parameter contact: `mailto:` or `https:` (section 2.1).
    public init(keyFile: URL, contact: String) throws {
        let bytes = try SecretFile.read(keyFile) { Data(P256.Signing.PrivateKey().rawRepresentation) }
        do {
            key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
        } catch {
            throw MalformedKey(path: keyFile.path)
        }
        self.contact = contact
    }

    var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// The field `Authorization` of a request to an origin (section 3).
    func authorization(for origin: String, at now: Date) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: try ES256PrivateKey(backing: key))
        let claims = Claims(
            aud: origin, exp: Int(now.addingTimeInterval(Self.lifetime).timeIntervalSince1970), sub: contact)
        return "vapid t=\(try await keys.sign(claims)),k=\(publicKey)"
    }

    private struct Claims: JWTPayload {
        let aud: String
        let exp: Int
        let sub: String

        func verify(using algorithm: some JWTAlgorithm) {}
    }
}
