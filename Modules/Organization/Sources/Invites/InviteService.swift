public import AuthInterface
public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Creates, lists and redeems codes with which people join an organization.
public protocol InviteService: Sendable {
    /// Creates an invite for a role and returns it with its code.
    ///
    /// - Parameter classroomIds: the classrooms in which the new member will work.
    func create(
        role: Role, personId: UUID?, classroomIds: [UUID], validDays: Int?, in context: CommandContext
    ) throws -> Invite
    /// Returns the invites of an organization that can still be used, newest first.
    func list(_ orgId: UUID) async throws -> [Invite]
    func revoke(_ id: UUID, in context: CommandContext) throws
    /// Returns the open invite with a code. Throws a fault of the field `code` for any other text.
    func open(code: String) async throws -> Invite
    /// Ensures that the account has a person in the school, and returns that person's id.
    /// - Parameter expected: the person whom the invite is for; used if that person has no account yet.
    func preparePerson(for account: Account, in orgId: UUID, expected: UUID?) async throws -> UUID
    /// Marks an invite as used and gives its role to the person, in one transaction.
    func redeem(
        code: String, personId: UUID, by account: SignedInAccount, in context: CommandContext
    ) throws -> Membership
    /// Adds a new member to the classrooms that the used invite names. Safe to repeat.
    func place(_ personId: UUID, by code: String) async throws
}

public struct DirectoryInviteService: InviteService {
    private let directory: any Database
    private let schools: any SchoolDatabases
    private let memberships: DirectoryMembershipService
    private let clock: any WallClock
    private let ids: any IDGenerator
    private let hasher: any SecretHasher
    private let classrooms: (any ClassroomPlacing)?

    public init(
        directory: any Database, schools: any SchoolDatabases, memberships: DirectoryMembershipService,
        clock: any WallClock, ids: any IDGenerator, hasher: any SecretHasher, classrooms: (any ClassroomPlacing)?
    ) {
        self.classrooms = classrooms
        self.hasher = hasher
        self.directory = directory
        self.schools = schools
        self.memberships = memberships
        self.clock = clock
        self.ids = ids
    }

    public func create(
        role: Role, personId: UUID?, classroomIds: [UUID], validDays: Int?, in context: CommandContext
    ) throws -> Invite {
        let membership = try context.membership
        // Nobody can give a role above their own: only super admins give the role of super admin.
        guard role != .superAdmin || membership.roles.contains(.superAdmin) else { throw Problem.notAllowed }
        let invite = Invite(
            id: context.newId(), orgId: membership.organization.id, code: InviteCode.make(ids), role: role,
            personId: personId, classroomIds: classroomIds, createdByGuideId: membership.personId,
            createdAt: context.now,
            expiresAt: validDays.map { context.now.addingTimeInterval(Double($0) * 86_400) }, redeemedAt: nil,
            revokedAt: nil)
        try InviteRepository.insert(invite, in: context.sql)
        return invite
    }

    public func list(_ orgId: UUID) async throws -> [Invite] {
        let now = clock.now
        return try await directory.read { try InviteRepository.pending(of: orgId, at: now, in: $0) }
    }

    public func revoke(_ id: UUID, in context: CommandContext) throws {
        guard
            try InviteRepository.revoke(
                id, in: context.membership.organization.id, at: context.now, context.sql)
        else { throw Problem.notFound }
    }

    public func open(code: String) async throws -> Invite {
        let now = clock.now
        return try await directory.read { sql in
            let invite = try usable(code, at: now, in: sql)
            try ClosingRepository.refuseClosed(invite.orgId, in: sql)
            return invite
        }
    }

    public func preparePerson(for account: Account, in orgId: UUID, expected: UUID?) async throws -> UUID {
        let now = clock.now
        let personId = ids.id(at: now)
        let person = Person(
            id: personId, orgId: orgId, name: PersonName(fullName: account.name), email: account.email,
            avatarTint: Tint(for: personId), createdAt: now)
        let school = try await schools.school(orgId)
        // conformance: allow write - harmless before the directory's half: a person without a membership has no rights
        return try await school.write { sql in
            if let known = try PeopleRepository.personId(ofAccount: account.id, in: sql) {
                if let expected, expected != known { try FamilyRepository.join(expected, as: known, in: sql) }
                return known
            }
            if let expected, try PeopleRepository.link(expected, accountId: account.id, in: sql) { return expected }
            try PeopleRepository.insert(person, externalId: nil, accountId: account.id, in: sql)
            return person.id
        }
    }

    public func redeem(
        code: String, personId: UUID, by account: SignedInAccount, in context: CommandContext
    ) throws -> Membership {
        let invite = try usable(code, at: context.now, in: context.sql)
        try InviteRepository.markRedeemed(invite.id, by: personId, at: context.now, in: context.sql)
        try MembershipRepository.link(personId, accountId: account.id, in: invite.orgId, context.sql)
        let held = try MembershipRepository.memberships(ofPerson: personId, in: invite.orgId, context.sql)
        let membership = Membership(
            id: context.newId(), orgId: invite.orgId, guideId: personId, accountId: account.id,
            role: invite.role, createdAt: context.now)
        // A person has at most one staff role, and an invite never lowers it.
        if let staff = held.first(where: \.role.isGuideRole), invite.role.isGuideRole {
            if Role.rank(staff.role) <= Role.rank(invite.role) {
                try activate(invite.orgId, account, context)
                return staff
            }
            try MembershipRepository.remove(personId, role: staff.role, in: invite.orgId, context.sql)
        }
        try memberships.add(membership, in: context)
        try activate(invite.orgId, account, context)
        return membership
    }

    private func activate(_ orgId: UUID, _ account: SignedInAccount, _ context: CommandContext) throws {
        try OrganizationRepository.setActive(
            orgId, account: account.id, device: account.deviceId, at: context.now, in: context.sql)
        context.sql.afterCommit { [memberships] in memberships.forgetActive() }
    }

    public func place(_ personId: UUID, by code: String) async throws {
        guard let classrooms else { return }
        let invite = try await directory.read { try known(code, in: $0) }
        guard let invite, !invite.classroomIds.isEmpty else { return }
        // conformance: allow write - after the directory's half: nobody is in a classroom who could not join the school
        try await schools.school(invite.orgId).write { sql in
            try classrooms.place(personId, in: invite.classroomIds, sql)
        }
    }

    private func usable(_ code: String, at now: Date, in sql: any SQLReading) throws -> Invite {
        guard let invite = try known(code, in: sql) else { throw Problem.invalid("code", "code.unknown") }
        if let refusal = invite.refusal(at: now) { throw Problem.invalid("code", refusal) }
        return invite
    }

    private func known(_ code: String, in sql: any SQLReading) throws -> Invite? {
        let code = InviteCode.normalized(code)
        // A fingerprint is not accepted as a code, because a thief of the directory would have it.
        guard !code.hasPrefix(MailInviteRepository.mark) else { return nil }
        return try InviteRepository.invite(code: code, in: sql)
            ?? InviteRepository.invite(code: MailInviteRepository.mark + hasher.fingerprint(code), in: sql)
    }
}

/// The code that people type to join a school: 50 random bits in two groups of five characters.
///
/// Ten wrong codes lock the entry for five minutes. A thousand networks that try for a year therefore find one of a
/// thousand open codes with a probability of 1 in 10,000.
enum InviteCode {
    static let length = 10

    static func make(_ ids: any IDGenerator) -> String {
        ShortCode.grouped(ShortCode.make(length: length, ids), by: length / 2)
    }

    /// Returns the code in a text that was typed, pasted or scanned: the code itself, or the link that contains it.
    /// Earlier codes are version 4 UUIDs, as the tokens of mailed links still are.
    static func normalized(_ text: String) -> String {
        let code = ShortCode.normalized(text)
        if ShortCode.isOne(code, length: length) { return ShortCode.grouped(code, by: length / 2) }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let last = trimmed.split(separator: "/").last.map(String.init) ?? trimmed
        return last.lowercased()
    }
}

/// The secret in a mailed link: a version 4 UUID with 122 random bits, because nobody types it.
enum InviteToken {
    static func make(_ ids: any IDGenerator) -> String {
        var bytes = ids.randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var groups: [Substring] = []
        var rest = hex[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }
}
