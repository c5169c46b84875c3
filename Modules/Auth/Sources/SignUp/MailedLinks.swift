import AuthInterface
import Domain
import FeatureKit
import Foundation

/// Mails the links that confirm an address or ask a parent for consent.
struct MailedLinks: Sendable {
    static let lifetime: TimeInterval = 7 * 86_400

    /// The shortest time, in seconds, between two mails to a parent, however often the child tries to sign in.
    static let parentPause: TimeInterval = 3600

    /// Seconds for which a parent can withdraw the consent by its link: 14 years, longer than a childhood under 13.
    static let withdrawalLifetime: TimeInterval = 14 * 366 * 86_400

    let directory: any Database
    let hasher: any SecretHasher
    let ids: any IDGenerator
    let mailer: any Mailer
    let publicURL: String
    /// Whether an address has to be confirmed before the first session.
    let confirmsMail: Bool
    /// Limits mails per address, since the address may belong to another person.
    let limit = RateLimiter(limit: 5, period: 3600)

    /// An account that cannot be used until a mailed link is opened.
    struct UnconfirmedAccount: Sendable {
        let account: Account
        let confirmations: AccountConfirmations
        let missing: AccountConfirmations.Confirmation
    }

    /// The account with its missing confirmation; `nil` when it can be used.
    func unconfirmed(_ account: Account, _ context: RequestContext) async throws -> UnconfirmedAccount? {
        let confirmations = try await directory.read { try AccountRepository.confirmations(account.id, in: $0) }
        return unconfirmed(account, confirmations, context)
    }

    /// The account with its missing confirmation, when the confirmations are already read.
    func unconfirmed(
        _ account: Account, _ confirmations: AccountConfirmations?, _ context: RequestContext
    ) -> UnconfirmedAccount? {
        guard let confirmations,
            let missing = confirmations.missingConfirmation(on: context.today, confirmsMail: confirmsMail)
        else { return nil }
        return UnconfirmedAccount(account: account, confirmations: confirmations, missing: missing)
    }

    /// Throws `Problem` 403 and mails the link again when the account lacks a confirmation.
    func requireConfirmed(_ account: Account, _ context: RequestContext) async throws {
        guard let account = try await unconfirmed(account, context) else { return }
        try await remind(account, context)
        throw Problem(403, account.missing == .mail ? "auth.confirmFirst" : "auth.parentFirst")
    }

    /// Mails the link of the missing confirmation again. Without an account, does the same work and mails nothing.
    func remind(_ account: UnconfirmedAccount?, _ context: RequestContext) async throws {
        let (words, now) = (context.words, context.now)
        let mayMail = account.map { countMail(to: $0.account.email, at: now) } ?? false
        // conformance: allow write - a sign-in that is refused renews the link that it waits for
        try await directory.write { sql in
            if mayMail, let account, try mayAsk(account, at: now, in: sql) {
                try send(account.missing, account.account, account.confirmations, words, at: now, in: sql)
            } else {
                try writeDecoy(at: now, in: sql)
            }
        }
    }

    /// Counts a mail to an address and returns whether it may be sent. The answer to the caller does not depend on it.
    func countMail(to email: String, at now: Date) -> Bool {
        do {
            try limit.take([hasher.fingerprint(email)], at: now)
            return true
        } catch {
            return false
        }
    }

    /// Whether a link may be mailed now: a parent at most once an hour, the person's own address at any time.
    private func mayAsk(_ unconfirmed: UnconfirmedAccount, at now: Date, in sql: any SQLReading) throws -> Bool {
        guard unconfirmed.missing == .parent else { return true }
        return try !MailedLinkRepository.wasSent(
            within: Self.parentPause, .parentalConsent, accountId: unconfirmed.account.id, at: now, in: sql)
    }

    func writeDecoy(at now: Date, in sql: any SQLWriting) throws {
        try LinkDecoyRepository.replace(
            hasher.fingerprint(ids.token()), expiresAt: now.addingTimeInterval(Self.lifetime), in: sql)
    }

    /// Answers a sign-up with an address that has an account: mails the owner, with the link of a missing confirmation
    /// if there is one.
    func answerSecondSignUp(_ account: Account, _ unconfirmed: UnconfirmedAccount?, in context: CommandContext)
        throws
    {
        let (words, now) = (context.words, context.now)
        let mayMail = countMail(to: account.email, at: now)
        if mayMail, let unconfirmed, try mayAsk(unconfirmed, at: now, in: context.sql) {
            return try send(
                unconfirmed.missing, account, unconfirmed.confirmations, words, at: now, in: context.sql)
        }
        try writeDecoy(at: now, in: context.sql)
        guard mayMail else { return }
        let mail = Mail(
            to: account.email, subject: words("auth.knownMail.subject"),
            text: words("auth.knownMail.text", account.name, "\(publicURL)/sign-in", "\(publicURL)/forgot"))
        context.sql.afterCommit { [mailer] in mailer.post(mail) }
    }

    /// Mails the link of a missing confirmation after the commit.
    func send(
        _ missing: AccountConfirmations.Confirmation, _ account: Account, _ confirmations: AccountConfirmations,
        _ words: Words,
        at now: Date, in sql: any SQLWriting
    ) throws {
        let token = ids.token()
        let mail: Mail
        switch missing {
        case .mail:
            mail = Mail(
                to: account.email, subject: words("auth.confirmMail.subject"),
                text: words("auth.confirmMail.text", account.name, "\(publicURL)/confirm/\(token)"))
        case .parent:
            guard let parent = confirmations.parentEmail else { return }
            mail = Mail(
                to: parent, subject: words("auth.parentMail.subject", account.name),
                text: words("auth.parentMail.text", account.name, "\(publicURL)/consent/\(token)"))
        }
        try MailedLinkRepository.insert(
            hasher.fingerprint(token), missing == .mail ? .confirmAddress : .parentalConsent,
            accountId: account.id, expiresAt: now.addingTimeInterval(Self.lifetime), at: now, in: sql)
        sql.afterCommit { [mailer] in mailer.post(mail) }
    }

    /// Mails a parent what they agreed to, with the link that withdraws the consent.
    func sendWithdrawalLink(
        _ account: Account, _ confirmations: AccountConfirmations, _ words: Words, at now: Date,
        in sql: any SQLWriting
    ) throws {
        guard let parent = confirmations.parentEmail else { return }
        let token = ids.token()
        try MailedLinkRepository.insert(
            hasher.fingerprint(token), .withdrawal, accountId: account.id,
            expiresAt: now.addingTimeInterval(Self.withdrawalLifetime), at: now, in: sql)
        let mail = Mail(
            to: parent, subject: words("auth.consentMail.subject", account.name),
            text: words("auth.consentMail.text", account.name, "\(publicURL)/consent/back/\(token)"))
        sql.afterCommit { [mailer] in mailer.post(mail) }
    }
}
