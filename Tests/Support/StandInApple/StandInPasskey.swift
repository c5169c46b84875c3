import Crypto
import Foundation

/// A passkey on a device, whose app answers as Apple's systems do: the origin is that of the domain, and the answer has
/// no more than the required members.
struct StandInPasskey: Sendable {
    /// The domain that the passkey belongs to.
    let domain: String
    let key = P256.Signing.PrivateKey()
    let id = Array("a passkey of Ana".utf8)

    init(of domain: String) { self.domain = domain }

    private func clientData(_ challenge: String, _ type: String) -> [UInt8] {
        Array(#"{"type":"\#(type)","challenge":"\#(challenge)","origin":"https://\#(domain)"}"#.utf8)
    }

    /// The authenticator's data: a present and verified person, and a passkey that is synchronized.
    private func data(_ flags: UInt8 = 0) -> [UInt8] {
        Array(SHA256.hash(data: Data(domain.utf8))) + [0x1D | flags, 0, 0, 0, 0]
    }

    /// The fields that store the passkey.
    func made(_ challenge: String) -> [String: String] {
        let point = Array(key.publicKey.rawRepresentation)
        let cose: [UInt8] =
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32] + point[..<32] + [0x22, 0x58, 32]
            + point[32...]
        let auth = data(0x40) + Array(repeating: UInt8(0), count: 16) + [0, UInt8(id.count)] + id + cose
        let attestation: [UInt8] =
            [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8)
            + [0xA0, 0x68] + Array("authData".utf8) + [0x58, UInt8(auth.count)] + auth
        return [
            "name": "My phone",
            "clientData": StandInApple.base64URL(Data(clientData(challenge, "webauthn.create"))),
            "attestation": StandInApple.base64URL(Data(attestation)),
        ]
    }

    /// The fields that sign in.
    func shown(_ challenge: String) throws -> [String: String] {
        let client = clientData(challenge, "webauthn.get")
        let signature = try key.signature(for: Data(data()) + SHA256.hash(data: Data(client)))
        return [
            "passkeyId": StandInApple.base64URL(Data(id)), "clientData": StandInApple.base64URL(Data(client)),
            "authenticatorData": StandInApple.base64URL(Data(data())),
            "signature": StandInApple.base64URL(signature.derRepresentation),
        ]
    }
}
