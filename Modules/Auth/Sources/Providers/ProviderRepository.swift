import FeatureKit
import Foundation

/// An identity at a provider, linked with an account.
struct LinkedIdentity: Sendable, Hashable {
    let id: UUID
    let accountId: UUID
    /// The address at the provider; `nil` when the provider did not share it.
    let email: String?
    let linkedAt: Date
}

/// A browser that was sent to the provider and has not returned, or an app that asks the provider itself.
struct ProviderDeparture: Sendable, Hashable {
    /// The fingerprint of the ticket that the browser or app holds.
    let ticket: String
    /// The account to link; `nil` for a sign-in.
    let accountId: UUID?
    let deviceId: UUID?
    /// The page to open afterwards.
    let next: String?
    let expiresAt: Date
}

/// An identity that the provider has confirmed and that no account is linked with; the person signs up or links it.
struct ArrivedIdentity: Sendable, Hashable {
    /// The fingerprint of the ticket that the browser holds.
    let ticket: String
    /// The id of the future linked identity; the sealed token is bound to it.
    let id: UUID
    let accountId: UUID?
    let subject: String
    let email: String?
    let name: String?
    let sealedToken: String?
    let next: String?
    let expiresAt: Date
}

/// The SQL of identities at providers. Only fingerprints of states and tickets are stored.
enum ProviderRepository {
    // MARK: - Departures and arrivals

    /// The most departures that are stored; further ones displace the oldest.
    static let departureLimit = 10_000

    static func insert(
        _ departure: ProviderDeparture, state: String, at now: Date, limit: Int = departureLimit,
        in sql: any SQLWriting
    ) throws {
        try sql.execute("DELETE FROM provider_departures WHERE expires_at <= \(now)")
        try sql.execute(
            """
            DELETE FROM provider_departures WHERE expires_at <= (
                SELECT expires_at FROM provider_departures ORDER BY expires_at DESC LIMIT 1 OFFSET \(limit - 1))
            """)
        try sql.execute(
            """
            INSERT INTO provider_departures (fingerprint, ticket, account_id, device_id, next, expires_at)
            VALUES (\(state), \(departure.ticket), \(departure.accountId), \(departure.deviceId),
                \(departure.next), \(departure.expiresAt))
            """)
    }

    /// Removes and returns the departure of this state and browser; `nil` when there is none or it has expired.
    static func takeDeparture(
        state: String, ticket: String, at now: Date, in sql: any SQLWriting
    ) throws -> ProviderDeparture? {
        guard
            let row = try sql.row(
                """
                SELECT ticket, account_id, device_id, next, expires_at FROM provider_departures
                WHERE fingerprint = \(state) AND ticket = \(ticket) AND expires_at > \(now)
                    AND expires_at <= \(Lifetime.latestEnd(ProviderService.awayLifetime, at: now))
                """)
        else { return nil }
        try sql.execute("DELETE FROM provider_departures WHERE fingerprint = \(state)")
        return try ProviderDeparture(
            ticket: row.get("ticket"), accountId: row.optional("account_id"), deviceId: row.optional("device_id"),
            next: row.optional("next"), expiresAt: row.get("expires_at"))
    }

    /// Stores an identity that has arrived.
    ///
    /// Its new token replaces the person's tokens that wait for their revocation: the provider ends all tokens of a person
    /// with one of them.
    static func insert(_ arrived: ArrivedIdentity, provider: String, in sql: any SQLWriting) throws {
        if arrived.sealedToken != nil {
            try sql.execute(
                """
                DELETE FROM identity_revocations WHERE provider = \(provider) AND subject = \(arrived.subject)
                """)
        }
        try sql.execute(
            """
            INSERT INTO arrived_identities
                (ticket, id, account_id, provider, subject, email, name, sealed_token, next, expires_at)
            VALUES (\(arrived.ticket), \(arrived.id), \(arrived.accountId), \(provider), \(arrived.subject),
                \(arrived.email), \(arrived.name), \(arrived.sealedToken), \(arrived.next), \(arrived.expiresAt))
            """)
    }

    static func arrived(ticket: String, at now: Date, in sql: any SQLReading) throws -> ArrivedIdentity? {
        try sql.row(
            """
            SELECT * FROM arrived_identities WHERE ticket = \(ticket) AND expires_at > \(now)
                AND expires_at <= \(Lifetime.latestEnd(ProviderService.arrivedLifetime, at: now))
            """
        ).map { row in
            try ArrivedIdentity(
                ticket: row.get("ticket"), id: row.get("id"), accountId: row.optional("account_id"),
                subject: row.get("subject"), email: row.optional("email"), name: row.optional("name"),
                sealedToken: row.optional("sealed_token"), next: row.optional("next"),
                expiresAt: row.get("expires_at"))
        }
    }

    /// Removes the identities that nobody signed up or linked in time, and queues their tokens for revocation, so that the
    /// provider no longer lists the school and shares the name once more at the next attempt.
    ///
    /// Not queued is the token of a person who is linked or has arrived again: the provider would end the other tokens too.
    static func expireArrived(provider: String, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO identity_revocations (id, provider, subject, sealed_token, asked_at)
            SELECT id, provider, subject, sealed_token, \(now) FROM arrived_identities AS expired
            WHERE provider = \(provider) AND expires_at <= \(now) AND sealed_token IS NOT NULL
                AND NOT EXISTS (
                    SELECT 1 FROM linked_identities AS linked
                    WHERE linked.provider = expired.provider AND linked.subject = expired.subject)
                AND NOT EXISTS (
                    SELECT 1 FROM arrived_identities AS open
                    WHERE open.provider = expired.provider AND open.subject = expired.subject
                        AND open.expires_at > \(now))
            """)
        try sql.execute("DELETE FROM arrived_identities WHERE provider = \(provider) AND expires_at <= \(now)")
    }

    /// Removes an arrived identity; returns `false` when it was used already.
    static func useArrived(ticket: String, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM arrived_identities WHERE ticket = \(ticket)") > 0
    }

    // MARK: - Linked identities

    /// Links an identity. Throws `DatabaseFault.notUnique` when it is linked already or the account has one of this
    /// provider.
    static func link(
        _ arrived: ArrivedIdentity, provider: String, to accountId: UUID, at now: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO linked_identities
                (id, account_id, provider, subject, email, sealed_token, linked_at, used_at)
            VALUES (\(arrived.id), \(accountId), \(provider), \(arrived.subject), \(arrived.email),
                \(arrived.sealedToken), \(now), \(now))
            """)
    }

    static func identity(provider: String, subject: String, in sql: any SQLReading) throws -> LinkedIdentity? {
        try sql.row(
            "SELECT * FROM linked_identities WHERE provider = \(provider) AND subject = \(subject)"
        ).map(identity)
    }

    static func identity(of accountId: UUID, provider: String, in sql: any SQLReading) throws -> LinkedIdentity? {
        try sql.row(
            "SELECT * FROM linked_identities WHERE account_id = \(accountId) AND provider = \(provider)"
        ).map(identity)
    }

    private static func identity(_ row: SQLRow) throws -> LinkedIdentity {
        try LinkedIdentity(
            id: row.get("id"), accountId: row.get("account_id"), email: row.optional("email"),
            linkedAt: row.get("linked_at"))
    }

    /// The sealed refresh tokens of a linked identity; `nil` without any.
    static func sealedTokens(of id: UUID, in sql: any SQLReading) throws -> String? {
        try sql.row("SELECT sealed_token FROM linked_identities WHERE id = \(id)").flatMap {
            try $0.optional("sealed_token")
        }
    }

    /// Records a sign-in, and new sealed refresh tokens if there are any.
    static func touch(_ id: UUID, sealedToken: String?, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE linked_identities SET used_at = \(now), sealed_token = COALESCE(\(sealedToken), sealed_token)
            WHERE id = \(id)
            """)
    }

    static func unlink(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM linked_identities WHERE id = \(id)")
    }

    /// Unlinks all identities of an account and queues their tokens for revocation.
    static func unlinkAll(of accountId: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO identity_revocations (id, provider, subject, sealed_token, asked_at)
            SELECT id, provider, subject, sealed_token, \(now) FROM linked_identities
            WHERE account_id = \(accountId) AND sealed_token IS NOT NULL
            """)
        try sql.execute("DELETE FROM linked_identities WHERE account_id = \(accountId)")
    }

    // MARK: - Revocations

    struct Revocation: Sendable, Hashable {
        let id: UUID
        let sealedToken: String
    }

    /// The queued revocations, oldest first, without the first `skipped`.
    static func revocations(
        provider: String, skipping skipped: Int, limit: Int, in sql: any SQLReading
    ) throws -> [Revocation] {
        try sql.rows(
            """
            SELECT id, sealed_token FROM identity_revocations WHERE provider = \(provider)
            ORDER BY asked_at, id LIMIT \(limit) OFFSET \(skipped)
            """
        ).map { try Revocation(id: $0.get("id"), sealedToken: $0.get("sealed_token")) }
    }

    static func removeRevocation(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM identity_revocations WHERE id = \(id)")
    }
}

extension SessionRepository {
    /// The open sessions that began with an identity.
    static func open(through identity: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM sessions WHERE identity_id = \(identity) AND ended_at IS NULL").map {
            try $0.get("id")
        }
    }
}

extension AccountRepository {
    /// Whether the account has a password. One created with a provider has none at first.
    static func hasPassword(_ id: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM accounts WHERE id = \(id) AND has_password <> 0")
    }

    static func markWithoutPassword(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE accounts SET has_password = 0 WHERE id = \(id)")
    }
}
