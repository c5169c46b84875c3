public import Domain

/// The port that makes printable documents as PDF files.
public protocol DocumentPrinting: Sendable {
    /// Returns a PDF file with embedded fonts and a structure that screen readers can follow.
    func pdf(of document: PrintedDocument) async throws -> [UInt8]
}

/// A printable document: its content in order. The printer decides on the layout.
public struct PrintedDocument: Sendable {
    /// The paper formats of printable documents.
    public enum Paper: String, Codable, Sendable, Hashable, CaseIterable { case a4, letter }

    public var title: String
    /// The line under the document's title: the class, the period.
    public var subtitle: String?
    /// The name of the school, which is at the foot of each page.
    public var school: String
    /// The language of the document's text, which screen readers use.
    public var language: Language
    public var paper: Paper
    public var isLandscape: Bool
    /// The mark of the school above the title; `nil` for a document without one.
    public var emblem: PrintedEmblem?
    /// The theme whose colors the emblem and the headings of tables have.
    public var theme: ThemeName
    public var blocks: [PrintedBlock]
    /// Returns the page number in words of the reader's language, such as "Page 2 of 3".
    public var pageNumber: @Sendable (_ page: Int, _ count: Int) -> String

    public init(
        title: String, subtitle: String? = nil, school: String, language: Language, paper: Paper,
        isLandscape: Bool = false, emblem: PrintedEmblem? = nil, theme: ThemeName = .pinktower,
        blocks: [PrintedBlock],
        pageNumber: @escaping @Sendable (_ page: Int, _ count: Int) -> String
    ) {
        self.title = title
        self.subtitle = subtitle
        self.school = school
        self.language = language
        self.paper = paper
        self.isLandscape = isLandscape
        self.emblem = emblem
        self.theme = theme
        self.blocks = blocks
        self.pageNumber = pageNumber
    }
}

/// The mark of a school on paper: its logo, or without one a disc with its initials, and its name.
public struct PrintedEmblem: Sendable, Hashable {
    public let initials: String
    public let name: String
    /// The logo, which takes the place of the initials; `nil` for a school without one.
    public let logo: ShrunkImage?

    public init(initials: String, name: String, logo: ShrunkImage? = nil) {
        self.initials = initials
        self.name = name
        self.logo = logo
    }
}

/// One part of a printed document, such as a heading, a text or a table.
public enum PrintedBlock: Sendable, Hashable {
    /// A heading, never separated from what follows by a page break.
    case heading(String)
    case text(String)
    /// A small remark in a printed document: when it was printed, what a sign means.
    case note(String)
    /// A list with a bullet before each item.
    case items([String])
    case table(PrintedTable)
    /// Cards with a name and a code, to cut out.
    case badges([PrintedBadge])
    /// A label with empty lines below it for writing by hand.
    case writing(String, lines: Int)
}

/// A table of a printed document, whose head is repeated on each page.
public struct PrintedTable: Sendable, Hashable {
    /// A column of a printed table.
    public struct Column: Sendable, Hashable {
        public let title: String
        /// The column's part of the table's width, relative to the parts of the other columns.
        public let share: Double
        /// Whether the cells of the column are centered, as for marks and days.
        public let isCentered: Bool

        public init(_ title: String, share: Double = 1, isCentered: Bool = false) {
            self.title = title
            self.share = share
            self.isCentered = isCentered
        }
    }
    public var columns: [Column]
    /// The rows of the table, with a cell for each column; the first cell names the row.
    public var rows: [[String]]

    public init(columns: [Column], rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }
}

/// A card with a person's name and a code that a camera can read.
public struct PrintedBadge: Sendable, Hashable {
    public let name: String
    public let detail: String
    /// The dark and light modules of the QR code row by row; `true` is dark.
    public let code: [[Bool]]

    public init(name: String, detail: String, code: [[Bool]]) {
        self.name = name
        self.detail = detail
        self.code = code
    }
}
