import AuthInterface
import Domain
import FeatureKit
import Foundation

struct SignIn: Command {
    static let contract = Contract(
        "auth.signIn", "/api/v1/auth/sign-in", access: .anyone, store: .directory, replay: .natural,
        summary: """
            Starts a session with an e-mail address and a password, or its second step. Where addresses are confirmed, \
            an account that still waits for a mailed link is answered like a wrong password, and the link is mailed again.
            """)
    typealias Result = SignInAnswer

    let email: String
    let password: String

    init(_ fields: inout FieldReader) {
        email = fields.email("email")
        password = fields.secret("password", max: 200)
    }
}

struct SignOut: Command {
    static let contract = Contract(
        "auth.signOut", "/api/v1/auth/sign-out", access: .account, store: .directory, replay: .natural,
        summary: "Ends the caller's session on this device.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

struct RefreshSession: Command {
    static let contract = Contract(
        "auth.refresh", "/api/v1/auth/refresh", access: .anyone, store: .directory, replay: .natural,
        summary: """
            Exchanges a refresh token for new tokens. The old one gets the same refresh token again for a minute, and \
            until a new access token is first used; used later it ends the session.
            """)
    typealias Result = SessionTokens

    let refreshToken: String

    init(_ fields: inout FieldReader) {
        refreshToken = fields.secret("refreshToken", max: 100)
    }
}

struct WhoAmI: Query {
    static let contract = Contract(
        "auth.me", "/api/v1/auth/me", access: .anyone,
        summary: "The caller's account, person, active school and roles.")
    typealias Result = SessionState

    init(_ fields: inout FieldReader) {}
}

/// The answer of `WhoAmI`.
struct SessionState: AuthManager, Codable {
    let isAuthenticated: Bool
    let userId: UUID?
    let profileId: UUID?
    let currentPgId: UUID?
    let userRole: [String]

    init(_ caller: Caller) {
        isAuthenticated = caller.account != nil
        userId = caller.account?.id
        profileId = caller.membership?.personId
        currentPgId = caller.membership?.organization.id
        userRole = (caller.membership?.roles ?? []).map(\.rawValue).sorted()
    }
}

/// The handlers of sign-in, sign-out and refresh.
struct AuthHandlers: Sendable {
    let auth: AuthService
    let directory: any Database
    let hasher: any SecretHasher
    let signInLimits: SignInLimits
    let links: MailedLinks

    var commands: [CommandRegistration] {
        [
            .handle(SignIn.self, prepare: prepare(signIn:_:), run: run(signIn:_:_:)),
            .handle(SignOut.self) { _, context in
                try auth.end(context.account.sessionId, in: context)
                context.session = .end
                context.destination = "/sign-in"
                return Done()
            },
            .handle(
                RefreshSession.self,
                prepare: { command, _ in
                    guard let tokens = try await auth.refresh(refreshToken: command.refreshToken) else {
                        throw Problem.signInNeeded
                    }
                    return tokens
                },
                run: { _, tokens, _ in tokens }),
        ]
    }

    // MARK: - Sign-in

    private func prepare(signIn command: SignIn, _ context: RequestContext) async throws -> Account {
        let attempt = try await signInLimits.take(command.email, context)
        let (known, confirmations) = try await directory.read { sql in
            let known = try AccountRepository.credential(email: command.email, in: sql)
            return (known, try known.flatMap { try AccountRepository.confirmations($0.account.id, in: sql) })
        }
        guard let known else {
            // An unknown address gets the same work, so that the time does not reveal which addresses exist.
            _ = try await hasher.hash(password: command.password)
            try await refuse(nil, context)
        }
        guard try await hasher.verify(password: command.password, against: known.hash) else {
            try await refuse(nil, context)
        }
        if links.confirmsMail, let account = links.unconfirmed(known.account, confirmations, context) {
            // A sign-up is often followed by a sign-in; the answer must not reveal whether the sign-up created an
            // account.
            try await refuse(account, context)
        }
        try await signInLimits.succeed(attempt)
        try await links.requireConfirmed(known.account, context)
        return known.account
    }

    /// Refuses with the same answer and after the same work for every address.
    private func refuse(_ account: MailedLinks.UnconfirmedAccount?, _ context: RequestContext) async throws -> Never
    {
        if links.confirmsMail { try await links.remind(account, context) }
        throw Problem(401, "auth.wrongSignIn")
    }

    private func run(
        signIn command: SignIn, _ account: Account, _ context: inout CommandContext
    ) throws -> SignInAnswer {
        try auth.begin(account, &context)
    }
}
