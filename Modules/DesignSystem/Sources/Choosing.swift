/// A search field that searches while a person types, 300 ms after the last letter.
public struct PTSearchField: Codable, Hashable, Sendable {
    /// The path of the page that shows the results of the search.
    public var path: String
    /// The name of the query's parameter in the address of that page.
    public var name: String
    public var value: String
    public var placeholder: String
    /// The name of the search field for screen readers.
    public var label: String
    /// Further parameters that a search leaves in the address, such as a chosen filter.
    public var keeping: [String: String]
    /// The path of the command that stores the query after one of its results was opened.
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

/// A control that switches between views of the same thing, each with its own address.
public struct PTSegmentedControl: Codable, Hashable, Sendable {
    /// One of the views that a segmented control offers.
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
    /// The name of the segmented control for screen readers.
    public var label: String
    public var segments: [Segment]

    public init(label: String, segments: [Segment]) {
        self.label = label
        self.segments = segments
    }
}

/// A row of filters that are switched on and off with a tap.
public struct PTChips: Codable, Hashable, Sendable {
    /// One filter of a row, which a tap switches on or off.
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
    /// A filter with many values in a menu. The first value means "all".
    public struct Menu: Codable, Hashable, Sendable {
        /// The name of the property that the menu filters by, such as the classroom.
        public var label: String
        public var choices: [Chip]

        public init(label: String, choices: [Chip]) {
            self.label = label
            self.choices = choices
        }
    }
    /// The name of the row of filters for screen readers.
    public var label: String
    /// The filters with many values, as menus in front of the chips.
    public var menus: [Menu]
    public var chips: [Chip]

    public init(label: String, menus: [Menu] = [], chips: [Chip]) {
        self.label = label
        self.menus = menus
        self.chips = chips
    }
}

/// A display of the current position in a sequence of steps, such as those of a wizard.
public struct PTStepper: Codable, Hashable, Sendable {
    /// The name of the sequence of steps for screen readers.
    public var label: String
    public var steps: [String]
    /// The index of the current step, from 0; earlier steps are done.
    public var current: Int

    public init(label: String, steps: [String], current: Int) {
        self.label = label
        self.steps = steps
        self.current = current
    }
}
