public import FeatureKit
public import Foundation

/// The link between a guardian and a child of the school.
public struct FamilyLink: Sendable, Hashable {
    public let guardianId: UUID
    public let childId: UUID

    public init(guardianId: UUID, childId: UUID) {
        self.guardianId = guardianId
        self.childId = childId
    }
}

/// Imports links between guardians and children in bulk.
///
/// All calls run in the caller's database transaction. The caller must check permissions.
public protocol FamilyImporting: Sendable {
    /// Returns every link between a guardian and a child of the school.
    func links(in sql: any SQLReading) throws -> Set<FamilyLink>
    /// Links people of the school. Existing links stay.
    /// - Parameter staffId: the person who links them; `nil` for the command line.
    func link(_ links: [FamilyLink], by staffId: UUID?, at instant: Date, in sql: any SQLWriting) throws
    /// Removes links between guardians and children. Unknown ones are ignored.
    func unlink(_ links: [FamilyLink], in sql: any SQLWriting) throws
    /// The names of the database tables that the import writes. Rows about a person in other tables came from
    /// elsewhere.
    var tables: Set<String> { get }
}
