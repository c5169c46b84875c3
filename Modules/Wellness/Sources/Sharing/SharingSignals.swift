import Domain
import FeatureKit
import Foundation

/// Refreshes open pages after a change of check-ins or of what is shared. Signals are not stored.
///
/// A signal says that a child did something. So it reaches only the child, and adults who may read what the child shares.
struct SharingSignals: Sendable {
    let access: WellnessAccess

    /// The roles of the adults with whom the caller shares something, for the transaction that follows.
    func roles(_ context: RequestContext) async throws -> [UUID: Set<Role>] {
        let membership = try context.membership
        let adults = try await context.school.read {
            try SharingRepository.adults(of: membership.personId, in: $0)
        }
        return try await access.roles(of: adults, in: membership.organization.id)
    }

    /// Refreshes the pages of the caller on all devices, and those of the adults who read the caller's check-ins.
    /// - Parameters:
    ///   - checkInId: a check-in that may be shared by itself.
    ///   - roles: the roles of the adults now.
    func send(about checkInId: UUID?, _ roles: [UUID: Set<Role>], in context: inout CommandContext) throws {
        var adults = try SharingRepository.readers(of: context.membership.personId, in: context.sql)
        if let checkInId {
            adults.formUnion(try SharingRepository.adults(of: [checkInId], in: context.sql)[checkInId] ?? [])
        }
        try send(to: adults, roles, in: &context)
    }

    /// Refreshes the pages of the caller on all devices, and those of the adults of these who may read the caller's
    /// check-ins.
    func send(to adults: Set<UUID>, _ roles: [UUID: Set<Role>], in context: inout CommandContext) throws {
        let me = try context.membership.personId
        let readers = try access.readers(
            among: roles.filter { adults.contains($0.key) }, childId: me, WellnessSettings.read(in: context.sql),
            in: context.sql)
        for person in [me] + readers.sorted() {
            context.send(
                Signal(
                    "wellness.changed", topics: [WellnessTopic.of(person)], audience: [.person(person)], from: nil))
        }
    }
}
