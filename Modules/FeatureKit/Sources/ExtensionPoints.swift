/// Where on a page a link to another block's page stands.
///
/// Here are the placements in the frame around every page. A block whose pages have room for links of others declares its
/// own in its interface, as an extension of this type.
public struct NavigationPlacement: Sendable, Hashable {
    public let name: String

    public init(_ name: String) { self.name = name }

    /// The tab bar of a phone, the rail of a wide screen.
    public static let tabs = NavigationPlacement("tabs")
    /// A tab for those who have no role but parent; in the account menu for everybody else.
    public static let family = NavigationPlacement("family")
    /// A tab for parents and students; in the account menu for staff.
    public static let learning = NavigationPlacement("learning")
    /// A tab for parents and students; in the top bar, beside the bell, for staff.
    public static let beside = NavigationPlacement("beside")
    /// The menu under the avatar.
    public static let account = NavigationPlacement("account")
    /// The segments of Settings.
    public static let settings = NavigationPlacement("settings")
}

/// What a page is about that has room for sections of other blocks. The block that owns the page declares its subject in
/// its interface, as an extension of this type.
public struct PageSubject: Sendable, Hashable {
    public let name: String

    public init(_ name: String) { self.name = name }
}

/// What a notification is about, as far as people choose whether their devices show it. The block that keeps these choices
/// declares the categories in its interface, as an extension of this type.
public struct NotificationCategory: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}
