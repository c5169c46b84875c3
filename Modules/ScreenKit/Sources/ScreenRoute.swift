public import DesignSystem
public import Domain
public import FeatureKit
public import Foundation

/// A page: its path, and the function that makes its `Screen` from services and the address.
public struct ScreenRoute: Sendable {
    /// The path of the page, with parameters in braces: `/classrooms/{classroomId}/students`.
    public let path: String
    public let access: Contract.Access
    /// The path of the navigation entry that is shown as selected on this page.
    public let tab: String?
    /// The condition under which the page may be cached.
    public let freshness: Freshness
    /// Whether the browser remembers this page as the one where the person was last, until they sign out.
    public let isPlace: Bool
    /// The entry of the audit log for the people whom the page shows.
    public let seen: Seen?
    /// The area whose scope opens the page on a device that was narrowed for a child (`TokenScope.area`); `nil` if no
    /// narrowed device shows it.
    public let area: String?
    /// Makes the page, or a redirect, for a request.
    public let make: @Sendable (ScreenRequest) async throws -> ScreenAnswer

    public init(
        _ path: String, access: Contract.Access, tab: String? = nil, freshness: Freshness = .everyTime,
        isPlace: Bool = false, seen: Seen? = nil, area: String? = nil,
        _ make: @escaping @Sendable (ScreenRequest) async throws -> ScreenAnswer
    ) {
        self.path = path
        self.access = access
        self.tab = tab
        self.freshness = freshness
        self.isPlace = isPlace
        self.seen = seen
        self.area = area
        self.make = make
    }

    /// Returns the values of the parameters in a path of this page; `nil` for the path of another page.
    public func parameters(of path: String) -> [String: String]? {
        let names = self.path.split(separator: "/", omittingEmptySubsequences: false)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == parts.count else { return nil }
        var found: [String: String] = [:]
        for (name, part) in zip(names, parts) {
            if name.hasPrefix("{") {
                found[String(name.dropFirst().dropLast())] = String(part)
            } else if name != part {
                return nil
            }
        }
        return found
    }

    /// Whether the answer to an earlier request for a page may be sent again, or the page is built for each request.
    public enum Freshness: Sendable {
        /// The page is made anew for each request.
        case everyTime
        /// The page depends only on the person, the address, the day and the content of the databases.
        ///
        /// It does not depend on the time of day, on chance or on other services. It may be made once and shown again
        /// until one of these changes.
        case untilChange
    }
}

/// The answer to a request for a page: the page, or another address.
public enum ScreenAnswer: Sendable {
    /// The page that is shown.
    case screen(Screen)
    /// The path of another page that the browser opens instead.
    case redirect(String)
    /// Another site, such as Apple's sign-in, that the browser opens; it sends the browser back with a form.
    case leave(Departure)
}

/// The way of a browser to another site, such as Apple's sign-in, that sends it back with a form.
///
/// The browser takes along a ticket that no other browser can show: a cookie that, unlike a session, is sent with the
/// form of the other site's page.
public struct Departure: Sendable, Hashable {
    /// The address on the other site that the browser opens.
    public let address: String
    /// A new secret that the browser takes along as a cookie. Store only its hash.
    public let ticket: String
    /// The time in seconds for which the cookie with the secret (`ticket`) is valid.
    public let lifetime: TimeInterval

    public init(to address: String, ticket: String, lifetime: TimeInterval) {
        self.address = address
        self.ticket = ticket
        self.lifetime = lifetime
    }
}

/// A request for a page: its context, the parameters of its address, and a form that was refused.
public struct ScreenRequest: Sendable {
    public let context: RequestContext
    public let path: String
    /// The values of the parameters in the page's path.
    public let parameters: [String: String]
    /// The values of the query string in the page's address.
    public internal(set) var query: [String: String]
    /// The form that was sent and refused; `nil` if this request follows no refused form.
    public let refused: RefusedForm?
    /// The navigation entries of all feature blocks that the caller may use, in their order.
    public let navigation: [NavigationEntry]
    /// The sections that feature blocks add to other blocks' pages and that the caller may see, in their order.
    public let sections: [PageSection]
    /// The sources of events for the home page's agenda that the caller may see.
    public let agenda: [AgendaSource]
    /// The path of the page where the person was last on this device; only pages with `isPlace` count.
    public let lastPlace: String?
    /// The child whom a parent last chose on this device, on any page whose address names one (`?student=`); `nil`
    /// for other people.
    public let lastStudent: UUID?
    /// Whether a native app draws the page. It takes its language from the device and has its own sign-in.
    public let isApp: Bool
    /// The sources of the names of people and things of other blocks.
    let names: [NameSource]
    /// The idempotency key that all controls of this page share.
    public let key: String

    public init(
        context: RequestContext, path: String, parameters: [String: String], query: [String: String],
        refused: RefusedForm? = nil, navigation: [NavigationEntry] = [], sections: [PageSection] = [],
        agenda: [AgendaSource] = [], lastPlace: String? = nil, lastStudent: UUID? = nil, isApp: Bool = false,
        names: [NameSource] = []
    ) {
        self.isApp = isApp
        self.names = names
        self.navigation = navigation
        self.sections = sections
        self.agenda = agenda
        self.lastPlace = lastPlace
        self.lastStudent = lastStudent
        key = context.newKey()
        self.context = context
        self.path = path
        self.parameters = parameters
        self.query = query
        self.refused = refused
    }

    public var words: Words { context.words }

    /// Returns an id from the page's path. Throws `Problem.notFound` if the parameter is not a UUID.
    public func id(_ name: String) throws -> UUID {
        guard let text = parameters[name], let id = UUID(text: text) else { throw Problem.notFound }
        return id
    }
}

/// A form that was sent and refused. It is shown again with what was typed and its faults.
public struct RefusedForm: Sendable {
    /// The path of the command to which the form was sent.
    public let command: String
    public let typed: [String: String]
    public let problem: Problem

    public init(command: String, typed: [String: String], problem: Problem) {
        self.command = command
        self.typed = typed
        self.problem = problem
    }
}
