import AuthInterface
import Domain
import FeatureKit
import Foundation

/// What signing in answers: a session, or the token of a second step that must come before it.
struct SignInAnswer: Codable, Sendable, Hashable {
    var deviceId: UUID?
    var accessToken: String?
    var accessExpiresAt: Date?
    var refreshToken: String?
    var refreshExpiresAt: Date?
    /// Give it to `auth.secondStep` with a code; there is no session before.
    var secondStepToken: String?
    var secondStepExpiresAt: Date?
    /// What a new account waits for before its first session.
    var waitsFor: AccountStanding.Waiting?

    init(_ tokens: SessionTokens) {
        deviceId = tokens.deviceId
        accessToken = tokens.accessToken
        accessExpiresAt = tokens.accessExpiresAt
        refreshToken = tokens.refreshToken
        refreshExpiresAt = tokens.refreshExpiresAt
    }

    init(waitsFor: AccountStanding.Waiting) { self.waitsFor = waitsFor }

    init(secondStepToken: String, expiresAt: Date) {
        self.secondStepToken = secondStepToken
        secondStepExpiresAt = expiresAt
    }

    /// `nil` where a second step is needed first.
    var session: SessionTokens? {
        guard let deviceId, let accessToken, let accessExpiresAt, let refreshToken, let refreshExpiresAt else {
            return nil
        }
        return SessionTokens(
            deviceId: deviceId, accessToken: accessToken, accessExpiresAt: accessExpiresAt,
            refreshToken: refreshToken, refreshExpiresAt: refreshExpiresAt)
    }
}

extension AuthService {
    /// How long a second step may take.
    static let secondStepLifetime: TimeInterval = 5 * 60

    /// After a good password or mailed link: a session, or, for an account with an authenticator app, the second
    /// step. A child's account has neither before a parent agreed, whichever way the child came.
    /// - Parameter identity: the linked identity that vouched for the person, where one did.
    func begin(
        _ account: Account, through identity: UUID? = nil, _ context: inout CommandContext
    ) throws -> SignInAnswer {
        let standing = try AccountRepository.standing(account.id, in: context.sql)
        // Whether the address is confirmed is asked before, where a new link can still be mailed.
        if let waiting = standing?.waitsFor(on: context.today, confirmsMail: false) {
            context.destination = "/sign-up/\(waiting.rawValue)"
            return SignInAnswer(waitsFor: waiting)
        }
        guard try AuthenticatorRepository.isOn(account.id, in: context.sql) else {
            return SignInAnswer(try open(account, hasSecondFactor: false, through: identity, &context))
        }
        let token = context.ids.token()
        let expiresAt = context.now.addingTimeInterval(Self.secondStepLifetime)
        try PendingSignInRepository.insert(
            hasher.fingerprint(token),
            PendingSignIn(accountId: account.id, identityId: identity, expiresAt: expiresAt), at: context.now,
            in: context.sql)
        context.detour = "/sign-in/code/\(token)"
        return SignInAnswer(secondStepToken: token, expiresAt: expiresAt)
    }

    /// A session of this device, for whoever has shown all that it needs.
    func open(
        _ account: Account, hasSecondFactor: Bool, through identity: UUID? = nil, _ context: inout CommandContext
    ) throws -> SessionTokens {
        let tokens = try start(
            for: account, deviceId: context.deviceId ?? context.newId(), hasSecondFactor: hasSecondFactor,
            through: identity, in: context)
        context.session = .start(tokens)
        context.destination = "/"
        return tokens
    }
}

/// A sign-in that waits for its second step.
struct PendingSignIn: Sendable, Hashable {
    let accountId: UUID
    /// The linked identity that it began with.
    let identityId: UUID?
    let expiresAt: Date
}

/// The SQL of sign-ins that wait for their second step. Of a token only its fingerprint is kept.
enum PendingSignInRepository {
    static func insert(
        _ fingerprint: String, _ pending: PendingSignIn, at now: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute("DELETE FROM pending_sign_ins WHERE expires_at < \(now)")
        try sql.execute(
            """
            INSERT INTO pending_sign_ins (fingerprint, account_id, identity_id, expires_at)
            VALUES (\(fingerprint), \(pending.accountId), \(pending.identityId), \(pending.expiresAt))
            """)
    }

    static func pending(_ fingerprint: String, at now: Date, in sql: any SQLReading) throws -> PendingSignIn? {
        try sql.row(
            """
            SELECT account_id, identity_id, expires_at FROM pending_sign_ins
            WHERE fingerprint = \(fingerprint) AND expires_at > \(now)
                AND expires_at <= \(Lifetime.latestEnd(AuthService.secondStepLifetime, at: now))
            """
        ).map { row in
            try PendingSignIn(
                accountId: row.get("account_id"), identityId: row.optional("identity_id"),
                expiresAt: row.get("expires_at"))
        }
    }

    /// Whether it was there still; nobody uses it a second time.
    static func use(_ fingerprint: String, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM pending_sign_ins WHERE fingerprint = \(fingerprint)") > 0
    }

    static func removeAll(of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM pending_sign_ins WHERE account_id = \(accountId)")
    }
}
