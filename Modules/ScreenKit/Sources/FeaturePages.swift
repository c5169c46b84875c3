public import FeatureKit
public import Foundation

/// A block's pages, the links to them, and its parts of other blocks' pages.
public struct FeaturePages: FeatureGroup {
    public var screens: [ScreenRoute] = []
    public var navigation: [NavigationEntry] = []
    /// Whether an entry is shown to the caller now and how much is unread behind it, by the entry's path; given where this
    /// does not follow from the caller's roles alone. All blocks are asked on every page, in one read of the school.
    public var entryStates: [String: @Sendable (RequestContext, any SQLReading) throws -> EntryState] = [:]
    /// The address of the caller's own picture, for the avatar menu; `nil` for the initials. Read with the entry states.
    public var accountPicture: (@Sendable (RequestContext, any SQLReading) throws -> String?)?
    /// What the block shows on pages of other blocks.
    public var sections: [PageSection] = []
    /// The custom elements of the pages: by name, the folder with `<name>.js`, the modules that it imports, and
    /// `<name>.css`.
    public var islands: [String: URL] = [:]
    /// The short names of the block's pages and things.
    public var deepLinks: [DeepLink] = []
    /// What the search finds of the block.
    public var searchSources: [SearchSource] = []

    public init() {}
}

/// What a block tells people about.
public struct FeatureNotifications: FeatureGroup {
    public var kinds: [NotificationKind] = []
    /// How many things are unread for the caller, for the bell; `nil` where the block has nothing to count.
    public var unread: (@Sendable (RequestContext) async throws -> Int)?

    public init() {}
}

extension Feature {
    public var pages: FeaturePages {
        get { self[FeaturePages.self] }
        set { self[FeaturePages.self] = newValue }
    }

    public var notifications: FeatureNotifications {
        get { self[FeatureNotifications.self] }
        set { self[FeatureNotifications.self] = newValue }
    }
}
