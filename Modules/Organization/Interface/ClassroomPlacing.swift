public import FeatureKit
public import Foundation

/// The classrooms of a school for whoever invites people to them; the block that has classrooms gives it. All of it
/// inside the caller's own transaction.
public protocol ClassroomPlacing: Sendable {
    /// The classrooms that a member sees, in the order of their list.
    func classrooms(offeredTo membership: ActiveMembership, in sql: any SQLReading) throws -> [OfferedClassroom]
    /// Makes somebody one of the guides of these classrooms; those that are gone are left out. Who may do it is the
    /// caller's to check.
    func place(_ personId: UUID, in classroomIds: [UUID], _ sql: any SQLWriting) throws
}

/// The classroom that each guide chose to begin with; the block that has classrooms gives it.
public protocol DefaultClassrooms: Sendable {
    /// The default classrooms of these people; those who chose none are left out.
    func defaultClassrooms(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: UUID]
}

/// A classroom that an invite may name.
public struct OfferedClassroom: Sendable, Hashable {
    public let id: UUID
    public let name: String

    public init(id: UUID, name: String) {
        self.id = id
        self.name = name
    }
}
