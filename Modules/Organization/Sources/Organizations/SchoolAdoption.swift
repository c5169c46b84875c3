public import AuthInterface
public import Domain
import FeatureKit
public import Foundation
import OrganizationInterface

extension DirectoryOrgService {
    /// Creates the organization "My School" for the data of a single guide that has none.
    ///
    /// Such data is from before there were organizations, or the server's directory database was lost. The guide
    /// becomes the super admin. Only a directory database without any organization is filled, and only for people whose
    /// account is in it. A second call changes nothing.
    /// - Parameter schools: finds the schools whose files exist; called only if the server's directory database is
    ///   empty.
    /// - Returns: the organizations that were made.
    @discardableResult
    public func adopt(
        _ schools: () async throws -> [UUID], accounts: any AccountReading
    ) async throws -> [Organization] {
        guard try await all().isEmpty else { return [] }
        var adopted: [Organization] = []
        for id in try await schools() {
            guard let guide = try await guide(ofSchool: id, accounts) else { continue }
            let now = clock.now
            let organization = Organization(
                id: id, name: "My School", avatarTint: .berry, timeZone: TimeZone.current.identifier, createdAt: now
            )
            let membership = Membership(
                id: ids.id(at: now), orgId: id, guideId: guide.person, accountId: guide.account, role: .superAdmin,
                createdAt: now)
            // The device is a random one. A device without a choice of its own uses the school that was used last.
            let device = ids.id(at: now)
            // conformance: allow write - a server that starts has nobody who could ask for a command
            try await directory.write { sql in
                try OrganizationRepository.insert(organization, in: sql)
                try MembershipRepository.insert(membership, in: sql)
                try OrganizationRepository.setActive(id, account: guide.account, device: device, at: now, in: sql)
            }
            memberships.forgetActive()
            adopted.append(organization)
        }
        return adopted
    }

    /// Returns the first person of a school's file whose account exists.
    private func guide(
        ofSchool id: UUID, _ accounts: any AccountReading
    ) async throws -> (person: UUID, account: UUID)? {
        let linked = try await self.schools.school(id).read { try PeopleRepository.linked(in: $0) }
        let known = try await accounts.accounts(linked.map(\.account))
        return linked.first { known[$0.account] != nil }
    }
}
