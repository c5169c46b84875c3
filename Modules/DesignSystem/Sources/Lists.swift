public import Domain

/// A row of a list: a picture, a title with a second line, and controls at the end.
public struct PTListCell: Codable, Hashable, Sendable {
    /// The picture at the start of a row.
    public enum Leading: Codable, Hashable, Sendable {
        case avatar(PTAvatar)
        case icon(PTIcon, tint: Tint)
        case file(PTFileKind)
        /// A box at the start of the row that is checked with one tap.
        case check(PTCheck)
    }
    /// A small mark after the title, with its meaning for a screen reader.
    public struct Dot: Codable, Hashable, Sendable {
        /// The meaning of the small mark, from which renderers choose the color.
        public enum Tone: String, Codable, Sendable, Hashable, CaseIterable {
            case good, attention, unread, neutral
        }
        public var tone: Tone
        public var spoken: String

        public init(tone: Tone, spoken: String) {
            self.tone = tone
            self.spoken = spoken
        }
    }
    /// A control or text at the end of a row.
    public enum Trailing: Codable, Hashable, Sendable {
        case attendance(PTAttendancePill)
        case chevron
        case button(PTButton)
        /// A button shown as an icon. Its title is spoken.
        case iconButton(PTButton)
        case badge(PTTag)
        case text(String)
        /// Dots for the results of the last days.
        case streak(PTStreak)
        /// The button at the end of the row that opens the row's `menu`.
        case menu
    }

    /// The id of the row, stable and unique on the page, so that changes of the list are animated.
    public var id: String?
    public var leading: Leading?
    public var title: String
    public var subtitle: String?
    /// A bar below the text of the row that shows the parts of a whole; `nil` for none.
    public var split: PTSplitBar?
    public var dot: Dot?
    /// Whether the title of the row is bold, such as for unread messages, open requests or the reader's own entry.
    public var isEmphasized: Bool
    /// Whether the row is the one whose details are shown beside the list.
    public var isCurrent: Bool
    public var trailing: [Trailing]
    /// Further text of the row, which is shown after a tap on it; `nil` for none.
    public var details: String?
    /// Whether the row is about something done and is shown less prominently.
    public var isDone: Bool
    /// The action that a tap anywhere on the row performs; `nil` for none.
    public var action: PTAction?
    /// The actions behind a long press, a right click, the menu key or the menu button.
    public var menu: [PTMenuItem]
    /// The actions that a swipe reveals; they should be in `menu` too.
    public var swipe: [PTMenuItem]
    /// The command that moves the row by dragging.
    ///
    /// Its field `before` gets the `id` of the row before which it is placed, or nothing for the end. The menu must
    /// offer the same.
    public var move: PTCommandCall?

    public init(
        id: String? = nil, leading: Leading? = nil, title: String, subtitle: String? = nil,
        split: PTSplitBar? = nil, dot: Dot? = nil,
        isEmphasized: Bool = false, isCurrent: Bool = false, details: String? = nil, isDone: Bool = false,
        trailing: [Trailing] = [], action: PTAction? = nil, menu: [PTMenuItem] = [], swipe: [PTMenuItem] = [],
        move: PTCommandCall? = nil
    ) {
        self.id = id
        self.leading = leading
        self.title = title
        self.subtitle = subtitle
        self.split = split
        self.dot = dot
        self.isEmphasized = isEmphasized
        self.isCurrent = isCurrent
        self.details = details
        self.isDone = isDone
        self.trailing = trailing
        self.action = action
        self.menu = menu
        self.swipe = swipe
        self.move = move
    }
}

/// A box that is checked and unchecked with one tap.
public struct PTCheck: Codable, Hashable, Sendable {
    /// The shape of the box that is checked: round or square.
    public enum Shape: String, Codable, Sendable, Hashable, CaseIterable { case round, square }

    public var isOn: Bool
    /// The text for screen readers: the thing to check, and whether it is checked.
    public var spoken: String
    public var shape: Shape
    /// The command of a tap; `nil` if the reader may only see the state.
    public var call: PTCommandCall?

    public init(isOn: Bool, spoken: String, shape: Shape = .round, call: PTCommandCall?) {
        self.isOn = isOn
        self.spoken = spoken
        self.shape = shape
        self.call = call
    }
}

/// Dots that show whether something was done on consecutive days.
public struct PTStreak: Codable, Hashable, Sendable {
    /// Whether the thing was done on each day, oldest first.
    public var days: [Bool]
    public var spoken: String

    public init(days: [Bool], spoken: String) {
        self.days = days
        self.spoken = spoken
    }
}

/// A text that a person wrote, with author and time.
public struct PTNote: Codable, Hashable, Sendable {
    /// The id of the note, to which links can lead.
    public var id: String?
    public var text: String
    public var avatar: PTAvatar?
    public var byline: String
    public var tags: [PTTag]
    public var photos: [PTImage]
    public var action: PTButton?

    public init(
        id: String? = nil, text: String, avatar: PTAvatar? = nil, byline: String, tags: [PTTag] = [],
        photos: [PTImage] = [], action: PTButton? = nil
    ) {
        self.id = id
        self.text = text
        self.avatar = avatar
        self.byline = byline
        self.tags = tags
        self.photos = photos
        self.action = action
    }
}

/// A list of rows on a card, in two columns if there is room and `columns` allows it.
public struct PTList: Codable, Hashable, Sendable {
    /// The largest number of columns in which the list is shown on a wide screen.
    public enum Columns: String, Codable, Sendable, Hashable { case one, two }

    public var cells: [PTListCell]
    public var columns: Columns
    /// The name of the list for screen readers, if it has no header.
    public var label: String?
    /// The button below the list that shows further rows; `nil` for none.
    public var more: PTButton?

    public init(cells: [PTListCell], columns: Columns = .one, label: String? = nil, more: PTButton? = nil) {
        self.cells = cells
        self.columns = columns
        self.label = label
        self.more = more
    }

    /// Whether a wide screen shows the rows in columns; the list must have enough rows for that.
    public var hasColumns: Bool { columns == .two && cells.count > 3 }
}

/// A short text on a colored background, such as a state.
public struct PTTag: Codable, Hashable, Sendable {
    /// The meaning of the tag's text, from which renderers choose the color.
    public enum Tone: String, Codable, Sendable, Hashable, CaseIterable {
        case neutral, good, attention, info, danger, warning, accent
    }
    public var text: String
    public var tone: Tone
    public var icon: PTIcon?

    public init(text: String, tone: Tone = .neutral, icon: PTIcon? = nil) {
        self.text = text
        self.tone = tone
        self.icon = icon
    }
}

/// The header of a section, with an action for the whole section.
public struct PTSectionHeader: Codable, Hashable, Sendable {
    public var title: String
    /// A number or word beside the section's title: "2 students".
    public var detail: String?
    public var action: PTButton?

    public init(title: String, detail: String? = nil, action: PTButton? = nil) {
        self.title = title
        self.detail = detail
        self.action = action
    }
}

/// A section of a page: a header with the components below it.
public struct PTSection: Codable, Hashable, Sendable {
    public var header: PTSectionHeader
    public var body: [Component]

    public init(header: PTSectionHeader, body: [Component]) {
        self.header = header
        self.body = body
    }

    public init(title: String, detail: String? = nil, action: PTButton? = nil, body: [Component]) {
        self.init(header: PTSectionHeader(title: title, detail: detail, action: action), body: body)
    }

    /// Whether the section has only cards that a wide screen leaves out.
    public var isInRail: Bool {
        !body.isEmpty
            && body.allSatisfy {
                if case .cardGrid(let grid) = $0 { grid.isInRail } else { false }
            }
    }
}

/// A card: a framed area of the page that holds other components.
public struct PTCard: Codable, Hashable, Sendable {
    /// The name of the card for screen readers; `nil` if it needs none.
    public var label: String?
    public var body: [Component]

    public init(label: String? = nil, body: [Component]) {
        self.label = label
        self.body = body
    }
}

/// A grid of equal cards: classrooms, tools.
public struct PTCardGrid: Codable, Hashable, Sendable {
    /// One card of the grid, which leads to a classroom, a tool or another page.
    public struct Item: Codable, Hashable, Sendable {
        public var id: String?
        public var leading: PTListCell.Leading?
        /// A picture above the title, which shows what the title names; `nil` for none.
        public var picture: PTImage?
        public var title: String
        public var subtitle: String?
        public var tag: PTTag?
        public var isCurrent: Bool
        /// Whether the rail of a wide screen leads to the same page, so that only phones show the card.
        public var isInRail: Bool
        public var action: PTAction?
        public var menu: [PTMenuItem]

        public init(
            id: String? = nil, leading: PTListCell.Leading? = nil, picture: PTImage? = nil, title: String,
            subtitle: String? = nil,
            tag: PTTag? = nil, isCurrent: Bool = false, isInRail: Bool = false, action: PTAction? = nil,
            menu: [PTMenuItem] = []
        ) {
            self.isInRail = isInRail
            self.id = id
            self.leading = leading
            self.picture = picture
            self.title = title
            self.subtitle = subtitle
            self.tag = tag
            self.isCurrent = isCurrent
            self.action = action
            self.menu = menu
        }
    }
    public var items: [Item]
    public var label: String?
    /// Whether the cards are small pictures with a name below, many in a row, such as links to pages.
    public var isSmall: Bool

    public init(items: [Item], label: String? = nil, isSmall: Bool = false) {
        self.items = items
        self.label = label
        self.isSmall = isSmall
    }

    /// Whether only phones show any of the cards.
    public var isInRail: Bool { !items.isEmpty && items.allSatisfy(\.isInRail) }
}

/// The kind of a file, such as an image or a PDF, determined by the extension of its name (WW-3.07).
public enum PTFileKind: String, Codable, Sendable, Hashable, CaseIterable {
    case pdf, image, text, sound, movie, sheet, slides, archive, other

    /// Determines the kind from the extension of a file name; `other` if it is unknown.
    public init(fileName: String) {
        let name = fileName.lowercased()
        let dot = name.lastIndex(of: ".")
        let ending = dot.map { String(name[name.index(after: $0)...]) } ?? ""
        self =
            switch ending {
            case "pdf": .pdf
            case "jpg", "jpeg", "png", "gif", "heic", "webp", "svg": .image
            case "txt", "md", "rtf", "doc", "docx", "odt", "pages": .text
            case "mp3", "m4a", "wav", "ogg", "aac": .sound
            case "mp4", "mov", "webm", "mkv": .movie
            case "csv", "xls", "xlsx", "ods", "numbers": .sheet
            case "ppt", "pptx", "odp", "key": .slides
            case "zip", "gz", "tar", "7z": .archive
            default: .other
            }
    }
}

/// A file on a page, with its kind, its name and details.
public struct PTFileTile: Codable, Hashable, Sendable {
    public var name: String
    public var kind: PTFileKind
    /// The size and day of the file: "1.2 MB, 12 November".
    public var detail: String?
    public var action: PTAction?
    public var menu: [PTMenuItem]

    public init(
        name: String, kind: PTFileKind? = nil, detail: String? = nil, action: PTAction? = nil,
        menu: [PTMenuItem] = []
    ) {
        self.name = name
        self.kind = kind ?? PTFileKind(fileName: name)
        self.detail = detail
        self.action = action
        self.menu = menu
    }
}
