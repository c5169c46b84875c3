/// A control that opens a page, presents a sheet or runs a command.
public struct PTButton: Codable, Hashable, Sendable {
    /// How much weight the act has on its screen.
    public enum Role: String, Codable, Sendable, Hashable, CaseIterable {
        /// The one main act of the screen.
        case primary
        /// Belongs to the main act, weighs less.
        case tonal
        /// An act among equals.
        case neutral
        /// An alternative to the main act, with an edge.
        case outlined
        /// Text alone.
        case quiet
        /// Takes something away for good.
        case destructive
        /// Looks as another party asks: Sign in with Apple.
        case provider
    }
    /// How tall it is.
    public enum Size: String, Codable, Sendable, Hashable, CaseIterable { case regular, large }

    public var title: String
    public var icon: PTIcon?
    public var role: Role
    public var size: Size
    /// Whether it takes the whole width that it is given.
    public var isWide: Bool
    public var action: PTAction
    public var isEnabled: Bool
    /// What a screen reader says where the title alone would not do: "Edit Amara Mensah".
    public var spoken: String?

    public init(
        title: String, icon: PTIcon? = nil, role: Role = .primary, size: Size = .regular,
        isWide: Bool = false, action: PTAction, isEnabled: Bool = true, spoken: String? = nil
    ) {
        self.title = title
        self.icon = icon
        self.role = role
        self.size = size
        self.isWide = isWide
        self.action = action
        self.isEnabled = isEnabled
        self.spoken = spoken
    }
}

/// A button that sends something: disabled with progress while it runs, a double tap is one (WW-19.01).
public struct SubmitButton: Codable, Hashable, Sendable {
    public var title: String
    public var isLoading: Bool
    /// The command to run; `nil` inside a form, whose own action it is.
    public var action: PTCommandCall?
    public var role: PTButton.Role
    public var icon: PTIcon?

    public init(
        title: String, isLoading: Bool = false, action: PTCommandCall? = nil,
        role: PTButton.Role = .primary, icon: PTIcon? = nil
    ) {
        self.title = title
        self.isLoading = isLoading
        self.action = action
        self.role = role
        self.icon = icon
    }
}

/// Buttons that belong together.
public struct PTButtonGroup: Codable, Hashable, Sendable {
    /// Whether they stand beside each other, wrapping, or one under the other.
    public enum Arrangement: String, Codable, Sendable, Hashable { case row, stack }
    public var buttons: [PTButton]
    public var arrangement: Arrangement

    public init(buttons: [PTButton], arrangement: Arrangement = .row) {
        self.buttons = buttons
        self.arrangement = arrangement
    }
}

/// Quiet links side by side: "Forgot password", "I have a code".
public struct PTLinks: Codable, Hashable, Sendable {
    /// One of the links.
    public struct Link: Codable, Hashable, Sendable {
        public var title: String
        public var action: PTAction

        public init(title: String, action: PTAction) {
            self.title = title
            self.action = action
        }
    }
    public var links: [Link]

    public init(links: [Link]) { self.links = links }
}

/// The bar at the bottom of a wizard: back at its start, the next step at its end.
public struct PTActionBar: Codable, Hashable, Sendable {
    public var back: PTButton?
    public var next: PTButton

    public init(back: PTButton? = nil, next: PTButton) {
        self.back = back
        self.next = next
    }
}

/// The round button above the page: one act, or a fan of a few.
public struct PTFloatingActionButton: Codable, Hashable, Sendable {
    public var icon: PTIcon
    /// Its spoken name; also its label on a wide screen.
    public var title: String
    /// The label on a wide screen where it is shorter than the spoken name: "Student".
    public var label: String?
    /// What it does; unused where it opens a fan.
    public var action: PTAction
    /// The acts that it fans out.
    public var fan: [PTMenuItem]

    public init(
        icon: PTIcon = .plus, title: String, label: String? = nil, action: PTAction, fan: [PTMenuItem] = []
    ) {
        self.icon = icon
        self.title = title
        self.label = label
        self.action = action
        self.fan = fan
    }

    /// A button that only fans out `fan`.
    public init(icon: PTIcon = .plus, title: String, label: String? = nil, fan: [PTMenuItem]) {
        self.init(icon: icon, title: title, label: label, action: fan.first?.action ?? .open("/"), fan: fan)
    }
}
