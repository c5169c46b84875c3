/// Who is how far with what: a row for each child, a column for each thing, four shades that are told apart
/// without colour too. The head and the names stay in sight.
public struct PTProgressGrid: Codable, Hashable, Sendable {
    /// A shade, the lightest first.
    public enum Level: Int, Codable, Sendable, Hashable, CaseIterable { case none, begun, going, done }

    /// A thing.
    public struct Column: Codable, Hashable, Sendable {
        public var id: String
        public var title: String

        public init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }
    /// A child, with a level for each column.
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

    /// Its spoken name.
    public var label: String
    /// What heads the first column.
    public var corner: String
    public var columns: [Column]
    public var rows: [Row]
    /// What the levels are called, in their order.
    public var titles: [String]
    /// The path that a field opens, with `{row}` and `{column}` for the ids; `nil` where the grid is only read.
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

    /// What a level is called.
    public func title(of level: Level) -> String {
        titles.indices.contains(level.rawValue) ? titles[level.rawValue] : ""
    }
}
