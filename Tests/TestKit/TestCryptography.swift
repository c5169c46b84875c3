public import FeatureKit

/// Cryptography without protection, whose results tests can compute.
///
/// Hashes are FNV sums, a signature is the hash of key and message, and sealed secrets are readable.
public struct TestCryptography: Cryptography {
    public struct NotOpened: Error {}

    public init() {}

    public func seal(_ secret: [UInt8], for purpose: String) throws -> String {
        "\(purpose)|" + secret.map { String($0) }.joined(separator: " ")
    }

    public func open(_ sealed: String, for purpose: String) throws -> [UInt8] {
        guard sealed.hasPrefix("\(purpose)|") else { throw NotOpened() }
        return sealed.dropFirst(purpose.count + 1).split(separator: " ").compactMap { UInt8($0) }
    }

    public func oneTimePassword(_ secret: [UInt8], counter: UInt64, digits: Int) -> String {
        let bytes = sha256(secret + (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) })
        return String(bytes.prefix(digits).map { Character(String($0 % 10)) })
    }

    public func sha256(_ bytes: [UInt8]) -> [UInt8] {
        (UInt64(0)..<4).flatMap { part -> [UInt8] in
            let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 &+ part &* 0x9E37_79B9_7F4A_7C15) {
                ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
            }
            return (UInt64(0)..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
        }
    }

    /// Returns the signature that `isValid` accepts for a message.
    public func sign(_ message: [UInt8], key: SignatureKey) -> [UInt8] {
        switch key {
        case .es256(let x, let y): sha256(x + y + message)
        case .rs256(let modulus, let exponent): sha256(modulus + exponent + message)
        }
    }

    public func isValid(_ signature: [UInt8], of message: [UInt8], key: SignatureKey) -> Bool {
        sign(message, key: key) == signature
    }
}

/// Makes the same small QR code for every text.
public struct TestQRCode: QRCodeEncoder {
    public init() {}
    public func modules(of text: String) throws -> [[Bool]] { [[true, false], [false, true]] }
}
