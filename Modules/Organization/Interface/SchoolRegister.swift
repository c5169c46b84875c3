public import Domain
public import FeatureKit
public import Foundation

/// A school's rows in the server's directory database, as a backup contains them: the school and its memberships.
///
/// Invites are left out, because their links lead to the server that made them.
public struct SchoolEntry: Codable, Sendable, Hashable {
    /// The membership of a person with one role, as a backup contains it.
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

/// The list of the schools of a server in its directory database, for backing up, moving and restoring schools.
public protocol SchoolRegister: Sendable {
    /// Returns every school of the server, oldest first.
    func schools() async throws -> [Organization]
    /// Returns a school's rows in the server's directory database. Throws `Problem.notFound` for an unknown id.
    func entry(of orgId: UUID) async throws -> SchoolEntry
    /// Replaces a school's rows in the server's directory database, or adds those of a new school.
    func put(_ entry: SchoolEntry) async throws
    /// Replaces the accounts of the people in a restored school's database: `accounts` has this server's account for
    /// each account of the backup. Other people are unlinked.
    func relink(_ accounts: [UUID: UUID], in sql: any SQLWriting) throws
    /// Closes a school in the server's directory database and returns when it will be deleted. A school that is closed
    /// already keeps its date.
    func close(_ orgId: UUID) async throws -> SchoolClosing
    /// Opens a closed school again, so that it will not be deleted.
    func open(_ orgId: UUID) async throws
}

/// The memberships of accounts in the schools of a server, for deleting accounts and erasing people.
public protocol AccountMemberships: Sendable {
    /// Returns the number of super admins with an account in a school.
    func superAdminCount(in orgId: UUID) async throws -> Int
    /// Returns the memberships of an account, by age of the school, oldest first. Reads the server's directory
    /// database.
    func memberships(ofAccount accountId: UUID, in sql: any SQLReading) throws -> [AccountMembership]
    /// Removes the account from all its memberships, which stay. Works in the server's directory database.
    func detach(_ accountId: UUID, in sql: any SQLWriting) throws
    /// Removes the account from a person. Works in the school's database.
    func unlink(_ personId: UUID, in sql: any SQLWriting) throws
}

/// The result of closing a school: when it will be deleted, and whether it was open.
public struct SchoolClosing: Sendable, Hashable {
    /// The time at which the school will be deleted.
    public let deletesAt: Date
    /// Whether the school was open before it was closed.
    public let isNew: Bool

    public init(deletesAt: Date, isNew: Bool) {
        self.deletesAt = deletesAt
        self.isNew = isNew
    }
}

/// The membership of an account in one school.
public struct AccountMembership: Sendable, Hashable {
    public let organization: Organization
    public let personId: UUID
    public let roles: Set<Role>
    /// Whether the school is open and has no other super admin with an account.
    public let isLastSuperAdmin: Bool

    public init(organization: Organization, personId: UUID, roles: Set<Role>, isLastSuperAdmin: Bool) {
        self.organization = organization
        self.personId = personId
        self.roles = roles
        self.isLastSuperAdmin = isLastSuperAdmin
    }
}
