import Crypto
import CryptoExtras
public import FeatureKit
public import Foundation
import Synchronization

/// Cryptography on swift-crypto. Secrets are encrypted with AES-256-GCM and a key from a file.
public struct SystemCryptography: Cryptography {
    /// A key file without a valid key. It is not replaced, because that would lose all encrypted secrets.
    public struct MalformedKey: Error, CustomStringConvertible {
        public let path: String
        public var description: String { "The file \(path) is not a key of 32 bytes. Put the right one back." }
    }
    /// The error for a secret that was encrypted with another key or for another purpose.
    public struct NotOpened: Error, CustomStringConvertible {
        public let description = "a sealed secret cannot be opened with this key and for this purpose"
    }

    private enum Source: Sendable {
        case key(SymmetricKey)
        case file(KeyFile)
    }
    private let source: Source

    /// Creates the cryptography with a key of 32 bytes.
    public init(key: [UInt8]) {
        precondition(key.count == 32, "AES-256 has keys of 32 bytes")
        source = .key(SymmetricKey(data: key))
    }

    /// Creates the cryptography with the key in a file. The file is created on first use, readable by its owner only.
    public init(keyFile: URL) { source = .file(KeyFile(keyFile)) }

    /// Reads or creates the key now, so that a damaged file stops the start instead of a later sign-in.
    public func prepare() throws { _ = try key() }

    private func key() throws -> SymmetricKey {
        switch source {
        case .key(let key): key
        case .file(let file): try file.key()
        }
    }

    fileprivate static func read(_ keyFile: URL) throws -> SymmetricKey {
        let bytes = try SecretFile.read(keyFile) { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }
        guard bytes.count == 32 else { throw MalformedKey(path: keyFile.path) }
        return SymmetricKey(data: bytes)
    }

    public func seal(_ secret: [UInt8], for purpose: String) throws -> String {
        let box = try AES.GCM.seal(secret, using: key(), authenticating: Array(purpose.utf8))
        guard let combined = box.combined else { throw NotOpened() }
        return combined.base64EncodedString()
    }

    public func open(_ sealed: String, for purpose: String) throws -> [UInt8] {
        guard let combined = Data(base64Encoded: sealed) else { throw NotOpened() }
        let key = try key()
        do {
            let box = try AES.GCM.SealedBox(combined: combined)
            return Array(try AES.GCM.open(box, using: key, authenticating: Array(purpose.utf8)))
        } catch {
            throw NotOpened()
        }
    }

    public func oneTimePassword(_ secret: [UInt8], counter: UInt64, digits: Int) -> String {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        let code = HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret))
        let bytes = Array(code)
        let offset = Int(bytes[bytes.count - 1] & 15)
        let number = bytes[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number)
        let padded = String(repeating: "0", count: max(0, digits - text.count)) + text
        return String(padded.suffix(digits))
    }

    public func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    public func isValid(_ signature: [UInt8], of message: [UInt8], key: SignatureKey) -> Bool {
        do {
            switch key {
            case .es256(let x, let y):
                guard x.count == 32, y.count == 32 else { return false }
                let publicKey = try P256.Signing.PublicKey(rawRepresentation: x + y)
                return publicKey.isValidSignature(
                    try P256.Signing.ECDSASignature(derRepresentation: signature), for: SHA256.hash(data: message))
            case .rs256(let modulus, let exponent):
                // RSA keys under 2048 bits are not secure, and those over 4096 bits only cost time.
                guard (256...512).contains(modulus.count), (1...8).contains(exponent.count) else { return false }
                return try _RSA.Signing.PublicKey(n: modulus, e: exponent).isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
                    padding: .insecurePKCS1v1_5)
            }
        } catch {
            return false
        }
    }
}

/// A key in a file, read once.
private final class KeyFile: Sendable {
    private let url: URL
    private let known = Mutex<SymmetricKey?>(nil)

    init(_ url: URL) { self.url = url }

    func key() throws -> SymmetricKey {
        try known.withLock { known in
            if let known { return known }
            let key = try SystemCryptography.read(url)
            known = key
            return key
        }
    }
}
