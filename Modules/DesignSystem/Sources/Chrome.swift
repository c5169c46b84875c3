public import Domain

/// The frame around a page of a signed-in person: the tabs and the top bar (`PTTopBarCapsule`).
public struct PageChrome: Codable, Hashable, Sendable {
    /// The main tabs of the navigation, from first to last.
    public var navigation: [PTNavigationEntry]
    /// Further entries before and after the main tabs, for which only the sidebar of a wide screen has room.
    public var rail: Rail
    /// Further entries, in the menu at the leading end of the top bar.
    public var more: [PTNavigationEntry]
    /// The links in the top bar beside the bell that opens the notifications.
    public var beside: [PTNavigationEntry]
    public var account: PTAccountMenu
    /// The number of unread notifications.
    public var unread: Int
    public var searchPath: String?
    public var notificationsPath: String?
    /// The path of the page that the product's mark in the top bar leads to.
    public var home: String

    /// The largest number of tabs that are easy to tap; further entries go into `more`.
    public static let tabLimit = 5

    /// The entries that a sidebar shows around the main tabs.
    public struct Rail: Codable, Hashable, Sendable {
        public var leading: [PTNavigationEntry]
        public var trailing: [PTNavigationEntry]

        public init(leading: [PTNavigationEntry] = [], trailing: [PTNavigationEntry] = []) {
            self.leading = leading
            self.trailing = trailing
        }
    }

    public init(
        navigation: [PTNavigationEntry], rail: Rail = Rail(), more: [PTNavigationEntry] = [],
        beside: [PTNavigationEntry] = [],
        account: PTAccountMenu, unread: Int = 0, searchPath: String? = nil, notificationsPath: String? = nil,
        home: String = "/"
    ) {
        self.navigation = navigation
        self.rail = rail
        self.more = more
        self.beside = beside
        self.account = account
        self.unread = unread
        self.searchPath = searchPath
        self.notificationsPath = notificationsPath
        self.home = home
    }
}

/// The requirement ledger's name for the top bar (PT-3.06). Its title and Back button come from the screen.
public typealias PTTopBarCapsule = PageChrome

/// An entry of the navigation, such as a tab.
public struct PTNavigationEntry: Codable, Hashable, Sendable {
    public var title: String
    public var icon: PTIcon
    public var path: String
    public var isCurrent: Bool
    /// The number of unread things on the page that the entry leads to.
    public var unread: Int

    public init(title: String, icon: PTIcon, path: String, isCurrent: Bool = false, unread: Int = 0) {
        self.unread = unread
        self.title = title
        self.icon = icon
        self.path = path
        self.isCurrent = isCurrent
    }
}

/// The menu under the avatar of the signed-in person.
public struct PTAccountMenu: Codable, Hashable, Sendable {
    public var name: String
    /// The school and role of the person, below the name: "Birch Lane Montessori, guide".
    public var detail: String?
    public var initials: String
    public var tint: Tint
    public var shape: PTAvatar.Shape
    public var imageURL: String?
    public var items: [PTMenuItem]

    public init(
        name: String, detail: String? = nil, initials: String, tint: Tint, shape: PTAvatar.Shape = .a,
        imageURL: String? = nil, items: [PTMenuItem]
    ) {
        self.name = name
        self.detail = detail
        self.initials = initials
        self.tint = tint
        self.shape = shape
        self.imageURL = imageURL
        self.items = items
    }
}
