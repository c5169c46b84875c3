public import Domain

/// A row: who or what, one second line, and a control at its end.
public struct PTListCell: Codable, Hashable, Sendable {
    /// The picture at a row's start.
    public enum Leading: Codable, Hashable, Sendable {
        case avatar(PTAvatar)
        case icon(PTIcon, tint: Tint)
        case file(PTFileKind)
        /// A box that is ticked with one tap.
        case check(PTCheck)
    }
    /// A small mark behind the title, always with its word for a screen reader.
    public struct Dot: Codable, Hashable, Sendable {
        /// What it is about; the renderer knows the colour.
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
    /// What stands at a row's end.
    public enum Trailing: Codable, Hashable, Sendable {
        case attendance(PTAttendancePill)
        case chevron
        case button(PTButton)
        /// A button shown as its icon alone; its title is spoken.
        case iconButton(PTButton)
        case badge(PTTag)
        case text(String)
        /// How it went of late.
        case streak(PTStreak)
        /// The visible menu button of the row's `menu`.
        case menu
    }

    /// A stable id within the page, so that a changed list moves instead of flickering.
    public var id: String?
    public var leading: Leading?
    public var title: String
    public var subtitle: String?
    public var dot: Dot?
    /// Something in it is new for the reader.
    public var isEmphasized: Bool
    /// It is the one shown beside the list.
    public var isCurrent: Bool
    public var trailing: [Trailing]
    /// More text, shown on a tap.
    public var details: String?
    /// What was done stands back.
    public var isDone: Bool
    /// What the whole row does.
    public var action: PTAction?
    /// The acts of a long press, a right click, the menu key or the menu button.
    public var menu: [PTMenuItem]
    /// The acts that a swipe uncovers; they should be in `menu` too.
    public var swipe: [PTMenuItem]
    /// Puts the row before another one of its list when it is dragged: its field `before` gets the `id` of that row, or
    /// nothing at the end. The menu must offer the same.
    public var move: PTCommandCall?

    public init(
        id: String? = nil, leading: Leading? = nil, title: String, subtitle: String? = nil, dot: Dot? = nil,
        isEmphasized: Bool = false, isCurrent: Bool = false, details: String? = nil, isDone: Bool = false,
        trailing: [Trailing] = [], action: PTAction? = nil, menu: [PTMenuItem] = [], swipe: [PTMenuItem] = [],
        move: PTCommandCall? = nil
    ) {
        self.id = id
        self.leading = leading
        self.title = title
        self.subtitle = subtitle
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

/// A box that is ticked and taken back with one tap.
public struct PTCheck: Codable, Hashable, Sendable {
    public enum Shape: String, Codable, Sendable, Hashable, CaseIterable { case round, square }

    public var isOn: Bool
    /// What a reader hears: the thing and its state.
    public var spoken: String
    public var shape: Shape
    /// What a tap does; a reader without the right sees the state alone.
    public var call: PTCommandCall?

    public init(isOn: Bool, spoken: String, shape: Shape = .round, call: PTCommandCall?) {
        self.isOn = isOn
        self.spoken = spoken
        self.shape = shape
        self.call = call
    }
}

/// Done or not on some days in a row, as dots.
public struct PTStreak: Codable, Hashable, Sendable {
    /// The oldest first.
    public var days: [Bool]
    public var spoken: String

    public init(days: [Bool], spoken: String) {
        self.days = days
        self.spoken = spoken
    }
}

/// What somebody wrote, with who and when.
public struct PTNote: Codable, Hashable, Sendable {
    /// For links that lead to it.
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

/// Rows on one card, in two columns where there is room and they are meant for it.
public struct PTList: Codable, Hashable, Sendable {
    /// How many columns a wide screen may show.
    public enum Columns: String, Codable, Sendable, Hashable { case one, two }

    public var cells: [PTListCell]
    public var columns: Columns
    /// Its spoken name where no header stands above it.
    public var label: String?
    /// A path that gives the rows after these.
    public var more: PTButton?

    public init(cells: [PTListCell], columns: Columns = .one, label: String? = nil, more: PTButton? = nil) {
        self.cells = cells
        self.columns = columns
        self.label = label
        self.more = more
    }
}

/// A short word on a tinted ground.
public struct PTTag: Codable, Hashable, Sendable {
    /// What it means; the renderer knows the colour.
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

/// The header of a section, with what may be done to all of it.
public struct PTSectionHeader: Codable, Hashable, Sendable {
    public var title: String
    /// A number or word beside the title: "2 students".
    public var detail: String?
    public var action: PTButton?

    public init(title: String, detail: String? = nil, action: PTButton? = nil) {
        self.title = title
        self.detail = detail
        self.action = action
    }
}

/// A header and what it heads.
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
}

/// Components on one card.
public struct PTCard: Codable, Hashable, Sendable {
    /// Its spoken name, if it needs one.
    public var label: String?
    public var body: [Component]

    public init(label: String? = nil, body: [Component]) {
        self.label = label
        self.body = body
    }
}

/// Cards of equal weight side by side: classrooms, tools.
public struct PTCardGrid: Codable, Hashable, Sendable {
    /// One of the cards.
    public struct Item: Codable, Hashable, Sendable {
        public var id: String?
        public var leading: PTListCell.Leading?
        public var title: String
        public var subtitle: String?
        public var tag: PTTag?
        public var isCurrent: Bool
        public var action: PTAction?
        public var menu: [PTMenuItem]

        public init(
            id: String? = nil, leading: PTListCell.Leading? = nil, title: String, subtitle: String? = nil,
            tag: PTTag? = nil, isCurrent: Bool = false, action: PTAction? = nil, menu: [PTMenuItem] = []
        ) {
            self.id = id
            self.leading = leading
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
    /// Whether they are a picture with its name under it, many in a row: ways to places.
    public var isSmall: Bool

    public init(items: [Item], label: String? = nil, isSmall: Bool = false) {
        self.items = items
        self.label = label
        self.isSmall = isSmall
    }
}

/// What a file is, told from its name's extension (WW-3.07).
public enum PTFileKind: String, Codable, Sendable, Hashable, CaseIterable {
    case pdf, image, text, sound, movie, sheet, slides, archive, other

    /// The kind that follows from the extension of `fileName`; `other` where it says nothing.
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

/// A file: its kind, its name, what is known of it.
public struct PTFileTile: Codable, Hashable, Sendable {
    public var name: String
    public var kind: PTFileKind
    /// Size and day: "1.2 MB, 12 November".
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
