public import Domain
public import FeatureKit
public import Foundation

/// A guardian of a child, who is a person of the school.
public struct Guardian: Identifiable, Codable, Sendable, Hashable {
    /// The id of the guardian as a person of the school.
    public let id: UUID
    public let name: String
    public let email: String?
    /// Whether the guardian has an account; until then the guardian's invite to the school can still be used.
    public let hasAccount: Bool

    public init(id: UUID, name: String, email: String?, hasAccount: Bool) {
        self.id = id
        self.name = name
        self.email = email
        self.hasAccount = hasAccount
    }
}

/// Guardians and their children. All calls run in the caller's database transaction. The caller must check permissions.
public protocol GuardianService: Sendable {
    /// Returns the children of a guardian in the school.
    func children(ofGuardian personId: UUID, in sql: any SQLReading) throws -> [UUID]
    /// Returns the guardians of a child, by name.
    func guardians(ofChild childId: UUID, in sql: any SQLReading) throws -> [Guardian]
    /// Links a person to a child as guardian. The person is an existing guardian with that email address, or a new
    /// person.
    /// - Parameter draft: the person, with an email address; used only if there is no guardian with that address.
    /// - Returns: the id of the guardian.
    func link(
        _ draft: Person, to childId: UUID, by staffId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws -> UUID
    /// Removes the link between a guardian and a child, and returns whether there was one.
    func unlink(_ personId: UUID, from childId: UUID, in sql: any SQLWriting) throws -> Bool
    /// Mails an invite to join the school to one guardian. Works in the server's directory database.
    func invite(_ personId: UUID, at email: String, in context: inout CommandContext) throws
}

/// Parents and their children. All calls run in the caller's database transaction.
public protocol FamilyLinks: Sendable {
    /// Returns the children of a parent, sorted by name.
    func children(ofParent personId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Person]
    /// Returns the parents of a student who are people of the school.
    func parents(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID>
}

extension FamilyLinks {
    /// Returns the children of a member; empty for a member who is not a parent.
    public func children(of membership: ActiveMembership, in sql: any SQLReading) throws -> [Person] {
        guard membership.roles.contains(.parent) else { return [] }
        return try children(ofParent: membership.personId, orgId: membership.organization.id, in: sql)
    }

    /// Returns the students whose courses a member may see: the member as a student, and their children as a parent.
    public func learners(of membership: ActiveMembership, in sql: any SQLReading) throws -> [UUID] {
        let own = membership.roles.contains(.student) ? [membership.personId] : []
        return own + (try children(of: membership, in: sql).map(\.id))
    }
}
