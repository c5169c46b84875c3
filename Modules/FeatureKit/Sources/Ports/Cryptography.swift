/// What blocks need of cryptography beside hashing secrets (`SecretHasher`).
public protocol Cryptography: Sendable {
    /// Encrypts a secret that the server must be able to read again, with a key that is in no database.
    /// - Parameter purpose: what it is and whose; it opens for the same purpose alone.
    func seal(_ secret: [UInt8], for purpose: String) throws -> String
    /// What was sealed; throws where it was changed, or sealed for another purpose or with another key.
    func open(_ sealed: String, for purpose: String) throws -> [UInt8]
    /// The one-time password of a counter (HOTP, RFC 4226 section 5.3), `digits` long.
    func oneTimePassword(_ secret: [UInt8], counter: UInt64, digits: Int) -> String
    /// SHA-256 (FIPS 180-4).
    func sha256(_ bytes: [UInt8]) -> [UInt8]
    /// Whether the signature was made over the message with the key's private half; a malformed key or
    /// signature was not.
    func isValid(_ signature: [UInt8], of message: [UInt8], key: SignatureKey) -> Bool
}

/// A public key that signatures are checked with.
public enum SignatureKey: Sendable, Hashable, Codable {
    /// ECDSA on P-256 with SHA-256; the point's coordinates, 32 bytes each. Signatures are in DER.
    case es256(x: [UInt8], y: [UInt8])
    /// RSASSA-PKCS1-v1_5 with SHA-256; the modulus and the exponent, big-endian.
    case rs256(modulus: [UInt8], exponent: [UInt8])
}
