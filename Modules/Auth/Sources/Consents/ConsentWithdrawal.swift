import AuthInterface
import FeatureKit
import Foundation

/// Withdraws a parent's consent, which deletes the child's account.
struct WithdrawConsent: Command {
    static let contract = Contract(
        "auth.withdrawConsent", "/api/v1/auth/parental-consent/withdrawal", access: .anyone, store: .directory,
        replay: .natural,
        summary:
            "Withdraws a parent's consent by the mailed link, which deletes the child's account.")
    typealias Result = Done

    let token: String

    init(_ fields: inout FieldReader) {
        token = fields.secret("token", max: 100)
        let understands = fields.flag("understands")
        fields.refuse("understands", "auth.delete.understand", unless: understands)
    }
}

/// Deletes a child's account when the parent withdraws the consent.
struct ConsentWithdrawal: Sendable {
    let auth: AuthService
    let hasher: any SecretHasher
    /// Erases what other blocks store about the account; `nil` when there are none.
    let erasing: (any AccountErasing)?

    var command: CommandRegistration {
        .handle(
            WithdrawConsent.self, prepare: { _, _ in },
            run: { command, _, context in
                guard
                    let accountId = try MailedLinkRepository.take(
                        hasher.fingerprint(command.token), .withdrawal, at: context.now, in: context.sql)
                else { throw Problem(410, "auth.linkOver") }
                // The consents are deleted with the account, so the withdrawal is not recorded either.
                try erasing?.erase(accountId, in: context)
                try auth.endAll(of: accountId, except: nil, in: context)
                try ProviderService.revoke(accountId, in: context)
                try AccountRepository.delete(accountId, in: context.sql)
                context.destination = "/consent/done?answer=withdraw"
                return Done()
            },
            finish: { _, _, _ in try await erasing?.carryOut() })
    }
}
