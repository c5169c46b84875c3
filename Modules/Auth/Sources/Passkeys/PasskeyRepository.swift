import FeatureKit
import Foundation

/// A passkey, as shown to its owner.
struct Passkey: Codable, Sendable, Hashable {
    /// The credential's id in URL-safe Base 64.
    let id: String
    let name: String
    let madeAt: Date
    let usedAt: Date?
}

/// The SQL of passkeys and of their challenges.
enum PasskeyRepository {
    static func passkeys(of accountId: UUID, in sql: any SQLReading) throws -> [Passkey] {
        try sql.rows(
            """
            SELECT id, name, made_at, used_at FROM passkeys WHERE account_id = \(accountId) ORDER BY made_at, id
            """
        ).map { row in
            try Passkey(
                id: row.get("id"), name: row.get("name"), madeAt: row.get("made_at"),
                usedAt: row.optional("used_at"))
        }
    }

    struct Stored {
        let accountId: UUID
        let key: SignatureKey
        let signCount: UInt32
    }

    static func stored(_ id: String, in sql: any SQLReading) throws -> Stored? {
        try sql.row("SELECT account_id, public_key, sign_count FROM passkeys WHERE id = \(id)").map { row in
            let key: String = try row.get("public_key")
            let count: Int64 = try row.get("sign_count")
            return try Stored(
                accountId: row.get("account_id"), key: JSON.decode(SignatureKey.self, from: Data(key.utf8)),
                signCount: UInt32(clamping: count))
        }
    }

    static func insert(
        _ credential: WebAuthn.Credential, name: String, of accountId: UUID, at now: Date, in sql: any SQLWriting
    ) throws {
        let key = String(decoding: try JSON.encode(credential.key), as: UTF8.self)
        do {
            try sql.execute(
                """
                INSERT INTO passkeys (id, account_id, name, public_key, sign_count, made_at)
                VALUES (\(Base64URL.encode(credential.id)), \(accountId), \(name), \(key),
                    \(Int64(credential.signCount)), \(now))
                """)
        } catch DatabaseFault.notUnique {
            throw Problem(409, "auth.passkeyKnown")
        }
    }

    /// Records a use. Returns `false` when the count changed since it was read, so that of two answers with one count
    /// only the first is accepted.
    static func use(
        _ id: String, signCount: UInt32, from former: UInt32, at now: Date, in sql: any SQLWriting
    ) throws -> Bool {
        try sql.execute(
            """
            UPDATE passkeys SET sign_count = \(Int64(signCount)), used_at = \(now)
            WHERE id = \(id) AND sign_count = \(Int64(former))
            """) > 0
    }

    static func rename(_ id: String, to name: String, of accountId: UUID, in sql: any SQLWriting) throws {
        let count = try sql.execute(
            "UPDATE passkeys SET name = \(name) WHERE id = \(id) AND account_id = \(accountId)")
        guard count > 0 else { throw Problem.notFound }
    }

    static func remove(_ id: String, of accountId: UUID, in sql: any SQLWriting) throws {
        let count = try sql.execute("DELETE FROM passkeys WHERE id = \(id) AND account_id = \(accountId)")
        guard count > 0 else { throw Problem.notFound }
    }

    static func removeAll(of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM passkeys WHERE account_id = \(accountId)")
    }

    // MARK: - Challenges

    static func insertChallenge(
        _ fingerprint: String, accountId: UUID?, expiresAt: Date, at now: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute("DELETE FROM passkey_challenges WHERE expires_at < \(now)")
        try sql.execute(
            """
            INSERT INTO passkey_challenges (fingerprint, account_id, expires_at)
            VALUES (\(fingerprint), \(accountId), \(expiresAt))
            """)
    }

    /// Uses a challenge. Returns `false` when it was not open for this account; `nil` stands for a sign-in without a
    /// known account.
    static func useChallenge(
        _ fingerprint: String, accountId: UUID?, at now: Date, in sql: any SQLWriting
    ) throws -> Bool {
        let whose: SQL = accountId.map { "account_id = \($0)" } ?? "account_id IS NULL"
        return try sql.execute(
            """
            DELETE FROM passkey_challenges
            WHERE fingerprint = \(fingerprint) AND \(whose) AND expires_at > \(now)
                AND expires_at <= \(Lifetime.latestEnd(PasskeyHandlers.challengeLifetime, at: now))
            """) > 0
    }
}
