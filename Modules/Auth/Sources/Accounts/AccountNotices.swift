import AuthInterface
import Domain
import FeatureKit
import Foundation

/// Mails the owner of an account after its password or a second factor changed, so that a takeover is noticed.
struct AccountNotices: Sendable {
    /// The changes that are mailed; the raw value is the catalog key of the sentence.
    enum Kind: String, CaseIterable, Sendable {
        case password = "auth.notice.password"
        case secondFactorOn = "auth.notice.secondFactorOn"
        case secondFactorOff = "auth.notice.secondFactorOff"
        case recoveryCodes = "auth.notice.recoveryCodes"
        case passkeyAdded = "auth.notice.passkeyAdded"
        case passkeyRemoved = "auth.notice.passkeyRemoved"
        case appleLinked = "auth.notice.appleLinked"
        case appleUnlinked = "auth.notice.appleUnlinked"
    }

    let mailer: any Mailer
    let publicURL: String

    /// Posts the mail after the transaction has committed.
    func post(_ kind: Kind, to email: String, _ name: String, in context: CommandContext) {
        let words = context.words
        let mail = Mail(
            to: email, subject: words("auth.notice.subject"),
            text: words(
                "auth.notice.text", name, words(kind.rawValue), words.dateAndTime(context.now, in: .gmt),
                "\(publicURL)/forgot"))
        context.sql.afterCommit { [mailer] in mailer.post(mail) }
    }

    /// Mails the caller.
    func post(_ kind: Kind, in context: CommandContext) throws {
        let account = try context.account
        post(kind, to: account.email, account.name, in: context)
    }
}
