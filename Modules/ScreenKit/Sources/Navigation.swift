public import DesignSystem
public import Domain
public import FeatureKit

/// A link to a page of a block, shown in the navigation or on a page of another block.
public struct NavigationEntry: Sendable, Hashable {
    public var placement: NavigationPlacement
    /// Key of the title in the block's catalog.
    public let title: String
    /// Key of a sentence about the page; only some placements show it.
    public let tip: String?
    public let icon: PTIcon
    public let path: String
    /// Entries are sorted by it, smallest first.
    public let order: Int
    /// Who sees it; `nil` is everyone who is signed in.
    public let permission: Permission?
    /// Whether `path` is the path of a command, which the entry runs, and not of a page.
    public let isCommand: Bool
    /// Whether the rail of a wide screen shows it to everybody, also to those for whom a phone has it in a menu.
    public let standsInRail: Bool

    public init(
        _ placement: NavigationPlacement, _ title: String, icon: PTIcon, path: String, order: Int,
        permission: Permission? = nil,
        isCommand: Bool = false, tip: String? = nil
    ) {
        self.tip = tip
        self.placement = placement
        self.title = title
        self.icon = icon
        self.path = path
        self.order = order
        self.permission = permission
        self.isCommand = isCommand
        // Kept apart from the placement, which changes with the roles of who is signed in.
        standsInRail = placement == .learning || placement == .beside
    }
}

/// Whether one person sees a navigation entry, and how much is unread behind it.
public struct EntryState: Sendable, Hashable {
    public let isShown: Bool
    /// How many things behind it are unread.
    public let unread: Int

    public init(isShown: Bool = true, unread: Int = 0) {
        self.isShown = isShown
        self.unread = unread
    }
}
