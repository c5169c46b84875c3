public import Foundation

/// The sign-in of a person on this server: one for each email address, independent of schools.
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

/// Finds accounts by id or email address, for feature blocks other than Auth.
public protocol AccountReading: Sendable {
    /// Returns the accounts with these ids. Unknown ids are left out.
    func accounts(_ ids: [UUID]) async throws -> [UUID: Account]
    /// Returns the account with an email address; `nil` if there is none.
    func account(email: String) async throws -> Account?
}

/// Makes accounts for the people of a school that is restored from a backup.
public protocol AccountMaking: Sendable {
    /// Makes an account for each email address that has none, and returns the account of every address.
    ///
    /// Nobody knows the password of a new account; its holder asks for a new one by mail.
    func ensureAccounts(_ people: [(email: String, name: String)]) async throws -> [String: UUID]
}

/// Ends the sessions of accounts, for feature blocks other than Auth.
public protocol SessionEnding: Sendable {
    /// Ends all sign-in sessions of these accounts; API tokens stay valid. Works in the server's directory database.
    func signOut(_ accountIds: Set<UUID>) async throws
}

/// The facts that a client knows about its own session: the person, the active school and the roles.
public protocol AuthManager: Sendable {
    var isAuthenticated: Bool { get }
    var userId: UUID? { get }
    /// The id of the client's person in the active school; `nil` without an active school.
    var profileId: UUID? { get }
    /// The id of the school or residence in which the client is active; `nil` if it is active in none.
    var currentPgId: UUID? { get }
    /// The roles of the client's person in the active school.
    var userRole: [String] { get }
}
