public import FeatureKit
public import Foundation

/// The classrooms of a school, for invites to them. Implemented by the block that has classrooms.
///
/// All calls run in the caller's transaction.
public protocol ClassroomPlacing: Sendable {
    /// Returns the classrooms that a member sees, in the order of their list.
    func classrooms(offeredTo membership: ActiveMembership, in sql: any SQLReading) throws -> [OfferedClassroom]
    /// Makes a person a guide of these classrooms; deleted ones are left out. The caller must check permissions.
    func place(_ personId: UUID, in classroomIds: [UUID], _ sql: any SQLWriting) throws
}

/// The default classrooms of guides, provided by the block that has classrooms.
public protocol DefaultClassrooms: Sendable {
    /// Returns the default classrooms of people, without those who chose none.
    func defaultClassrooms(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: UUID]
}

/// A classroom that an invite can name.
public struct OfferedClassroom: Sendable, Hashable {
    public let id: UUID
    public let name: String

    public init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }
}
