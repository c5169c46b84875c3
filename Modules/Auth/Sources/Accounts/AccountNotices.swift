import AuthInterface
import Domain
import FeatureKit
import Foundation

/// Tells the owner of an account by mail what was changed about how it is signed in to: whoever took it over would
/// change that first.
struct AccountNotices: Sendable {
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

    /// The mail leaves once the change is on disk.
    func post(_ kind: Kind, to email: String, _ name: String, in context: CommandContext) {
        let words = context.words
        let mail = Mail(
            to: email, subject: words("auth.notice.subject"),
            text: words(
                "auth.notice.text", name, words(kind.rawValue), words.dateAndTime(context.now, in: .gmt),
                "\(publicURL)/forgot"))
        context.sql.afterCommit { [mailer] in mailer.post(mail) }
    }

    /// The same for whoever is signed in.
    func post(_ kind: Kind, in context: CommandContext) throws {
        let account = try context.account
        post(kind, to: account.email, account.name, in: context)
    }
}
