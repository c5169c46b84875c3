/// What a control does when it is used.
public indirect enum PTAction: Codable, Hashable, Sendable {
    /// Opens the page at a path of this product.
    case open(String)
    /// Presents the sheet of this screen with that id, or the page at that path in a sheet over this one.
    case present(String)
    /// Runs a command.
    case perform(PTCommandCall)
    /// Leaves the product's pages: another site, a download, another server's sign-in.
    case external(String)
    /// Asks for leave to show news outside the page, and says what the reader answered. A device that cannot, or
    /// was answered before, shows no such control.
    case allowNotifications
}

/// A command that a control runs, with everything it needs to run exactly once.
public struct PTCommandCall: Codable, Hashable, Sendable {
    /// The command's URL, such as `/api/v1/attendance/mark`.
    public var path: String
    /// The command's input.
    public var fields: [String: String]
    /// A question to answer first.
    public var confirmation: PTConfirmation?
    /// The idempotency key: the server takes a repeated call with it as one.
    public var key: String
    /// The page to open when the command succeeded; the present page otherwise.
    public var to: String?
    /// What the fingers feel when it succeeded.
    public var haptics: Haptics?
    /// Whether it waits on the device where there is no network.
    public var isQueued: Bool

    public init(
        path: String, fields: [String: String] = [:], confirmation: PTConfirmation? = nil, key: String,
        to: String? = nil, haptics: Haptics? = nil, isQueued: Bool = false
    ) {
        self.path = path
        self.fields = fields
        self.confirmation = confirmation
        self.key = key
        self.to = to
        self.haptics = haptics
        self.isQueued = isQueued
    }
}

/// A question asked before a command runs.
public struct PTConfirmation: Codable, Hashable, Sendable {
    /// The question itself, naming the thing: "Delete Maple room?"
    public var title: String
    /// What follows from a yes.
    public var message: String?
    /// The verb on the confirming button: "Delete".
    public var confirm: String
    /// Whether a yes cannot be taken back.
    public var isDestructive: Bool

    public init(title: String, message: String? = nil, confirm: String, isDestructive: Bool = true) {
        self.title = title
        self.message = message
        self.confirm = confirm
        self.isDestructive = isDestructive
    }
}

/// One line of a menu, of a fan or of a row's swipe actions.
public struct PTMenuItem: Codable, Hashable, Sendable {
    /// Whether it is an everyday or a destructive act.
    public enum Role: String, Codable, Sendable, Hashable { case normal, destructive }

    public var title: String
    public var icon: PTIcon?
    public var role: Role
    public var action: PTAction

    public init(title: String, icon: PTIcon? = nil, role: Role = .normal, action: PTAction) {
        self.title = title
        self.icon = icon
        self.role = role
        self.action = action
    }
}

/// A feedback that fingers feel; a device that cannot shows the animation alone.
public struct Haptics: Codable, Hashable, Sendable {
    /// The kinds that the runtimes know.
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        case success, warning, lightTap, softImpact
    }
    /// How hard an impact is felt.
    public enum Impact: Sendable { case soft }

    public let kind: Kind

    public init(_ kind: Kind) { self.kind = kind }

    /// Something was created or completed.
    public static func success() -> Haptics { Haptics(.success) }
    /// Something needs care.
    public static func warning() -> Haptics { Haptics(.warning) }
    /// A control was touched.
    public static func lightTap() -> Haptics { Haptics(.lightTap) }
    /// Something settled in its place, such as a sheet that closed.
    public static func impact(_ impact: Impact) -> Haptics { Haptics(.softImpact) }
}
