public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

extension DirectoryOrgService: SchoolRegister, AccountMemberships {
    public func schools() async throws -> [Organization] { try await all() }

    public func entry(of orgId: UUID) async throws -> SchoolEntry {
        try await directory.read { sql in
            guard let organization = try OrganizationRepository.organization(orgId, in: sql) else {
                throw Problem.notFound
            }
            return SchoolEntry(
                organization: organization,
                places: try MembershipRepository.memberships(of: orgId, in: sql).map {
                    .init(personId: $0.guideId, accountId: $0.accountId, role: $0.role, createdAt: $0.createdAt)
                })
        }
    }

    public func put(_ entry: SchoolEntry) async throws {
        let organization = entry.organization
        let rows = entry.places.map { place in
            Membership(
                id: ids.id(at: clock.now), orgId: organization.id, guideId: place.personId,
                accountId: place.accountId, role: place.role, createdAt: place.createdAt)
        }
        // conformance: allow write - the directory's half of a restore, which the command or its operator began
        try await directory.write { sql in
            if try OrganizationRepository.organization(organization.id, in: sql) == nil {
                try OrganizationRepository.insert(organization, in: sql)
            } else {
                try OrganizationRepository.rename(
                    organization.id, to: organization.name, tint: organization.avatarTint,
                    timeZone: organization.timeZone, in: sql)
            }
            try MembershipRepository.removeEverybody(from: organization.id, in: sql)
            try MembershipRepository.insert(rows, in: sql)
            // The seals of the former content do not apply to the new content.
            try SchoolSeals.remove(organization.id, in: sql)
        }
        memberships.forgetActive()
    }

    public func relink(_ accounts: [UUID: UUID], in sql: any SQLWriting) throws {
        let linked = try PeopleRepository.linked(in: sql)
        // All people are unlinked first, because two people may swap accounts, and an account has one person.
        for (person, _) in linked { try PeopleRepository.unlink(person, in: sql) }
        for (person, account) in linked {
            guard let here = accounts[account] else { continue }
            _ = try PeopleRepository.link(person, accountId: here, in: sql)
        }
    }

    public func close(_ orgId: UUID) async throws -> SchoolClosing {
        let closing = Closing(
            orgId: orgId, closedAt: clock.now,
            deletesAt: clock.now.addingTimeInterval(Double(Self.graceDays) * 86_400))
        let nobody = ids.id(at: clock.now)
        // conformance: allow write - the end of a move, which the server's operator began
        let made = try await directory.write { sql -> SchoolClosing in
            if let known = try ClosingRepository.closing(of: orgId, in: sql) {
                return SchoolClosing(deletesAt: known.deletesAt, isNew: false)
            }
            try ClosingRepository.insert(closing, by: nobody, in: sql)
            return SchoolClosing(deletesAt: closing.deletesAt, isNew: true)
        }
        memberships.forgetActive()
        return made
    }

    public func open(_ orgId: UUID) async throws {
        // conformance: allow write - the server's operator takes a closing back
        try await directory.write { try ClosingRepository.remove(orgId, in: $0) }
        memberships.forgetActive()
    }

    public func superAdminCount(in orgId: UUID) async throws -> Int {
        try await directory.read { try MembershipRepository.superAdminCount(in: orgId, $0) }
    }

    public func memberships(ofAccount accountId: UUID, in sql: any SQLReading) throws -> [AccountMembership] {
        try OrganizationRepository.organizations(ofAccount: accountId, in: sql).compactMap { organization in
            let held = try MembershipRepository.memberships(ofAccount: accountId, in: organization.id, sql)
            guard let personId = held.first?.guideId else { return nil }
            let roles = Set(held.map(\.role))
            let isLast =
                try roles.contains(.superAdmin)
                && MembershipRepository.superAdminCount(in: organization.id, sql) == 1
                && ClosingRepository.closing(of: organization.id, in: sql) == nil
            return AccountMembership(
                organization: organization, personId: personId, roles: roles, isLastSuperAdmin: isLast)
        }
    }

    public func detach(_ accountId: UUID, in sql: any SQLWriting) throws {
        try MembershipRepository.unlink(accountId, in: sql)
        sql.afterCommit { [memberships] in memberships.forgetActive() }
    }

    public func unlink(_ personId: UUID, in sql: any SQLWriting) throws {
        try PeopleRepository.unlink(personId, in: sql)
    }
}
