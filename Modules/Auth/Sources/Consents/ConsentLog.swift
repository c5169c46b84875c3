public import AuthInterface
import Domain
public import FeatureKit
public import Foundation

/// The consent log, stored in the server's directory database, with the consents of account holders.
public struct ConsentLog: ConsentRecording {
    let directory: any Database

    public init(directory: any Database) { self.directory = directory }

    @discardableResult
    public func record(_ draft: ConsentDraft, in context: CommandContext) throws -> Consent {
        try Self.record(draft, in: context)
    }

    @discardableResult
    static func record(_ draft: ConsentDraft, in context: CommandContext) throws -> Consent {
        let consent = Consent(
            id: context.newId(), accountId: draft.accountId, purpose: draft.purpose, version: draft.version,
            language: context.words.language, giver: draft.giver, giverEmail: draft.giverEmail,
            isGiven: draft.isGiven, at: context.now)
        try ConsentRepository.insert(consent, in: context.sql)
        return consent
    }

    public func consents(of accountId: UUID) async throws -> [Consent] {
        try await directory.read { try ConsentRepository.consents(of: accountId, in: $0) }
    }

    public func version(of purpose: String, for accountId: UUID) async throws -> String? {
        let latest = try await consents(of: accountId).first { $0.purpose == purpose }
        return latest.flatMap { $0.isGiven ? $0.version : nil }
    }
}

extension Consent.Giver: SQLConvertible {}

/// The SQL of consents.
enum ConsentRepository {
    static func insert(_ consent: Consent, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO consents (id, account_id, purpose, version, language, giver, giver_email, is_given, at)
            VALUES (\(consent.id), \(consent.accountId), \(consent.purpose), \(consent.version),
                \(consent.language), \(consent.giver), \(consent.giverEmail), \(consent.isGiven), \(consent.at))
            """)
    }

    /// The consents of an account, newest first. Ids sort by time.
    static func consents(of accountId: UUID, in sql: any SQLReading) throws -> [Consent] {
        try sql.rows("SELECT * FROM consents WHERE account_id = \(accountId) ORDER BY id DESC").map { row in
            try Consent(
                id: row.get("id"), accountId: row.get("account_id"), purpose: row.get("purpose"),
                version: row.get("version"), language: row.get("language"), giver: row.get("giver"),
                giverEmail: row.optional("giver_email"), isGiven: row.get("is_given"), at: row.get("at"))
        }
    }
}
