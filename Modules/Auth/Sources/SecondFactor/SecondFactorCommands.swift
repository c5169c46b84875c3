import AuthInterface
import Domain
import FeatureKit
import Foundation

struct SecondStep: Command {
    static let contract = Contract(
        "auth.secondStep", "/api/v1/auth/second-step", access: .anyone, store: .directory, replay: .natural,
        summary: "Starts the session of a sign-in that asked for a code; takes a recovery code too.")
    typealias Result = SessionTokens

    let token: String
    let code: String

    init(_ fields: inout FieldReader) {
        token = fields.secret("token", max: 100)
        code = fields.secondFactorCode()
    }
}

struct StepUp: Command {
    static let contract = Contract(
        "auth.stepUp", "/api/v1/auth/step-up", access: .account, store: .directory, replay: .natural,
        summary: "Shows the second factor of a session that began without one.")
    typealias Result = Done

    let code: String

    init(_ fields: inout FieldReader) { code = fields.secondFactorCode() }
}

struct StartAuthenticator: Command {
    static let contract = Contract(
        "auth.startAuthenticator", "/api/v1/auth/authenticator", access: .account, store: .directory,
        replay: .natural, summary: "Makes the secret of an authenticator app; it counts once it is confirmed.")

    struct Result: Codable, Sendable, Hashable {
        /// The secret in Base 32.
        let secret: String
        /// The `otpauth:` address for a QR code.
        let address: String
    }

    let password: String

    init(_ fields: inout FieldReader) { password = fields.currentPassword() }
}

struct ConfirmAuthenticator: Command {
    static let contract = Contract(
        "auth.confirmAuthenticator", "/api/v1/auth/authenticator/confirm", access: .account, store: .directory,
        replay: .natural, summary: "Switches the second step on with a code of the new authenticator app.")
    typealias Result = Done

    let code: String

    init(_ fields: inout FieldReader) { code = fields.secondFactorCode() }
}

struct RemoveAuthenticator: Command {
    static let contract = Contract(
        "auth.removeAuthenticator", "/api/v1/auth/authenticator/remove", access: .account, store: .directory,
        replay: .natural, summary: "Switches the second step off, with the password and a code.")
    typealias Result = Done

    let password: String
    let code: String

    init(_ fields: inout FieldReader) {
        password = fields.currentPassword()
        code = fields.secondFactorCode()
    }
}

struct RenewRecoveryCodes: Command {
    static let contract = Contract(
        "auth.renewRecoveryCodes", "/api/v1/auth/recovery-codes", access: .account, store: .directory,
        replay: .natural, summary: "Makes ten new recovery codes; all earlier ones are over.")
    typealias Result = Done

    let code: String

    init(_ fields: inout FieldReader) { code = fields.secondFactorCode() }
}

struct HideRecoveryCodes: Command {
    static let contract = Contract(
        "auth.hideRecoveryCodes", "/api/v1/auth/recovery-codes/kept", access: .account, store: .directory,
        replay: .natural, summary: "Says that the recovery codes are kept; they are not shown again.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The handlers of the second factor by code.
struct SecondFactorHandlers: Sendable {
    static let issuer = "PinkTower"

    let auth: AuthService
    let directory: any Database
    let factors: SecondFactorService
    let passwords: PasswordCheck
    let notices: AccountNotices

    var commands: [CommandRegistration] {
        [
            .handle(SecondStep.self, prepare: prepare(step:_:), run: run(step:_:_:)),
            .handle(
                StepUp.self,
                prepare: { command, context in try await check(command.code, context) },
                run: { _, proof, context in
                    try spend(proof, context)
                    try auth.markSecondFactor(of: context.account.sessionId, in: context)
                    context.feedback = Feedback(.toast, context.words("auth.stepUp.done"))
                    return Done()
                }),
            .handle(StartAuthenticator.self, prepare: prepare(start:_:), run: run(start:_:_:)),
            .handle(
                ConfirmAuthenticator.self,
                prepare: { command, context in
                    try await factors.check(
                        command.code, of: context.account.id, at: context.now, isConfirming: true)
                },
                run: { _, proof, context in try confirm(proof, &context) }),
            .handle(RemoveAuthenticator.self, prepare: prepare(remove:_:), run: run(remove:_:_:)),
            .handle(
                RenewRecoveryCodes.self,
                prepare: { command, context in try await check(command.code, context) },
                run: { _, proof, context in
                    try spend(proof, context)
                    try factors.renewRecoveryCodes(of: context.account.id, in: context)
                    try notices.post(.recoveryCodes, in: context)
                    context.destination = SecondFactorScreens.recovery
                    return Done()
                }),
            .handle(HideRecoveryCodes.self) { _, context in
                try AuthenticatorRepository.hideRecoveryCodes(of: context.account.id, in: context.sql)
                context.destination = SecondFactorScreens.home
                return Done()
            },
        ]
    }

    private func check(_ code: String, _ context: RequestContext) async throws -> SecondFactorService.Proof {
        try await factors.check(code, of: context.account.id, at: context.now)
    }

    private func spend(_ proof: SecondFactorService.Proof, _ context: CommandContext) throws {
        try factors.spend(proof, of: context.account.id, at: context.now, in: context.sql)
    }

    // MARK: - The second step of a sign-in

    private struct Step: Sendable {
        let pending: PendingSignIn
        let proof: SecondFactorService.Proof
    }

    private func prepare(step command: SecondStep, _ context: RequestContext) async throws -> Step {
        let (fingerprint, now) = (auth.hasher.fingerprint(command.token), context.now)
        let pending = try await directory.read {
            try PendingSignInRepository.pending(fingerprint, at: now, in: $0)
        }
        guard let pending else { throw Problem(410, "auth.secondStepOver") }
        return Step(
            pending: pending, proof: try await factors.check(command.code, of: pending.accountId, at: now))
    }

    private func run(
        step command: SecondStep, _ step: Step, _ context: inout CommandContext
    ) throws -> SessionTokens {
        let pending = step.pending
        guard try PendingSignInRepository.use(auth.hasher.fingerprint(command.token), in: context.sql),
            let known = try AccountRepository.credential(id: pending.accountId, in: context.sql)
        else { throw Problem(410, "auth.secondStepOver") }
        try factors.spend(step.proof, of: pending.accountId, at: context.now, in: context.sql)
        return try auth.open(known.account, hasSecondFactor: true, through: pending.identityId, &context)
    }

    // MARK: - On and off

    private func prepare(start command: StartAuthenticator, _ context: RequestContext) async throws -> [UInt8] {
        try await passwords.check(command.password, context)
        return context.ids.randomBytes(OneTimeCode.secretLength)
    }

    private func run(
        start command: StartAuthenticator, _ secret: [UInt8], _ context: inout CommandContext
    ) throws -> StartAuthenticator.Result {
        let account = try context.account
        try SecondFactorState.requireShown(by: account, in: context.sql)
        try AuthenticatorRepository.insert(
            factors.seal(secret, of: account.id), of: account.id, at: context.now, in: context.sql)
        context.destination = SecondFactorScreens.setUp
        return StartAuthenticator.Result(
            secret: Base32.encode(secret),
            address: OneTimeCode.address(secret, email: account.email, issuer: Self.issuer))
    }

    private func confirm(_ proof: SecondFactorService.Proof, _ context: inout CommandContext) throws -> Done {
        let account = try context.account
        try SecondFactorState.requireShown(by: account, in: context.sql)
        try spend(proof, context)
        try AuthenticatorRepository.confirm(account.id, at: context.now, in: context.sql)
        try factors.renewRecoveryCodes(of: account.id, in: context)
        try auth.markSecondFactor(of: account.sessionId, in: context)
        try notices.post(.secondFactorOn, in: context)
        context.destination = SecondFactorScreens.recovery
        context.feedback = Feedback(.toast, context.words("auth.secondFactor.isOn"))
        return Done()
    }

    private func prepare(
        remove command: RemoveAuthenticator, _ context: RequestContext
    ) async throws -> SecondFactorService.Proof {
        try await passwords.check(command.password, context)
        return try await check(command.code, context)
    }

    private func run(
        remove command: RemoveAuthenticator, _ proof: SecondFactorService.Proof, _ context: inout CommandContext
    ) throws -> Done {
        let account = try context.account
        try spend(proof, context)
        try AuthenticatorRepository.remove(account.id, in: context.sql)
        try AuthenticatorRepository.removeRecoveryCodes(of: account.id, in: context.sql)
        try PendingSignInRepository.removeAll(of: account.id, in: context.sql)
        try auth.clearSecondFactor(of: account.id, in: context)
        try notices.post(.secondFactorOff, in: context)
        context.destination = SecondFactorScreens.home
        context.feedback = Feedback(.toast, context.words("auth.secondFactor.isOff"))
        return Done()
    }
}

/// The second factors of an account.
struct SecondFactorState: Sendable, Hashable {
    let authenticatorSince: Date?
    let recoveryCodesLeft: Int
    let passkeys: [Passkey]

    var hasAny: Bool { authenticatorSince != nil || !passkeys.isEmpty }

    init(of accountId: UUID, in sql: any SQLReading) throws {
        authenticatorSince = try AuthenticatorRepository.authenticator(of: accountId, in: sql)?.confirmedAt
        recoveryCodesLeft = try AuthenticatorRepository.recoveryCodesLeft(of: accountId, in: sql)
        passkeys = try PasskeyRepository.passkeys(of: accountId, in: sql)
    }

    static func has(_ accountId: UUID, in sql: any SQLReading) throws -> Bool {
        try AuthenticatorRepository.isOn(accountId, in: sql)
            || !PasskeyRepository.passkeys(of: accountId, in: sql).isEmpty
    }

    /// Once an account has a second factor, only a session that has shown one may add another. Throws `Problem` 403.
    static func requireShown(by account: SignedInAccount, in sql: any SQLReading) throws {
        guard !account.hasSecondFactor, try has(account.id, in: sql) else { return }
        throw Problem(403, "auth.showFactorFirst")
    }
}
