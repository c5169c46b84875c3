public import AuthInterface
public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
import Synchronization

/// A person of the organization, as the page of members lists them.
public struct Member: Identifiable, Hashable, Codable, Sendable {
    /// The id of the member as a person of the school.
    public let id: UUID
    public let name: String
    public let email: String?
    public let avatarTint: Tint
    /// The address of the picture that the person chose; `nil` for initials.
    public let avatarURL: String?
    public let roles: [Role]
    /// Whether an account is linked to the person, so that the person has signed in.
    public let hasSignedIn: Bool
}

/// Reads and changes the roles of people in an organization.
public protocol MembershipService: Sendable {
    /// Returns the members of an organization, by name.
    func members(of orgId: UUID, school: any Database) async throws -> [Member]
    /// Returns the roles of a person in an organization.
    func roles(of personId: UUID, in orgId: UUID) async throws -> Set<Role>
    func add(_ membership: Membership, in context: CommandContext) throws
    /// Removes all roles of a person in an organization. Throws `Problem` for the last super admin.
    func remove(_ personId: UUID, from orgId: UUID, in context: CommandContext) throws
    /// Replaces the staff role of a person; other roles stay. Throws `Problem` if no super admin would be left.
    func updateRole(_ personId: UUID, to role: Role, in orgId: UUID, _ context: CommandContext) throws
}

/// Memberships in the server's directory database, with a cache of the active membership of each account and device.
public final class DirectoryMembershipService: MembershipService, MembershipResolver, GuideService, RoleAssigning,
    RoleDirectory
{
    private struct Key: Hashable {
        let account: UUID
        let device: UUID
    }
    private let directory: any Database
    private let accounts: any AccountReading
    private let schools: any SchoolDatabases
    private let clock: any WallClock
    private let ids: any IDGenerator
    private let defaults: (any DefaultClassrooms)?
    /// The cached memberships, with a count of changes. A value that was read before a change is not cached after
    /// it.
    private struct Active {
        var known: [Key: ActiveMembership] = [:]
        var changes = 0
    }
    private let active = Mutex(Active())

    /// Creates the service on the server's directory database and the schools' databases.
    ///
    /// - Parameter defaults: the default classroom of each guide; `nil` in a server without classrooms.
    public init(
        directory: any Database, accounts: any AccountReading, schools: any SchoolDatabases,
        clock: any WallClock, ids: any IDGenerator, defaults: (any DefaultClassrooms)? = nil
    ) {
        self.directory = directory
        self.accounts = accounts
        self.schools = schools
        self.clock = clock
        self.ids = ids
        self.defaults = defaults
    }

    // MARK: - MembershipResolver

    public func activeMembership(of account: SignedInAccount) async throws -> ActiveMembership? {
        let key = Key(account: account.id, device: account.deviceId)
        let (known, changes) = active.withLock { ($0.known[key], $0.changes) }
        if let known { return known }
        let found = try await directory.read { sql -> ActiveMembership? in
            let organizations = try OrganizationRepository.organizations(ofAccount: account.id, in: sql)
            // A program's token belongs to one school, whichever school is active for its person.
            let last =
                try account.token?.organizationId
                ?? OrganizationRepository.lastUsed(account: account.id, device: account.deviceId, in: sql)
            let only = organizations.count == 1 && account.token == nil ? organizations.first : nil
            guard let organization = organizations.first(where: { $0.id == last }) ?? only else { return nil }
            let held = try MembershipRepository.memberships(ofAccount: account.id, in: organization.id, sql)
            guard let personId = held.first?.guideId else { return nil }
            let closing = try ClosingRepository.closing(of: organization.id, in: sql)
            let timeZone = organization.resolvedTimeZone
            return ActiveMembership(
                organization: organization, personId: personId, roles: Set(held.map(\.role)),
                requiresSecondFactor: try OrganizationRepository.requiresSecondFactor(organization.id, in: sql),
                deletesOn: closing.map { Day($0.deletesAt, in: timeZone) })
        }
        guard let found else { return nil }
        active.withLock { active in
            guard active.changes == changes else { return }
            if active.known.count > 20_000 { active.known.removeAll() }
            active.known[key] = found
        }
        return found
    }

    /// Clears the cache of active memberships. It is cheap, because memberships and organizations change rarely.
    public func forgetActive() {
        active.withLock { active in
            active.changes += 1
            active.known.removeAll()
        }
    }

    // MARK: - MembershipService

    public func members(of orgId: UUID, school: any Database) async throws -> [Member] {
        let held = try await directory.read { try MembershipRepository.memberships(of: orgId, in: $0) }
        let byPerson = Dictionary(grouping: held, by: \.guideId)
        let people = try await school.read { try PeopleRepository.people(Array(byPerson.keys), of: orgId, in: $0) }
        let accounts = try await accounts.accounts(held.compactMap(\.accountId))
        return byPerson.compactMap { personId, rows -> (String, Member)? in
            let account = rows.compactMap(\.accountId).first.flatMap { accounts[$0] }
            let person = people[personId]
            guard let name = person?.name.display ?? account?.name else { return nil }
            let key = person?.name.sortKey ?? PersonName(fullName: name).sortKey
            return (
                key,
                Member(
                    id: personId, name: name, email: account?.email ?? person?.email,
                    avatarTint: person?.avatarTint ?? Tint(for: personId), avatarURL: person?.imageURL,
                    roles: rows.map(\.role).sorted { Role.rank($0) < Role.rank($1) },
                    hasSignedIn: account != nil)
            )
        }.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    public func roles(of personId: UUID, in orgId: UUID) async throws -> Set<Role> {
        try await directory.read {
            try Set(MembershipRepository.memberships(ofPerson: personId, in: orgId, $0).map(\.role))
        }
    }

    public func add(_ membership: Membership, in context: CommandContext) throws {
        try MembershipRepository.insert(membership, in: context.sql)
        context.sql.afterCommit { [self] in forgetActive() }
    }

    public func remove(_ personId: UUID, from orgId: UUID, in context: CommandContext) throws {
        let held = try MembershipRepository.memberships(ofPerson: personId, in: orgId, context.sql)
        guard !held.isEmpty else { throw Problem.notFound }
        if held.contains(where: { $0.role == .superAdmin }) {
            try refuseLastSuperAdmin(orgId, context.sql)
        }
        _ = try MembershipRepository.removeAll(personId, in: orgId, context.sql)
        context.sql.afterCommit { [self] in forgetActive() }
    }

    public func updateRole(_ personId: UUID, to role: Role, in orgId: UUID, _ context: CommandContext) throws {
        let held = try MembershipRepository.memberships(ofPerson: personId, in: orgId, context.sql)
        guard let first = held.first else { throw Problem.notFound }
        let staff = held.map(\.role).filter(\.isGuideRole)
        if staff.contains(.superAdmin) && role != .superAdmin { try refuseLastSuperAdmin(orgId, context.sql) }
        for old in staff where old != role && role.isGuideRole {
            try MembershipRepository.remove(personId, role: old, in: orgId, context.sql)
        }
        try MembershipRepository.insert(
            Membership(
                id: context.newId(), orgId: orgId, guideId: personId, accountId: first.accountId, role: role,
                createdAt: context.now), in: context.sql)
        context.sql.afterCommit { [self] in forgetActive() }
    }

    private func refuseLastSuperAdmin(_ orgId: UUID, _ sql: any SQLReading) throws {
        guard try MembershipRepository.superAdminCount(in: orgId, sql) > 1 else {
            throw Problem(409, "members.lastSuperAdmin")
        }
    }

    // MARK: - GuideService

    public func guides(of orgId: UUID) async throws -> [Guide] {
        let school = try await schools.school(orgId)
        let guides = try await members(of: orgId, school: school).filter { $0.roles.contains(where: \.isGuideRole) }
        let first = try await school.read { [defaults] sql in
            try defaults?.defaultClassrooms(of: guides.map(\.id), in: sql) ?? [:]
        }
        return guides.compactMap { member in
            member.roles.first(where: \.isGuideRole).map {
                Guide(
                    id: member.id, orgId: orgId, fullName: member.name, email: member.email, role: $0,
                    defaultClassroomId: first[member.id], avatarURL: member.avatarURL)
            }
        }
    }

    // MARK: - RoleAssigning

    @discardableResult
    public func give(_ role: Role, to personIds: [UUID], in orgId: UUID) async throws -> Set<UUID> {
        guard !personIds.isEmpty else { return [] }
        let now = clock.now
        let ids = ids
        // conformance: allow write - the directory's half of a command that began in the school's database
        let given = try await directory.write { sql in
            try ClosingRepository.refuseClosed(orgId, in: sql)
            let held = Dictionary(
                grouping: try MembershipRepository.memberships(of: orgId, in: sql), by: \.guideId)
            let rows = Set(personIds).sorted().compactMap { personId -> Membership? in
                let own = held[personId] ?? []
                if own.contains(where: { $0.role == role || role.isGuideRole && $0.role.isGuideRole }) {
                    return nil
                }
                return Membership(
                    id: ids.id(at: now), orgId: orgId, guideId: personId,
                    accountId: own.compactMap(\.accountId).first, role: role, createdAt: now)
            }
            try MembershipRepository.insert(rows, in: sql)
            return Set(rows.map(\.guideId))
        }
        forgetActive()
        return given
    }

    public func take(_ role: Role, from personIds: [UUID], in orgId: UUID) async throws {
        guard !personIds.isEmpty else { return }
        // conformance: allow write - the directory's half of a command that began in the school's database
        try await directory.write { sql in
            try ClosingRepository.refuseClosed(orgId, in: sql)
            try MembershipRepository.remove(role, from: personIds, in: orgId, sql)
        }
        forgetActive()
    }

    public func roles(of personIds: [UUID], in orgId: UUID) async throws -> [UUID: Set<Role>] {
        guard !personIds.isEmpty else { return [:] }
        return try await directory.readInline { try MembershipRepository.roles(of: personIds, in: orgId, $0) }
    }

    public func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>] {
        try await directory.read { try MembershipRepository.memberships(of: orgId, in: $0) }
            .reduce(into: [:]) { $0[$1.guideId, default: []].insert($1.role) }
    }

    public var tables: Set<String> { ["memberships"] }

    public func takeAll(from personId: UUID, in orgId: UUID) async throws {
        // conformance: allow write - the directory's half of a command that began in the school's database
        _ = try await directory.write { sql in
            try ClosingRepository.refuseClosed(orgId, in: sql)
            return try MembershipRepository.removeAll(personId, in: orgId, sql)
        }
        forgetActive()
    }
}

extension Role {
    /// Returns the position of a role in the order in which roles are listed.
    static func rank(_ role: Role) -> Int { Role.allCases.firstIndex(of: role) ?? 0 }
}
