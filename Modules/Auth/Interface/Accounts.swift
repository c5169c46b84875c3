public import Foundation

/// A person's way in: one per e-mail address, whatever schools it belongs to.
public struct Account: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public var email: String
    public var name: String

    public init(id: UUID, email: String, name: String) {
        self.id = id
        self.email = email
        self.name = name
    }
}

/// What other blocks may ask of accounts.
public protocol AccountReading: Sendable {
    /// The accounts with these ids; those that do not exist are left out.
    func accounts(_ ids: [UUID]) async throws -> [UUID: Account]
    func account(email: String) async throws -> Account?
}

/// That somebody agreed to a document.
public struct Consent: Hashable, Codable, Sendable {
    /// `terms`, `privacy` or `parental`.
    public let document: String
    /// The wording that was shown.
    public let version: String
    /// `self`, or a parent's address.
    public let givenBy: String
    public let givenAt: Date

    public init(document: String, version: String, givenBy: String, givenAt: Date) {
        self.document = document
        self.version = version
        self.givenBy = givenBy
        self.givenAt = givenAt
    }
}

/// What a client knows of its own session.
public protocol AuthManager: Sendable {
    var isAuthenticated: Bool { get }
    var userId: UUID? { get }
    /// The person in the active school.
    var profileId: UUID? { get }
    /// The active school or residence.
    var currentPgId: UUID? { get }
    /// The roles in the active school.
    var userRole: [String] { get }
}
