/// A button that opens a page, presents a sheet or runs a command.
public struct PTButton: Codable, Hashable, Sendable {
    /// The importance of a button's action among the actions of its screen.
    public enum Role: String, Codable, Sendable, Hashable, CaseIterable {
        /// The main action of the screen. A screen has at most one.
        case primary
        /// An action that belongs to the main action and is less important.
        case tonal
        /// One of several actions of the same importance.
        case neutral
        /// An alternative to the main action, shown with a border.
        case outlined
        /// An action of low importance, shown as text only.
        case quiet
        /// An action that deletes something permanently.
        case destructive
        /// An action with a look that another party prescribes: Sign in with Apple.
        case provider
    }
    /// The height of a button: regular or large.
    public enum Size: String, Codable, Sendable, Hashable, CaseIterable { case regular, large }

    public var title: String
    public var icon: PTIcon?
    public var role: Role
    public var size: Size
    /// Whether the button fills the available width.
    public var isWide: Bool
    public var action: PTAction
    public var isEnabled: Bool
    /// The text for screen readers if the title is not enough: "Edit Amara Mensah".
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

/// A button that sends a form or runs a command. While it runs, it is disabled and shows progress, so that a double
/// tap counts once (WW-19.01).
public struct SubmitButton: Codable, Hashable, Sendable {
    public var title: String
    public var isLoading: Bool
    /// The command that the button runs; `nil` inside a form, which has its own action.
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

/// A group of related buttons that are shown together.
public struct PTButtonGroup: Codable, Hashable, Sendable {
    /// The arrangement of the buttons: side by side, with wrapping, or one below the other.
    public enum Arrangement: String, Codable, Sendable, Hashable { case row, stack }
    public var buttons: [PTButton]
    public var arrangement: Arrangement

    public init(buttons: [PTButton], arrangement: Arrangement = .row) {
        self.buttons = buttons
        self.arrangement = arrangement
    }
}

/// A row of text links: "Forgot password", "I have a code".
public struct PTLinks: Codable, Hashable, Sendable {
    /// A text link in a row of links.
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

/// The bar at the bottom of a wizard, with a button for the previous and one for the next step.
public struct PTActionBar: Codable, Hashable, Sendable {
    public var back: PTButton?
    public var next: PTButton

    public init(back: PTButton? = nil, next: PTButton) {
        self.back = back
        self.next = next
    }
}

/// The round button above the page, with one action or a few that fan out.
public struct PTFloatingActionButton: Codable, Hashable, Sendable {
    public var icon: PTIcon
    /// The text of the floating button for screen readers; also its label on a wide screen.
    public var title: String
    /// A shorter label of the floating button for wide screens: "Add".
    public var label: String?
    /// The action of the floating button; unused if the button fans out several actions.
    public var action: PTAction
    /// The actions that the floating button fans out; empty if it has one action of its own.
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

    /// Creates a floating button that fans out several actions.
    public init(icon: PTIcon = .plus, title: String, label: String? = nil, fan: [PTMenuItem]) {
        self.init(icon: icon, title: title, label: label, action: fan.first?.action ?? .open("/"), fan: fan)
    }
}
