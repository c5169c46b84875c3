public import Domain
public import FeatureKit
public import Foundation

/// A school's part of the directory, as its backup holds it: the school and who is what in it. Invites are
/// not in it: their links lead to the server that gave them out.
public struct SchoolEntry: Codable, Sendable, Hashable {
    /// A role that a person holds.
    public struct Place: Codable, Sendable, Hashable {
        public let personId: UUID
        public var accountId: UUID?
        public let role: Role
        public let createdAt: Date

        public init(personId: UUID, accountId: UUID?, role: Role, createdAt: Date) {
            self.personId = personId
            self.accountId = accountId
            self.role = role
            self.createdAt = createdAt
        }
    }
    public var organization: Organization
    public var places: [Place]

    public init(organization: Organization, places: [Place]) {
        self.organization = organization
        self.places = places
    }
}

/// The schools of a server, for whoever takes them elsewhere and brings them back.
public protocol SchoolRegister: Sendable {
    /// Every school, the oldest first.
    func schools() async throws -> [Organization]
    /// Throws `Problem.notFound` for an unknown id.
    func entry(of orgId: UUID) async throws -> SchoolEntry
    /// Gives a school exactly this part of the directory; a new one is made.
    func put(_ entry: SchoolEntry) async throws
    /// Points the people of a school's own database to these accounts; those of no account here are unlinked.
    func relink(_ accounts: [UUID: UUID], in sql: any SQLWriting) throws
    /// Closes a school in the directory; answers when it will be deleted. One that is closed keeps its day.
    func close(_ orgId: UUID) async throws -> SchoolClosing
    /// Opens a closed school again.
    func open(_ orgId: UUID) async throws
}

/// The memberships of an account in all schools of a server. Used to delete an account and to erase a person.
public protocol AccountMemberships: Sendable {
    /// How many super admins with an account a school has.
    func superAdminCount(in orgId: UUID) async throws -> Int
    /// The schools of an account, the oldest first. Reads the directory.
    func memberships(ofAccount accountId: UUID, in sql: any SQLReading) throws -> [AccountMembership]
    /// Takes the account off all its places; the places stay. Works in the directory.
    func detach(_ accountId: UUID, in sql: any SQLWriting) throws
    /// Takes the account off a person. Works in the school's own database.
    func unlink(_ personId: UUID, in sql: any SQLWriting) throws
}

/// What closing a school in the directory came to.
public struct SchoolClosing: Sendable, Hashable {
    public let deletesAt: Date
    /// Whether the school was open before.
    public let isNew: Bool

    public init(deletesAt: Date, isNew: Bool) {
        self.deletesAt = deletesAt
        self.isNew = isNew
    }
}

/// Who an account is in one school.
public struct AccountMembership: Sendable, Hashable {
    public let organization: Organization
    public let personId: UUID
    public let roles: Set<Role>
    /// Whether the school has no other super admin with an account, and is not closed.
    public let isLastSuperAdmin: Bool

    public init(organization: Organization, personId: UUID, roles: Set<Role>, isLastSuperAdmin: Bool) {
        self.organization = organization
        self.personId = personId
        self.roles = roles
        self.isLastSuperAdmin = isLastSuperAdmin
    }
}
