public import Domain

/// Makes documents for paper.
public protocol DocumentPrinting: Sendable {
    /// A PDF file with its fonts in it, whose structure a screen reader can follow.
    func pdf(of document: PrintedDocument) async throws -> [UInt8]
}

/// A document for paper: what is on it, in order. How it looks is the printer's.
public struct PrintedDocument: Sendable {
    /// The sheets that a school has in its printer.
    public enum Paper: String, Codable, Sendable, Hashable, CaseIterable { case a4, letter }

    public var title: String
    /// Under the title: the class, the period.
    public var subtitle: String?
    /// Whose paper it is; stands at the foot of each page.
    public var school: String
    /// What it is written in; a voice reads it accordingly.
    public var language: Language
    public var paper: Paper
    public var isLandscape: Bool
    public var blocks: [PrintedBlock]
    /// "Page 2 of 3" in the reader's language.
    public var pageNumber: @Sendable (_ page: Int, _ count: Int) -> String

    public init(
        title: String, subtitle: String? = nil, school: String, language: Language, paper: Paper,
        isLandscape: Bool = false, blocks: [PrintedBlock],
        pageNumber: @escaping @Sendable (_ page: Int, _ count: Int) -> String
    ) {
        self.title = title
        self.subtitle = subtitle
        self.school = school
        self.language = language
        self.paper = paper
        self.isLandscape = isLandscape
        self.blocks = blocks
        self.pageNumber = pageNumber
    }
}

/// One part of a printed document.
public enum PrintedBlock: Sendable, Hashable {
    /// Stands above what follows, never alone at the foot of a page.
    case heading(String)
    case text(String)
    /// Beside the point: when it was printed, what a sign means.
    case note(String)
    case items([String])
    case table(PrintedTable)
    /// Cards to cut out.
    case badges([PrintedBadge])
    /// Empty lines to write on by hand, with what belongs there.
    case writing(String, lines: Int)
}

/// A table whose head is repeated on each page.
public struct PrintedTable: Sendable, Hashable {
    public struct Column: Sendable, Hashable {
        public let title: String
        /// Its part of the width, beside those of the other columns.
        public let share: Double
        /// Whether its cells stand in the middle: marks, days.
        public let isCentred: Bool

        public init(_ title: String, share: Double = 1, isCentred: Bool = false) {
            self.title = title
            self.share = share
            self.isCentred = isCentred
        }
    }
    public var columns: [Column]
    /// As many cells as columns; the first names the row.
    public var rows: [[String]]

    public init(columns: [Column], rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }
}

/// A card with somebody's name and a code that a camera reads.
public struct PrintedBadge: Sendable, Hashable {
    public let name: String
    public let detail: String
    /// The modules row by row, `true` is dark.
    public let code: [[Bool]]

    public init(name: String, detail: String, code: [[Bool]]) {
        self.name = name
        self.detail = detail
        self.code = code
    }
}
