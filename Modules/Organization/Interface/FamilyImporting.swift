public import FeatureKit
public import Foundation

/// That somebody looks after a child.
public struct FamilyLink: Sendable, Hashable {
    public let guardianId: UUID
    public let childId: UUID

    public init(guardianId: UUID, childId: UUID) {
        self.guardianId = guardianId
        self.childId = childId
    }
}

/// Parents and children by the thousand. All of it inside the caller's own transaction; who may do it is the caller's to
/// check.
public protocol FamilyImporting: Sendable {
    /// Every link of the school.
    func links(in sql: any SQLReading) throws -> Set<FamilyLink>
    /// Links people who are in the school; links that are there already stay.
    /// - Parameter staffId: who does it; `nil` for the command line.
    func link(_ links: [FamilyLink], by staffId: UUID?, at instant: Date, in sql: any SQLWriting) throws
    /// Ends links; those that are not there are left out.
    func unlink(_ links: [FamilyLink], in sql: any SQLWriting) throws
    /// The tables that it writes; whatever other tables tell about a person came from elsewhere.
    var tables: Set<String> { get }
}
