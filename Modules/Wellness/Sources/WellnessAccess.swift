import Domain
import FeatureKit
import Foundation
import OrganizationInterface

extension Permission {
    /// Checking in, sharing check-ins and asking for help.
    static let checkIn = Permission("wellness.checkIn", [.student])
    /// Reading what a child shared with oneself, and requests for help if the school named one for them.
    static let readSharedWellness = Permission(
        "wellness.read", [.superAdmin, .admin, .guide, .warden, .parent])
    /// Choosing who is told of requests for help, and switching check-ins off.
    static let manageWellness = Permission("wellness.manage", [.superAdmin, .admin])
}

/// The refresh topics of the block's pages.
enum WellnessTopic {
    static let settings = "wellness.settings"
    /// Requests for help, on the pages of those who are told.
    static let requests = "wellness.requests"

    /// What concerns one person: a child's own pages, or what is shared with an adult.
    static func of(_ personId: UUID) -> String { "wellness:\(personId.text)" }
}

/// Decides who may read what of a child, and whom a child can choose.
///
/// What a child has not shared is not found, for every role.
struct WellnessAccess: Sendable {
    let roles: any RoleDirectory
    let people: any PeopleService
    let families: any FamilyLinks

    /// An adult whom a child can choose.
    struct Adult: Sendable {
        let person: Person
        /// Whether the school named the adult for requests for help.
        let isContact: Bool
    }

    /// The roles that these people have now. People without a role are left out.
    func roles(of ids: some Sequence<UUID>, in orgId: UUID) async throws -> [UUID: Set<Role>] {
        let ids = Array(ids)
        return ids.isEmpty ? [:] : try await roles.roles(of: ids, in: orgId)
    }

    /// The staff among these people, by the roles that they have now.
    func staff(among ids: some Sequence<UUID>, in orgId: UUID) async throws -> Set<UUID> {
        Set(try await roles(of: ids, in: orgId).filter { $0.value.contains(where: \.isStaff) }.keys)
    }

    /// The adults with whom a child can share: the named adults first, then the parents if the school allows it, then
    /// the rest of the staff by name.
    func adults(for membership: ActiveMembership, _ context: RequestContext) async throws -> [Adult] {
        let orgId = membership.organization.id
        let assigned = try await roles.assigned(in: orgId)
        let staff = Set(assigned.filter { $0.value.contains(where: \.isStaff) }.keys)
        return try await context.school.read { sql in
            let settings = try WellnessSettings.read(in: sql)
            let contacts = try ContactRepository.contacts(in: sql).intersection(staff)
            let parents =
                settings.allowsParents ? try families.parents(ofStudent: membership.personId, in: sql) : []
            let found = try people.people(Array(staff.union(parents)), of: orgId, in: sql).values
            func place(_ person: Person) -> Int {
                contacts.contains(person.id) ? 0 : parents.contains(person.id) ? 1 : 2
            }
            return found.filter { $0.id != membership.personId }
                .sorted { (place($0), $0.name.sortKey, $0.id) < (place($1), $1.name.sortKey, $1.id) }
                .map { Adult(person: $0, isContact: contacts.contains($0.id)) }
        }
    }

    /// The adults of these who may still read what a child shared with them. Parents may while the school allows it.
    /// - Parameter roles: the roles that the adults have now.
    func readers(
        among roles: [UUID: Set<Role>], childId: UUID, _ settings: WellnessSettings, in sql: any SQLReading
    ) throws -> Set<UUID> {
        guard settings.isOn else { return [] }
        let staff = Set(roles.filter { $0.value.contains(where: \.isStaff) }.keys)
        let others = Set(roles.filter { $0.value.contains(.parent) }.keys).subtracting(staff)
        guard settings.allowsParents, !others.isEmpty else { return staff }
        return staff.union(others.intersection(try families.parents(ofStudent: childId, in: sql)))
    }

    /// Whether an adult may still read what a child shared with them.
    func mayRead(
        _ reader: ActiveMembership, childId: UUID, _ settings: WellnessSettings, in sql: any SQLReading
    ) throws -> Bool {
        try !readers(among: [reader.personId: reader.roles], childId: childId, settings, in: sql).isEmpty
    }

    /// The children of these whose shared check-ins an adult may still read.
    func readable(
        _ childIds: Set<UUID>, by reader: ActiveMembership, _ settings: WellnessSettings, in sql: any SQLReading
    ) throws -> Set<UUID> {
        guard settings.isOn, !childIds.isEmpty else { return [] }
        if reader.roles.contains(where: \.isStaff) { return childIds }
        guard settings.allowsParents else { return [] }
        return childIds.intersection(try families.children(of: reader, in: sql).map(\.id))
    }

    /// Whether a member is told of requests for help.
    func isContact(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Bool {
        try membership.roles.contains(where: \.isStaff)
            && ContactRepository.isContact(membership.personId, in: sql)
    }

    func names(_ ids: some Sequence<UUID>, of orgId: UUID, in sql: any SQLReading) throws -> [UUID: Person] {
        try people.people(Array(Set(ids)), of: orgId, in: sql)
    }
}
