import AuthInterface
import FeatureKit
import Foundation

struct WithdrawConsent: Command {
    static let contract = Contract(
        "auth.withdrawConsent", "/api/v1/auth/parental-consent/withdrawal", access: .anyone, store: .directory,
        replay: .natural,
        summary:
            "Takes a parent's consent to a child's account back, by the link mailed with it; deletes the account.")
    typealias Result = Done

    let token: String

    init(_ fields: inout FieldReader) {
        token = fields.secret("token", max: 100)
        let understands = fields.flag("understands")
        fields.refuse("understands", "auth.delete.understand", unless: understands)
    }
}

/// Ends a child's account whose parent takes the consent back.
struct ConsentWithdrawal: Sendable {
    let auth: AuthService
    let hasher: any SecretHasher
    /// What other blocks have to do about it; `nil` where there are none.
    let erasing: (any AccountErasing)?

    var command: CommandRegistration {
        .handle(
            WithdrawConsent.self, prepare: { _, _ in },
            run: { command, _, context in
                guard
                    let accountId = try MailedLinkRepository.take(
                        hasher.fingerprint(command.token), .withdrawal, at: context.now, in: context.sql)
                else { throw Problem(410, "auth.linkOver") }
                // What was agreed to goes with the account: of it nothing is kept, the withdrawal neither.
                try erasing?.erase(accountId, in: context)
                try auth.endAll(of: accountId, but: nil, in: context)
                try ProviderService.revoke(accountId, in: context)
                try AccountRepository.delete(accountId, in: context.sql)
                context.destination = "/consent/done?answer=withdraw"
                return Done()
            },
            finish: { _, _, _ in try await erasing?.carryOut() })
    }
}
