import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// Memberships on a server without schools. Each account is the parent of a family with a database of its own.
public final class HomeMemberships: MembershipResolver {
    private let schools: any SchoolDatabases
    private let timeZone: String
    /// The accounts whose database is known to exist.
    private let homes = Mutex<Set<UUID>>([])

    /// Creates the memberships of a server without schools.
    ///
    /// - Parameter timeZone: the time zone of all families on this server.
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
