public import Domain
public import Foundation
public import Observation

/// The session of an account on this device, as it is stored.
public struct StoredSession: Codable, Sendable, Hashable {
    var userId: UUID
    var profileId: UUID?
    var pgId: UUID?
    var roles: [String]
    var accessToken: String
    var accessExpiresAt: Date
    var refreshToken: String
}

/// The place of the session's tokens: the keychain on Apple systems, a private file elsewhere.
public protocol SessionStorage: Sendable {
    func load() throws -> StoredSession?
    func save(_ session: StoredSession?) throws
}

/// Tokens in a file that only this user of the system can read.
public struct SessionFile: SessionStorage {
    private let file: URL

    public init(_ file: URL) { self.file = file }

    public func load() throws -> StoredSession? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try JSONDecoder().decode(StoredSession.self, from: Data(contentsOf: file))
    }

    public func save(_ session: StoredSession?) throws {
        guard let session else {
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
            return
        }
        let next = file.appendingPathExtension("new")
        guard
            FileManager.default.createFile(
                atPath: next.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forWritingTo: next)
        try handle.write(contentsOf: JSONEncoder().encode(session))
        try handle.synchronize()
        try handle.close()
        // In one step: a process that ends here still has the former session or the new one.
        guard rename(next.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

/// The result of a sign-in with a password.
public enum SignInResult: Sendable, Hashable {
    case signedIn
    /// The account has an authenticator app. The token belongs to its code.
    case needsCode(token: String)
    /// The account waits for a confirmation, such as by a parent.
    case waits
    /// Apple's account belongs to nobody on this server. The token belongs to the sign-up.
    case noAccount(signUpToken: String)
}

/// The challenge of a sign-in with a passkey.
public struct PasskeyChallenge: Codable, Sendable, Hashable {
    /// The challenge in Base64url.
    public let challenge: String
    /// The domain to which the passkey belongs.
    public let relyingParty: String

    public init(challenge: String, relyingParty: String) {
        self.challenge = challenge
        self.relyingParty = relyingParty
    }
}

/// An auth manager with which a person can sign in or make an account.
@MainActor
public protocol SignInManager: RenewingAuthManager, GuestPages {
    /// Starts a session with an email address and a password. Throws `APIError`.
    func signIn(email: String, password: String) async throws -> SignInResult
    /// Completes a sign-in that asked for a code. Throws `APIError`; after a wrong code the token is still good.
    func signIn(code: String, token: String) async throws
    /// Asks the server for the challenge of a sign-in with a passkey. Throws `APIError`.
    func startPasskey() async throws -> PasskeyChallenge
    /// Starts a session with a passkey's answer to a challenge. Throws `APIError`.
    ///
    /// - Parameter assertion: The fields of the answer in Base64url, by their names in docs/api.md.
    func signIn(passkey assertion: [String: String]) async throws
    /// Asks the server for the nonce of a sign-in with Apple; `nil` if the school has not set it up. Throws `APIError`.
    func startApple() async throws -> String?
    /// Starts a session with Apple's identity token. Throws `APIError`.
    ///
    /// - Parameters:
    ///   - code: The authorization code of the same sign-in.
    ///   - nonce: The nonce of `startApple()`, which the token contains.
    ///   - name: The person's name, which Apple returns only the first time.
    func signIn(
        apple identityToken: String, code: String?, nonce: String, name: String?
    ) async throws -> SignInResult
}

/// The session with a real server.
@MainActor @Observable
public final class LiveAuthManager: SignInManager {
    @ObservationIgnored let transport: HTTPTransport
    @ObservationIgnored private let storage: any SessionStorage
    @ObservationIgnored private let clock: any WallClock
    @ObservationIgnored private var renewal: Task<String, any Error>?
    private var session: StoredSession?

    /// - Parameters:
    ///   - server: The address of the server.
    ///   - storage: The place of the tokens.
    ///   - language: The language of the server's sentences; `nil` for those of the device.
    public init(
        server: URL, storage: any SessionStorage, clock: any WallClock = SystemClock(), language: Language? = nil
    ) throws {
        transport = HTTPTransport(server: server, language: language)
        self.storage = storage
        self.clock = clock
        session = try storage.load()
    }

    public var isAuthenticated: Bool { session != nil }
    public var userId: UUID? { session?.userId }
    public var profileId: UUID? { session?.profileId }
    public var currentPgId: UUID? { session?.pgId }
    public var userRole: [String] { session?.roles ?? [] }

    /// Changes the residence that the person looks at.
    public func choose(pgId: UUID?) throws {
        session?.pgId = pgId
        try storage.save(session)
    }

    private struct Tokens: Decodable {
        let accessToken: String?
        let accessExpiresAt: Date?
        let refreshToken: String?
        let secondStepToken: String?
        /// The token with which a person without an account could sign up.
        let signUpToken: String?
    }

    struct Me: Decodable {
        let userId: UUID?
        let profileId: UUID?
        let userRole: [String]
    }

    private struct Home: Codable, Sendable { let id: UUID }

    /// Takes the session of an account, in the place of the one before.
    func start(_ new: StoredSession) throws {
        try storage.save(new)
        session = new
    }

    /// Starts a session with an email address and a password. Throws `APIError`.
    public func signIn(email: String, password: String) async throws -> SignInResult {
        try await result(try await post("/api/v1/auth/sign-in", ["email": email, "password": password]))
    }

    private func result(_ tokens: Tokens) async throws -> SignInResult {
        if let token = tokens.secondStepToken { return .needsCode(token: token) }
        if let token = tokens.signUpToken { return .noAccount(signUpToken: token) }
        return try await start(tokens) ? .signedIn : .waits
    }

    private struct Nonce: Decodable { let nonce: String }

    public func startApple() async throws -> String? {
        do {
            let request = APIRequest(.post, "/api/v1/auth/apple/native/options", body: Data("{}".utf8))
            return try APIJSON.decode(Nonce.self, from: try await transport.send(request, token: nil)).nonce
        } catch APIError.refused(let refusal) where refusal.status == 404 {
            return nil
        }
    }

    public func signIn(
        apple identityToken: String, code: String?, nonce: String, name: String?
    ) async throws -> SignInResult {
        var fields = ["identityToken": identityToken, "nonce": nonce]
        fields["authorizationCode"] = code
        fields["name"] = name
        return try await result(try await post("/api/v1/auth/apple/native", fields))
    }

    /// Completes a sign-in that asked for a code. Throws `APIError`; after a wrong code the token is still good.
    ///
    /// - Parameters:
    ///   - code: The code of the authenticator app, or a recovery code.
    ///   - token: The token of `SignInResult.needsCode`.
    public func signIn(code: String, token: String) async throws {
        let tokens = try await post("/api/v1/auth/second-step", ["code": code, "token": token])
        guard try await start(tokens) else { throw APIError.malformed("no tokens") }
    }

    public func startPasskey() async throws -> PasskeyChallenge {
        let request = APIRequest(.post, "/api/v1/auth/passkeys/sign-in/options", body: Data("{}".utf8))
        return try APIJSON.decode(PasskeyChallenge.self, from: try await transport.send(request, token: nil))
    }

    public func signIn(passkey assertion: [String: String]) async throws {
        // The server ends the session that the new one replaces.
        let tokens = try await post("/api/v1/auth/passkeys/sign-in", assertion, token: try await formerToken())
        guard try await start(tokens) else { throw APIError.malformed("no tokens") }
    }

    /// Starts the session of an answer to a sign-in; returns whether the answer has one.
    private func start(_ tokens: Tokens) async throws -> Bool {
        guard let access = tokens.accessToken, let refresh = tokens.refreshToken else { return false }
        let me = try APIJSON.decode(
            Me.self, from: try await transport.send(APIRequest(.get, "/api/v1/auth/me"), token: access))
        guard let userId = me.userId else { throw APIError.signInNeeded }
        try start(
            StoredSession(
                userId: userId, profileId: me.profileId, pgId: try await firstResidence(access), roles: me.userRole,
                accessToken: access, accessExpiresAt: tokens.accessExpiresAt ?? clock.now, refreshToken: refresh))
        return true
    }

    /// The first residence that the person runs, or else the one where the person lives; `nil` for everyone else.
    private func firstResidence(_ token: String) async throws -> UUID? {
        do {
            let data = try await transport.send(APIRequest(.get, "/api/v1/residences"), token: token)
            if let first = try APIJSON.decode(APIPage<Home>.self, from: data).items.first { return first.id }
        } catch APIError.refused {}
        do {
            let data = try await transport.send(APIRequest(.get, "/api/v1/residence"), token: token)
            return try APIJSON.decode(Home.self, from: data).id
        } catch APIError.refused { return nil }
    }

    /// The access token of the session that a sign-in replaces; `nil` without one, or if it has ended.
    private func formerToken() async throws -> String? {
        guard let session else { return nil }
        do {
            return try await accessToken(for: session.userId)
        } catch APIError.signInNeeded {
            return nil
        }
    }

    private func post(_ path: String, _ body: [String: String], token: String? = nil) async throws -> Tokens {
        let data = try await transport.send(APIRequest(.post, path, body: try APIJSON.encode(body)), token: token)
        return try APIJSON.decode(Tokens.self, from: data)
    }

    // MARK: - Pages before the sign-in

    public func page(at address: String, accept: String) async throws -> APIAnswer {
        var request = APIRequest(.get, address)
        request.accept = accept
        return try await transport.answer(request, token: nil)
    }

    public func run(_ command: PageCommand) async throws -> GuestAnswer {
        let answer = try await transport.answer(command.request(at: clock.now, for: nil), token: nil)
        let tokens = try APIJSON.decode(Tokens.self, from: answer.body)
        let isSignIn =
            tokens.accessToken != nil || tokens.secondStepToken != nil || tokens.signUpToken != nil
        return GuestAnswer(
            answer: PageCommandAnswer(answer), signIn: isSignIn ? try await result(tokens) : nil)
    }

    // MARK: - Tokens

    public func accessToken(for account: UUID) async throws -> String {
        guard let session, session.userId == account else { throw APIError.signInNeeded }
        if session.accessExpiresAt > clock.now.addingTimeInterval(30) { return session.accessToken }
        return try await renew(session.accessToken, for: account)
    }

    public func renew(_ token: String, for account: UUID) async throws -> String {
        guard let session, session.userId == account else { throw APIError.signInNeeded }
        guard session.accessToken == token else { return session.accessToken }
        // Several requests that meet the end of a token renew it once.
        if let renewal { return try await renewal.value }
        let task = Task { try await self.renewNow(session) }
        renewal = task
        defer { renewal = nil }
        return try await task.value
    }

    private func renewNow(_ old: StoredSession) async throws -> String {
        let tokens: Tokens
        do {
            tokens = try await post("/api/v1/auth/refresh", ["refreshToken": old.refreshToken])
        } catch let error as APIError {
            switch error {
            case .signInNeeded: try end(old)
            case .refused(let refusal) where !refusal.isTransient: try end(old)
            default: throw error
            }
            throw APIError.signInNeeded
        }
        guard let access = tokens.accessToken, let refresh = tokens.refreshToken else {
            throw APIError.malformed("no tokens")
        }
        // The person may have signed out meanwhile.
        guard session?.refreshToken == old.refreshToken else { throw APIError.signInNeeded }
        session?.accessToken = access
        session?.accessExpiresAt = tokens.accessExpiresAt ?? clock.now
        session?.refreshToken = refresh
        try storage.save(session)
        return access
    }

    private func end(_ old: StoredSession) throws {
        guard session?.refreshToken == old.refreshToken else { return }
        session = nil
        try storage.save(nil)
    }

    public func signOut() async {
        guard let ended = session else { return }
        session = nil
        do {
            try storage.save(nil)
            // Without a connection the session stays on the server until it expires; this device has no tokens of it.
            _ = try await transport.send(
                APIRequest(.post, "/api/v1/auth/sign-out", body: Data("{}".utf8)), token: ended.accessToken)
        } catch { return }
    }
}
