import AuthInterface
import Domain
import FeatureKit
import Foundation

/// The answer of a sign-in: a session, the token of a second step, the confirmation that the account lacks, or the token of
/// a sign-up.
struct SignInAnswer: Codable, Sendable, Hashable {
    var deviceId: UUID?
    var accessToken: String?
    var accessExpiresAt: Date?
    var refreshToken: String?
    var refreshExpiresAt: Date?
    /// The token to send to `auth.secondStep` with a code; no session exists before that.
    var secondStepToken: String?
    var secondStepExpiresAt: Date?
    /// The confirmation that the account needs before its first session.
    var waitsFor: AccountConfirmations.Confirmation?
    /// The token to send to `auth.appleSignUp`; the person has no account yet.
    var signUpToken: String?
    var signUpExpiresAt: Date?

    init(_ tokens: SessionTokens) {
        deviceId = tokens.deviceId
        accessToken = tokens.accessToken
        accessExpiresAt = tokens.accessExpiresAt
        refreshToken = tokens.refreshToken
        refreshExpiresAt = tokens.refreshExpiresAt
    }

    init(waitsFor: AccountConfirmations.Confirmation) { self.waitsFor = waitsFor }

    init(signUpToken: String, expiresAt: Date) {
        self.signUpToken = signUpToken
        signUpExpiresAt = expiresAt
    }

    init(secondStepToken: String, expiresAt: Date) {
        self.secondStepToken = secondStepToken
        secondStepExpiresAt = expiresAt
    }

    /// The session's tokens; `nil` when a second step or a confirmation is needed first.
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
    /// Seconds for which a second step can be completed.
    static let secondStepLifetime: TimeInterval = 5 * 60

    /// Continues after a correct password, mailed link or provider sign-in: starts a session or, with an authenticator
    /// app, the second step. A child's account gets neither before a parent agreed.
    /// - Parameter identity: the linked identity that the person signed in with, if any.
    func begin(
        _ account: Account, through identity: UUID? = nil, _ context: inout CommandContext
    ) throws -> SignInAnswer {
        let confirmations = try AccountRepository.confirmations(account.id, in: context.sql)
        // The callers check whether the address is confirmed, where they can still mail a new link.
        if let missing = confirmations?.missingConfirmation(on: context.today, confirmsMail: false) {
            context.destination = "/sign-up/\(missing.rawValue)"
            return SignInAnswer(waitsFor: missing)
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

    /// Starts a session on this device once every required factor was shown.
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
    /// The linked identity that the sign-in began with, if any.
    let identityId: UUID?
    let expiresAt: Date
}

/// The SQL of sign-ins that wait for their second step. Only fingerprints of their tokens are stored.
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

    /// Removes a pending sign-in; returns `false` when it was used already.
    static func use(_ fingerprint: String, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM pending_sign_ins WHERE fingerprint = \(fingerprint)") > 0
    }

    static func removeAll(of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM pending_sign_ins WHERE account_id = \(accountId)")
    }
}
