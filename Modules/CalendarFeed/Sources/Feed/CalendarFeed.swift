import Domain
import FeatureKit
import Foundation

/// A person's calendar feed in one school.
struct CalendarFeed: Codable, Sendable, Hashable {
    let createdAt: Date
}

/// The secret in the address of a feed: 43 characters of URL-safe Base64.
enum FeedSecret {
    static let length = 43

    static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == length
            && text.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
            }
    }
}

/// The holder of an address, as the directory stores it.
struct FeedHolder: Sendable, Hashable {
    let id: UUID
    let accountId: UUID
    let organizationId: UUID
    let personId: UUID
    /// Whether the session in which the address was made had a second factor.
    let hasSecondFactor: Bool
    /// The language in which the address was made.
    let language: Language
    let createdAt: Date
}

/// The SQL of feeds, in the server's directory database. Only the fingerprint of an address is stored.
enum CalendarFeedRepository {
    /// Stores the feed of a person; an earlier one of the same school ends.
    static func save(_ holder: FeedHolder, fingerprint: String, in sql: any SQLWriting) throws {
        do {
            try sql.execute(
                """
                INSERT INTO calendar_feeds (account_id, organization_id, id, person_id, fingerprint,
                    has_second_factor, language, created_at)
                VALUES (\(holder.accountId), \(holder.organizationId), \(holder.id), \(holder.personId),
                    \(fingerprint), \(holder.hasSecondFactor), \(holder.language), \(holder.createdAt))
                ON CONFLICT (account_id, organization_id) DO UPDATE SET id = excluded.id,
                    person_id = excluded.person_id, fingerprint = excluded.fingerprint,
                    has_second_factor = excluded.has_second_factor, language = excluded.language,
                    created_at = excluded.created_at
                """)
        } catch DatabaseFault.notUnique {
            throw Problem(409, "calendarFeed.addressInUse")
        }
    }

    static func remove(of accountId: UUID, in organizationId: UUID, _ sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            "DELETE FROM calendar_feeds WHERE account_id = \(accountId) AND organization_id = \(organizationId)")
            > 0
    }

    static func feed(
        of accountId: UUID, in organizationId: UUID, _ sql: any SQLReading
    ) throws -> CalendarFeed? {
        try sql.value(
            """
            SELECT created_at FROM calendar_feeds
            WHERE account_id = \(accountId) AND organization_id = \(organizationId)
            """
        ).map(CalendarFeed.init(createdAt:))
    }

    static func holder(_ fingerprint: String, in sql: any SQLReading) throws -> FeedHolder? {
        try sql.row("SELECT * FROM calendar_feeds WHERE fingerprint = \(fingerprint)").map { row in
            try FeedHolder(
                id: row.get("id"), accountId: row.get("account_id"), organizationId: row.get("organization_id"),
                personId: row.get("person_id"), hasSecondFactor: row.get("has_second_factor"),
                language: row.get("language"), createdAt: row.get("created_at"))
        }
    }
}
