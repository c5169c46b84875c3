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
