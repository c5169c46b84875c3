public import FeatureKit
public import Foundation
import JWTKit

/// Sign in with Apple on the web ("Sign in with Apple REST API"): OpenID Connect with a client secret.
///
/// The developer's key signs a new client secret for each request. The school's app brings its own identity tokens and
/// codes; a person signs in there also while Apple exchanges no codes.
public struct AppleIdentity: IdentityProvider {
    /// The ids under which this server is registered with Apple.
    public struct Client: Sendable {
        /// The Services ID of this server at Apple, which is the OAuth client id.
        public let servicesId: String
        /// The id of the developer team at Apple.
        public let teamId: String
        /// The id of the private key at Apple.
        public let keyId: String

        /// The bundle id of the school's app, which is the audience of its tokens; `nil` without an app.
        public let appId: String?

        /// Creates the client from the ids that Apple gave to this server.
        public init(servicesId: String, teamId: String, keyId: String, appId: String? = nil) {
            self.servicesId = servicesId
            self.teamId = teamId
            self.keyId = keyId
            self.appId = appId
        }
    }

    /// A text that is not the private key of a `.p8` file.
    public struct MalformedKey: Error {}

    /// The address of Apple's service and the issuer of its tokens.
    public static let address = "https://appleid.apple.com"
    /// The largest accepted difference between two clocks, in seconds.
    public static let skew: TimeInterval = 60
    /// The lifetime of a client secret in seconds. Apple allows half a year; each request has its own secret.
    static let secretLifetime: TimeInterval = 5 * 60

    /// The name of the provider in URLs and settings.
    public let name = "apple"
    private let client: Client
    private let address: String
    private let secretKey: ES256PrivateKey
    private let http: BoundedHTTP
    private let keys: SigningKeys
    private let report: @Sendable (IdentityFault) -> Void

    /// Creates the provider. Throws `MalformedKey`.
    ///
    /// - Parameters:
    ///   - client: The registration at Apple.
    ///   - privateKey: The content of the `.p8` file.
    ///   - address: The base URL of the provider, for tests.
    ///   - timeout: Seconds for one response.
    ///   - report: Called with each fault. Faults contain no personal data.
    public init(
        _ client: Client, privateKey: String, at address: String = AppleIdentity.address,
        timeout: TimeInterval = 5, report: @escaping @Sendable (IdentityFault) -> Void = { _ in }
    ) throws {
        do {
            secretKey = try ES256PrivateKey(pem: privateKey)
        } catch {
            throw MalformedKey()
        }
        self.client = client
        self.address = address
        self.report = report
        let http = BoundedHTTP(timeout: timeout)
        self.http = http
        keys = SigningKeys { try await http.fetch("\(address)/auth/keys") }
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
            let tokens = try await exchange(
                code, for: client.servicesId, [("redirect_uri", returnAddress)], at: now)
            return try await identity(
                token: tokens.idToken, of: client.servicesId, nonce: nonce, refreshToken: tokens.refreshToken,
                at: now)
        }
    }

    public var hasApp: Bool { client.appId != nil }

    public func identity(
        token: String, code: String?, nonce: String, at now: Date
    ) async throws -> ProvidedIdentity {
        guard let appId = client.appId else { throw IdentityFault.refused(.audience) }
        let person = try await reporting {
            try await identity(token: token, of: appId, nonce: nonce, refreshToken: nil, at: now)
        }
        guard let code else { return person }
        do {
            let refreshToken = try await reporting {
                let tokens = try await exchange(code, for: appId, at: now)
                // The code of another person would leave their grant with this account. Its token may lack the nonce.
                let claims = try await verified(tokens.idToken, for: [appId], mustExpire: true, at: now)
                guard claims.sub == person.subject else { throw IdentityFault.refused(.subject) }
                return tokens.refreshToken
            }
            return ProvidedIdentity(subject: person.subject, email: person.email, refreshToken: refreshToken)
        } catch is IdentityFault {
            // The token has proved who the person is. Their next sign-in brings another code.
            return person
        }
    }

    /// Exchanges a code ("Generate and validate tokens"). An app has no further fields.
    private func exchange(
        _ code: String, for clientId: String, _ fields: [(String, String)] = [], at now: Date
    ) async throws -> Tokens {
        let answer = try await http.fetch(
            "\(address)/auth/token",
            form: [
                ("client_id", clientId), ("client_secret", clientSecret(of: clientId, at: now)), ("code", code),
                ("grant_type", "authorization_code"),
            ] + fields)
        // RFC 6749 section 5.2. Any other error concerns this server, not the person.
        if answer.status == 400, try answer.json(Refusal.self).error == "invalid_grant" {
            throw IdentityFault.refused(.code)
        }
        guard answer.status == 200 else { throw IdentityFault.unreachable }
        return try answer.json(Tokens.self)
    }

    /// Verifies an identity token of one client of this server.
    private func identity(
        token: String, of audience: String, nonce: String, refreshToken: String?, at now: Date
    ) async throws -> ProvidedIdentity {
        let claims = try await verified(token, for: [audience], mustExpire: true, at: now)
        guard claims.nonce == nonce else { throw IdentityFault.refused(.nonce) }
        guard let subject = claims.sub, !subject.isEmpty, subject.utf8.count <= 255 else {
            throw IdentityFault.refused(.subject)
        }
        return ProvidedIdentity(
            subject: subject, email: claims.isEmailVerified?.value == true ? claims.email : nil,
            refreshToken: refreshToken)
    }

    public func revoke(_ refreshToken: String, of client: IdentityClient, at now: Date) async throws {
        try await reporting {
            guard let clientId = client == .web ? self.client.servicesId : self.client.appId else {
                throw IdentityFault.refused(.audience)
            }
            let answer = try await http.fetch(
                "\(address)/auth/revoke",
                form: [
                    ("client_id", clientId), ("client_secret", clientSecret(of: clientId, at: now)),
                    ("token", refreshToken), ("token_type_hint", "refresh_token"),
                ])
            // An invalid token has nothing to revoke, but a refused client does.
            let isOver = try answer.status == 400 && answer.json(Refusal.self).error != "invalid_client"
            guard answer.status == 200 || isOver else { throw IdentityFault.unreachable }
        }
    }

    public func notice(_ signed: String, at now: Date) async throws -> IdentityNotice {
        try await reporting {
            // The person ended their consent for all clients of the team, whichever of them the report names.
            let clients = [client.servicesId] + (client.appId.map { [$0] } ?? [])
            let claims = try await verified(signed, for: clients, mustExpire: false, at: now)
            guard let text = claims.events else { throw IdentityFault.refused(.malformed) }
            let event: Event
            do {
                event = try JSONDecoder().decode(Event.self, from: Data(text.utf8))
            } catch {
                throw IdentityFault.refused(.malformed)
            }
            guard !event.sub.isEmpty else { throw IdentityFault.refused(.subject) }
            // Apple documents seconds but sends milliseconds.
            let seconds = event.time > 100_000_000_000 ? event.time / 1000 : event.time
            return IdentityNotice(
                kind: ["consent-revoked", "account-delete", "account-deleted"].contains(event.type)
                    ? .ended : .other,
                subject: event.sub, at: Date(timeIntervalSince1970: seconds))
        }
    }

    // MARK: - Tokens

    /// The client secret ("Creating a client secret").
    private func clientSecret(of clientId: String, at now: Date) async throws -> String {
        let keys = JWTKeyCollection()
        let id = JWKIdentifier(string: client.keyId)
        await keys.add(ecdsa: secretKey, kid: id)
        return try await keys.sign(
            ClientSecret(
                iss: client.teamId, iat: Int(now.timeIntervalSince1970),
                exp: Int(now.addingTimeInterval(Self.secretLifetime).timeIntervalSince1970), aud: Self.address,
                sub: clientId), kid: id)
    }

    /// Verifies that Apple signed a token for one of these clients alone and that it is valid now.
    ///
    /// The algorithm is fixed, not taken from the token (RFC 8725 section 3.1): the key is looked up by its id and
    /// verifies RS256 only.
    private func verified(
        _ token: String, for clients: [String], mustExpire: Bool, at now: Date
    ) async throws -> AppleClaims {
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
        guard let audience = claims.aud?.value, clients.contains(where: { audience == [$0] }) else {
            throw IdentityFault.refused(.audience)
        }
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

/// The claims of an identity token or a notification.
///
/// Missing claims are checked after the signature, each with its own fault.
private struct AppleClaims: JWTPayload {
    let iss: String?
    let aud: AudienceClaim?
    let exp: Double?
    let iat: Double?
    let nbf: Double?
    let nonce: String?
    let sub: String?
    let email: String?
    /// A Boolean or its text.
    let isEmailVerified: BoolClaim?
    /// JSON as a string within the JSON.
    let events: String?

    enum CodingKeys: String, CodingKey {
        case iss, aud, exp, iat, nbf, nonce, sub, email, events
        case isEmailVerified = "email_verified"
    }

    /// The caller checks the claims against the request's clock.
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

/// The header of a token (RFC 7515 section 4.1), read before the signature is verified.
private struct TokenHeader: Decodable {
    let alg: String?
    let kid: String?
    /// Critical extensions; none is supported.
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
