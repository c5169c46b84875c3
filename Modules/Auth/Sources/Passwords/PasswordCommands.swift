import AuthInterface
import Domain
import FeatureKit
import Foundation

struct RequestPasswordReset: Command {
    static let contract = Contract(
        "auth.requestReset", "/api/v1/auth/reset-request", access: .anyone, store: .directory, replay: .natural,
        summary: "Mails a link that sets a new password. The answer does not reveal whether the address is known.")
    typealias Result = Done

    let email: String

    init(_ fields: inout FieldReader) { email = fields.email("email") }
}

struct ResetPassword: Command {
    static let contract = Contract(
        "auth.reset", "/api/v1/auth/reset", access: .anyone, store: .directory, replay: .natural,
        summary: "Sets a new password with the secret of a mailed link, once, and signs in; other sessions end.")
    typealias Result = SignInAnswer

    let token: String
    let password: String

    init(_ fields: inout FieldReader) {
        token = fields.secret("token", max: 100)
        password = fields.secret("password", min: PasswordRule.shortest, max: 200)
    }
}

struct ChangePassword: Command {
    static let contract = Contract(
        "auth.changePassword", "/api/v1/auth/password", access: .account, store: .directory, replay: .natural,
        summary: "Changes the caller's password; their other sessions end.")
    typealias Result = Done

    let current: String
    let password: String

    init(_ fields: inout FieldReader) {
        current = fields.secret("currentPassword", max: 200)
        password = fields.secret("password", min: PasswordRule.shortest, max: 200)
    }
}

/// The SQL of links that set a new password. Only their fingerprints are stored.
enum PasswordResetRepository {
    /// Replaces the account's link.
    static func replace(
        _ fingerprint: String, accountId: UUID, expiresAt: Date, in sql: any SQLWriting
    ) throws {
        try remove(of: accountId, in: sql)
        try sql.execute(
            """
            INSERT INTO password_resets (fingerprint, account_id, expires_at)
            VALUES (\(fingerprint), \(accountId), \(expiresAt))
            """)
    }

    static func remove(of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM password_resets WHERE account_id = \(accountId)")
    }

    /// The account of a link that still works.
    static func account(_ fingerprint: String, at instant: Date, in sql: any SQLReading) throws -> UUID? {
        try sql.value(
            """
            SELECT account_id FROM password_resets
            WHERE fingerprint = \(fingerprint) AND used_at IS NULL AND \(isGood(at: instant))
            """)
    }

    /// Uses a link; returns `false` when it did not work any more.
    static func use(_ fingerprint: String, at instant: Date, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            UPDATE password_resets SET used_at = \(instant)
            WHERE fingerprint = \(fingerprint) AND used_at IS NULL AND \(isGood(at: instant))
            """) > 0
    }

    private static func isGood(at now: Date) -> SQL {
        let latest = Lifetime.latestEnd(PasswordHandlers.linkLifetime, at: now)
        return "expires_at > \(now) AND expires_at <= \(latest)"
    }
}

/// The handlers of password resets and changes.
struct PasswordHandlers: Sendable {
    static let linkLifetime: TimeInterval = 3600

    let auth: AuthService
    let directory: any Database
    let hasher: any SecretHasher
    let ids: any IDGenerator
    let mailer: any Mailer
    let publicURL: String
    let passwords: PasswordCheck
    let rule: PasswordRule
    let notices: AccountNotices
    /// Limits mails per address, which may be another person's, and per network address.
    let addressLimit = RateLimiter(limit: 3, period: 3600)
    let networkLimit = RateLimiter(limit: 30, period: 3600)

    var commands: [CommandRegistration] {
        [
            .handle(RequestPasswordReset.self, prepare: prepare(request:_:), run: run(request:_:_:)),
            .handle(ResetPassword.self, prepare: prepare(reset:_:), run: run(reset:_:_:)),
            .handle(ChangePassword.self, prepare: prepare(change:_:), run: run(change:_:_:)),
        ]
    }

    private func prepare(request command: RequestPasswordReset, _ context: RequestContext) async throws {
        try networkLimit.take([context.remoteAddress], at: context.now)
        try addressLimit.take([hasher.fingerprint(command.email)], at: context.now)
    }

    /// Does the same work for every address: one commit that replaces a link.
    private func run(
        request command: RequestPasswordReset, _: Void, _ context: inout CommandContext
    ) throws -> Done {
        context.destination = "/forgot?sent=yes"
        let account = try AccountRepository.credential(email: command.email, in: context.sql)?.account
        let token = ids.token()
        let mail = Mail(
            to: command.email, subject: context.words("auth.resetMail.subject"),
            text: context.words("auth.resetMail.text", account?.name ?? "", "\(publicURL)/reset/\(token)"))
        let end = context.now.addingTimeInterval(Self.linkLifetime)
        guard let account else {
            try LinkDecoyRepository.replace(hasher.fingerprint(token), expiresAt: end, in: context.sql)
            return Done()
        }
        try PasswordResetRepository.replace(
            hasher.fingerprint(token), accountId: account.id, expiresAt: end, in: context.sql)
        context.sql.afterCommit { [mailer] in mailer.post(mail) }
        return Done()
    }

    private struct NewPassword: Sendable {
        let accountId: UUID
        let hash: String
    }

    private func prepare(reset command: ResetPassword, _ context: RequestContext) async throws -> NewPassword {
        try networkLimit.take([context.remoteAddress], at: context.now)
        let (fingerprint, now) = (hasher.fingerprint(command.token), context.now)
        let accountId = try await directory.read {
            try PasswordResetRepository.account(fingerprint, at: now, in: $0)
        }
        guard let accountId else { throw Problem(410, "auth.linkOver") }
        networkLimit.giveBack([context.remoteAddress])
        let account = try await directory.read { try AccountRepository.credential(id: accountId, in: $0)?.account }
        try rule.check(command.password, of: [account?.email, account?.name].compactMap(\.self))
        return NewPassword(accountId: accountId, hash: try await hasher.hash(password: command.password))
    }

    private func run(
        reset command: ResetPassword, _ new: NewPassword, _ context: inout CommandContext
    ) throws -> SignInAnswer {
        guard
            try PasswordResetRepository.use(hasher.fingerprint(command.token), at: context.now, in: context.sql),
            let known = try AccountRepository.credential(id: new.accountId, in: context.sql)
        else { throw Problem(410, "auth.linkOver") }
        try AccountRepository.setPassword(new.hash, of: new.accountId, in: context.sql)
        // Opening the link shows that the person receives the address's mail.
        try AccountRepository.confirm(new.accountId, at: context.now, in: context.sql)
        try auth.endAll(of: new.accountId, except: nil, in: context)
        notices.post(.password, to: known.account.email, known.account.name, in: context)
        context.feedback = Feedback(.toast, context.words("auth.passwordChanged"))
        return try auth.begin(known.account, &context)
    }

    private func prepare(change command: ChangePassword, _ context: RequestContext) async throws -> NewPassword {
        let account = try context.account
        let school = context.caller.membership?.organization.name
        try rule.check(command.password, of: [account.email, account.name, school].compactMap(\.self))
        try await passwords.check(command.current, field: "currentPassword", context)
        return NewPassword(
            accountId: try context.account.id, hash: try await hasher.hash(password: command.password))
    }

    private func run(
        change command: ChangePassword, _ new: NewPassword, _ context: inout CommandContext
    ) throws -> Done {
        try AccountRepository.setPassword(new.hash, of: new.accountId, in: context.sql)
        try auth.endAll(of: new.accountId, except: context.account.sessionId, in: context)
        try notices.post(.password, in: context)
        context.destination = "/settings"
        context.feedback = Feedback(.toast, context.words("auth.passwordChanged"))
        return Done()
    }
}
