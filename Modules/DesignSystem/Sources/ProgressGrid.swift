/// A grid of progress: a row for each child, a column for each thing, a shade for each level.
///
/// The shades differ in more than color. The header and the names stay visible while the grid scrolls.
public struct PTProgressGrid: Codable, Hashable, Sendable {
    /// The levels of progress of a child with a thing, lowest first.
    public enum Level: Int, Codable, Sendable, Hashable, CaseIterable { case none, begun, going, done }

    /// A thing in which children make progress: one column of the grid.
    public struct Column: Codable, Hashable, Sendable {
        public var id: String
        public var title: String

        public init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }
    /// A child with the level of progress for each column.
    public struct Row: Codable, Hashable, Sendable {
        public var id: String
        public var title: String
        public var action: PTAction?
        public var levels: [Level]

        public init(id: String, title: String, action: PTAction? = nil, levels: [Level]) {
            self.id = id
            self.title = title
            self.action = action
            self.levels = levels
        }
    }

    /// The name of the progress grid for screen readers.
    public var label: String
    /// The header of the column with the children's names.
    public var corner: String
    public var columns: [Column]
    public var rows: [Row]
    /// The names of the levels of progress, in the order of the levels.
    public var titles: [String]
    /// The path that a cell opens, with `{row}` and `{column}` for the ids; `nil` if cells open nothing.
    public var path: String?

    public init(
        label: String, corner: String, columns: [Column], rows: [Row], titles: [String], path: String? = nil
    ) {
        self.label = label
        self.corner = corner
        self.columns = columns
        self.rows = rows
        self.titles = titles
        self.path = path
    }

    /// Returns the name of a level of progress.
    public func title(of level: Level) -> String {
        titles.indices.contains(level.rawValue) ? titles[level.rawValue] : ""
    }
}
