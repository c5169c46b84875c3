public import DesignSystem
public import FeatureKit
public import Foundation

/// A feature block's pages, the links to them, its sections on other blocks' pages, and its documents for the search.
public struct FeaturePages: FeatureGroup {
    public var screens: [ScreenRoute] = []
    public var navigation: [NavigationEntry] = []
    /// Functions that decide which navigation entries the caller sees, if that does not follow from roles alone; by the
    /// path of the entry.
    ///
    /// The functions of all feature blocks run on every page, in one read of the school.
    public var entryStates: [String: @Sendable (RequestContext, any SQLReading) throws -> EntryState] = [:]
    /// Returns the address of the caller's own picture for the avatar menu; `nil` for initials. It is read together
    /// with the states of the navigation entries.
    public var accountPicture: (@Sendable (RequestContext, any SQLReading) throws -> String?)?
    /// The feature block's sections on pages of other blocks.
    public var sections: [PageSection] = []
    /// The feature block's events in the agenda of the home page.
    public var agenda: [AgendaSource] = []
    /// The lists of pages that are shown beside the pages of a tab, by the path of the tab.
    public var sidebars: [String: @Sendable (ScreenRequest) -> PTSidebar] = [:]
    /// The custom elements of the feature block's pages: by name, the folder with `<name>.js`, the modules that it
    /// imports, and `<name>.css`.
    public var islands: [String: URL] = [:]
    /// The deep links of the feature block, which are short names of its pages and things.
    public var deepLinks: [DeepLink] = []
    /// The feature block's documents that the search finds.
    public var searchSources: [SearchSource] = []

    public init() {}
}

/// A feature block's kinds of notifications, and its function that counts unread ones.
public struct FeatureNotifications: FeatureGroup {
    public var kinds: [NotificationKind] = []
    /// Returns the number of unread notifications of the caller; `nil` if the feature block counts none.
    public var unread: (@Sendable (RequestContext) async throws -> Int)?

    public init() {}
}

extension Feature {
    /// The feature block's pages, sections, links and search sources.
    public var pages: FeaturePages {
        get { self[FeaturePages.self] }
        set { self[FeaturePages.self] = newValue }
    }

    /// The feature block's kinds of notifications, and its function that counts unread ones.
    public var notifications: FeatureNotifications {
        get { self[FeatureNotifications.self] }
        set { self[FeatureNotifications.self] = newValue }
    }
}
