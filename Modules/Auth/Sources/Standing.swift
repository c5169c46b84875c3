import AuthInterface
import Domain
import FeatureKit
import Foundation

/// What an account still waits for before it may be used.
struct AccountStanding: Sendable, Hashable {
    var confirmedAt: Date?
    /// When a child turns 13; all that is kept of a date of birth, and `nil` for everybody older.
    var thirteenOn: Day?
    var parentEmail: String?
    var parentAgreedAt: Date?

    enum Waiting: String, Codable, Sendable, CaseIterable {
        /// The person opens the link that was mailed to them.
        case mail
        /// A parent agrees (COPPA, 16 CFR 312.5).
        case parent
    }

    func waitsFor(on today: Day, confirmsMail: Bool) -> Waiting? {
        if let thirteenOn, parentAgreedAt == nil, today < thirteenOn { return .parent }
        return confirmsMail && confirmedAt == nil ? .mail : nil
    }
}

/// The ages of COPPA and the days on which they are reached.
enum AgeGate {
    static let consentAge = 13

    /// When one who was born on `day` turns 13, where that is still to come.
    static func thirteenOn(bornOn day: Day, today: Day) throws -> Day? {
        guard day <= today, day.year >= today.year - 120 else { throw Problem.invalid("bornOn", "auth.bornOn") }
        // Born on 29 February, one is a year older on 1 March.
        let birthday =
            Day(year: day.year + consentAge, month: day.month, day: day.day)
            ?? Day(year: day.year + consentAge, month: 3, day: 1)
        guard let birthday else { throw Problem.invalid("bornOn", "auth.bornOn") }
        return today < birthday ? birthday : nil
    }

    /// The address of a parent who has to agree, as it was entered; `nil` where none has to.
    static func parent(_ entered: String?, of email: String, isNeeded: Bool) throws -> String? {
        guard isNeeded else { return nil }
        guard let entered else { throw Problem.invalid("parentEmail", "auth.parentNeeded") }
        guard entered != email else { throw Problem.invalid("parentEmail", "auth.parentOther") }
        return entered
    }
}

/// The documents that a person agrees to, and the wording that is in force.
enum Agreement: String, CaseIterable, Sendable {
    case terms
    case privacy
    /// A parent's for a child under 13.
    case childAccount

    /// Grows when the meaning of the text changes.
    static let version = "2026-11"

    /// Records that the account's holder, or a parent, agrees to all of these.
    static func record(
        _ agreements: [Agreement], of accountId: UUID, by parent: String? = nil, _ context: CommandContext
    ) throws {
        for agreement in agreements {
            try ConsentLog.record(
                ConsentDraft(
                    accountId: accountId, purpose: agreement.rawValue, version: version,
                    giver: parent == nil ? .holder : .parent, giverEmail: parent), in: context)
        }
    }
}

/// The SQL of links in mails that confirm something. Of a link only its fingerprint is kept.
enum MailedLinkRepository {
    enum Purpose: String, Sendable {
        case confirmAddress
        case parentalConsent
        /// A parent takes back what they agreed to.
        case withdrawal
        /// An account gets another address.
        case newAddress

        /// Seconds for which a link is good.
        var lifetime: TimeInterval {
            self == .withdrawal ? MailedLinks.wayBackLifetime : MailedLinks.lifetime
        }
    }

    /// Makes one more link: those that were mailed for the same purpose stay good until one of them is used.
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

    /// The address that a link gives its account; `nil` for a link that is not good.
    static func newAddress(_ fingerprint: String, at instant: Date, in sql: any SQLReading) throws -> String? {
        guard try account(fingerprint, .newAddress, at: instant, in: sql) != nil else { return nil }
        return try sql.value("SELECT new_email FROM mailed_links WHERE fingerprint = \(fingerprint)")
    }

    static func remove(_ purpose: Purpose, of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            "DELETE FROM mailed_links WHERE account_id = \(accountId) AND purpose = \(purpose.rawValue)")
    }

    /// Whether a link was mailed within this many seconds and is still good.
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

    /// The account of a link that is good.
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

    /// Uses up a link that is good, and with it the others of the same purpose.
    /// - Returns: the account; `nil` for a link that is not good.
    static func take(
        _ fingerprint: String, _ purpose: Purpose, at instant: Date, in sql: any SQLWriting
    ) throws -> UUID? {
        guard let accountId = try account(fingerprint, purpose, at: instant, in: sql) else { return nil }
        try remove(purpose, of: accountId, in: sql)
        return accountId
    }
}

/// The SQL of links that open nothing. One is written where an address has no account to write a link for, so that the
/// answer takes as long as for one that has.
enum LinkDecoyRepository {
    /// Takes the place of the decoy before it.
    static func replace(_ fingerprint: String, expiresAt: Date, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM link_decoys")
        try sql.execute(
            "INSERT INTO link_decoys (fingerprint, expires_at) VALUES (\(fingerprint), \(expiresAt))")
    }
}
