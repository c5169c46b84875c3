/// The place on a page where links to other blocks' pages are shown.
///
/// The placements in the frame around every page are declared here. A block whose pages show links of other blocks
/// declares its own placements in its interface, as an extension of this type.
public struct NavigationPlacement: Sendable, Hashable {
    public let name: String

    public init(_ name: String) { self.name = name }

    /// Links in the tab bar of a phone and in the sidebar of a wide screen.
    public static let tabs = NavigationPlacement("tabs")
    /// Links to pages that are a tab for members who are only parents, else an entry of the account menu.
    public static let family = NavigationPlacement("family")
    /// Links to pages that are a tab for parents and students, and an entry of the account menu for staff.
    public static let learning = NavigationPlacement("learning")
    /// Links to pages that are a tab for parents and students, and for staff an icon in the top bar, beside the
    /// bell.
    public static let beside = NavigationPlacement("beside")
    /// Links in the menu under the avatar.
    public static let account = NavigationPlacement("account")
    /// The group of Settings about the person.
    public static let settings = NavigationPlacement("settings")
    /// The group of Settings about the school's data and records.
    public static let records = NavigationPlacement("records")
}

/// The subject of a page that shows sections of other blocks.
///
/// The block that owns the page declares its subject in its interface, as an extension of this type.
public struct PageSubject: Sendable, Hashable {
    public let name: String

    public init(_ name: String) { self.name = name }
}

/// A kind of notification that people can switch on or off for their devices.
///
/// The block that stores these choices declares the categories in its interface, as an extension of this type.
public struct NotificationCategory: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}
