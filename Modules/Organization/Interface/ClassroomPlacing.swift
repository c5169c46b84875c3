public import FeatureKit
public import Foundation

/// Lists the classrooms of a school that an invite can name, and makes invited people guides of them. Implemented by
/// the feature block that has classrooms.
///
/// All calls run in the caller's database transaction.
public protocol ClassroomPlacing: Sendable {
    /// Returns the classrooms that a member sees, in the order of their list.
    func classrooms(offeredTo membership: ActiveMembership, in sql: any SQLReading) throws -> [OfferedClassroom]
    /// Makes a person a guide of these classrooms; deleted ones are left out. The caller must check permissions.
    func place(_ personId: UUID, in classroomIds: [UUID], _ sql: any SQLWriting) throws
}

/// Finds the classroom that each guide has chosen as default. Implemented by the feature block that has classrooms.
public protocol DefaultClassrooms: Sendable {
    /// Returns the default classroom of each person; people who chose none are left out.
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
