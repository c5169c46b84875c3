public import Foundation

/// A criterion of a rubric: one aspect of the work, with the levels that it can reach.
public struct RubricCriterion: Codable, Sendable, Hashable, Identifiable {
    /// A level that the work can reach in a criterion, with its points.
    public struct Level: Codable, Sendable, Hashable {
        /// The name of the level, such as "Convincing".
        public var title: String
        /// The points of the level as decimal text, such as "5" or "2.5"; "0" in an assignment that is not graded.
        public var points: String

        public init(title: String, points: String) {
            self.title = title
            self.points = points
        }
    }

    public let id: UUID
    public var title: String
    /// The levels of the criterion in the order in which the teacher entered them.
    public var levels: [Level]

    public init(id: UUID, title: String, levels: [Level]) {
        self.id = id
        self.title = title
        self.levels = levels
    }
}
