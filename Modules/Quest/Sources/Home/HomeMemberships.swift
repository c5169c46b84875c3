import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// Stands in for schools on a server that has none: every account is at home, in a database of its own, as the
/// parent of its family.
public final class HomeMemberships: MembershipResolver {
    private let schools: any SchoolDatabases
    private let timeZone: String
    /// Homes whose database is known to be there.
    private let homes = Mutex<Set<UUID>>([])

    /// - Parameter timeZone: of the families of this server; it says when a day begins.
    public init(schools: any SchoolDatabases, timeZone: TimeZone = .current) {
        self.schools = schools
        self.timeZone = timeZone.identifier
    }

    public func activeMembership(of account: SignedInAccount) async throws -> ActiveMembership? {
        if !homes.withLock({ $0.contains(account.id) }) {
            _ = try await schools.create(account.id)
            homes.withLock { _ = $0.insert(account.id) }
        }
        return ActiveMembership(
            organization: Organization(
                id: account.id, name: account.name, avatarTint: Tint(for: account.id), timeZone: timeZone,
                createdAt: Date(timeIntervalSince1970: 0)),
            personId: account.id, roles: [.parent])
    }
}
