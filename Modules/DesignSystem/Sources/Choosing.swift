/// A field that searches as one types, 300 ms after the last letter.
public struct PTSearchField: Codable, Hashable, Sendable {
    /// The page that shows what was found.
    public var path: String
    /// The query's name in that page's address.
    public var name: String
    public var value: String
    public var placeholder: String
    /// Its spoken name.
    public var label: String
    /// What else stands in the address, such as a chosen filter.
    public var keeping: [String: String]
    /// The command that keeps what was searched for, once something of it was opened.
    public var remembering: String?

    public init(
        path: String, name: String = "q", value: String = "", placeholder: String, label: String,
        keeping: [String: String] = [:], remembering: String? = nil
    ) {
        self.remembering = remembering
        self.path = path
        self.name = name
        self.value = value
        self.placeholder = placeholder
        self.label = label
        self.keeping = keeping
    }
}

/// A choice among a few views of the same thing, each with its own address.
public struct PTSegmentedControl: Codable, Hashable, Sendable {
    /// One of the views.
    public struct Segment: Codable, Hashable, Sendable {
        public var title: String
        public var path: String
        public var isSelected: Bool

        public init(title: String, path: String, isSelected: Bool = false) {
            self.title = title
            self.path = path
            self.isSelected = isSelected
        }
    }
    /// Its spoken name.
    public var label: String
    public var segments: [Segment]

    public init(label: String, segments: [Segment]) {
        self.label = label
        self.segments = segments
    }
}

/// Filters, each of which can be on or off.
public struct PTChips: Codable, Hashable, Sendable {
    /// One filter.
    public struct Chip: Codable, Hashable, Sendable {
        public var title: String
        public var icon: PTIcon?
        public var isSelected: Bool
        public var action: PTAction

        public init(title: String, icon: PTIcon? = nil, isSelected: Bool = false, action: PTAction) {
            self.title = title
            self.icon = icon
            self.isSelected = isSelected
            self.action = action
        }
    }
    /// One of many values, in a menu behind the one that is chosen. The first means "all".
    public struct Menu: Codable, Hashable, Sendable {
        /// What is chosen here.
        public var label: String
        public var choices: [Chip]

        public init(label: String, choices: [Chip]) {
            self.label = label
            self.choices = choices
        }
    }
    /// Their spoken name.
    public var label: String
    /// Stand before the chips.
    public var menus: [Menu]
    public var chips: [Chip]

    public init(label: String, menus: [Menu] = [], chips: [Chip]) {
        self.label = label
        self.menus = menus
        self.chips = chips
    }
}

/// Where one stands in a sequence of steps.
public struct PTStepper: Codable, Hashable, Sendable {
    /// Its spoken name.
    public var label: String
    public var steps: [String]
    /// The index of the present step; those before it are done.
    public var current: Int

    public init(label: String, steps: [String], current: Int) {
        self.label = label
        self.steps = steps
        self.current = current
    }
}
