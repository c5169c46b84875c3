import DesignSystem
import Domain
import FeatureKit
import Foundation

struct GateCodeStatus: Query {
    static let contract = Contract(
        "auth.gateCode", "/api/v1/auth/gate-code", access: .account, store: .directory,
        summary: "Whether a code is set on this device, and until when it is locked.")

    struct Result: Codable, Sendable, Hashable {
        let isSet: Bool
        let lockedUntil: Date?
    }

    init(_ fields: inout FieldReader) {}
}

struct SetGateCode: Command {
    static let contract = Contract(
        "auth.setGateCode", "/api/v1/auth/gate-code", access: .account, store: .directory, replay: .natural,
        summary: "Sets the four-digit code of this device.")
    typealias Result = Done

    let code: String

    init(_ fields: inout FieldReader) { code = fields.secret("code", min: GateCode.length, max: GateCode.length) }
}

struct ChangeGateCode: Command {
    static let contract = Contract(
        "auth.changeGateCode", "/api/v1/auth/gate-code/change", access: .account, store: .directory,
        replay: .natural, summary: "Replaces the code, with the current one.")
    typealias Result = Done

    let current: String
    let code: String

    init(_ fields: inout FieldReader) {
        current = fields.secret("currentCode", max: 20)
        code = fields.secret("code", min: GateCode.length, max: GateCode.length)
    }
}

struct CheckGateCode: Command {
    static let contract = Contract(
        "auth.checkGateCode", "/api/v1/auth/gate-code/check", access: .account, store: .directory,
        replay: .natural, summary: "Checks the code; wrong ones lock it for a while.")
    typealias Result = Done

    let code: String

    init(_ fields: inout FieldReader) { code = fields.secret("code", max: 20) }
}

struct RemoveGateCode: Command {
    static let contract = Contract(
        "auth.removeGateCode", "/api/v1/auth/gate-code/remove", access: .account, store: .directory,
        replay: .natural, summary: "Removes a forgotten code, with the account's password.")
    typealias Result = Done

    let password: String

    init(_ fields: inout FieldReader) { password = fields.currentPassword() }
}

/// The handlers of gate codes.
struct GateCodeHandlers: Sendable {
    let codes: GateCodeService
    let passwords: PasswordCheck

    var commands: [CommandRegistration] {
        [
            .handle(
                SetGateCode.self,
                prepare: { command, context in
                    try await codes.firstHash(of: command.code, for: context.account)
                },
                run: { _, hash, context in
                    try GateCodeRepository.insert(hash, of: context.account, at: context.now, in: context.sql)
                    return Done()
                }),
            .handle(
                ChangeGateCode.self,
                prepare: { command, context in
                    try await codes.nextHash(
                        of: command.code, current: command.current, for: context.account, at: context.now)
                },
                run: { _, hash, context in
                    try GateCodeRepository.replace(hash, of: context.account, at: context.now, in: context.sql)
                    return Done()
                }),
            .handle(
                CheckGateCode.self,
                prepare: { command, context in
                    try await codes.check(command.code, for: context.account, at: context.now)
                },
                run: { _, _, _ in Done() }),
            .handle(
                RemoveGateCode.self,
                prepare: { command, context in try await passwords.check(command.password, context) },
                run: { _, _, context in
                    try GateCodeRepository.remove(of: context.account, in: context.sql)
                    return Done()
                }),
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(GateCodeStatus.self) { _, context in
                let account = try context.account
                return try await GateCodeStatus.Result(
                    isSet: codes.isSet(for: account), lockedUntil: codes.lockedUntil(for: account, at: context.now))
            }
        ]
    }
}

/// Checks the caller's password again, limited like a sign-in.
struct PasswordCheck: Sendable {
    let directory: any Database
    let hasher: any SecretHasher
    let limits: SignInLimits

    /// Throws `Problem` 422 at the field for a wrong password or an account without one, 429 after too many attempts.
    func check(_ password: String, field: String = "password", _ context: RequestContext) async throws {
        let account = try context.account
        let (known, hasPassword) = try await directory.read { sql in
            (
                try AccountRepository.credential(id: account.id, in: sql),
                try AccountRepository.hasPassword(account.id, in: sql)
            )
        }
        guard hasPassword else { throw Problem.invalid(field, "auth.noPassword") }
        let attempt = try await limits.take(account.email, context)
        guard let known, try await hasher.verify(password: password, against: known.hash) else {
            throw Problem.invalid(field, "auth.wrongPassword")
        }
        try await limits.succeed(attempt)
    }
}

extension FieldReader {
    /// The password of the person who is signed in, entered once more (`PasswordCheck`).
    mutating func currentPassword() -> String { secret("password", max: 200) }
    /// A code of an authenticator app, or a recovery code.
    mutating func secondFactorCode() -> String { secret("code", max: 40) }
}

extension PTField {
    /// The field for the caller's current password (`PasswordCheck`).
    static func currentPassword(_ words: Words) -> PTField {
        PTField(
            .password, name: "password", label: words("auth.password.current"), isRequired: true,
            autocomplete: "current-password", maxLength: 200)
    }
}
