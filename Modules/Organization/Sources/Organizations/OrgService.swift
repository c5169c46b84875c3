public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Creates, renames, closes and lists the organizations of accounts.
public protocol OrgService: SchoolFounding {
    func rename(_ draft: OrganizationDraft, in context: CommandContext) throws -> Organization
    /// Closes the active organization and returns when it will be deleted. If it is closed already and `atOnce` is
    /// set, it is deleted now. Throws if `name` is not its name.
    func delete(typing name: String, atOnce: Bool, in context: CommandContext) throws -> Date
    /// Reopens the active organization, which is closed.
    func callBack(in context: CommandContext) throws
    /// Returns the organizations of an account, oldest first.
    func list(for accountId: UUID) async throws -> [Organization]
    /// Makes an organization the active one on the caller's device. Throws `Problem.notFound` if the account has no
    /// membership in it.
    func setActive(_ orgId: UUID, for account: SignedInAccount, in context: CommandContext) throws
}

public struct DirectoryOrgService: OrgService {
    let directory: any Database
    let schools: any SchoolDatabases
    let memberships: DirectoryMembershipService
    let clock: any WallClock
    let ids: any IDGenerator

    public init(
        directory: any Database, schools: any SchoolDatabases, memberships: DirectoryMembershipService,
        clock: any WallClock, ids: any IDGenerator
    ) {
        self.directory = directory
        self.schools = schools
        self.memberships = memberships
        self.clock = clock
        self.ids = ids
    }

    /// Creates the database of a new school and fills it. If the server stops between this and `create`, an empty
    /// database without a row in the server's directory database is left.
    public func prepareFounding(
        _ draft: OrganizationDraft, in context: RequestContext,
        filling fill: @escaping @Sendable (inout CommandContext) throws -> Void
    ) async throws -> Founding {
        let account = try context.account
        let now = clock.now
        let organization = Organization(
            id: ids.id(at: now), name: draft.name, avatarTint: draft.avatarTint ?? .berry,
            timeZone: draft.timeZone ?? TimeZone.current.identifier, createdAt: now)
        let personId = ids.id(at: now)
        let person = Person(
            id: personId, orgId: organization.id, name: PersonName(fullName: account.name), email: account.email,
            avatarTint: Tint(for: personId), createdAt: now)
        let founder = Caller(
            account: account,
            membership: ActiveMembership(organization: organization, personId: person.id, roles: [.superAdmin]))
        let school = try await schools.create(organization.id)
        // conformance: allow write - the school does not exist for anybody before the directory names it
        try await school.write { sql in
            try PeopleRepository.insert(person, externalId: nil, accountId: account.id, in: sql)
            var inside = CommandContext(
                caller: founder, now: context.now, ids: context.ids, words: context.words, sql: sql)
            inside.record(
                Change("organization.founded", topics: ["organization"], audience: Audience.roles([.superAdmin])))
            try fill(&inside)
            _ = try ChangeLog.append(inside.changes, at: context.now, actor: person.id, in: sql)
        }
        return Founding(organization: organization, personId: person.id)
    }

    public func create(_ founding: Founding, in context: CommandContext) throws {
        let account = try context.account
        try OrganizationRepository.insert(founding.organization, in: context.sql)
        try memberships.add(
            Membership(
                id: context.newId(), orgId: founding.organization.id, guideId: founding.personId,
                accountId: account.id, role: .superAdmin, createdAt: context.now), in: context)
        try OrganizationRepository.setActive(
            founding.organization.id, account: account.id, device: account.deviceId, at: context.now,
            in: context.sql)
    }

    public func rename(_ draft: OrganizationDraft, in context: CommandContext) throws -> Organization {
        var organization = try context.membership.organization
        organization.name = draft.name
        organization.avatarTint = draft.avatarTint ?? organization.avatarTint
        organization.timeZone = draft.timeZone ?? organization.timeZone
        try OrganizationRepository.rename(
            organization.id, to: organization.name, tint: organization.avatarTint,
            timeZone: organization.timeZone, in: context.sql)
        context.sql.afterCommit { [memberships] in memberships.forgetActive() }
        return organization
    }

    public func list(for accountId: UUID) async throws -> [Organization] {
        try await directory.read { try OrganizationRepository.organizations(ofAccount: accountId, in: $0) }
    }

    /// Returns every organization of this server, oldest first, for the command line of the server's operator.
    public func all() async throws -> [Organization] {
        try await directory.read { try OrganizationRepository.all(in: $0) }
    }

    public func setActive(_ orgId: UUID, for account: SignedInAccount, in context: CommandContext) throws {
        guard try !MembershipRepository.memberships(ofAccount: account.id, in: orgId, context.sql).isEmpty else {
            throw Problem.notFound
        }
        try OrganizationRepository.setActive(
            orgId, account: account.id, device: account.deviceId, at: context.now, in: context.sql)
        context.sql.afterCommit { [memberships] in memberships.forgetActive() }
    }
}
