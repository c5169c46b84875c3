import AuthInterface
import Domain
import FeatureKit
import Foundation

/// Mails the links that confirm an address or ask a parent, and knows who still waits for one.
struct MailedLinks: Sendable {
    static let lifetime: TimeInterval = 7 * 86_400

    /// A parent is asked again after an hour at the earliest, however often the child tries to sign in.
    static let parentPause: TimeInterval = 3600

    /// How long a consent can be taken back by its link: longer than anybody is a child.
    static let wayBackLifetime: TimeInterval = 14 * 366 * 86_400

    let directory: any Database
    let hasher: any SecretHasher
    let ids: any IDGenerator
    let mailer: any Mailer
    let publicURL: String
    /// Whether an address has to be confirmed before the first session.
    let confirmsMail: Bool
    /// Mails are counted per address, which may be somebody else's.
    let limit = RateLimiter(limit: 5, period: 3600)

    /// An account that may not be used before a mailed link was.
    struct WaitingAccount: Sendable {
        let account: Account
        let standing: AccountStanding
        let waiting: AccountStanding.Waiting
    }

    /// What an account still waits for; `nil` where it may be used.
    func waiting(_ account: Account, _ context: RequestContext) async throws -> WaitingAccount? {
        let standing = try await directory.read { try AccountRepository.standing(account.id, in: $0) }
        return self.waiting(account, standing, context)
    }

    /// The same for an account whose standing was read already.
    func waiting(
        _ account: Account, _ standing: AccountStanding?, _ context: RequestContext
    ) -> WaitingAccount? {
        guard let standing, let waiting = standing.waitsFor(on: context.today, confirmsMail: confirmsMail) else {
            return nil
        }
        return WaitingAccount(account: account, standing: standing, waiting: waiting)
    }

    /// Refuses a person whose account waits for something, and mails its link again.
    func refuseIfWaiting(_ account: Account, _ context: RequestContext) async throws {
        guard let waiting = try await waiting(account, context) else { return }
        try await remind(waiting, context)
        throw Problem(403, waiting.waiting == .mail ? "auth.confirmFirst" : "auth.parentFirst")
    }

    /// Mails the link that an account waits for again. Without an account it does the same work and mails nothing.
    func remind(_ waiting: WaitingAccount?, _ context: RequestContext) async throws {
        let (words, now) = (context.words, context.now)
        let mayMail = waiting.map { countMail(to: $0.account.email, at: now) } ?? false
        // conformance: allow write - a sign-in that is refused renews the link that it waits for
        try await directory.write { sql in
            if mayMail, let waiting, try mayAsk(waiting, at: now, in: sql) {
                try send(waiting.waiting, waiting.account, waiting.standing, words, at: now, in: sql)
            } else {
                try writeDecoy(at: now, in: sql)
            }
        }
    }

    /// Counts a mail to an address; whether it may go. What the person hears does not depend on it.
    func countMail(to email: String, at now: Date) -> Bool {
        do {
            try limit.take([hasher.fingerprint(email)], at: now)
            return true
        } catch {
            return false
        }
    }

    /// Whether the parent was not asked within the last hour; somebody who confirms their own address may be mailed at once.
    private func mayAsk(_ waiting: WaitingAccount, at now: Date, in sql: any SQLReading) throws -> Bool {
        guard waiting.waiting == .parent else { return true }
        return try !MailedLinkRepository.wasSent(
            within: Self.parentPause, .parentalConsent, accountId: waiting.account.id, at: now, in: sql)
    }

    func writeDecoy(at now: Date, in sql: any SQLWriting) throws {
        try LinkDecoyRepository.replace(
            hasher.fingerprint(ids.token()), expiresAt: now.addingTimeInterval(Self.lifetime), in: sql)
    }

    /// Tells the owner of an address that somebody tried to sign up with it, and mails the link again that the account
    /// may wait for.
    func answerSecondSignUp(_ account: Account, _ waiting: WaitingAccount?, in context: CommandContext) throws {
        let (words, now) = (context.words, context.now)
        let mayMail = countMail(to: account.email, at: now)
        if mayMail, let waiting, try mayAsk(waiting, at: now, in: context.sql) {
            return try send(waiting.waiting, account, waiting.standing, words, at: now, in: context.sql)
        }
        try writeDecoy(at: now, in: context.sql)
        guard mayMail else { return }
        let mail = Mail(
            to: account.email, subject: words("auth.knownMail.subject"),
            text: words("auth.knownMail.text", account.name, "\(publicURL)/sign-in", "\(publicURL)/forgot"))
        context.sql.afterCommit { [mailer] in mailer.post(mail) }
    }

    func send(
        _ waiting: AccountStanding.Waiting, _ account: Account, _ standing: AccountStanding, _ words: Words,
        at now: Date, in sql: any SQLWriting
    ) throws {
        let token = ids.token()
        let mail: Mail
        switch waiting {
        case .mail:
            mail = Mail(
                to: account.email, subject: words("auth.confirmMail.subject"),
                text: words("auth.confirmMail.text", account.name, "\(publicURL)/confirm/\(token)"))
        case .parent:
            guard let parent = standing.parentEmail else { return }
            mail = Mail(
                to: parent, subject: words("auth.parentMail.subject", account.name),
                text: words("auth.parentMail.text", account.name, "\(publicURL)/consent/\(token)"))
        }
        try MailedLinkRepository.insert(
            hasher.fingerprint(token), waiting == .mail ? .confirmAddress : .parentalConsent,
            accountId: account.id, expiresAt: now.addingTimeInterval(Self.lifetime), at: now, in: sql)
        sql.afterCommit { [mailer] in mailer.post(mail) }
    }

    /// Tells a parent what they agreed to, and how they take it back.
    func sendWayBack(
        _ account: Account, _ standing: AccountStanding, _ words: Words, at now: Date, in sql: any SQLWriting
    ) throws {
        guard let parent = standing.parentEmail else { return }
        let token = ids.token()
        try MailedLinkRepository.insert(
            hasher.fingerprint(token), .withdrawal, accountId: account.id,
            expiresAt: now.addingTimeInterval(Self.wayBackLifetime), at: now, in: sql)
        let mail = Mail(
            to: parent, subject: words("auth.consentMail.subject", account.name),
            text: words("auth.consentMail.text", account.name, "\(publicURL)/consent/back/\(token)"))
        sql.afterCommit { [mailer] in mailer.post(mail) }
    }
}
