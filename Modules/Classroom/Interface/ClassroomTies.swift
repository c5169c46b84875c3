public import FeatureKit
public import Foundation

/// What ties a person to the classrooms of a school.
public struct ClassroomTies: Sendable, Hashable {
    /// The classrooms in which the person works.
    public var guided: Set<UUID>
    /// The classrooms in which the person learns.
    public var learnsIn: Set<UUID>
    /// The children whom the person looks after.
    public var children: Set<UUID>
    /// The classrooms in which those children learn.
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

    /// Every classroom that the person has anything to do with.
    public var all: Set<UUID> { guided.union(learnsIn).union(childrensClassrooms) }
}

/// The people around a classroom.
public struct ClassroomCircle: Sendable, Hashable {
    public let guides: Set<UUID>
    public let students: Set<UUID>
    /// Those who look after the students.
    public let guardians: Set<UUID>

    public init(guides: Set<UUID>, students: Set<UUID>, guardians: Set<UUID>) {
        self.guides = guides
        self.students = students
        self.guardians = guardians
    }
}

/// Who has to do with which classroom, for blocks that bring people together. All of it inside the caller's own
/// transaction; whether the caller may know it is the block's to decide.
public protocol ClassroomTieService: Sendable {
    /// The ties of each of these people; whoever has none has empty ones.
    func ties(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: ClassroomTies]
    /// The people around a classroom; nobody where there is none.
    func circle(of classroomId: UUID, in sql: any SQLReading) throws -> ClassroomCircle
    /// The classrooms with these ids; those that do not exist are left out.
    func classrooms(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [ClassroomSummary]
    /// All classrooms of the school, in the order of the list.
    func allClassrooms(in sql: any SQLReading) throws -> [ClassroomSummary]
}
