public import Domain
public import FeatureKit
public import Foundation

/// What other blocks may ask of and do to the people of a school, inside their own transaction.
public protocol PeopleService: Sendable {
    /// The people with these ids; those that do not exist are left out.
    func people(_ ids: [UUID], of orgId: UUID, in sql: any SQLReading) throws -> [UUID: Person]
    func add(_ draft: PersonDraft, in context: CommandContext) throws -> Person
    /// Throws `Problem.notFound` for an unknown id.
    func update(_ id: UUID, _ draft: PersonDraft, in context: CommandContext) throws -> Person
    /// Removes a person of whom nothing else in the school is kept.
    func remove(_ id: UUID, in context: CommandContext) throws
}

/// People by the thousand, with the ids that another system knows them by. All of it inside the caller's own
/// transaction; who may do it is the caller's to check.
public protocol PeopleImporting: Sendable {
    /// Everybody in the school.
    func everybody(of orgId: UUID, in sql: any SQLReading) throws -> [ImportedPerson]
    /// Adds new people with the ids that they bring.
    func insert(_ people: [ImportedPerson], in sql: any SQLWriting) throws
    /// Writes names and e-mail addresses of people who exist.
    func update(_ people: [Person], in sql: any SQLWriting) throws
    /// Removes people of whom nothing else in the school is kept; those who are gone already stay gone.
    func remove(_ personIds: [UUID], in sql: any SQLWriting) throws
    /// The tables that it writes; whatever other tables tell about a person came from elsewhere.
    var tables: Set<String> { get }
}

/// A person and the id that another system knows them by.
public struct ImportedPerson: Sendable, Hashable {
    public var person: Person
    public var externalId: String?
    /// Whether somebody signs in as this person.
    public var hasAccount: Bool

    public init(person: Person, externalId: String?, hasAccount: Bool = false) {
        self.person = person
        self.externalId = externalId
        self.hasAccount = hasAccount
    }
}

/// What is typed about a person.
public struct PersonDraft: Sendable, Hashable {
    public var name: PersonName
    public var email: String?
    public var number: String?
    public var gradeLevel: String?
    /// `nil` takes the tint that follows from the id.
    public var avatarTint: Tint?
    /// The person's id in another system.
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

/// The adults of a school who work with children.
public protocol GuideService: Sendable {
    func guides(of orgId: UUID) async throws -> [Guide]
}

/// Who holds which roles, for blocks that bring people together. Reads the directory.
public protocol RoleDirectory: Sendable {
    /// The roles of these people; those who have none are left out.
    func roles(of personIds: [UUID], in orgId: UUID) async throws -> [UUID: Set<Role>]
    /// The roles of everybody who has one.
    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>]
}

/// The roles that people hold.
public protocol RoleAssigning: Sendable {
    /// Gives each person the role, once; those who hold it already keep it. Works in the directory.
    /// - Returns: those who did not hold it before.
    @discardableResult
    func give(_ role: Role, to personIds: [UUID], in orgId: UUID) async throws -> Set<UUID>
    /// Takes the role from each person who holds it; their other roles stay. Works in the directory.
    func take(_ role: Role, from personIds: [UUID], in orgId: UUID) async throws
    /// The roles of everybody who has one.
    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>]
    /// The tables that it writes.
    var tables: Set<String> { get }
    /// Takes every role from somebody who is no person of the school any more. Works in the directory.
    func takeAll(from personId: UUID, in orgId: UUID) async throws
}

extension Permission {
    public static let viewMembers = Permission("members.view", [.superAdmin, .admin])
    public static let editMembers = Permission("members.edit", [.superAdmin, .admin])
    public static let changeRoles = Permission("members.changeRole", [.superAdmin])
    public static let removeMembers = Permission("members.remove", [.superAdmin])
    public static let renameOrganization = Permission("organization.rename", [.superAdmin])
    public static let requireSecondFactor = Permission("organization.secondFactor", [.superAdmin, .admin])
    public static let setSchoolDays = Permission("organization.schoolDays", [.superAdmin, .admin])
    public static let deleteOrganization = Permission(
        "organization.delete", [.superAdmin], holdsWhileClosed: true)
    public static let invite = Permission("invites.manage", [.superAdmin, .admin])
    public static let importPeople = Permission("people.import", [.superAdmin, .admin])
}
