public import Domain

/// The head of a page that greets or summarizes: "10 of 14 are here".
public struct PTGreeting: Codable, Hashable, Sendable {
    /// The line above the title: "Maple room, Tuesday 12 November".
    public var eyebrow: String?
    public var title: String
    /// The line below the title: "2 absent, 2 to mark".
    public var detail: String?
    /// A bar that shows the parts of the whole, such as present and absent; `nil` for none.
    public var split: PTSplitBar?
    /// Minor actions of the greeting, at the end of its lower line.
    public var actions: [PTButton]

    public init(
        eyebrow: String? = nil, title: String, detail: String? = nil, split: PTSplitBar? = nil,
        actions: [PTButton] = []
    ) {
        self.eyebrow = eyebrow
        self.title = title
        self.detail = detail
        self.split = split
        self.actions = actions
    }
}

/// A bar that shows the parts of a whole. Its track stays visible where the parts do not fill it.
public struct PTSplitBar: Codable, Hashable, Sendable {
    /// One part of a bar that is split by numbers.
    public struct Part: Codable, Hashable, Sendable {
        public var count: Int
        public var tint: Tint
        /// The filled portion of the part, in percent; `nil` fills it whole.
        public var filled: Int?
        /// The meaning of the part's color. If parts have titles, the bar has a legend.
        public var title: String?
        /// The second line about the part in the legend: "40 % · average 83".
        public var detail: String?

        public init(count: Int, tint: Tint, filled: Int? = nil, title: String? = nil, detail: String? = nil) {
            self.count = count
            self.tint = tint
            self.filled = filled
            self.title = title
            self.detail = detail
        }
    }
    public var parts: [Part]
    public var total: Int
    /// The bar in words: "10 present, 2 absent, 2 not marked".
    public var spoken: String

    public init(parts: [Part], total: Int, spoken: String) {
        self.parts = parts
        self.total = total
        self.spoken = spoken
    }
}

/// A paragraph or a line of text on a page.
public struct PTText: Codable, Hashable, Sendable {
    /// The purpose of a text on its page, from which its look follows.
    public enum Role: String, Codable, Sendable, Hashable, CaseIterable {
        /// Ordinary text of a page.
        case body
        /// A sentence that explains the content beside it.
        case note
        /// A heading inside a card.
        case heading
        /// A code or an address, whose letters are read one by one.
        case code
    }
    public var text: String
    public var role: Role
    public var isCentered: Bool

    public init(_ text: String, role: Role = .body, isCentered: Bool = false) {
        self.text = text
        self.role = role
        self.isCentered = isCentered
    }
}

/// A list of terms, each with its value: "Born", "12 May 2019".
public struct PTDefinitionList: Codable, Hashable, Sendable {
    /// A term of the list, with its value.
    public struct Item: Codable, Hashable, Sendable {
        public var term: String
        public var value: String
        public var action: PTButton?

        public init(term: String, value: String, action: PTButton? = nil) {
            self.term = term
            self.value = value
            self.action = action
        }
    }
    public var items: [Item]

    public init(items: [Item]) { self.items = items }
}

/// A table whose header and first column stay visible while it scrolls.
public struct PTDataTable: Codable, Hashable, Sendable {
    /// One column of a table, with its title.
    public struct Column: Codable, Hashable, Sendable {
        public var title: String
        /// A short text under the title of the column, such as the maximum score.
        public var detail: String?
        /// Whether the column contains numbers, which are right-aligned.
        public var isNumeric: Bool

        public init(title: String, detail: String? = nil, isNumeric: Bool = false) {
            self.title = title
            self.detail = detail
            self.isNumeric = isNumeric
        }
    }
    /// The content of one cell of a table.
    public enum Cell: Codable, Hashable, Sendable {
        case text(String)
        case tag(PTTag)
        /// A check mark for yes or a dash for no, with the word that screen readers say.
        case check(Bool, spoken: String)
        case empty
    }
    /// One row of a table. The cell of the first column is its header.
    public struct Row: Codable, Hashable, Sendable {
        public var id: String?
        public var header: String
        public var avatar: PTAvatar?
        public var action: PTAction?
        public var cells: [Cell]

        public init(
            id: String? = nil, header: String, avatar: PTAvatar? = nil, action: PTAction? = nil, cells: [Cell]
        ) {
            self.id = id
            self.header = header
            self.avatar = avatar
            self.action = action
            self.cells = cells
        }
    }
    /// The name of the table for screen readers.
    public var label: String
    /// The columns of the table, including the first one.
    public var columns: [Column]
    public var rows: [Row]

    public init(label: String, columns: [Column], rows: [Row]) {
        self.label = label
        self.columns = columns
        self.rows = rows
    }
}

/// A title that shows its body after a tap.
public struct PTDisclosure: Codable, Hashable, Sendable {
    public var title: String
    public var body: [Component]
    public var isOpen: Bool

    public init(title: String, body: [Component], isOpen: Bool = false) {
        self.title = title
        self.body = body
        self.isOpen = isOpen
    }
}

/// A line between two alternatives, with a word in it: "or".
public struct PTDivider: Codable, Hashable, Sendable {
    public var title: String?

    public init(_ title: String? = nil) { self.title = title }
}

/// A ring that shows how much of something is done.
public struct PTProgressRing: Codable, Hashable, Sendable {
    /// The part of the ring that is done, from 0 to 1. Values outside are drawn as the nearer end.
    public var value: Double
    /// The text in the middle of the ring: "72 %".
    public var text: String
    public var tint: Tint
    /// The value of the ring in words: "18 of 25 lessons".
    public var spoken: String

    public init(value: Double, text: String, tint: Tint = .leaf, spoken: String) {
        self.value = value
        self.text = text
        self.tint = tint
        self.spoken = spoken
    }
}

/// A card with a code to read aloud, to type or to scan.
public struct PTCodeCard: Codable, Hashable, Sendable {
    /// The purpose of the card's code: "Invite a guide".
    public var title: String
    public var code: String
    /// The code of the card as separate letters, for a screen reader.
    public var spoken: String?
    public var qr: QRMatrix?
    /// The description of the QR code for screen readers.
    public var qrSpoken: String?
    /// The text about how long the card's code is valid: "Works until 28 November".
    public var detail: String?
    /// The address that the code stands for, which the reader can copy or share.
    public var link: String?
    public var actions: [PTButton]

    public init(
        title: String, code: String, spoken: String? = nil, qr: QRMatrix? = nil, qrSpoken: String? = nil,
        detail: String? = nil, link: String? = nil, actions: [PTButton] = []
    ) {
        self.title = title
        self.code = code
        self.spoken = spoken
        self.qr = qr
        self.qrSpoken = qrSpoken
        self.detail = detail
        self.link = link
        self.actions = actions
    }
}

/// The dark and light modules of a QR code, row by row; `true` is dark.
public struct QRMatrix: Codable, Hashable, Sendable {
    public var rows: [[Bool]]

    public init(rows: [[Bool]]) { self.rows = rows }
}

/// A sheet: a panel that rises over the page, or is shown beside it on a wide screen.
public struct PTBottomSheet: Codable, Hashable, Sendable {
    /// The height to which a sheet opens.
    public enum Detent: String, Codable, Sendable, Hashable, CaseIterable {
        /// The panel is as high as its content.
        case fitted
        /// The panel is as high as nine tenths of the screen.
        case fraction90
        /// The panel is as high as the whole screen.
        case large
    }
    public var id: String
    public var title: String
    public var subtitle: String?
    /// The picture before the sheet's title, of the person that the sheet is about; `nil` for none.
    public var leading: PTListCell.Leading?
    public var body: [Component]
    /// The possible heights of the sheet, which opens at the first of them.
    public var detents: [Detent]
    public var floatingButton: PTFloatingActionButton?
    /// The path of the page above the page in the sheet, if the sheet shows a subpage; `nil` otherwise.
    public var back: String?

    public init(
        id: String, title: String, subtitle: String? = nil, leading: PTListCell.Leading? = nil,
        body: [Component], detents: [Detent] = [.fraction90, .large], floatingButton: PTFloatingActionButton? = nil
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.leading = leading
        self.body = body
        self.detents = detents
        self.floatingButton = floatingButton
    }

    /// Creates a sheet that shows a whole page. The address of the page becomes the sheet's id.
    public init(_ screen: Screen, at address: String) {
        self.init(
            id: address, title: screen.title, subtitle: screen.subtitle, leading: screen.avatar.map { .avatar($0) },
            body: (screen.search.map { [.search($0)] } ?? []) + screen.body, floatingButton: screen.floatingButton)
        if let parent = screen.back, address.hasPrefix(parent + "/") { back = parent }
    }

    /// The path under which links and forms open within the sheet; `nil` if the sheet does not show a page.
    public var root: String? {
        id.hasPrefix("/") ? back ?? id.prefix { $0 != "?" }.description : nil
    }
}
