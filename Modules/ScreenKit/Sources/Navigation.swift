public import DesignSystem
public import Domain
public import FeatureKit

/// A link to a page of a feature block, shown in the navigation or on a page of another block.
public struct NavigationEntry: Sendable, Hashable {
    public var placement: NavigationPlacement
    /// The key of the entry's title in the feature block's string catalog.
    public let title: String
    /// The key of a sentence about the page; only some placements show it.
    public let tip: String?
    public let icon: PTIcon
    public let path: String
    /// The position of the entry: entries are sorted by it, smallest first.
    public let order: Int
    /// The permission that the entry needs; `nil` shows it to every signed-in person.
    public let permission: Permission?
    /// Whether `path` belongs to a command, which the entry runs, and not to a page.
    public let isCommand: Bool
    /// The order from which on tabs are the same for everyone, such as settings and search. Tabs with a smaller order lead to
    /// a person's own work.
    public static let sharedTabOrder = 80
    /// Whether the sidebar of a wide screen shows the entry even to people for whom a phone shows it in a menu.
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
        // Stored apart from the placement, which depends on the roles of the signed-in person.
        standsInRail = placement == .learning || placement == .beside
    }
}

extension Collection<NavigationEntry> {
    /// The main tabs: as many as are easy to tap on a phone.
    public var mainTabs: [NavigationEntry] { Array(filter { $0.placement == .tabs }.prefix(PageChrome.tabLimit)) }

    /// The entries that the rail of a wide screen shows beside the main tabs, in their order.
    public var besideMainTabs: [NavigationEntry] {
        let main = mainTabs
        return filter { $0.standsInRail && !main.contains($0) }
    }
}

/// Whether a person sees a navigation entry, and how many unread things are on its page.
public struct EntryState: Sendable, Hashable {
    public let isShown: Bool
    /// The number of unread things on the page that the entry leads to.
    public let unread: Int

    public init(isShown: Bool = true, unread: Int = 0) {
        self.isShown = isShown
        self.unread = unread
    }
}
