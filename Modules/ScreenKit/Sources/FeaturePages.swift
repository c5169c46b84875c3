public import DesignSystem
public import FeatureKit
public import Foundation

/// A block's pages, the links to them, and its sections on other blocks' pages.
public struct FeaturePages: FeatureGroup {
    public var screens: [ScreenRoute] = []
    public var navigation: [NavigationEntry] = []
    /// The states of navigation entries that do not follow from the caller's roles only, by the path of the entry.
    ///
    /// The functions of all blocks run on every page, in one read of the school.
    public var entryStates: [String: @Sendable (RequestContext, any SQLReading) throws -> EntryState] = [:]
    /// The address of the caller's own picture for the avatar menu; `nil` for initials. It is read with the entry states.
    public var accountPicture: (@Sendable (RequestContext, any SQLReading) throws -> String?)?
    /// The block's sections on pages of other blocks.
    public var sections: [PageSection] = []
    /// The block's entries in the agenda of the home page.
    public var agenda: [AgendaSource] = []
    /// The lists of pages beside the pages of a tab, by the path of the tab.
    public var sidebars: [String: @Sendable (ScreenRequest) -> PTSidebar] = [:]
    /// The custom elements of the block's pages: by name, the folder with `<name>.js`, the modules that it imports,
    /// and `<name>.css`.
    public var islands: [String: URL] = [:]
    /// The deep links of the block, which are short names of its pages and things.
    public var deepLinks: [DeepLink] = []
    /// The block's documents that the search finds.
    public var searchSources: [SearchSource] = []

    public init() {}
}

/// A block's kinds of notifications, and its count of unread ones.
public struct FeatureNotifications: FeatureGroup {
    public var kinds: [NotificationKind] = []
    /// Returns the number of unread notifications of the caller; `nil` if the block counts none.
    public var unread: (@Sendable (RequestContext) async throws -> Int)?

    public init() {}
}

extension Feature {
    /// The block's pages, sections, links and search sources.
    public var pages: FeaturePages {
        get { self[FeaturePages.self] }
        set { self[FeaturePages.self] = newValue }
    }

    /// The block's kinds of notifications, and its count of unread ones.
    public var notifications: FeatureNotifications {
        get { self[FeatureNotifications.self] }
        set { self[FeatureNotifications.self] = newValue }
    }
}
