import AuthInterface
import FeatureKit
import Foundation

/// Starts a sign-in of the school's app, which asks the provider itself.
struct StartAppSignIn: Command {
    static let contract = Contract(
        "auth.appleNativeOptions", "/api/v1/auth/apple/native/options", access: .anyone, store: .directory,
        replay: .natural, summary: "What an app needs to sign in with Apple: a nonce that works once.")

    struct Result: Codable, Sendable, Hashable {
        /// The text that the app sets as the nonce of its request to Apple, unchanged.
        let nonce: String
        let expiresAt: Date
    }

    init(_ fields: inout FieldReader) {}
}

/// Signs a person in with the identity token that the provider gave to the school's app.
struct SignInFromApp: Command {
    static let contract = Contract(
        "auth.appleNative", "/api/v1/auth/apple/native", access: .anyone, store: .directory, replay: .natural,
        bodyLimit: 16 * 1024,
        summary: """
            Starts a session with the identity token that Apple gave to the school's app, or its second step. For a person \
            without an account the answer has a signUpToken for auth.appleSignUp.
            """)
    typealias Result = SignInAnswer

    /// A signed JSON Web Token.
    let identityToken: String
    /// The code with which the server gets the grant that it revokes when the link or the account ends.
    let authorizationCode: String?
    let nonce: String
    /// The name of the person, which Apple tells the first time only. It prefills the form of a new account.
    let name: String?

    init(_ fields: inout FieldReader) {
        identityToken = fields.secret("identityToken", max: 12_000)
        authorizationCode = fields.optionalSecret("authorizationCode", max: 2000)
        nonce = fields.secret("nonce", max: 100)
        name = fields.optionalText("name", max: 120)
    }
}

/// The sign-in from the school's app. It differs from a browser's in how the identity token arrives: the nonce takes the
/// place of state and ticket, and refusals are problems instead of pages.
extension ProviderHandlers {
    var appCommands: [CommandRegistration] {
        [
            .handle(
                StartAppSignIn.self, prepare: { _, context in try service.countStart(context) },
                run: { _, _, context in try start(context) }),
            .handle(SignInFromApp.self, prepare: prepare(app:_:), run: run(app:_:_:)),
        ]
    }

    private func start(_ context: CommandContext) throws -> StartAppSignIn.Result {
        let nonce = context.ids.token()
        let mark = hasher.fingerprint(nonce)
        let expiresAt = context.now.addingTimeInterval(ProviderService.awayLifetime)
        try ProviderRepository.insert(
            ProviderDeparture(ticket: mark, accountId: nil, deviceId: nil, next: nil, expiresAt: expiresAt),
            state: mark, at: context.now, in: context.sql)
        return StartAppSignIn.Result(nonce: nonce, expiresAt: expiresAt)
    }

    /// An identity that may sign in or sign up, and the secret with which an app finishes the sign-up.
    private struct AppArrival: Sendable {
        let arrival: Arrival
        let signUpToken: String
    }

    private func prepare(app command: SignInFromApp, _ context: RequestContext) async throws -> AppArrival {
        guard
            let departure = try await service.takeDeparture(
                state: command.nonce, ticket: command.nonce, context)
        else { throw ProviderRefusal.over.problem }
        // The nonce is in the token and known to the provider, so the sign-up gets a secret of its own.
        let signUpToken = context.ids.token()
        let arrival = try await place(
            ProviderDeparture(
                ticket: hasher.fingerprint(signUpToken), accountId: nil, deviceId: context.deviceId, next: nil,
                expiresAt: departure.expiresAt),
            from: .app, name: command.name, context
        ) {
            try await provider.identity(
                token: command.identityToken, code: command.authorizationCode, nonce: command.nonce, at: context.now
            )
        }
        if case .refused(let refusal) = arrival { throw refusal.problem }
        return AppArrival(arrival: arrival, signUpToken: signUpToken)
    }

    private func run(
        app command: SignInFromApp, _ app: AppArrival, _ context: inout CommandContext
    ) throws -> SignInAnswer {
        switch app.arrival {
        case .refused(let refusal): throw refusal.problem
        case .alreadyLinked: throw ProviderRefusal.taken.problem
        case .unknown(let arrived):
            try ProviderRepository.insert(arrived, provider: provider.name, in: context.sql)
            return SignInAnswer(signUpToken: app.signUpToken, expiresAt: arrived.expiresAt)
        case .signIn(let linked, let account, let refreshToken, _):
            try service.touch(linked.id, refreshToken, of: .app, in: context)
            return try begin(account, with: linked.id, next: nil, &context)
        }
    }
}
