public import Domain
public import FeatureKit
public import Foundation

/// Reads and changes the people of a school, in the caller's database transaction.
public protocol PeopleService: Sendable {
    /// Returns the people with these ids. Unknown ids are left out.
    func people(_ ids: [UUID], of orgId: UUID, in sql: any SQLReading) throws -> [UUID: Person]
    func add(_ draft: PersonDraft, in context: CommandContext) throws -> Person
    /// Changes the names and details of a person. Throws `Problem.notFound` for an unknown id.
    func update(_ id: UUID, _ draft: PersonDraft, in context: CommandContext) throws -> Person
    /// Deletes a person about whom the school stores nothing else. Throws `Problem.notFound` for an unknown id.
    func remove(_ id: UUID, in context: CommandContext) throws
}

/// Imports people in bulk, with ids of another system.
///
/// All calls run in the caller's database transaction. The caller must check permissions.
public protocol PeopleImporting: Sendable {
    /// Returns all people of the school.
    func everybody(of orgId: UUID, in sql: any SQLReading) throws -> [ImportedPerson]
    /// Adds new people to the school with their given ids.
    func insert(_ people: [ImportedPerson], in sql: any SQLWriting) throws
    /// Updates the names and email addresses of existing people.
    func update(_ people: [Person], in sql: any SQLWriting) throws
    /// Deletes people about whom the school stores nothing else. Unknown ids are ignored.
    func remove(_ personIds: [UUID], in sql: any SQLWriting) throws
    /// The names of the database tables that the import writes. Rows about a person in other tables came from
    /// elsewhere.
    var tables: Set<String> { get }
}

/// A person in an import, with their id in the other system.
public struct ImportedPerson: Sendable, Hashable {
    public var person: Person
    public var externalId: String?
    /// Whether the person of the school has an account.
    public var hasAccount: Bool

    public init(person: Person, externalId: String?, hasAccount: Bool = false) {
        self.person = person
        self.externalId = externalId
        self.hasAccount = hasAccount
    }
}

/// The values for a new person, or the new values of an existing one.
public struct PersonDraft: Sendable, Hashable {
    public var name: PersonName
    public var email: String?
    public var number: String?
    public var gradeLevel: String?
    /// The tint of the avatar; `nil` for the one that follows from the id.
    public var avatarTint: Tint?
    /// The id of the person in another system; `nil` for none.
    public var externalId: String?

    public init(
        name: PersonName, email: String? = nil, number: String? = nil, gradeLevel: String? = nil,
        avatarTint: Tint? = nil, externalId: String? = nil
    ) {
        self.name = name
        self.email = email
        self.number = number
        self.gradeLevel = gradeLevel
        self.avatarTint = avatarTint
        self.externalId = externalId
    }
}

/// Finds the guides of a school, the adults who work with children.
public protocol GuideService: Sendable {
    /// Returns the guides of a school.
    func guides(of orgId: UUID) async throws -> [Guide]
}

/// Reads the roles of people, for feature blocks that decide who may write to whom. Works in the server's directory
/// database.
public protocol RoleDirectory: Sendable {
    /// Returns the roles of each of these people. People without a role are left out.
    func roles(of personIds: [UUID], in orgId: UUID) async throws -> [UUID: Set<Role>]
    /// Returns the roles of all people of the school who have one.
    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>]
}

/// Gives roles to people of a school and takes them away.
public protocol RoleAssigning: Sendable {
    /// Gives each person a role. Works in the server's directory database.
    /// - Returns: the people who did not have it before.
    @discardableResult
    func give(_ role: Role, to personIds: [UUID], in orgId: UUID) async throws -> Set<UUID>
    /// Takes a role from each person who has it; their other roles stay. Works in the server's directory database.
    func take(_ role: Role, from personIds: [UUID], in orgId: UUID) async throws
    /// Returns the roles of all people of the school who have one.
    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>]
    /// The names of the database tables that giving and taking roles writes.
    var tables: Set<String> { get }
    /// Takes all roles from a person who has left the school. Works in the server's directory database.
    func takeAll(from personId: UUID, in orgId: UUID) async throws
}

extension Permission {
    /// Allows viewing the members of the school.
    public static let viewMembers = Permission("members.view", [.superAdmin, .admin])
    /// Allows changing the names and email addresses of members.
    public static let editMembers = Permission("members.edit", [.superAdmin, .admin])
    /// Allows changing the roles of members.
    public static let changeRoles = Permission("members.changeRole", [.superAdmin])
    /// Allows removing members from the school.
    public static let removeMembers = Permission("members.remove", [.superAdmin])
    /// Allows renaming the school.
    public static let renameOrganization = Permission("organization.rename", [.superAdmin])
    /// Allows requiring a second factor for the sign-in of the staff.
    public static let requireSecondFactor = Permission("organization.secondFactor", [.superAdmin, .admin])
    /// Allows choosing the days with and without school.
    public static let setSchoolDays = Permission("organization.schoolDays", [.superAdmin, .admin])
    /// Allows closing and deleting the school, and reopening it.
    public static let deleteOrganization = Permission(
        "organization.delete", [.superAdmin], holdsWhileClosed: true)
    /// Allows inviting people to the school.
    public static let invite = Permission("invites.manage", [.superAdmin, .admin])
    /// Allows importing people into the school.
    public static let importPeople = Permission("people.import", [.superAdmin, .admin])
}
