public import FeatureKit
public import Foundation
import JWTKit

/// Sign in with Apple on the web: OpenID Connect, with a client secret that the developer's key signs for each
/// request ("Sign in with Apple REST API").
public struct AppleIdentity: IdentityProvider {
    /// How this server is known at Apple.
    public struct Client: Sendable {
        public let servicesId: String
        public let teamId: String
        public let keyId: String

        public init(servicesId: String, teamId: String, keyId: String) {
            self.servicesId = servicesId
            self.teamId = teamId
            self.keyId = keyId
        }
    }

    /// A text that is not the private key of a `.p8` file.
    public struct MalformedKey: Error {}

    /// Where Apple answers; also who its tokens say they are from.
    public static let address = "https://appleid.apple.com"
    /// How far two clocks may differ.
    public static let skew: TimeInterval = 60
    /// Apple would take half a year; each request has a secret of its own.
    static let secretLifetime: TimeInterval = 5 * 60

    public let name = "apple"
    private let client: Client
    private let address: String
    private let secretKey: ES256PrivateKey
    private let http: BoundedHTTP
    private let keys: SigningKeys
    private let report: @Sendable (IdentityFault) -> Void

    /// - Parameters:
    ///   - privateKey: the content of the `.p8` file.
    ///   - address: where the provider is, for tests.
    ///   - patience: seconds that one answer may take.
    ///   - report: hears of each fault; none tells of a person.
    public init(
        _ client: Client, privateKey: String, at address: String = AppleIdentity.address,
        patience: TimeInterval = 5, report: @escaping @Sendable (IdentityFault) -> Void = { _ in }
    ) throws {
        do {
            secretKey = try ES256PrivateKey(pem: privateKey)
        } catch {
            throw MalformedKey()
        }
        self.client = client
        self.address = address
        self.report = report
        let http = BoundedHTTP(patience: patience)
        self.http = http
        keys = SigningKeys { try await http.ask("\(address)/auth/keys") }
    }

    // MARK: - IdentityProvider

    public func authorizationAddress(state: String, nonce: String, returnTo returnAddress: String) -> String {
        let query = BoundedHTTP.encode([
            ("client_id", client.servicesId), ("redirect_uri", returnAddress), ("response_type", "code"),
            ("response_mode", "form_post"), ("scope", "name email"), ("state", state), ("nonce", nonce),
        ])
        return "\(address)/auth/authorize?\(query)"
    }

    public func identity(
        code: String, nonce: String, returnTo returnAddress: String, at now: Date
    ) async throws -> ProvidedIdentity {
        try await reporting {
            let answer = try await http.ask(
                "\(address)/auth/token",
                form: [
                    ("client_id", client.servicesId), ("client_secret", clientSecret(at: now)), ("code", code),
                    ("grant_type", "authorization_code"), ("redirect_uri", returnAddress),
                ])
            // RFC 6749 section 5.2. Any other refusal is of this server, not of the person.
            if answer.status == 400, try answer.json(Refusal.self).error == "invalid_grant" {
                throw IdentityFault.refused(.code)
            }
            guard answer.status == 200 else { throw IdentityFault.unreachable }
            let tokens = try answer.json(Tokens.self)
            let claims = try await verified(tokens.idToken, mustExpire: true, at: now)
            guard claims.nonce == nonce else { throw IdentityFault.refused(.nonce) }
            guard let subject = claims.sub, !subject.isEmpty, subject.utf8.count <= 255 else {
                throw IdentityFault.refused(.subject)
            }
            return ProvidedIdentity(
                subject: subject, email: claims.isEmailVerified?.value == true ? claims.email : nil,
                refreshToken: tokens.refreshToken)
        }
    }

    public func revoke(_ refreshToken: String, at now: Date) async throws {
        try await reporting {
            let answer = try await http.ask(
                "\(address)/auth/revoke",
                form: [
                    ("client_id", client.servicesId), ("client_secret", clientSecret(at: now)),
                    ("token", refreshToken), ("token_type_hint", "refresh_token"),
                ])
            // A token that is none any more has nothing to take back; a refusal of this server has.
            let isOver = try answer.status == 400 && answer.json(Refusal.self).error != "invalid_client"
            guard answer.status == 200 || isOver else { throw IdentityFault.unreachable }
        }
    }

    public func notice(_ signed: String, at now: Date) async throws -> IdentityNotice {
        try await reporting {
            let claims = try await verified(signed, mustExpire: false, at: now)
            guard let text = claims.events else { throw IdentityFault.refused(.malformed) }
            let event: Event
            do {
                event = try JSONDecoder().decode(Event.self, from: Data(text.utf8))
            } catch {
                throw IdentityFault.refused(.malformed)
            }
            guard !event.sub.isEmpty else { throw IdentityFault.refused(.subject) }
            // Seconds in Apple's documentation, milliseconds in what it sends.
            let seconds = event.time > 100_000_000_000 ? event.time / 1000 : event.time
            return IdentityNotice(
                kind: ["consent-revoked", "account-delete", "account-deleted"].contains(event.type)
                    ? .ended : .other,
                subject: event.sub, at: Date(timeIntervalSince1970: seconds))
        }
    }

    // MARK: - Tokens

    /// What this server shows for itself ("Creating a client secret").
    private func clientSecret(at now: Date) async throws -> String {
        let keys = JWTKeyCollection()
        let id = JWKIdentifier(string: client.keyId)
        await keys.add(ecdsa: secretKey, kid: id)
        return try await keys.sign(
            ClientSecret(
                iss: client.teamId, iat: Int(now.timeIntervalSince1970),
                exp: Int(now.addingTimeInterval(Self.secretLifetime).timeIntervalSince1970), aud: Self.address,
                sub: client.servicesId), kid: id)
    }

    /// A token that Apple has signed for this client and that is good now.
    ///
    /// Which algorithm checks the signature is ours to say, never the token's (RFC 8725 section 3.1): the key is
    /// looked up by its id and checks RS256 alone.
    private func verified(_ token: String, mustExpire: Bool, at now: Date) async throws -> AppleClaims {
        let header = try TokenHeader(of: token)
        guard header.alg == "RS256", header.crit == nil else { throw IdentityFault.refused(.algorithm) }
        guard let id = header.kid, let key = try await keys.key(id, at: now) else {
            throw IdentityFault.refused(.key)
        }
        let claims: AppleClaims
        do {
            let only = JWTKeyCollection()
            await only.add(rsa: key, digestAlgorithm: .sha256)
            claims = try await only.verify(token)
        } catch let error as JWTError where error.errorType == .signatureVerificationFailed {
            throw IdentityFault.refused(.signature)
        } catch {
            throw IdentityFault.refused(.malformed)
        }
        guard claims.iss == address else { throw IdentityFault.refused(.issuer) }
        guard claims.aud?.value == [client.servicesId] else { throw IdentityFault.refused(.audience) }
        guard claims.exp != nil || !mustExpire,
            claims.exp.map({ now < Date(timeIntervalSince1970: $0).addingTimeInterval(Self.skew) }) ?? true
        else { throw IdentityFault.refused(.expired) }
        guard let issuedAt = claims.iat,
            [issuedAt, claims.nbf ?? issuedAt].allSatisfy({
                Date(timeIntervalSince1970: $0) <= now.addingTimeInterval(Self.skew)
            })
        else { throw IdentityFault.refused(.notYet) }
        return claims
    }

    private func reporting<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let fault as IdentityFault {
            report(fault)
            throw fault
        }
    }
}

// MARK: - What goes over the wire

private struct ClientSecret: JWTPayload {
    let iss: String
    let iat: Int
    let exp: Int
    let aud: String
    let sub: String

    func verify(using algorithm: some JWTAlgorithm) {}
}

private struct Tokens: Decodable {
    let idToken: String
    let refreshToken: String?

    enum CodingKeys: String, CodingKey {
        case idToken = "id_token"
        case refreshToken = "refresh_token"
    }
}

private struct Refusal: Decodable { let error: String }

/// The claims of an identity token and of a notification; which of them must be there is checked after the
/// signature, each with its own fault.
private struct AppleClaims: JWTPayload {
    let iss: String?
    let aud: AudienceClaim?
    let exp: Double?
    let iat: Double?
    let nbf: Double?
    let nonce: String?
    let sub: String?
    let email: String?
    /// A boolean, or its text.
    let isEmailVerified: BoolClaim?
    /// JSON inside of the JSON.
    let events: String?

    enum CodingKeys: String, CodingKey {
        case iss, aud, exp, iat, nbf, nonce, sub, email, events
        case isEmailVerified = "email_verified"
    }

    /// The claims are held against the request's clock, by whoever asked.
    func verify(using algorithm: some JWTAlgorithm) {}
}

private struct Event: Decodable {
    let type: String
    let sub: String
    let time: Double

    enum CodingKeys: String, CodingKey {
        case type, sub
        case time = "event_time"
    }
}

/// What a token says about its own signature (RFC 7515 section 4.1), read before anything is believed.
private struct TokenHeader: Decodable {
    let alg: String?
    let kid: String?
    /// Extensions that must be understood; none is here.
    let crit: [String]?

    init(of token: String) throws {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= BoundedHTTP.limit else {
            throw IdentityFault.refused(.malformed)
        }
        let plain = parts[0].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(base64Encoded: padded) ?? Data())
        } catch {
            throw IdentityFault.refused(.malformed)
        }
    }
}
