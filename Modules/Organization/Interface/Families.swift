public import Domain
public import FeatureKit
public import Foundation

/// Whoever looks after a child at home and reads along, as a person of the school.
public struct Guardian: Identifiable, Codable, Sendable, Hashable {
    /// The person.
    public let id: UUID
    public let name: String
    public let email: String?
    /// Whether somebody signs in as this person; until then an invite waits.
    public let hasAccount: Bool

    public init(id: UUID, name: String, email: String?, hasAccount: Bool) {
        self.id = id
        self.name = name
        self.email = email
        self.hasAccount = hasAccount
    }
}

/// Parents and their children. All of it inside the caller's own transaction; who may do it is the caller's to check.
public protocol GuardianService: Sendable {
    /// The children that somebody looks after.
    func children(ofGuardian personId: UUID, in sql: any SQLReading) throws -> [UUID]
    /// Those who look after a child, by name.
    func guardians(ofChild childId: UUID, in sql: any SQLReading) throws -> [Guardian]
    /// Links whoever has this address to the child: a guardian of another child, or a new person.
    /// - Parameter draft: the person, if it is a new one; its address is needed.
    /// - Returns: the person's id.
    func link(
        _ draft: Person, to childId: UUID, by staffId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws -> UUID
    /// Ends a link; whether there was one.
    func unlink(_ personId: UUID, from childId: UUID, in sql: any SQLWriting) throws -> Bool
    /// Mails a link that lets one person in, as this guardian. Works in the directory.
    func invite(_ personId: UUID, at email: String, in context: inout CommandContext) throws
}

/// Who is whose parent. All of it inside the caller's own transaction.
public protocol FamilyLinks: Sendable {
    /// The children of a parent, by name.
    func children(ofParent personId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Person]
    /// The parents of a child who are people of the school.
    func parents(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID>
}

extension FamilyLinks {
    /// The children of a member; empty for a member who is not a parent.
    public func children(of membership: ActiveMembership, in sql: any SQLReading) throws -> [Person] {
        guard membership.roles.contains(.parent) else { return [] }
        return try children(ofParent: membership.personId, orgId: membership.organization.id, in: sql)
    }

    /// The students whose courses a member may see: the member as a student, and their children as a parent.
    public func learners(of membership: ActiveMembership, in sql: any SQLReading) throws -> [UUID] {
        let own = membership.roles.contains(.student) ? [membership.personId] : []
        return own + (try children(of: membership, in: sql).map(\.id))
    }
}
