import FeatureKit
import Foundation

/// The checks of a relying party in Web Authentication (W3C, level 2).
struct WebAuthn: Sendable {
    /// The host that passkeys belong to.
    let relyingParty: String
    /// The origin of our pages: scheme, host and port.
    let origin: String
    let cryptography: any Cryptography

    /// The check that failed. Callers answer the same for all of them.
    enum Refusal: Error, Equatable {
        case clientData, ceremony, challenge, origin, relyingParty, notPresent, notVerified, authenticatorData
        case attestation, key, signature, counter
    }

    /// Returns `nil` when browsers offer no passkeys: without https, or for an IP address (level 2, section 5.1.2).
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

    /// A credential that an authenticator has created.
    struct Credential: Sendable, Hashable {
        let id: [UInt8]
        let key: SignatureKey
        let signCount: UInt32
    }

    /// The COSE algorithms that we verify, preferred first: ES256 and RS256 (RFC 9053, RFC 8812).
    static let algorithms = [-7, -257]

    // MARK: - Ceremonies

    /// Checks the answer of a registration (section 7.1). Only the attestation format `none` is accepted, since the
    /// make of an authenticator does not matter to us.
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

    /// Checks the answer of a sign-in (section 7.2) and returns the new sign count.
    func authenticate(
        clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], challenge: String, key: SignatureKey,
        signCount: UInt32
    ) throws -> UInt32 {
        try check(clientData, "webauthn.get", challenge)
        let data = try AuthenticatorData(authenticatorData)
        try check(data)
        guard cryptography.isValid(signature, of: authenticatorData + cryptography.sha256(clientData), key: key)
        else { throw Refusal.signature }
        // The count must grow, except for authenticators that do not count and always send 0.
        guard data.signCount > signCount || (data.signCount == 0 && signCount == 0) else { throw Refusal.counter }
        return data.signCount
    }

    /// The challenge that a browser's answer names, not checked yet.
    static func challenge(in clientData: [UInt8]) throws -> String {
        try ClientData(clientData).challenge
    }

    // MARK: - Shared checks

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

/// The data that an authenticator signs (section 6.1).
struct AuthenticatorData {
    let relyingPartyHash: [UInt8]
    let isPresent: Bool
    let isVerified: Bool
    let signCount: UInt32
    /// The new credential, present in a registration only.
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

    /// Reads the attested credential (section 6.5.1): AAGUID, length and id of the credential, public key.
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
    /// Reads a COSE key (RFC 9052 section 7, RFC 9053, RFC 8230): ES256, or RS256 with 2048 to 4096 bits.
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

/// Base 64 in the URL-safe alphabet without padding (RFC 4648 section 5).
enum Base64URL {
    static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// Returns `nil` for malformed text.
    static func decode(_ text: String) -> [UInt8]? {
        guard
            !text.utf8.contains(where: { [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains($0) })
        else { return nil }
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
            .map(Array.init)
    }
}
