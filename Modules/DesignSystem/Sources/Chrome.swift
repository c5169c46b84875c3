public import Domain

/// What stands around a signed-in page: the tabs and the top capsule (`PTTopBarCapsule`).
public struct PageChrome: Codable, Hashable, Sendable {
    /// The main places, from first to last.
    public var navigation: [PTNavigationEntry]
    /// Places that only the rail of a wide screen has room for, before and after the main places.
    public var rail: Rail
    /// Further places, behind the menu at the bar's leading end.
    public var more: [PTNavigationEntry]
    /// Places that stand in the bar beside the bell.
    public var beside: [PTNavigationEntry]
    public var account: PTAccountMenu
    /// How many notifications are new.
    public var unread: Int
    public var searchPath: String?
    public var notificationsPath: String?
    /// Where the mark leads.
    public var home: String

    /// As many tabs as a thumb tells apart; what comes after them goes into `more`.
    public static let tabLimit = 5

    /// What a rail shows around the main places.
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

/// The ledger's name for the top bar (PT-3.06); its title and Back come from the screen.
public typealias PTTopBarCapsule = PageChrome

/// One tab.
public struct PTNavigationEntry: Codable, Hashable, Sendable {
    public var title: String
    public var icon: PTIcon
    public var path: String
    public var isCurrent: Bool
    /// How many things wait behind it unread.
    public var unread: Int

    public init(title: String, icon: PTIcon, path: String, isCurrent: Bool = false, unread: Int = 0) {
        self.unread = unread
        self.title = title
        self.icon = icon
        self.path = path
        self.isCurrent = isCurrent
    }
}

/// The avatar menu of the signed-in person.
public struct PTAccountMenu: Codable, Hashable, Sendable {
    public var name: String
    /// The school and role: "Birch Lane Montessori, guide".
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
