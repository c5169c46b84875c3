import AuthInterface
import Domain
import FeatureKit
import Foundation

/// Mails the links that confirm an address or ask a parent, and knows who still waits for one.
struct MailedLinks: Sendable {
    static let lifetime: TimeInterval = 7 * 86_400

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

    /// Refuses a person whose account waits for something, and mails its link again.
    func refuseIfWaiting(_ account: Account, _ context: RequestContext) async throws {
        let standing = try await directory.read { try AccountRepository.standing(account.id, in: $0) }
        guard let standing, let waiting = standing.waitsFor(on: context.today, confirmsMail: confirmsMail) else {
            return
        }
        let refusal = Problem(403, waiting == .mail ? "auth.confirmFirst" : "auth.parentFirst")
        do {
            try limit.take([hasher.fingerprint(account.email)], at: context.now)
        } catch {
            // Mailed often enough; what the person hears is the same.
            throw refusal
        }
        let (words, now) = (context.words, context.now)
        // conformance: allow write - a sign-in that is refused renews the link that it waits for
        try await directory.write { try send(waiting, account, standing, words, at: now, in: $0) }
        throw refusal
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
        try MailedLinkRepository.replace(
            hasher.fingerprint(token), waiting == .mail ? .confirmAddress : .parentalConsent,
            accountId: account.id, expiresAt: now.addingTimeInterval(Self.lifetime), in: sql)
        sql.afterCommit { [mailer] in mailer.post(mail) }
    }

    /// Tells a parent what they agreed to, and how they take it back.
    func sendWayBack(
        _ account: Account, _ standing: AccountStanding, _ words: Words, at now: Date, in sql: any SQLWriting
    ) throws {
        guard let parent = standing.parentEmail else { return }
        let token = ids.token()
        try MailedLinkRepository.replace(
            hasher.fingerprint(token), .withdrawal, accountId: account.id,
            expiresAt: now.addingTimeInterval(Self.wayBackLifetime), in: sql)
        let mail = Mail(
            to: parent, subject: words("auth.consentMail.subject", account.name),
            text: words("auth.consentMail.text", account.name, "\(publicURL)/consent/back/\(token)"))
        sql.afterCommit { [mailer] in mailer.post(mail) }
    }
}
