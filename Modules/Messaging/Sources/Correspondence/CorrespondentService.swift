import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// Looks up the people who exchange messages: roles from the directory, classrooms and names from the school.
struct CorrespondentService: Sendable {
    let roles: any RoleDirectory
    let ties: any ClassroomTieService
    let people: any PeopleService

    /// The number of people in a picker. A search finds the others.
    static let pickerLimit = 60

    /// Returns the caller with the roles of their membership.
    func caller(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Correspondent {
        let id = membership.personId
        return Correspondent(
            id: id, roles: membership.roles, ties: try ties.ties(of: [id], in: sql)[id] ?? ClassroomTies())
    }

    func correspondents(
        _ ids: [UUID], _ roles: [UUID: Set<Role>], in sql: any SQLReading
    ) throws -> [Correspondent] {
        let ties = try ties.ties(of: ids, in: sql)
        return ids.map { Correspondent(id: $0, roles: roles[$0] ?? [], ties: ties[$0] ?? ClassroomTies()) }
    }

    func people(_ ids: some Sequence<UUID>, _ membership: ActiveMembership, in sql: any SQLReading) throws
        -> [UUID: Person]
    {
        try people.people(Array(Set(ids)), of: membership.organization.id, in: sql)
    }

    /// The people to whom the caller may write, by name.
    ///
    /// - Parameter query: the beginnings of parts of a name, separated by spaces; empty matches all people.
    func reachable(matching query: String, _ context: RequestContext) async throws -> [Reachable] {
        let membership = try context.membership
        let assigned = try await roles.assigned(in: membership.organization.id)
        let wanted = NameFolding.fold(query).split(separator: " ").map(String.init)
        return try await context.school.read { sql in
            let caller = try caller(membership, in: sql)
            let policy = try PolicyRepository.policy(in: sql)
            let near = try nearby(caller, assigned, in: sql)
            let people = try people(near, membership, in: sql)
            let matching = near.filter { id in
                guard let name = people[id]?.name.searchText else { return false }
                let parts = name.split(separator: " ")
                return wanted.allSatisfy { word in parts.contains { $0.hasPrefix(word) } }
            }
            return try correspondents(matching, assigned, in: sql)
                .filter { Correspondence.mayWrite(caller, to: $0, under: policy) }
                .compactMap { found in people[found.id].map { Reachable(person: $0, roles: found.roles) } }
                .sorted { Person.precedes($0.person, $1.person) }
        }
    }

    /// A superset of the people to whom the caller may write, so that the rules are not checked for a whole school.
    private func nearby(
        _ caller: Correspondent, _ assigned: [UUID: Set<Role>], in sql: any SQLReading
    ) throws -> [UUID] {
        var near: Set<UUID> = []
        for (id, roles) in assigned where id != caller.id {
            if caller.isAdmin || !roles.isDisjoint(with: [.superAdmin, .admin])
                || caller.isStaff && roles.contains(where: \.isStaff)
            {
                near.insert(id)
            }
        }
        for classroomId in caller.ties.all {
            let circle = try ties.circle(of: classroomId, in: sql)
            near.formUnion(circle.guides)
            if caller.ties.guided.contains(classroomId) {
                near.formUnion(circle.guardians)
                near.formUnion(circle.students)
            }
        }
        near.remove(caller.id)
        return near.filter { assigned[$0] != nil }
    }
}

/// A person to whom the caller may write.
struct Reachable: Sendable, Hashable, Identifiable {
    let person: Person
    let roles: Set<Role>

    var id: UUID { person.id }

    /// The person's first role in the order of `Role.allCases`.
    var role: Role { Role.allCases.first(where: roles.contains) ?? .parent }
}
