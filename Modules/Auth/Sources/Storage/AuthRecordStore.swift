import FeatureKit
import Foundation

/// The records of the block and their retention. All belong to the account's holder, in whatever schools.
enum AuthRecordStore {
    static let kinds = [
        RecordKind(
            "auth.accounts", "auth.records.accounts", store: .directory, personal: [.name, .email, .credentials],
            erasure: .withAccount,
            tables: [
                RecordTable(
                    "accounts",
                    about: { "SELECT email, name, created_at FROM accounts WHERE id = \($0.accountId)" }),
                RecordTable("server_operator"),
            ]),
        RecordKind(
            "auth.sessions", "auth.records.sessions", store: .directory, personal: [.devices, .credentials],
            retention: .days(30, in: 1...90), erasure: .withTime,
            tables: [
                // Tokens are deleted first: a session is deleted when its last one is gone.
                RecordTable(
                    "session_tokens", expiry: .init(of: "session_tokens", by: "expires_at", key: "fingerprint")),
                RecordTable(
                    "sessions",
                    about: {
                        """
                        SELECT client, created_at, used_at, ended_at FROM sessions
                        WHERE account_id = \($0.accountId) ORDER BY created_at
                        """
                    },
                    expiry: .init(isDue: { "SELECT 1 \(ended(before: $0)) LIMIT 1" }) { limit in
                        """
                        DELETE FROM sessions WHERE id IN (
                            SELECT id \(ended(before: limit)) LIMIT \(SQL.expiryPortion))
                        """
                    }),
            ]),
        RecordKind(
            "auth.resets", "auth.records.resets", store: .directory, personal: [.credentials],
            retention: .days(1, in: 1...30), erasure: .withTime,
            tables: [
                RecordTable(
                    "password_resets", expiry: .init(of: "password_resets", by: "expires_at", key: "fingerprint"))
            ]),
        RecordKind(
            "auth.links", "auth.records.links", store: .directory, personal: [.credentials, .email],
            retention: .days(1, in: 1...30), erasure: .withTime,
            tables: [
                RecordTable(
                    "mailed_links", expiry: .init(of: "mailed_links", by: "expires_at", key: "fingerprint")),
                RecordTable("link_decoys", expiry: .init(of: "link_decoys", by: "expires_at", key: "fingerprint")),
            ]),
        // Mails in files, which the job of `OutboxScreens` deletes.
        RecordKind(
            "auth.outbox", "auth.records.outbox", store: .directory, personal: [.name, .email],
            retention: .days(OutboxScreens.days, in: OutboxScreens.days...OutboxScreens.days),
            erasure: .withAccount, tables: []),
        RecordKind(
            "auth.secondFactors", "auth.records.secondFactors", store: .directory,
            personal: [.credentials, .devices],
            erasure: .withAccount,
            tables: [
                RecordTable("authenticators"), RecordTable("recovery_codes"), RecordTable("recovery_codes_shown"),
                RecordTable("pending_sign_ins"), RecordTable("passkeys"), RecordTable("passkey_challenges"),
                RecordTable("gate_codes"),
            ]),
        RecordKind(
            "auth.lockOuts", "auth.records.lockOuts", store: .directory, personal: [.activity], erasure: .withTime,
            tables: [RecordTable("lock_outs")]),
        RecordKind(
            "auth.consents", "auth.records.consents", store: .directory, personal: [.consents, .email],
            erasure: .withAccount,
            tables: [
                RecordTable(
                    "consents",
                    about: { subject in
                        """
                        SELECT purpose, version, language, giver, giver_email, is_given, at FROM consents
                        WHERE account_id = \(subject.accountId) ORDER BY id
                        """
                    })
            ]),
    ]

    /// Sessions that have ended and those whose last token was deleted.
    private static func ended(before limit: Date) -> SQL {
        """
        FROM sessions WHERE COALESCE(ended_at, used_at, created_at) < \(limit) AND NOT EXISTS (
            SELECT 1 FROM session_tokens WHERE session_tokens.session_id = sessions.id)
        """
    }
}
