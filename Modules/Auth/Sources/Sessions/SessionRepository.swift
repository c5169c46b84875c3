import FeatureKit
import Foundation

/// The SQL of sessions and their tokens. Only fingerprints of tokens are stored.
enum SessionRepository {
    enum TokenKind: String, SQLConvertible { case access, refresh }

    struct Token {
        let sessionId: UUID
        let expiresAt: Date
        let replacedAt: Date?
        /// The salt that its successor is derived with; `nil` without a successor, or when that was exchanged too.
        let successorSalt: String?
        /// Whether a client has used an access token that came with its successor.
        let isSuccessorUsed: Bool
    }

    /// Ends the account's sessions on devices; API tokens stay valid.
    static func signOut(_ accountId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            DELETE FROM session_tokens WHERE session_id IN (
                SELECT id FROM sessions WHERE account_id = \(accountId) AND token_name IS NULL)
            """)
        try sql.execute(
            """
            UPDATE sessions SET ended_at = \(instant)
            WHERE account_id = \(accountId) AND token_name IS NULL AND ended_at IS NULL
            """)
    }

    static func insert(
        _ sessionId: UUID, accountId: UUID, deviceId: UUID, client: String?, at instant: Date,
        secondFactorAt: Date?, through identity: UUID? = nil, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO sessions (id, account_id, device_id, client, created_at, used_at, second_factor_at,
                identity_id)
            VALUES (\(sessionId), \(accountId), \(deviceId), \(client), \(instant), \(instant),
                \(secondFactorAt), \(identity))
            """)
    }

    static func markSecondFactor(_ sessionId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE sessions SET second_factor_at = \(instant) WHERE id = \(sessionId)")
    }

    static func clearSecondFactor(of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE sessions SET second_factor_at = NULL WHERE account_id = \(accountId)")
    }

    /// Records the last use of a session.
    static func touch(_ sessionId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE sessions SET used_at = \(instant) WHERE id = \(sessionId)")
    }

    /// The sessions of an account that can still be refreshed, most recently used first.
    static func open(of accountId: UUID, current: UUID, at instant: Date, in sql: any SQLReading) throws
        -> [DeviceSession]
    {
        try sql.rows(
            """
            SELECT id, client, created_at, used_at, scopes FROM sessions
            WHERE account_id = \(accountId) AND ended_at IS NULL AND token_name IS NULL AND id IN (
                SELECT session_id FROM session_tokens WHERE kind = \(TokenKind.refresh) AND expires_at > \(instant))
            ORDER BY used_at DESC, id DESC
            """
        ).map { row in
            let id: UUID = try row.get("id")
            let created: Date = try row.get("created_at")
            return DeviceSession(
                id: id, client: try row.optional("client"), createdAt: created,
                usedAt: try row.optional("used_at") ?? created, isCurrent: id == current,
                isNarrow: try row.optional("scopes", as: String.self) != nil)
        }
    }

    /// Ends one of the account's sessions; returns `false` for any other session.
    static func end(_ sessionId: UUID, of accountId: UUID, at instant: Date, in sql: any SQLWriting) throws -> Bool
    {
        guard try sql.exists("SELECT 1 FROM sessions WHERE id = \(sessionId) AND account_id = \(accountId)") else {
            return false
        }
        try end(sessionId, at: instant, in: sql)
        return true
    }

    /// Ends the account's sessions except one.
    static func endAll(of accountId: UUID, except sessionId: UUID?, at instant: Date, in sql: any SQLWriting) throws
    {
        let others: SQL = sessionId.map { "AND id <> \($0)" } ?? ""
        try sql.execute(
            """
            DELETE FROM session_tokens WHERE session_id IN (
                SELECT id FROM sessions WHERE account_id = \(accountId) \(others))
            """)
        try sql.execute(
            """
            UPDATE sessions SET ended_at = \(instant)
            WHERE account_id = \(accountId) AND ended_at IS NULL \(others)
            """)
    }

    static func insert(
        fingerprint: String, _ kind: TokenKind, sessionId: UUID, expiresAt: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO session_tokens (fingerprint, session_id, kind, expires_at)
            VALUES (\(fingerprint), \(sessionId), \(kind), \(expiresAt))
            """)
    }

    /// The holder of an access token and its expiry.
    struct Holder {
        let fingerprint: String
        let account: SignedInAccount
        let expiresAt: Date
        /// When these rights change by themselves: opened scopes close at a stored instant.
        let goodUntil: Date
        /// Whether nobody has used an access token since the session was renewed, so that the first use is recorded.
        let awaitsUse: Bool
    }

    /// The holder of a valid access token. A single statement, because each request that misses the cache waits for it.
    static func holder(of fingerprint: String, at instant: Date, in sql: any SQLReading) throws -> Holder? {
        try sql.row(holder(of: fingerprint, at: instant)).map { try Holder($0, at: instant) }
    }

    static func holder(of fingerprint: String, at instant: Date) -> SQL {
        "\(holders(at: instant)) AND session_tokens.fingerprint = \(fingerprint)"
    }

    /// The holders of valid access tokens, newest tokens first; API tokens and narrowed sessions are left out.
    static func people(at instant: Date, limit: Int, in sql: any SQLReading) throws -> [Holder] {
        try sql.rows(
            """
            \(holders(at: instant)) AND sessions.scopes IS NULL
            ORDER BY session_tokens.expires_at DESC LIMIT \(limit)
            """
        ).map { try Holder($0, at: instant) }
    }

    private static func holders(at instant: Date) -> SQL {
        """
        SELECT session_tokens.fingerprint, session_tokens.expires_at, session_tokens.session_id,
            accounts.id, sessions.device_id, sessions.second_factor_at, accounts.email, accounts.name,
            sessions.scopes, sessions.organization_id, sessions.token_name, sessions.opened_scopes,
            sessions.opened_until,
            (SELECT MAX(replaced.replaced_at) FROM session_tokens AS replaced
                WHERE replaced.session_id = session_tokens.session_id AND replaced.successor_salt IS NOT NULL
                    AND replaced.successor_used_at IS NULL) AS renewed_at
        FROM session_tokens JOIN sessions ON sessions.id = session_tokens.session_id
            JOIN accounts ON accounts.id = sessions.account_id
        WHERE session_tokens.kind = \(TokenKind.access) AND session_tokens.expires_at > \(instant)
            AND (sessions.token_name IS NOT NULL
                OR session_tokens.expires_at <= \(Lifetime.latestEnd(AuthService.accessLifetime, at: instant)))
            AND sessions.ended_at IS NULL
        """
    }

    static func refreshToken(_ fingerprint: String, in sql: any SQLReading) throws -> Token? {
        guard
            let row = try sql.row(
                """
                SELECT session_id, expires_at, replaced_at, successor_salt, successor_used_at FROM session_tokens
                WHERE fingerprint = \(fingerprint) AND kind = \(TokenKind.refresh)
                """)
        else { return nil }
        return try Token(
            sessionId: row.get("session_id"), expiresAt: row.get("expires_at"),
            replacedAt: row.optional("replaced_at"), successorSalt: row.optional("successor_salt"),
            isSuccessorUsed: row.optional("successor_used_at", as: Date.self) != nil)
    }

    /// The expiry of a session's token; `nil` when the session has no such token.
    static func expiry(of fingerprint: String, _ sessionId: UUID, in sql: any SQLReading) throws -> Date? {
        try sql.value(
            """
            SELECT expires_at FROM session_tokens
            WHERE fingerprint = \(fingerprint) AND session_id = \(sessionId)
            """)
    }

    /// Marks the session's refresh token as replaced and clears the salts of earlier ones, which then have no
    /// successor.
    static func markReplaced(
        _ fingerprint: String, of sessionId: UUID, salt: String, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            UPDATE session_tokens SET successor_salt = NULL
            WHERE session_id = \(sessionId) AND successor_salt IS NOT NULL
            """)
        try sql.execute(
            """
            UPDATE session_tokens SET replaced_at = \(instant), successor_salt = \(salt)
            WHERE fingerprint = \(fingerprint)
            """)
    }

    /// Records that the client has the tokens for which its last refresh token was exchanged.
    static func markSuccessorUsed(of sessionId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE session_tokens SET successor_used_at = \(instant)
            WHERE session_id = \(sessionId) AND successor_salt IS NOT NULL AND successor_used_at IS NULL
            """)
    }

    static func removeExpired(sessionId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            "DELETE FROM session_tokens WHERE session_id = \(sessionId) AND expires_at < \(instant)")
    }

    static func end(_ sessionId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE sessions SET ended_at = \(instant) WHERE id = \(sessionId) AND ended_at IS NULL")
        try sql.execute("DELETE FROM session_tokens WHERE session_id = \(sessionId)")
    }

    static func isOpen(_ sessionId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM sessions WHERE id = \(sessionId) AND ended_at IS NULL")
    }

    /// The account of an open session.
    static func account(sessionId: UUID, at instant: Date, in sql: any SQLReading) throws -> SignedInAccount? {
        try sql.row("\(openSessions) AND sessions.id = \(sessionId)").map { try SignedInAccount($0, at: instant) }
    }

    /// The accounts of those of the sessions that are open and can still be refreshed.
    static func accounts(
        ofSessions ids: [UUID], at instant: Date, in sql: any SQLReading
    ) throws -> [UUID: SignedInAccount] {
        let found = try sql.rows(
            """
            \(openSessions) AND sessions.id IN \(list: ids) AND EXISTS (
                SELECT 1 FROM session_tokens WHERE session_tokens.session_id = sessions.id
                    AND session_tokens.kind = \(TokenKind.refresh) AND session_tokens.expires_at > \(instant))
            """
        ).map { try SignedInAccount($0, at: instant) }
        return Dictionary(found.map { ($0.sessionId, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static let openSessions: SQL = """
        SELECT sessions.id AS session_id, accounts.id, sessions.device_id, sessions.second_factor_at,
            accounts.email, accounts.name, sessions.scopes, sessions.organization_id, sessions.token_name,
            sessions.opened_scopes, sessions.opened_until
        FROM sessions JOIN accounts ON accounts.id = sessions.account_id
        WHERE sessions.ended_at IS NULL
        """
}

extension SessionRepository.Holder {
    fileprivate init(_ row: SQLRow, at instant: Date) throws {
        let expiresAt: Date = try row.get("expires_at")
        let openedUntil: Date? = try row.optional("opened_until")
        let renewedAt: Date? = try row.optional("renewed_at")
        // An access token from before the renewal says nothing. Stored instants are rounded.
        let issuedAt = expiresAt.addingTimeInterval(1 - AuthService.accessLifetime)
        try self.init(
            fingerprint: row.get("fingerprint"), account: SignedInAccount(row, at: instant), expiresAt: expiresAt,
            goodUntil: openedUntil.map { $0 > instant ? min($0, expiresAt) : expiresAt } ?? expiresAt,
            awaitsUse: renewedAt.map { $0 <= issuedAt } ?? false)
    }
}

extension SignedInAccount {
    fileprivate init(_ row: SQLRow, at instant: Date) throws {
        try self.init(
            id: row.get("id"), sessionId: row.get("session_id"), deviceId: row.get("device_id"),
            email: row.get("email"), name: row.get("name"),
            hasSecondFactor: row.optional("second_factor_at", as: Date.self) != nil,
            token: TokenRights(row, at: instant))
    }
}
