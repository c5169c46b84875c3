/// The place on a page where links to other feature blocks' pages are shown.
///
/// The placements in the top bar, the tabs and the menus around every page are declared here. A block whose pages show
/// links of other blocks declares its own placements in its interface, as an extension of this type.
public struct NavigationPlacement: Sendable, Hashable {
    public let name: String

    public init(_ name: String) { self.name = name }

    /// The place for links in the tab bar of a phone and in the sidebar of a wide screen.
    public static let tabs = NavigationPlacement("tabs")
    /// The place for links to pages that are a tab for members who are only parents, else an entry of the account menu.
    public static let family = NavigationPlacement("family")
    /// The place for links to pages that are a tab for parents and students, and an entry of the account menu for
    /// staff.
    public static let learning = NavigationPlacement("learning")
    /// The place for links to pages that are a tab for parents and students. Staff see an icon beside the bell in the
    /// top bar.
    public static let beside = NavigationPlacement("beside")
    /// The place for links in the menu under the avatar of the signed-in person.
    public static let account = NavigationPlacement("account")
    /// The place for links in the group of Settings about the signed-in person.
    public static let settings = NavigationPlacement("settings")
    /// The place for links in the group of Settings about the data and records of the school.
    public static let records = NavigationPlacement("records")
}

/// The kind of thing that a page is about, such as a student, for pages on which other feature blocks show sections.
///
/// The block that owns the page declares its subject in its interface, as an extension of this type.
public struct PageSubject: Sendable, Hashable {
    public let name: String

    public init(_ name: String) { self.name = name }
}

/// A kind of notification that people can switch on or off for their devices.
///
/// The feature block that stores these choices declares the categories in its interface, as an extension of this type.
public struct NotificationCategory: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}
