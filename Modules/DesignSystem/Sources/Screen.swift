/// A page as components: what it says and offers, not how it looks.
///
/// A feature makes it, and a renderer (HTML, SwiftUI, `Outline`) shows it. Its texts are in the reader's language.
public struct Screen: Codable, Hashable, Sendable {
    /// The frame that is drawn around a page.
    public enum Layout: String, Codable, Sendable, Hashable, CaseIterable {
        /// The page has the top bar and the tabs.
        case page
        /// The page is centered, without bar and tabs: sign-in, a wizard, an error.
        case focused
        /// The page is only its content, from edge to edge, without bar and tabs: for a custom element that fills the
        /// window.
        case stage
    }

    /// The title of the page in the top bar, in the browser's title, and in the first heading.
    public var title: String
    /// A short line under the title of the page.
    public var subtitle: String?
    /// The picture of the person that the page is about.
    public var avatar: PTAvatar?
    /// The frame that is drawn around the page.
    public var layout: Layout
    /// The path of the Back button; `nil` on root pages.
    public var back: String?
    /// The topics of changes after which an open page loads its content again: `classroom:<id>`, `members`.
    public var live: [String]
    /// A picture at the beginning of the page; on a wide screen it fills the leading half of a focused page.
    public var hero: PTIllustration?
    /// The content of the page, from top to bottom.
    public var body: [Component]
    /// The floating button of the page; `nil` for none.
    public var floatingButton: PTFloatingActionButton?
    /// The sheets, panels over the page, that buttons and links of this page can open.
    public var sheets: [PTBottomSheet]
    /// A field at the top that searches what the page lists.
    public var search: PTSearchField?
    /// The menu with the actions for the whole page, in the top bar.
    public var more: PTMenuItem?
    /// The list of pages, such as those of Settings, to which this page belongs; `nil` for none.
    public var sidebar: PTSidebar?
    /// The text beside a list on a wide screen while nothing in the list is chosen; phones leave it out.
    public var placeholder: PTEmptyState?
    /// The path of the page with the list from which this page was chosen; `nil` for none.
    ///
    /// A wide screen shows that list beside the page, if the reader may see it.
    public var listPath: String?
    /// The list at `listPath`, which the server adds.
    public var list: PTSideList?

    public init(
        title: String, subtitle: String? = nil, avatar: PTAvatar? = nil, layout: Layout = .page,
        back: String? = nil,
        live: [String] = [], hero: PTIllustration? = nil, body: [Component] = [],
        floatingButton: PTFloatingActionButton? = nil, sheets: [PTBottomSheet] = [],
        search: PTSearchField? = nil, more: PTMenuItem? = nil, listPath: String? = nil
    ) {
        self.listPath = listPath
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

/// The requirement ledger's name for the page component (PT-3.08).
public typealias PTScreen = Screen

/// The illustrations of the product, which show cubes of the Montessori pink tower.
public enum PTIllustration: String, Codable, Sendable, Hashable, CaseIterable {
    /// The whole tower with its plant, for sign-in and welcome.
    case tower
    /// A few cubes waiting to be stacked, for empty pages.
    case cubes
    /// A cube fallen from its stack, for errors.
    case fallen
    /// The mark of the product, as in its icon.
    case mark
}
