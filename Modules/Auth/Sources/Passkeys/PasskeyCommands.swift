import AuthInterface
import Domain
import FeatureKit
import Foundation

struct StartPasskey: Command {
    static let contract = Contract(
        "auth.startPasskey", "/api/v1/auth/passkeys/options", access: .account, store: .directory,
        replay: .natural, summary: "What a browser needs to make a passkey; asks for the password once more.")

    /// The variable parts of `PublicKeyCredentialCreationOptions`.
    struct Result: Codable, Sendable, Hashable {
        let challenge: String
        let relyingParty: String
        let relyingPartyName: String
        let userId: String
        let userName: String
        let displayName: String
        let algorithms: [Int]
        let known: [String]
    }

    let password: String

    init(_ fields: inout FieldReader) { password = fields.currentPassword() }
}

struct AddPasskey: Command {
    static let contract = Contract(
        "auth.addPasskey", "/api/v1/auth/passkeys", access: .account, store: .directory, isCreation: true,
        replay: .natural, summary: "Keeps a passkey that the caller's browser has made.")
    typealias Result = Passkey

    let name: String
    let clientData: String
    let attestation: String

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 60)
        clientData = fields.text("clientData", max: 4000)
        attestation = fields.text("attestation", max: 8000)
    }
}

struct ListPasskeys: Query {
    static let contract = Contract(
        "auth.passkeys", "/api/v1/auth/passkeys", access: .account, store: .directory,
        summary: "The caller's passkeys, the oldest first.")
    typealias Result = Page<Passkey>

    init(_ fields: inout FieldReader) {}
}

struct RenamePasskey: Command {
    static let contract = Contract(
        "auth.renamePasskey", "/api/v1/auth/passkeys/{passkeyId}/rename", access: .account, store: .directory,
        replay: .natural, summary: "Gives one of the caller's passkeys another name.")
    typealias Result = Done

    let passkeyId: String
    let name: String

    init(_ fields: inout FieldReader) {
        passkeyId = fields.text("passkeyId", max: 1400)
        name = fields.text("name", max: 60)
    }
}

struct RemovePasskey: Command {
    static let contract = Contract(
        "auth.removePasskey", "/api/v1/auth/passkeys/{passkeyId}/remove", access: .account, store: .directory,
        replay: .natural, summary: "Takes one of the caller's passkeys away, with their password.")
    typealias Result = Done

    let passkeyId: String
    let password: String

    init(_ fields: inout FieldReader) {
        passkeyId = fields.text("passkeyId", max: 1400)
        password = fields.currentPassword()
    }
}

struct StartPasskeySignIn: Command {
    static let contract = Contract(
        "auth.startPasskeySignIn", "/api/v1/auth/passkeys/sign-in/options", access: .anyone, store: .directory,
        replay: .natural, summary: "What a browser needs to sign in with a passkey.")

    struct Result: Codable, Sendable, Hashable {
        let challenge: String
        let relyingParty: String
    }

    init(_ fields: inout FieldReader) {}
}

struct SignInWithPasskey: Command {
    static let contract = Contract(
        "auth.passkeySignIn", "/api/v1/auth/passkeys/sign-in", access: .anyone, store: .directory,
        replay: .natural, summary: "Starts a session with a passkey, which counts as a second factor.")
    typealias Result = SessionTokens

    let passkeyId: String
    let clientData: String
    let authenticatorData: String
    let signature: String
    let userHandle: String?

    init(_ fields: inout FieldReader) {
        passkeyId = fields.text("passkeyId", max: 1400)
        clientData = fields.text("clientData", max: 4000)
        authenticatorData = fields.text("authenticatorData", max: 4000)
        signature = fields.text("signature", max: 4000)
        userHandle = fields.optionalText("userHandle", max: 100)
    }
}

/// The handlers of passkeys.
struct PasskeyHandlers: Sendable {
    /// Seconds for which a challenge works.
    static let challengeLifetime: TimeInterval = 5 * 60

    let auth: AuthService
    let directory: any Database
    let passwords: PasswordCheck
    let notices: AccountNotices
    /// `nil` when this server's address cannot have passkeys.
    let webAuthn: WebAuthn?
    /// Limits challenges per network address.
    let limit = RateLimiter(limit: 200, period: 5 * 60)

    var commands: [CommandRegistration] {
        [
            .handle(
                StartPasskey.self,
                prepare: { command, context in try await passwords.check(command.password, context) },
                run: { _, _, context in try start(context) }),
            .handle(AddPasskey.self, prepare: prepare(add:_:), run: run(add:_:_:)),
            .handle(RenamePasskey.self) { command, context in
                try PasskeyRepository.rename(
                    command.passkeyId, to: command.name, of: context.account.id, in: context.sql)
                context.destination = SecondFactorScreens.home
                return Done()
            },
            .handle(
                RemovePasskey.self,
                prepare: { command, context in try await passwords.check(command.password, context) },
                run: { command, _, context in try remove(command.passkeyId, &context) }),
            .handle(
                StartPasskeySignIn.self,
                prepare: { _, context in try limit.take([context.remoteAddress], at: context.now) },
                run: { _, _, context in
                    let webAuthn = try on()
                    return StartPasskeySignIn.Result(
                        challenge: try challenge(for: nil, context), relyingParty: webAuthn.relyingParty)
                }),
            .handle(SignInWithPasskey.self, prepare: prepare(signIn:_:), run: run(signIn:_:_:)),
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListPasskeys.self) { _, context in
                let id = try context.account.id
                return Page(
                    items: try await directory.read { try PasskeyRepository.passkeys(of: id, in: $0) }, next: nil)
            }
        ]
    }

    private func on() throws -> WebAuthn {
        guard let webAuthn else { throw Problem(409, "auth.noPasskeysHere") }
        return webAuthn
    }

    private func challenge(for accountId: UUID?, _ context: CommandContext) throws -> String {
        let challenge = context.ids.token()
        try PasskeyRepository.insertChallenge(
            auth.hasher.fingerprint(challenge), accountId: accountId,
            expiresAt: context.now.addingTimeInterval(Self.challengeLifetime), at: context.now, in: context.sql)
        return challenge
    }

    /// Uses the challenge that the answer names, even when the answer is refused later.
    private func useChallenge(
        in clientData: [UInt8], for accountId: UUID?, at now: Date
    ) async throws -> String {
        let challenge = try WebAuthn.challenge(in: clientData)
        let fingerprint = auth.hasher.fingerprint(challenge)
        // conformance: allow write - a challenge is good for one try, also where the try fails
        let isOpen = try await directory.write {
            try PasskeyRepository.useChallenge(fingerprint, accountId: accountId, at: now, in: $0)
        }
        guard isOpen else { throw WebAuthn.Refusal.challenge }
        return challenge
    }

    // MARK: - Making and removing

    private func start(_ context: CommandContext) throws -> StartPasskey.Result {
        let (webAuthn, account) = (try on(), try context.account)
        try SecondFactorState.requireShown(by: account, in: context.sql)
        return StartPasskey.Result(
            challenge: try challenge(for: account.id, context), relyingParty: webAuthn.relyingParty,
            relyingPartyName: SecondFactorHandlers.issuer, userId: Self.handle(account.id),
            userName: account.email, displayName: account.name, algorithms: WebAuthn.algorithms,
            known: try PasskeyRepository.passkeys(of: account.id, in: context.sql).map(\.id))
    }

    private func prepare(add command: AddPasskey, _ context: RequestContext) async throws -> WebAuthn.Credential {
        let (webAuthn, account) = (try on(), try context.account)
        return try await refusing(Problem(422, "auth.passkeyRefused")) {
            let clientData = try Self.bytes(command.clientData)
            let challenge = try await useChallenge(in: clientData, for: account.id, at: context.now)
            return try webAuthn.register(
                clientData: clientData, attestation: Self.bytes(command.attestation), challenge: challenge)
        }
    }

    private func run(
        add command: AddPasskey, _ credential: WebAuthn.Credential, _ context: inout CommandContext
    ) throws -> Passkey {
        let account = try context.account
        try PasskeyRepository.insert(
            credential, name: command.name, of: account.id, at: context.now, in: context.sql)
        try auth.markSecondFactor(of: account.sessionId, in: context)
        try notices.post(.passkeyAdded, in: context)
        context.destination = SecondFactorScreens.home
        context.feedback = Feedback(.toast, context.words("auth.passkey.added"))
        return Passkey(
            id: Base64URL.encode(credential.id), name: command.name, madeAt: context.now, usedAt: nil)
    }

    private func remove(_ id: String, _ context: inout CommandContext) throws -> Done {
        let account = try context.account
        guard try PasskeyRepository.passkeys(of: account.id, in: context.sql).contains(where: { $0.id == id })
        else {
            throw Problem.notFound
        }
        // A session with only the password must not remove the stronger factor.
        guard account.hasSecondFactor else { throw Problem(403, "auth.showFactorFirst") }
        try PasskeyRepository.remove(id, of: account.id, in: context.sql)
        try auth.clearSecondFactor(of: account.id, in: context)
        try notices.post(.passkeyRemoved, in: context)
        context.destination = SecondFactorScreens.home
        context.feedback = Feedback(.toast, context.words("auth.passkey.removed"))
        return Done()
    }

    // MARK: - Signing in

    private struct Shown: Sendable {
        let accountId: UUID
        let signCount: UInt32
        let former: UInt32
    }

    private func prepare(signIn command: SignInWithPasskey, _ context: RequestContext) async throws -> Shown {
        let webAuthn = try on()
        return try await refusing(Problem(401, "auth.wrongPasskey")) {
            let clientData = try Self.bytes(command.clientData)
            let challenge = try await useChallenge(in: clientData, for: nil, at: context.now)
            let stored = try await directory.read { try PasskeyRepository.stored(command.passkeyId, in: $0) }
            guard let stored, command.userHandle.map({ $0 == Self.handle(stored.accountId) }) ?? true else {
                throw WebAuthn.Refusal.key
            }
            let count = try webAuthn.authenticate(
                clientData: clientData, authenticatorData: Self.bytes(command.authenticatorData),
                signature: Self.bytes(command.signature), challenge: challenge, key: stored.key,
                signCount: stored.signCount)
            return Shown(accountId: stored.accountId, signCount: count, former: stored.signCount)
        }
    }

    private func run(
        signIn command: SignInWithPasskey, _ shown: Shown, _ context: inout CommandContext
    ) throws -> SessionTokens {
        guard
            try PasskeyRepository.use(
                command.passkeyId, signCount: shown.signCount, from: shown.former, at: context.now,
                in: context.sql),
            let known = try AccountRepository.credential(id: shown.accountId, in: context.sql)
        else { throw Problem(401, "auth.wrongPasskey") }
        // The new session has a second factor, so it replaces the current one of the same account.
        if let former = context.caller.account, former.id == shown.accountId {
            try auth.end(former.sessionId, in: context)
        }
        return try auth.open(known.account, hasSecondFactor: true, &context)
    }

    // MARK: - Small things

    private static func bytes(_ text: String) throws -> [UInt8] {
        guard let bytes = Base64URL.decode(text) else { throw WebAuthn.Refusal.clientData }
        return bytes
    }

    /// The user handle (level 2, section 5.4.3): the account's id, without personal data.
    private static func handle(_ accountId: UUID) -> String {
        Base64URL.encode(withUnsafeBytes(of: accountId.uuid) { Array($0) })
    }

    /// Throws the same problem for every failed check, so that the answer does not reveal which one.
    private func refusing<Value>(_ problem: Problem, _ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch is WebAuthn.Refusal {
            throw problem
        }
    }
}
