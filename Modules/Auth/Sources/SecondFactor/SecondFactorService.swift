import Domain
import FeatureKit
import Foundation

/// Checks one-time codes and recovery codes. Each works once, and wrong ones lock the account's second factor for a
/// while.
struct SecondFactorService: Sendable {
    let directory: any Database
    let hasher: any SecretHasher
    let cryptography: any Cryptography
    let lockOuts: LockOuts

    /// A code that was checked but not used yet; `spend` uses it.
    enum Proof: Sendable {
        case step(Int64)
        case recoveryCode(fingerprint: String)
    }

    /// Checks a code. Throws `Problem` 422 at `code` for a wrong or used one, 429 while locked.
    func check(_ code: String, of accountId: UUID, at now: Date, isConfirming: Bool = false) async throws -> Proof {
        try await lockOuts.attempt("second-factor \(accountId.text)", at: now) {
            try await proof(code, of: accountId, at: now, isConfirming: isConfirming)
        }
    }

    private func proof(_ code: String, of accountId: UUID, at now: Date, isConfirming: Bool) async throws -> Proof {
        let typed = RecoveryCodes.canonical(code)
        let recoveryCode = fingerprint(typed, accountId)
        let found = try await directory.read { sql in
            (
                try AuthenticatorRepository.authenticator(of: accountId, in: sql),
                try AuthenticatorRepository.hasRecoveryCode(recoveryCode, of: accountId, in: sql)
            )
        }
        if let app = found.0, isConfirming || app.confirmedAt != nil,
            let step = OneTimeCode.matchingStep(
                typed, secret: try cryptography.open(app.sealedSecret, for: Self.purpose(accountId)),
                after: app.lastStep, at: now, cryptography)
        {
            return .step(step)
        }
        if found.1, !isConfirming { return .recoveryCode(fingerprint: recoveryCode) }
        throw Problem.invalid("code", "auth.wrongCode")
    }

    /// Uses a code within the transaction of the action that it allows. Throws `Problem` 422 when the code was used
    /// since.
    func spend(_ proof: Proof, of accountId: UUID, at now: Date, in sql: any SQLWriting) throws {
        let isSpent =
            switch proof {
            case .step(let step): try AuthenticatorRepository.use(step: step, of: accountId, in: sql)
            case .recoveryCode(let fingerprint):
                try AuthenticatorRepository.use(recoveryCode: fingerprint, of: accountId, at: now, in: sql)
            }
        guard isSpent else { throw Problem.invalid("code", "auth.wrongCode") }
    }

    func seal(_ secret: [UInt8], of accountId: UUID) throws -> String {
        try cryptography.seal(secret, for: Self.purpose(accountId))
    }

    /// Replaces all recovery codes; the new ones can be viewed for ten minutes.
    func renewRecoveryCodes(of accountId: UUID, in context: CommandContext) throws {
        let codes = RecoveryCodes.make(context.ids)
        try AuthenticatorRepository.replaceRecoveryCodes(
            codes.map { fingerprint(RecoveryCodes.canonical($0), accountId) },
            sealed: cryptography.seal(Array(codes.joined(separator: "\n").utf8), for: Self.codesPurpose(accountId)),
            until: context.now.addingTimeInterval(RecoveryCodes.showing), of: accountId, in: context.sql)
    }

    /// The recovery codes in the clear while they can still be viewed, otherwise `nil`.
    func shownRecoveryCodes(of accountId: UUID, at now: Date) async throws -> [String]? {
        let sealed = try await directory.read {
            try AuthenticatorRepository.shownRecoveryCodes(of: accountId, at: now, in: $0)
        }
        guard let sealed else { return nil }
        let text = String(decoding: try cryptography.open(sealed, for: Self.codesPurpose(accountId)), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    static func purpose(_ accountId: UUID) -> String { "authenticator \(accountId.text)" }
    private static func codesPurpose(_ accountId: UUID) -> String { "recovery codes \(accountId.text)" }

    private func fingerprint(_ code: String, _ accountId: UUID) -> String {
        hasher.fingerprint("recovery code \(accountId.text) \(code)")
    }
}
