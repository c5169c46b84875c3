import Crypto
import CryptoExtras
import Foundation
import Synchronization

/// A stand-in for Sign in with Apple: page, codes, tokens, published keys and revocations. Checks a server's requests
/// as Apple does, and forges answers on request.
final class StandInApple: Sendable {
    struct Person: Sendable {
        var subject = "001234.ana.0001"
        var email: String? = "ana@privaterelay.example"
        var isVerified = true
        var firstName = "Ana"
        var lastName = "Kovač"
    }

    /// How an endpoint answers.
    enum Mood: Sendable {
        case fine
        case failing
        /// Never answers.
        case silent
        /// Sends single bytes without end.
        case dripping
        case nonsense
        /// Sends more than a client should read.
        case huge
        case redirecting
    }

    /// A difference of a token from a genuine one.
    struct Forgery: Sendable {
        var header: [String: String?] = [:]
        var claims: [String: Claim?] = [:]
        var signing: Signing = .genuine
    }

    enum Claim: Sendable {
        case text(String)
        case number(Double)
        case flag(Bool)
        case list([String])

        var json: Any {
            switch self {
            case .text(let text): text
            case .number(let number): number
            case .flag(let flag): flag
            case .list(let list): list
            }
        }
    }

    enum Signing: Sendable {
        case genuine
        case rs256(SigningKey)
        /// Signed with HMAC and the public key as the secret, which confused verifiers have accepted.
        case hs256WithPublicKey
        case none
    }

    struct SigningKey: Sendable {
        let id: String
        let key: _RSA.Signing.PrivateKey

        /// The key of each stand-in at its start. Making one takes a second in a build without optimization.
        static let first = Result { try SigningKey("key-1") }

        init(_ id: String) throws {
            self.id = id
            key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        }
    }

    struct Grant: Sendable {
        let client: String
        let nonce: String
        /// The address of a browser's return; `nil` for the app.
        let returnAddress: String?
        let person: Person
    }

    struct State: Sendable {
        var person = Person()
        var keys: [SigningKey]
        var cacheControl: String?
        var forgery = Forgery()
        var moods: [String: Mood] = [:]
        /// The number of requests per endpoint.
        var asked: [String: Int] = [:]
        var grants: [String: Grant] = [:]
        /// The clients of the refresh tokens that are valid.
        var refreshTokens: [String: String] = [:]
        var revoked: [String] = []
        var greeted: Set<String> = []
        var address = ""
        var number = 0

        mutating func next(_ kind: String) -> String {
            number += 1
            return "\(kind)-\(number)-\(UUID().uuidString)"
        }
    }

    static let servicesId = "example.tower.web"
    /// The bundle id of the school's app.
    static let appId = "example.tower.app"
    static let teamId = "TEAM123456"
    static let keyId = "KEY1234567"

    /// The key with which the server signs its client secret.
    let clientKey = P256.Signing.PrivateKey()
    /// The key as a `.p8` file.
    var keyFile: Data { Data(clientKey.pemRepresentation.utf8) }
    let clock: @Sendable () -> Date
    private let guarded: Mutex<State>

    init(clock: @escaping @Sendable () -> Date = { Date() }) throws {
        self.clock = clock
        guarded = Mutex(State(keys: [try SigningKey.first.get()]))
    }

    var state: State { guarded.withLock { $0 } }

    @discardableResult
    func change<Value>(_ work: (inout sending State) -> sending Value) -> sending Value { guarded.withLock(work) }

    // MARK: - The page

    struct Refused: Error, CustomStringConvertible { let description: String }

    /// The form that the browser posts after an approval.
    struct Answer: Sendable {
        let returnAddress: String
        let fields: [(name: String, value: String)]

        subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    /// Parses an authorization request as Apple's page does. Throws for requests that Apple refuses.
    func request(_ address: String) throws -> (state: String, nonce: String, returnAddress: String) {
        let items = URLComponents(string: address)?.queryItems ?? []
        func value(_ name: String) throws -> String {
            let found = items.filter { $0.name == name }
            guard found.count == 1, let value = found[0].value, !value.isEmpty else {
                throw Refused(description: "\(name) is missing or there twice")
            }
            return value
        }
        let expected = [
            "client_id": Self.servicesId, "response_type": "code", "response_mode": "form_post",
            "scope": "name email",
        ]
        for (name, wanted) in expected where try value(name) != wanted {
            throw Refused(description: "\(name) is \(try value(name))")
        }
        return try (value("state"), value("nonce"), value("redirect_uri"))
    }

    /// Approves a request as the current person.
    func agree(to address: String) throws -> Answer {
        let request = try request(address)
        let person = state.person
        let user = try Self.json([
            "name": ["firstName": person.firstName, "lastName": person.lastName], "email": person.email ?? "",
        ])
        return change { state in
            let code = state.next("code")
            state.grants[code] = Grant(
                client: Self.servicesId, nonce: request.nonce, returnAddress: request.returnAddress, person: person)
            var fields = [("state", request.state), ("code", code)]
            // Sent the first time only.
            if state.greeted.insert(person.subject).inserted { fields.append(("user", user)) }
            return Answer(returnAddress: request.returnAddress, fields: fields)
        }
    }

    func cancel(_ address: String) throws -> Answer {
        let request = try request(address)
        return Answer(
            returnAddress: request.returnAddress,
            fields: [("state", request.state), ("error", "user_cancelled_authorize")])
    }

    // MARK: - Tokens

    /// The answer of `/auth/token`.
    func exchange(_ fields: [String: String]) throws -> (status: Int, json: String) {
        guard let client = client(fields) else { return (400, #"{"error":"invalid_client"}"#) }
        guard fields["grant_type"] == "authorization_code",
            let code = fields["code"], let grant = change({ $0.grants.removeValue(forKey: code) }),
            grant.client == client, grant.returnAddress == fields["redirect_uri"]
        else { return (400, #"{"error":"invalid_grant"}"#) }
        let refresh = change { state in
            let token = state.next("refresh")
            state.refreshTokens[token] = client
            return token
        }
        return (
            200,
            try Self.json([
                "access_token": "unused", "token_type": "Bearer", "expires_in": 3600, "refresh_token": refresh,
                "id_token": identityToken(of: grant.person, for: client, nonce: grant.nonce),
            ])
        )
    }

    /// The identity token that the app on a device gets when the current person agrees.
    func appToken(nonce: String) throws -> String {
        try identityToken(of: state.person, for: Self.appId, nonce: nonce)
    }

    /// The code that the app gets with the identity token of the current person.
    func appCode(nonce: String) -> String {
        change { state in
            let code = state.next("app-code")
            state.grants[code] = Grant(
                client: Self.appId, nonce: nonce, returnAddress: nil, person: state.person)
            return code
        }
    }

    private func identityToken(of person: Person, for client: String, nonce: String) throws -> String {
        let now = clock().timeIntervalSince1970.rounded()
        var claims: [String: Claim] = [
            "iss": .text(state.address), "aud": .text(client), "iat": .number(now),
            "exp": .number(now + 600), "nonce": .text(nonce), "sub": .text(person.subject),
            "auth_time": .number(now), "nonce_supported": .flag(true),
        ]
        if let email = person.email {
            claims["email"] = .text(email)
            // Apple sends this flag as text.
            claims["email_verified"] = .text(person.isVerified ? "true" : "false")
        }
        return try token(claims)
    }

    /// A signed report as Apple posts it.
    func notice(
        _ type: String, subject: String? = nil, at instant: Date? = nil, for client: String = servicesId
    ) throws -> String {
        let instant = instant ?? clock()
        let event = try Self.json([
            "type": type, "sub": subject ?? state.person.subject,
            "event_time": Int(instant.timeIntervalSince1970 * 1000),
        ])
        return try token([
            "iss": .text(state.address), "aud": .text(client),
            "iat": .number(clock().timeIntervalSince1970.rounded()), "jti": .text(UUID().uuidString),
            "events": .text(event),
        ])
    }

    /// A token, signed as the current forgery says.
    private func token(_ genuine: [String: Claim]) throws -> String {
        let state = state
        let key: SigningKey
        if case .rs256(let other) = state.forgery.signing { key = other } else { key = state.keys[0] }
        var header: [String: String] = ["alg": "RS256", "kid": key.id, "typ": "JWT"]
        switch state.forgery.signing {
        case .none: header["alg"] = "none"
        case .hs256WithPublicKey: header["alg"] = "HS256"
        case .genuine, .rs256: break
        }
        for (name, value) in state.forgery.header { header[name] = value }
        var claims = genuine.mapValues(\.json)
        for (name, value) in state.forgery.claims { claims[name] = value?.json }
        let signed =
            try Self.base64URL(Data(Self.json(header).utf8)) + "." + Self.base64URL(Data(Self.json(claims).utf8))
        let message = Data(signed.utf8)
        let signature: Data
        switch state.forgery.signing {
        case .none: signature = Data()
        case .hs256WithPublicKey:
            let secret = SymmetricKey(data: Data(key.key.publicKey.pemRepresentation.utf8))
            signature = Data(HMAC<SHA256>.authenticationCode(for: message, using: secret))
        case .genuine, .rs256:
            signature = try key.key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                .rawRepresentation
        }
        return signed + "." + Self.base64URL(signature)
    }

    /// The client of a request, if its secret meets Apple's requirements ("Creating a client secret").
    private func client(_ fields: [String: String]) -> String? {
        let parts = (fields["client_secret"] ?? "").split(separator: ".").map(String.init)
        // An unreadable secret is no client's.
        guard let client = fields["client_id"], [Self.servicesId, Self.appId].contains(client), parts.count == 3,
            let signature = Self.bytes(parts[2]),
            let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signed = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            clientKey.publicKey.isValidSignature(signed, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { return nil }
        let now = clock().timeIntervalSince1970
        let isGood =
            header["alg"] as? String == "ES256" && header["kid"] as? String == Self.keyId
            && claims["iss"] as? String == Self.teamId && claims["sub"] as? String == client
            && claims["aud"] as? String == "https://appleid.apple.com"
            && (claims["iat"] as? Double ?? .infinity) <= now + 1
            && (now..<(now + 15_777_000)).contains(claims["exp"] as? Double ?? 0)
        return isGood ? client : nil
    }

    /// The answer of `/auth/revoke`.
    func revoke(_ fields: [String: String]) -> (status: Int, json: String) {
        guard let client = client(fields) else { return (400, #"{"error":"invalid_client"}"#) }
        let token = fields["token"] ?? ""
        return change { state in
            // Only the client that got a token revokes it.
            guard state.refreshTokens[token] == client else { return (400, #"{"error":"invalid_request"}"#) }
            state.refreshTokens[token] = nil
            state.revoked.append(token)
            return (200, "{}")
        }
    }

    /// The answer of `/auth/keys`.
    func keySet() throws -> String {
        let keys = try state.keys.map { key -> [String: String] in
            let numbers = try key.key.publicKey.getKeyPrimitives()
            return [
                "kty": "RSA", "use": "sig", "alg": "RS256", "kid": key.id, "n": Self.base64URL(numbers.modulus),
                "e": Self.base64URL(numbers.publicExponent),
            ]
        }
        return try Self.json(["keys": keys])
    }

    // MARK: - Helpers

    static func json(_ value: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]), as: UTF8.self)
    }

    static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    private static func bytes(_ text: String) -> Data? {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }

    private static func object(_ part: String) -> [String: Any]? {
        // An unreadable secret is no client's.
        bytes(part).flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    }
}
