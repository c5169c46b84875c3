public import Domain
public import FeatureKit
public import Foundation

/// What somebody agreed to, or took back: one line of the consent log. Lines are added and never altered.
public struct Consent: Identifiable, Hashable, Codable, Sendable {
    /// Who spoke for the account.
    public enum Giver: String, Codable, Sendable, Hashable, CaseIterable {
        case holder, parent
    }
    public let id: UUID
    public let accountId: UUID
    /// What it is about: `terms`, `privacy`, `childAccount`.
    public let purpose: String
    /// Which text: its version, as the text itself names it.
    public let version: String
    /// The language in which the text was shown.
    public let language: Language
    public let giver: Giver
    /// The address of a parent who consented by mail.
    public let giverEmail: String?
    /// `false` where it takes an earlier consent back.
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

/// What a consent says; who, when and in which language follow from where it is recorded.
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

/// The consent log. It lives in the directory: consents are an account's, whatever schools it belongs to.
public protocol ConsentRecording: Sendable {
    /// Adds a line inside the directory's transaction.
    @discardableResult
    func record(_ draft: ConsentDraft, in context: CommandContext) throws -> Consent
    /// All lines of an account, the latest first.
    func consents(of accountId: UUID) async throws -> [Consent]
    /// The version that the account agrees to now; `nil` where it never did or took it back.
    func version(of purpose: String, for accountId: UUID) async throws -> String?
}
