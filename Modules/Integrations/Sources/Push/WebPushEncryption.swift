import Crypto
import Foundation

/// Encryption of push messages (RFC 8291) in the content coding `aes128gcm` (RFC 8188).
///
/// Only the browser that subscribed can read a message, not the push service.
enum WebPushEncryption {
    /// The bytes of a record that every push service accepts (RFC 8291 section 4).
    static let recordSize = 4096
    /// The most bytes of content: a record without its header of 86 bytes, delimiter and tag (RFC 8188 section 2).
    static let contentLimit = recordSize - 86 - 1 - 16

    enum Fault: Error { case malformedKeys, tooLong }

    /// Encrypts a message.
    ///
    /// - Parameters:
    ///   - key: The browser's public key, an uncompressed P-256 point of 65 bytes.
    ///   - secret: The browser's authentication secret of 16 bytes.
    ///   - ours: A private key for this message only.
    ///   - salt: 16 random bytes for this message only.
    /// - Throws: `Fault`.
    static func seal(
        _ content: [UInt8], key: [UInt8], secret: [UInt8], ours: P256.KeyAgreement.PrivateKey, salt: [UInt8]
    ) throws -> [UInt8] {
        guard content.count <= contentLimit else { throw Fault.tooLong }
        // The error's detail does not matter: the browser's key is invalid.
        guard secret.count == 16, let theirs = try? P256.KeyAgreement.PublicKey(x963Representation: key) else {
            throw Fault.malformedKeys
        }
        let publicKey = Array(ours.publicKey.x963Representation)
        // RFC 8291 sections 3.3 and 3.4: the content key depends on both keys and the secret.
        let shared = try ours.sharedSecretFromKeyAgreement(with: theirs)
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret, sharedInfo: Array("WebPush: info\0".utf8) + key + publicKey,
            outputByteCount: 32)
        func derived(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Array(info.utf8), outputByteCount: count)
        }
        let contentKey = derived("Content-Encoding: aes128gcm\0", 16)
        let nonce = derived("Content-Encoding: nonce\0", 12).withUnsafeBytes { Array($0) }
        // The delimiter 2 marks the last record, here the only one.
        let sealed = try AES.GCM.seal(content + [2], using: contentKey, nonce: AES.GCM.Nonce(data: nonce))
        let size = UInt32(recordSize)
        let header =
            salt + (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + [UInt8(publicKey.count)]
        return header + publicKey + sealed.ciphertext + sealed.tag
    }
}

extension Data {
    /// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5).
    var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// Decodes URL-safe Base64 with or without padding. Returns `nil` for anything else.
    init?(base64URL text: String) {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            .replacingOccurrences(of: "=", with: "")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
