import FeatureKit
import Foundation

/// The checks of Web Authentication (W3C, level 2), as the relying party makes them.
struct WebAuthn: Sendable {
    /// The host that passkeys belong to.
    let relyingParty: String
    /// Where our pages come from: scheme, host and port.
    let origin: String
    let cryptography: any Cryptography

    /// What does not hold. Nobody outside learns which check it was.
    enum Refusal: Error, Equatable {
        case clientData, ceremony, challenge, origin, relyingParty, notPresent, notVerified, authenticatorData
        case attestation, key, signature, counter
    }

    /// `nil` where browsers give no passkeys: an address by number is no name (level 2, section 5.1.2).
    init?(publicURL: String, _ cryptography: any Cryptography) {
        guard let parts = URLComponents(string: publicURL), let scheme = parts.scheme, let host = parts.host,
            host == "localhost" || scheme == "https",
            host.utf8.contains(where: { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }),
            !host.contains(":")
        else { return nil }
        relyingParty = host.lowercased()
        origin = "\(scheme)://\(relyingParty)" + (parts.port.map { ":\($0)" } ?? "")
        self.cryptography = cryptography
    }

    /// A credential that an authenticator has made.
    struct Credential: Sendable, Hashable {
        let id: [UInt8]
        let key: SignatureKey
        let signCount: UInt32
    }

    /// COSE algorithms that we check, those we like best first (RFC 9053, RFC 8812).
    static let algorithms = [-7, -257]

    // MARK: - Ceremonies

    /// Checks what a new passkey says of itself (section 7.1). Only attestation `none` is taken: which make
    /// of authenticator somebody uses is nothing to us.
    func register(clientData: [UInt8], attestation: [UInt8], challenge: String) throws -> Credential {
        try check(clientData, "webauthn.create", challenge)
        let object: CBOR
        do { object = try CBOR(attestation) } catch { throw Refusal.attestation }
        guard object[.text("fmt")]?.text == "none", object[.text("attStmt")] == .map([:]),
            let bytes = object[.text("authData")]?.bytes
        else { throw Refusal.attestation }
        let data = try AuthenticatorData(bytes)
        try check(data)
        guard let credential = data.credential else { throw Refusal.authenticatorData }
        return credential
    }

    /// Checks that the owner of a passkey is there (section 7.2); answers the new sign count.
    func authenticate(
        clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], challenge: String, key: SignatureKey,
        signCount: UInt32
    ) throws -> UInt32 {
        try check(clientData, "webauthn.get", challenge)
        let data = try AuthenticatorData(authenticatorData)
        try check(data)
        guard cryptography.isValid(signature, of: authenticatorData + cryptography.sha256(clientData), key: key)
        else { throw Refusal.signature }
        // An authenticator that counts never counts back; one that does not always says 0.
        guard data.signCount > signCount || (data.signCount == 0 && signCount == 0) else { throw Refusal.counter }
        return data.signCount
    }

    /// The challenge that a browser's answer names, to look up what it belongs to; not checked yet.
    static func challenge(in clientData: [UInt8]) throws -> String {
        try ClientData(clientData).challenge
    }

    // MARK: - What both share

    private struct ClientData: Decodable {
        let type: String
        let challenge: String
        let origin: String
        let crossOrigin: Bool?

        init(_ json: [UInt8]) throws {
            do { self = try JSONDecoder().decode(Self.self, from: Data(json)) } catch { throw Refusal.clientData }
        }
    }

    private func check(_ json: [UInt8], _ ceremony: String, _ challenge: String) throws {
        let data = try ClientData(json)
        guard data.type == ceremony else { throw Refusal.ceremony }
        guard data.challenge == challenge else { throw Refusal.challenge }
        guard data.origin == origin, data.crossOrigin != true else { throw Refusal.origin }
    }

    private func check(_ data: AuthenticatorData) throws {
        guard data.relyingPartyHash == cryptography.sha256(Array(relyingParty.utf8)) else {
            throw Refusal.relyingParty
        }
        guard data.isPresent else { throw Refusal.notPresent }
        guard data.isVerified else { throw Refusal.notVerified }
    }
}

/// What an authenticator signs (section 6.1).
struct AuthenticatorData {
    let relyingPartyHash: [UInt8]
    let isPresent: Bool
    let isVerified: Bool
    let signCount: UInt32
    /// What a registration carries.
    let credential: WebAuthn.Credential?

    init(_ bytes: [UInt8]) throws {
        guard bytes.count >= 37 else { throw WebAuthn.Refusal.authenticatorData }
        relyingPartyHash = Array(bytes[0..<32])
        let flags = bytes[32]
        isPresent = flags & 0x01 != 0
        isVerified = flags & 0x04 != 0
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[37...]
        credential =
            flags & 0x40 != 0 ? try AuthenticatorData.credential(in: &rest, signCount: signCount) : nil
        if flags & 0x80 != 0 {
            do { _ = try CBOR(prefixOf: &rest) } catch { throw WebAuthn.Refusal.authenticatorData }
        }
        guard rest.isEmpty else { throw WebAuthn.Refusal.authenticatorData }
    }

    /// The attested credential (section 6.5.1): the authenticator's make, the credential's id, its key.
    private static func credential(
        in rest: inout ArraySlice<UInt8>, signCount: UInt32
    ) throws -> WebAuthn.Credential {
        guard rest.count >= 18 else { throw WebAuthn.Refusal.authenticatorData }
        rest = rest.dropFirst(16)
        let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(2)
        // The longest id that is allowed (section 4).
        guard (1...1023).contains(length), rest.count >= length else { throw WebAuthn.Refusal.authenticatorData }
        let id = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        let key: CBOR
        do { key = try CBOR(prefixOf: &rest) } catch { throw WebAuthn.Refusal.key }
        return WebAuthn.Credential(id: id, key: try SignatureKey(cose: key), signCount: signCount)
    }
}

extension SignatureKey {
    /// A key as COSE writes it (RFC 9052 section 7, RFC 9053, RFC 8230).
    init(cose: CBOR) throws {
        let (type, algorithm) = (cose[.number(1)], cose[.number(3)])
        if type == .number(2), algorithm == .number(-7), cose[.number(-1)] == .number(1),
            let x = cose[.number(-2)]?.bytes, let y = cose[.number(-3)]?.bytes, x.count == 32, y.count == 32
        {
            self = .es256(x: x, y: y)
        } else if type == .number(3), algorithm == .number(-257), let modulus = cose[.number(-1)]?.bytes,
            let exponent = cose[.number(-2)]?.bytes, (256...512).contains(modulus.count),
            (1...8).contains(exponent.count)
        {
            self = .rs256(modulus: modulus, exponent: exponent)
        } else {
            throw WebAuthn.Refusal.key
        }
    }
}

/// Base 64 in the URL-safe alphabet without padding (RFC 4648 section 5), as browsers and we write bytes.
enum Base64URL {
    static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// `nil` for anything that is none.
    static func decode(_ text: String) -> [UInt8]? {
        guard
            !text.utf8.contains(where: { [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains($0) })
        else { return nil }
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
            .map(Array.init)
    }
}
