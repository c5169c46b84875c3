public import DesignSystem
public import Domain
public import FeatureKit
public import Foundation

/// A page: a path and the view model that turns services and URL state into a `Screen`.
public struct ScreenRoute: Sendable {
    /// With named parts in braces: `/classrooms/{classroomId}/students`.
    public let path: String
    public let access: Contract.Access
    /// The navigation entry under which this page stands, by its path.
    public let tab: String?
    public let freshness: Freshness
    /// Whether the browser remembers it as where the person was last, until they sign out.
    public let isPlace: Bool
    /// What it shows of people, for the audit trail.
    public let seen: Seen?
    /// The area whose scope opens it on a device that was narrowed (`TokenScope.area`); without one no such device
    /// shows it.
    public let area: String?
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

    /// The variable parts of a path of this page; `nil` for another page's path.
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

    /// How long what a page showed stays true.
    public enum Freshness: Sendable {
        case everyTime
        /// The page follows from who asks for which address on which day and from what the databases hold,
        /// and from nothing else: no time of day, no chance, no other service. It may be made once and
        /// shown again until one of these changes.
        case untilChange
    }
}

/// What a page answers: itself, or another place.
public enum ScreenAnswer: Sendable {
    case screen(Screen)
    case redirect(String)
    /// Another site, which sends the browser back with a form.
    case leave(Departure)
}

/// A browser goes to another site for a while. It takes a ticket along that nobody but it can show: a cookie that,
/// unlike a session, comes back with the form of the other site's page.
public struct Departure: Sendable, Hashable {
    public let address: String
    /// A fresh secret; of it only the fingerprint is to be kept.
    public let ticket: String
    /// How many seconds the ticket is kept.
    public let lifetime: TimeInterval

    public init(to address: String, ticket: String, lifetime: TimeInterval) {
        self.address = address
        self.ticket = ticket
        self.lifetime = lifetime
    }
}

/// What a page is asked: context, the variable parts of its address, and a form that was refused.
public struct ScreenRequest: Sendable {
    public let context: RequestContext
    public let path: String
    public let parameters: [String: String]
    public internal(set) var query: [String: String]
    public let refused: RefusedForm?
    /// The ways into all blocks that the caller may use, in their order.
    public let navigation: [NavigationEntry]
    /// The parts of other blocks' pages that the caller may see, in their order.
    public let sections: [PageSection]
    /// Where the person was last on this device: a path of ours, of a page that `isPlace`.
    public let lastPlace: String?
    /// Which of several children or students the person looked at last on this device, on whatever page.
    public let lastStudent: UUID?
    /// Find the names of people and things of other blocks.
    let names: [NameSource]
    /// The idempotency key of this showing of the page, for all of its controls.
    public let key: String

    public init(
        context: RequestContext, path: String, parameters: [String: String], query: [String: String],
        refused: RefusedForm? = nil, navigation: [NavigationEntry] = [], sections: [PageSection] = [],
        lastPlace: String? = nil, lastStudent: UUID? = nil, names: [NameSource] = []
    ) {
        self.names = names
        self.navigation = navigation
        self.sections = sections
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

    /// An id of the address; anything that is none is not found.
    public func id(_ name: String) throws -> UUID {
        guard let text = parameters[name], let id = UUID(text: text) else { throw Problem.notFound }
        return id
    }
}

/// A form that was sent and refused: shown again with what was typed and what is wrong.
public struct RefusedForm: Sendable {
    /// The path to which the form was sent.
    public let command: String
    public let typed: [String: String]
    public let problem: Problem

    public init(command: String, typed: [String: String], problem: Problem) {
        self.command = command
        self.typed = typed
        self.problem = problem
    }
}
