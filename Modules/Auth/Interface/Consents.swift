public import Domain
public import FeatureKit
public import Foundation

/// One entry of the consent log: an account agreed to something, or withdrew its agreement. Entries are never
/// changed.
public struct Consent: Identifiable, Hashable, Codable, Sendable {
    /// The kind of person who gave the consent: the account holder or a parent.
    public enum Giver: String, Codable, Sendable, Hashable, CaseIterable {
        case holder, parent
    }
    public let id: UUID
    public let accountId: UUID
    /// The subject of the consent: `terms`, `privacy` or `childAccount`.
    public let purpose: String
    /// The version of the text that was agreed to, as the text itself states it.
    public let version: String
    /// The language in which the text of the consent was shown.
    public let language: Language
    public let giver: Giver
    /// The email address of a parent who consented by mail.
    public let giverEmail: String?
    /// Whether consent was given; `false` if an earlier consent was withdrawn.
    public let isGiven: Bool
    public let at: Date

    public init(
        id: UUID, accountId: UUID, purpose: String, version: String, language: Language, giver: Giver,
        giverEmail: String?, isGiven: Bool, at: Date
    ) {
        self.id = id
        self.accountId = accountId
        self.purpose = purpose
        self.version = version
        self.language = language
        self.giver = giver
        self.giverEmail = giverEmail
        self.isGiven = isGiven
        self.at = at
    }
}

/// A consent that a command is about to record in the consent log. Its time and language are those of the command.
public struct ConsentDraft: Hashable, Sendable {
    public let accountId: UUID
    public let purpose: String
    public let version: String
    public let giver: Consent.Giver
    public let giverEmail: String?
    public let isGiven: Bool

    public init(
        accountId: UUID, purpose: String, version: String, giver: Consent.Giver = .holder,
        giverEmail: String? = nil, isGiven: Bool = true
    ) {
        self.accountId = accountId
        self.purpose = purpose
        self.version = version
        self.giver = giver
        self.giverEmail = giverEmail
        self.isGiven = isGiven
    }
}

/// The log of the consents that accounts gave or withdrew. It is in the server's directory database, because consents
/// belong to accounts and not to schools.
public protocol ConsentRecording: Sendable {
    /// Adds an entry to the consent log, in the transaction of the server's directory database.
    @discardableResult
    func record(_ draft: ConsentDraft, in context: CommandContext) throws -> Consent
    /// Returns all entries of an account in the consent log, newest first.
    func consents(of accountId: UUID) async throws -> [Consent]
    /// Returns the version of a text that an account agrees to; `nil` if it never agreed or withdrew its agreement.
    func version(of purpose: String, for accountId: UUID) async throws -> String?
}
