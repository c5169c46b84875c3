/// Cryptography that feature blocks need besides hashing secrets (`SecretHasher`).
public protocol Cryptography: Sendable {
    /// Encrypts a secret that the server must be able to read again, with a key that is stored in no database.
    /// - Parameter purpose: what the secret is and whose; `open` needs the same purpose.
    func seal(_ secret: [UInt8], for purpose: String) throws -> String
    /// Decrypts a secret. Throws if it was altered, or encrypted for another purpose or with another key.
    func open(_ sealed: String, for purpose: String) throws -> [UInt8]
    /// Returns the one-time password of a counter (HOTP, RFC 4226 section 5.3) with a number of digits.
    func oneTimePassword(_ secret: [UInt8], counter: UInt64, digits: Int) -> String
    /// Returns the SHA-256 hash of bytes (FIPS 180-4).
    func sha256(_ bytes: [UInt8]) -> [UInt8]
    /// Whether a signature of a message was made with the key's private half. Malformed keys and signatures return
    /// `false`.
    func isValid(_ signature: [UInt8], of message: [UInt8], key: SignatureKey) -> Bool
}

/// A public key with which a signature can be checked.
public enum SignatureKey: Sendable, Hashable, Codable {
    /// ECDSA on P-256 with SHA-256; the point's coordinates, 32 bytes each. Signatures are in DER.
    case es256(x: [UInt8], y: [UInt8])
    /// RSASSA-PKCS1-v1_5 with SHA-256; the modulus and the exponent, big-endian.
    case rs256(modulus: [UInt8], exponent: [UInt8])
}
