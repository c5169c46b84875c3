public import Domain
import FeatureKit

/// A way into a block that the shell shows.
public struct NavigationEntry: Sendable, Hashable {
    public enum Place: Sendable, Hashable {
        /// The tab bar or rail.
        case tabs
        /// A tab for whoever is here for a family alone; under the avatar for everybody else, whose tabs are the
        /// school's work.
        case family
        /// A tab for whoever is here for a family or to learn; under the avatar for everybody else.
        case learning
        /// A tab for whoever is here for a family or to learn; in the top bar, beside the bell, for those whose tabs
        /// are the school's work.
        case beside
        /// The segments of Settings.
        case settings
        /// Beside the list of members.
        case members
        /// The things of a school that Settings manages.
        case school
        /// The menu under the avatar.
        case account
        /// What an account's page offers about signing in.
        case security
        /// What may be done about one person; `path` has `{personId}`.
        case person
        /// What may be seen of one classroom; `path` has `{classroomId}`.
        case classroom
        /// What may be done for one child, on the child's page; `path` has `{studentId}`.
        case child
        /// Beside the list of one's courses.
        case courses
        /// What may be done with one observation; `path` has `{observationId}`, and `{studentId}` for whom it is about.
        case observation
        /// What the privacy page leads to; open to everybody.
        case legal
        /// Beside the forms of sign-in and sign-up; open to everybody.
        case signIn
        /// What a newcomer is offered for this device; comes back to the page in its query's `next`.
        case device
    }
    public var place: Place
    /// Key of the title in the block's catalog.
    public let title: String
    /// Key of a sentence that says what it is good for, where the place has room for one.
    public let tip: String?
    public let icon: String
    public let path: String
    /// Smaller stands first; blocks leave gaps.
    public let order: Int
    /// Who sees it; `nil` is everyone who is signed in.
    public let permission: Permission?
    /// `path` is a command's, to be run, not a page's to be opened.
    public let isCommand: Bool
    /// Whether the rail of a wide screen shows it to everybody, also to those for whom a phone has it in a menu.
    public let standsInRail: Bool

    public init(
        _ place: Place, _ title: String, icon: String, path: String, order: Int, permission: Permission? = nil,
        isCommand: Bool = false, tip: String? = nil
    ) {
        self.tip = tip
        self.place = place
        self.title = title
        self.icon = icon
        self.path = path
        self.order = order
        self.permission = permission
        self.isCommand = isCommand
        // Kept apart from the place, which changes with the roles of who is signed in.
        standsInRail = place == .learning || place == .beside
    }
}

/// A way into a block as one person finds it.
public struct EntryState: Sendable, Hashable {
    public let isShown: Bool
    /// How many things wait behind it unread.
    public let unread: Int

    public init(isShown: Bool = true, unread: Int = 0) {
        self.isShown = isShown
        self.unread = unread
    }
}
