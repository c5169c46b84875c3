/// One page, told in components: what it says and offers, never how it looks.
///
/// A feature's view model makes it, a renderer (HTML, SwiftUI, `Outline`) shows it. Every string in it is
/// already in the reader's language.
public struct Screen: Codable, Hashable, Sendable {
    /// How much of the product's frame stands around the page.
    public enum Layout: String, Codable, Sendable, Hashable, CaseIterable {
        /// With the top capsule and the tabs.
        case page
        /// Alone and centred, without tabs: sign-in, a wizard, an error.
        case focused
        /// Nothing but its body, from edge to edge: an island that is the whole page.
        case stage
    }

    /// The page's name: in the top capsule, in the browser's title, and its first heading.
    public var title: String
    /// One short line under the title.
    public var subtitle: String?
    /// The picture of whom the page is about.
    public var avatar: PTAvatar?
    /// What frame the page has.
    public var layout: Layout
    /// Path of the Back control; `nil` on root pages.
    public var back: String?
    /// Topics of the live events after which the page reads itself again.
    public var live: [String]
    /// A picture that opens the page; on a wide screen it fills the leading half of a focused page.
    public var hero: PTIllustration?
    /// The content, from top to bottom.
    public var body: [Component]
    /// The one floating action of the page.
    public var floatingButton: PTFloatingActionButton?
    /// Sheets that an action of this page presents.
    public var sheets: [PTBottomSheet]
    /// A field at the top that searches what the page lists.
    public var search: PTSearchField?
    /// What can be done about the page as a whole, in the top capsule.
    public var more: PTMenuItem?

    public init(
        title: String, subtitle: String? = nil, avatar: PTAvatar? = nil, layout: Layout = .page,
        back: String? = nil,
        live: [String] = [], hero: PTIllustration? = nil, body: [Component] = [],
        floatingButton: PTFloatingActionButton? = nil, sheets: [PTBottomSheet] = [],
        search: PTSearchField? = nil, more: PTMenuItem? = nil
    ) {
        self.more = more
        self.title = title
        self.subtitle = subtitle
        self.avatar = avatar
        self.layout = layout
        self.back = back
        self.live = live
        self.hero = hero
        self.body = body
        self.floatingButton = floatingButton
        self.sheets = sheets
        self.search = search
    }
}

/// The ledger's name for the page component (PT-3.08).
public typealias PTScreen = Screen

/// The pictures of the product, drawn from the tower's cubes.
public enum PTIllustration: String, Codable, Sendable, Hashable, CaseIterable {
    /// The whole tower with its plant, for sign-in and welcome.
    case tower
    /// A few cubes waiting to be stacked: nothing here yet.
    case cubes
    /// A cube fallen from its stack: something went wrong.
    case fallen
    /// The mark alone.
    case mark
}
