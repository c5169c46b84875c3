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

/// Makes accounts for people who come with their school.
public protocol AccountMaking: Sendable {
    /// An account for each address that has none; addresses that have one keep it. Nobody knows the password:
    /// its holder asks for a new one by mail. Answers the account of each address.
    func ensureAccounts(_ people: [(email: String, name: String)]) async throws -> [String: UUID]
}

/// Ends sessions where another block has a reason to.
public protocol SessionEnding: Sendable {
    /// Signs these accounts out on every device of a person; what programs were given stays. Works in the directory.
    func signOut(_ accountIds: Set<UUID>) async throws
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
