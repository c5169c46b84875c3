public import Domain

/// The head of a page that greets or sums up: "10 of 14 are here".
public struct PTGreeting: Codable, Hashable, Sendable {
    /// The line above: "Maple room, Tuesday 12 November".
    public var eyebrow: String?
    public var title: String
    /// The line below: "2 absent, 2 to mark".
    public var detail: String?
    /// The parts of a whole as one bar.
    public var split: PTSplitBar?
    /// Quiet acts at the end of the lower line.
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

/// The parts of a whole as one bar; what the parts leave is its track.
public struct PTSplitBar: Codable, Hashable, Sendable {
    /// One stretch of the bar.
    public struct Part: Codable, Hashable, Sendable {
        public var count: Int
        public var tint: Tint
        /// How much of the stretch is filled, in percent; the rest is pale. `nil` fills it whole.
        public var filled: Int?
        /// What the colour means. Where a part has a title, all of them stand under the bar as its legend.
        public var title: String?
        /// A second line of the legend: "40 % · average 83".
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
    /// The same in words: "10 present, 2 absent, 2 not marked".
    public var spoken: String

    public init(parts: [Part], total: Int, spoken: String) {
        self.parts = parts
        self.total = total
        self.spoken = spoken
    }
}

/// Running text.
public struct PTText: Codable, Hashable, Sendable {
    /// What the text is for.
    public enum Role: String, Codable, Sendable, Hashable, CaseIterable {
        /// Reading text.
        case body
        /// A sentence that explains what stands beside it.
        case note
        /// A heading inside a card.
        case heading
        /// Letters to be read one by one: a code, an address.
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

/// Names and their values.
public struct PTDefinitionList: Codable, Hashable, Sendable {
    /// One name and its value.
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

/// A table whose header and first column stay in sight.
public struct PTDataTable: Codable, Hashable, Sendable {
    /// One column.
    public struct Column: Codable, Hashable, Sendable {
        public var title: String
        /// A word under the title.
        public var detail: String?
        /// Whether it holds numbers, which align at their end.
        public var isNumeric: Bool

        public init(title: String, detail: String? = nil, isNumeric: Bool = false) {
            self.title = title
            self.detail = detail
            self.isNumeric = isNumeric
        }
    }
    /// What one field of the table holds.
    public enum Cell: Codable, Hashable, Sendable {
        case text(String)
        case tag(PTTag)
        /// A mark with its word: "yes" as a check, "no" as a dash.
        case check(Bool, spoken: String)
        case empty
    }
    /// One row; the header is its first column.
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
    /// Its spoken name.
    public var label: String
    /// The columns, the first one included.
    public var columns: [Column]
    public var rows: [Row]

    public init(label: String, columns: [Column], rows: [Row]) {
        self.label = label
        self.columns = columns
        self.rows = rows
    }
}

/// What is one tap away: a title that opens its body.
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

/// A line between two ways, with a word in it: "or".
public struct PTDivider: Codable, Hashable, Sendable {
    public var title: String?

    public init(_ title: String? = nil) { self.title = title }
}

/// How much of something is done.
public struct PTProgressRing: Codable, Hashable, Sendable {
    /// From 0 to 1; what lies outside is drawn as the nearer end.
    public var value: Double
    /// In the middle: "72 %".
    public var text: String
    public var tint: Tint
    /// The same in words: "18 of 25 lessons".
    public var spoken: String

    public init(value: Double, text: String, tint: Tint = .leaf, spoken: String) {
        self.value = value
        self.text = text
        self.tint = tint
        self.spoken = spoken
    }
}

/// A code to read out, to type or to scan.
public struct PTCodeCard: Codable, Hashable, Sendable {
    /// What the code is for: "Invite a guide".
    public var title: String
    public var code: String
    /// The code as letters apart, for a screen reader.
    public var spoken: String?
    public var qr: QRMatrix?
    /// What a screen reader says of the picture.
    public var qrSpoken: String?
    /// Until when, for how many: "Works until 28 November".
    public var detail: String?
    /// What the reader may copy or share: the address of the invitation.
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

/// The dark and light squares of a QR code, row by row; `true` is dark.
public struct QRMatrix: Codable, Hashable, Sendable {
    public var rows: [[Bool]]

    public init(rows: [[Bool]]) { self.rows = rows }
}

/// A panel that rises over the page, or stands beside it on a wide screen.
public struct PTBottomSheet: Codable, Hashable, Sendable {
    /// How far it rises.
    public enum Detent: String, Codable, Sendable, Hashable, CaseIterable {
        /// As far as its content needs.
        case fitted
        /// Nine tenths of the height.
        case fraction90
        /// The whole height.
        case large
    }
    public var id: String
    public var title: String
    public var subtitle: String?
    /// A picture before the title: whose sheet it is.
    public var leading: PTListCell.Leading?
    public var body: [Component]
    /// The heights it may have; it opens at the first.
    public var detents: [Detent]
    public var floatingButton: PTFloatingActionButton?
    /// For a page that stands in a sheet over another: the page under which it stands, where that is not the other.
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

    /// A whole page as a sheet over another page. Its own address is the id.
    public init(_ screen: Screen, at address: String) {
        self.init(
            id: address, title: screen.title, subtitle: screen.subtitle, leading: screen.avatar.map { .avatar($0) },
            body: (screen.search.map { [.search($0)] } ?? []) + screen.body, floatingButton: screen.floatingButton)
        if let parent = screen.back, address.hasPrefix(parent + "/") { back = parent }
    }

    /// The address under which links and forms stay in the sheet; `nil` where it is no page.
    public var root: String? {
        id.hasPrefix("/") ? back ?? id.prefix { $0 != "?" }.description : nil
    }
}
