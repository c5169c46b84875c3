import Domain
import FeatureKit
import Foundation

/// The SQL of mailed links that confirm something. Only fingerprints of links are stored.
enum MailedLinkRepository {
    enum Purpose: String, Sendable {
        case confirmAddress
        case parentalConsent
        /// A parent withdraws the consent.
        case withdrawal
        /// An account gets another address.
        case newAddress

        /// Seconds for which a link works.
        var lifetime: TimeInterval {
            self == .withdrawal ? MailedLinks.withdrawalLifetime : MailedLinks.lifetime
        }
    }

    /// Adds a link. Earlier links for the same purpose work until one of them is used.
    static func insert(
        _ fingerprint: String, _ purpose: Purpose, accountId: UUID, newEmail: String? = nil, expiresAt: Date,
        at now: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            DELETE FROM mailed_links
            WHERE account_id = \(accountId) AND purpose = \(purpose.rawValue) AND expires_at <= \(now)
            """)
        try sql.execute(
            """
            INSERT INTO mailed_links (fingerprint, account_id, purpose, expires_at, new_email)
            VALUES (\(fingerprint), \(accountId), \(purpose.rawValue), \(expiresAt), \(newEmail))
            """)
    }

    /// The address that a link gives its account; `nil` for a link that does not work.
    static func newAddress(_ fingerprint: String, at instant: Date, in sql: any SQLReading) throws -> String? {
        guard try account(fingerprint, .newAddress, at: instant, in: sql) != nil else { return nil }
        return try sql.value("SELECT new_email FROM mailed_links WHERE fingerprint = \(fingerprint)")
    }

    static func remove(_ purpose: Purpose, of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            "DELETE FROM mailed_links WHERE account_id = \(accountId) AND purpose = \(purpose.rawValue)")
    }

    /// Whether a link that still works was mailed within the last `seconds`.
    static func wasSent(
        within seconds: TimeInterval, _ purpose: Purpose, accountId: UUID, at now: Date, in sql: any SQLReading
    ) throws -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM mailed_links WHERE account_id = \(accountId) AND purpose = \(purpose.rawValue)
                AND expires_at > \(now.addingTimeInterval(purpose.lifetime - seconds))
                AND expires_at <= \(Lifetime.latestEnd(purpose.lifetime, at: now))
            """)
    }

    /// The account of a link that still works.
    static func account(
        _ fingerprint: String, _ purpose: Purpose, at instant: Date, in sql: any SQLReading
    ) throws -> UUID? {
        try sql.value(
            """
            SELECT account_id FROM mailed_links
            WHERE fingerprint = \(fingerprint) AND purpose = \(purpose.rawValue) AND expires_at > \(instant)
                AND expires_at <= \(Lifetime.latestEnd(purpose.lifetime, at: instant))
            """)
    }

    /// Uses a link and removes the account's other links for the same purpose.
    /// - Returns: the account; `nil` when the link does not work.
    static func take(
        _ fingerprint: String, _ purpose: Purpose, at instant: Date, in sql: any SQLWriting
    ) throws -> UUID? {
        guard let accountId = try account(fingerprint, purpose, at: instant, in: sql) else { return nil }
        try remove(purpose, of: accountId, in: sql)
        return accountId
    }
}

/// The SQL of decoy links. One is written when an address has no account, so that the answer takes as long as for an
/// address that has one.
enum LinkDecoyRepository {
    /// Replaces the previous decoy.
    static func replace(_ fingerprint: String, expiresAt: Date, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM link_decoys")
        try sql.execute(
            "INSERT INTO link_decoys (fingerprint, expires_at) VALUES (\(fingerprint), \(expiresAt))")
    }
}
