public import AuthInterface
import Domain
public import FeatureKit
public import Foundation

/// The service that gives accounts another email address, and mails the links that confirm it.
public struct AddressChanges: AddressChanging {
    let auth: AuthService
    let links: MailedLinks

    /// Creates the service that gives accounts another email address.
    ///
    /// - Parameters:
    ///   - publicURL: where people reach this server, for links in mails.
    ///   - confirmsMail: whether a new address has to be confirmed before the account has it.
    public init(
        auth: AuthService, directory: any Database, hasher: any SecretHasher, ids: any IDGenerator,
        mailer: any Mailer, publicURL: String, confirmsMail: Bool
    ) {
        self.auth = auth
        links = MailedLinks(
            directory: directory, hasher: hasher, ids: ids, mailer: mailer, publicURL: publicURL,
            confirmsMail: confirmsMail)
    }

    public func changeAddress(
        of accountId: UUID, to email: String, in context: CommandContext
    ) throws -> AddressChange {
        guard let account = try AccountRepository.credential(id: accountId, in: context.sql)?.account else {
            throw Problem.notFound
        }
        let isOwn = context.caller.account?.id == accountId
        // Who has the operator's address can set the operator's password.
        if try !isOwn && OperatorRepository.accountId(in: context.sql) == accountId {
            throw Problem(409, "auth.addressOwn")
        }
        guard account.email != email else { return .done }
        let isTaken = try AccountRepository.credential(email: email, in: context.sql) != nil
        if links.confirmsMail {
            try links.sendNewAddress(email, isTaken: isTaken, of: account, in: context)
            return .waiting
        }
        if isTaken { throw Problem.invalid("email", "auth.emailTaken") }
        try set(email, of: account, in: context)
        return .done
    }

    /// Uses the link that was mailed to a new address. Returns whether it worked.
    func confirm(_ token: String, in context: CommandContext) throws -> Bool {
        let fingerprint = links.hasher.fingerprint(token)
        guard
            let email = try MailedLinkRepository.newAddress(fingerprint, at: context.now, in: context.sql),
            let accountId = try MailedLinkRepository.take(
                fingerprint, .newAddress, at: context.now, in: context.sql),
            let account = try AccountRepository.credential(id: accountId, in: context.sql)?.account
        else { return false }
        guard try AccountRepository.credential(email: email, in: context.sql) == nil else {
            throw Problem(409, "auth.addressTaken")
        }
        try set(email, of: account, in: context)
        try AccountRepository.confirm(accountId, at: context.now, in: context.sql)
        return true
    }

    private func set(_ email: String, of account: Account, in context: CommandContext) throws {
        try AccountRepository.setEmail(email, of: account.id, in: context.sql)
        // What was mailed to the old address opens the account no more.
        try MailedLinkRepository.remove(.confirmAddress, of: account.id, in: context.sql)
        try PasswordResetRepository.remove(of: account.id, in: context.sql)
        links.notifyOldAddress(of: account, in: context)
        context.sql.afterCommit { [auth] in auth.evict(accountId: account.id) }
    }
}

extension MailedLinks {
    /// Mails the link that gives an account another address.
    ///
    /// If the address already has an account, its holder gets a notice instead. The answer is the same in both cases.
    func sendNewAddress(_ email: String, isTaken: Bool, of account: Account, in context: CommandContext) throws {
        let words = context.words
        guard countMail(to: email, at: context.now) else { throw Problem(429, "auth.mailedOften") }
        let mail: Mail
        if isTaken {
            try writeDecoy(at: context.now, in: context.sql)
            mail = Mail(
                to: email, subject: words("auth.takenMail.subject"),
                text: words("auth.takenMail.text", account.name))
        } else {
            let token = ids.token()
            try MailedLinkRepository.insert(
                hasher.fingerprint(token), .newAddress, accountId: account.id, newEmail: email,
                expiresAt: context.now.addingTimeInterval(Self.lifetime), at: context.now, in: context.sql)
            mail = Mail(
                to: email, subject: words("auth.newAddressMail.subject"),
                text: words("auth.newAddressMail.text", account.name, "\(publicURL)/confirm/\(token)"))
        }
        context.sql.afterCommit { [mailer] in mailer.post(mail) }
    }

    /// Mails a notice to the address that an account had until now.
    func notifyOldAddress(of account: Account, in context: CommandContext) {
        let words = context.words
        let mail = Mail(
            to: account.email, subject: words("auth.notice.subject"),
            text: words("auth.oldAddressMail.text", account.name, words.dateAndTime(context.now, in: .gmt)))
        context.sql.afterCommit { [mailer] in mailer.post(mail) }
    }
}
