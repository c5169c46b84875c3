public import FeatureKit
public import Foundation

/// The relations of a person to the classrooms of a school.
public struct ClassroomTies: Sendable, Hashable {
    /// The classrooms in which the person is a guide.
    public var guided: Set<UUID>
    /// The classrooms in which the person is a student.
    public var learnsIn: Set<UUID>
    /// The children of whom the person is a guardian.
    public var children: Set<UUID>
    /// The classrooms of the person's children.
    public var childrensClassrooms: Set<UUID>

    public init(
        guided: Set<UUID> = [], learnsIn: Set<UUID> = [], children: Set<UUID> = [],
        childrensClassrooms: Set<UUID> = []
    ) {
        self.guided = guided
        self.learnsIn = learnsIn
        self.children = children
        self.childrensClassrooms = childrensClassrooms
    }

    /// Every classroom that the person is related to.
    public var all: Set<UUID> { guided.union(learnsIn).union(childrensClassrooms) }
}

/// The people of a classroom: guides, students and guardians.
public struct ClassroomCircle: Sendable, Hashable {
    public let guides: Set<UUID>
    public let students: Set<UUID>
    /// The guardians of the classroom's students.
    public let guardians: Set<UUID>

    public init(guides: Set<UUID>, students: Set<UUID>, guardians: Set<UUID>) {
        self.guides = guides
        self.students = students
        self.guardians = guardians
    }
}

/// The relations between people and classrooms, for feature blocks that let people write to each other.
///
/// All calls run in the caller's database transaction. The caller must check whether the member may know them.
public protocol ClassroomTieService: Sendable {
    /// Returns the relations of each of these people; people without any have empty ones.
    func ties(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: ClassroomTies]
    /// Returns the people of a classroom; empty for an unknown id.
    func circle(of classroomId: UUID, in sql: any SQLReading) throws -> ClassroomCircle
    /// Returns the classrooms with these ids. Unknown ids are left out.
    func classrooms(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [ClassroomSummary]
    /// Returns all classrooms of the school, in the order of the list.
    func allClassrooms(in sql: any SQLReading) throws -> [ClassroomSummary]
}
