/// An action that a control, such as a button, performs when a person uses it.
public indirect enum PTAction: Codable, Hashable, Sendable {
    /// Opens the page at a path of this product.
    case open(String)
    /// Presents the sheet of this screen with that id, or the page at that path in a sheet over the current page.
    case present(String)
    /// Runs a command of the server.
    case perform(PTCommandCall)
    /// Leaves the product's pages: another site, a download, another server's sign-in.
    case external(String)
    /// Asks for permission to show notifications, and reports the answer to the reader.
    ///
    /// The control is hidden on devices that cannot show notifications, or that asked before.
    case allowNotifications
}

/// A call of a command by a control, with what the command needs to run exactly once.
public struct PTCommandCall: Codable, Hashable, Sendable {
    /// The path of the command, such as `/api/v1/attendance/mark`.
    public var path: String
    /// The input of the command: values by the names of its fields.
    public var fields: [String: String]
    /// A question that the person must confirm before the command runs; `nil` for none.
    public var confirmation: PTConfirmation?
    /// The idempotency key of the call: the server runs calls with the same key once.
    public var key: String
    /// The path of the page to open after success; `nil` for the current page.
    public var to: String?
    /// The haptic feedback that the device gives after success; `nil` for none.
    public var haptics: Haptics?
    /// Whether the call waits on the device while there is no network.
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

/// A question that a control asks before it runs a command.
public struct PTConfirmation: Codable, Hashable, Sendable {
    /// The question, which names the thing: "Delete Maple room?"
    public var title: String
    /// The sentence under the question, about the consequences of confirming.
    public var message: String?
    /// The verb on the button that confirms: "Delete".
    public var confirm: String
    /// Whether the confirmed action deletes something and cannot be undone.
    public var isDestructive: Bool

    public init(title: String, message: String? = nil, confirm: String, isDestructive: Bool = true) {
        self.title = title
        self.message = message
        self.confirm = confirm
        self.isDestructive = isDestructive
    }
}

/// One item of a menu, of a floating button or of a row's swipe actions.
public struct PTMenuItem: Codable, Hashable, Sendable {
    /// Whether the action is an ordinary or a destructive one.
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

/// Haptic feedback. A device without it shows only the animation.
public struct Haptics: Codable, Hashable, Sendable {
    /// The kinds of haptic feedback that clients support.
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        case success, warning, lightTap, softImpact
    }
    /// The strength of the haptic feedback for an impact.
    public enum Impact: Sendable { case soft }

    public let kind: Kind

    public init(_ kind: Kind) { self.kind = kind }

    /// Returns the haptic feedback after something was created or completed.
    public static func success() -> Haptics { Haptics(.success) }
    /// Returns the haptic feedback after something that needs attention.
    public static func warning() -> Haptics { Haptics(.warning) }
    /// Returns the haptic feedback when a control was touched.
    public static func lightTap() -> Haptics { Haptics(.lightTap) }
    /// Returns the haptic feedback when something has come to rest, such as a sheet that closed.
    public static func impact(_ impact: Impact) -> Haptics { Haptics(.softImpact) }
}
