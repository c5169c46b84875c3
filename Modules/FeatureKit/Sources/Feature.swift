public import DesignSystem
public import Domain
public import Foundation

/// All that a block hands to the composition root.
public struct Feature: Sendable {
    /// The block's module name.
    public let id: String
    public var catalog: StringCatalog
    public var permissions: [Permission] = []
    /// Keys of the words in the block's catalog for what each permission lets somebody do.
    public var permissionTitles: [Permission: String] = [:]
    /// Areas whose endpoints no API token reaches: they are a person's own, their account above all.
    public var personalAreas: Set<String> = []
    /// Tables in the directory; most blocks have none.
    public var directoryMigrations: [Migration] = []
    /// Tables in each school's database.
    public var schoolMigrations: [Migration] = []
    public var queries: [QueryRegistration] = []
    public var commands: [CommandRegistration] = []
    public var screens: [ScreenRoute] = []
    public var navigation: [NavigationEntry] = []
    /// What it shows on pages of other blocks.
    public var sections: [PageSection] = []
    public var audiences: [AudienceSource] = []
    public var searchSources: [SearchSource] = []
    /// The short names of its places and things.
    public var deepLinks: [DeepLink] = []
    public var notificationKinds: [NotificationKind] = []
    /// What it does by itself, again and again.
    public var jobs: [Job] = []
    /// Every table of the block, by the kind of record that it holds.
    public var records: [RecordKind] = []
    /// Where it keeps copies of records outside of its tables.
    public var stores: [DerivedStore] = []
    /// Files that people take home.
    public var downloads: [DownloadRoute] = []
    /// Every kind of change that the block's commands record, for the audit trail.
    public var auditKinds: [AuditKind] = []
    /// Key of the name under which the audit trail gathers these kinds.
    public var auditTitle: String?
    /// How the block's things are called, by their ids.
    public var nameSources: [NameSource] = []
    /// The custom elements of its pages: by name, the folder with `<name>.js`, the modules that it imports, and
    /// `<name>.css`.
    public var islands: [String: URL] = [:]
    /// How many things wait unread for the caller, for the bell.
    public var unread: (@Sendable (RequestContext) async throws -> Int)?
    /// How a way in stands for the caller just now, by its path, where that does not follow from their roles alone.
    /// Every page that is made asks, all blocks within one read of the school.
    public var entryStates: [String: @Sendable (RequestContext, any SQLReading) throws -> EntryState] = [:]

    public init(_ id: String, catalog: StringCatalog) {
        self.id = id
        self.catalog = catalog
    }
}

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

/// A block's part of another block's page. The page has made sure that the reader may see what it is about.
public struct PageSection: Sendable {
    /// What the page is about; the part is given its id.
    public enum Subject: Sendable, Hashable {
        case person, course
        /// The page that somebody begins with; its id is theirs.
        case home
    }

    public let subject: Subject
    /// Smaller stands first; blocks leave gaps.
    public let order: Int
    /// Who sees it.
    public let permission: Permission
    /// The topics after whose changes the part says something else.
    public let topics: @Sendable (UUID) -> [String]
    /// The components; none where there is nothing to say.
    public let make: @Sendable (UUID, ScreenRequest) async throws -> [Component]

    public init(
        _ subject: Subject, order: Int, permission: Permission,
        topics: @escaping @Sendable (UUID) -> [String] = { _ in [] },
        _ make: @escaping @Sendable (UUID, ScreenRequest) async throws -> [Component]
    ) {
        self.subject = subject
        self.order = order
        self.permission = permission
        self.topics = topics
        self.make = make
    }
}

/// Tells which audiences of a block a person belongs to.
public struct AudienceSource: Sendable {
    public let audiences: @Sendable (ActiveMembership, any SQLReading) throws -> Set<Audience>

    public init(_ audiences: @escaping @Sendable (ActiveMembership, any SQLReading) throws -> Set<Audience>) {
        self.audiences = audiences
    }
}

extension Sequence<AudienceSource> {
    /// Every audience to which a person belongs.
    public func all(for membership: ActiveMembership, in sql: any SQLReading) throws -> Set<Audience> {
        var all: Set<Audience> = [.school, .person(membership.personId)]
        all.formUnion(membership.roles.map(Audience.role))
        for source in self { try all.formUnion(source.audiences(membership, sql)) }
        return all
    }
}

/// What a notification is about, as far as people choose whether their devices tell it.
public enum NotificationCategory: String, Sendable, Hashable, Codable, CaseIterable {
    case message, announcement, assignment, grade
}

/// A kind of change that people are told about.
public struct NotificationKind: Sendable {
    public let kind: String
    public let icon: String
    /// `nil` for what belongs to none: a device with notifications always tells it.
    public let category: NotificationCategory?
    /// The sentence and where a tap leads, from the change.
    public let show: @Sendable (LoggedChange, RequestContext) async throws -> (text: String, path: String?)

    public init(
        _ kind: String, icon: String, category: NotificationCategory? = nil,
        _ show: @escaping @Sendable (LoggedChange, RequestContext) async throws -> (text: String, path: String?)
    ) {
        self.kind = kind
        self.icon = icon
        self.category = category
        self.show = show
    }
}

/// A kind of change as the audit trail tells it.
public struct AuditKind: Sendable, Hashable {
    /// One value in the sentence, out of the change's payload.
    public enum Part: Sendable, Hashable {
        /// The name of a thing whose id stands under `key`: `.name("student", of: "person")`.
        case name(_ key: String, of: String)
        /// A word of the catalog: `prefix` and the value under `key`.
        case word(_ key: String, prefix: String)
        /// The value itself: a day, a number.
        case value(_ key: String)
    }
    public let kind: String
    /// Key of the sentence in the block's catalog; it says what was done, without who did it.
    public let sentence: String
    public let parts: [Part]

    public init(_ kind: String, _ sentence: String, _ parts: Part...) {
        self.kind = kind
        self.sentence = sentence
        self.parts = parts
    }
}

/// Finds the names of things of one sort in the caller's school; those that are gone are left out.
public struct NameSource: Sendable {
    /// `person`, `classroom`.
    public let sort: String
    public let find: @Sendable ([UUID], any SQLReading) throws -> [UUID: String]

    public init(_ sort: String, _ find: @escaping @Sendable ([UUID], any SQLReading) throws -> [UUID: String]) {
        self.sort = sort
        self.find = find
    }
}

extension Sequence<Feature> {
    /// The scope that an API token needs for an endpoint of these blocks; `nil` where anyone may call it, and where no
    /// token reaches it.
    public func tokenScope(of contract: Contract, isCommand: Bool) -> TokenScope? {
        guard contract.access != .anyone, !contains(where: { $0.personalAreas.contains(contract.area) }) else {
            return nil
        }
        return TokenScope(area: contract.area, mayChange: isCommand)
    }

    /// Every scope that an API token may have: each covers an endpoint of these blocks.
    public var tokenScopes: Set<TokenScope> {
        let reads = flatMap(\.queries).map { tokenScope(of: $0.contract, isCommand: false) }
        let changes = flatMap(\.commands).map { tokenScope(of: $0.contract, isCommand: true) }
        return Set((reads + changes).compactMap(\.self))
    }
}

/// The blocks of a running system, checked to fit together.
public struct FeatureSet: Sendable {
    public let features: [Feature]

    /// Everything that does not fit, in one message.
    public struct Misfit: Error, CustomStringConvertible {
        public let faults: [String]
        public var description: String { faults.joined(separator: "\n") }

        public init(faults: [String]) { self.faults = faults }
    }

    public init(_ features: [Feature]) throws {
        var faults: [String] = []
        func refuseDoubles(_ what: String, _ names: [String]) {
            for (name, count) in Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +) where count > 1 {
                faults.append("Two blocks declare the \(what) \(name).")
            }
        }
        refuseDoubles(
            "endpoint", features.flatMap { $0.queries.map(\.contract.name) + $0.commands.map(\.contract.name) })
        refuseDoubles("query path", features.flatMap { $0.queries.map(\.contract.path) })
        refuseDoubles("command path", features.flatMap { $0.commands.map(\.contract.path) })
        refuseDoubles("screen", features.flatMap { $0.screens.map(\.path) + $0.downloads.map(\.path) })
        refuseDoubles("island", features.flatMap(\.islands.keys))
        refuseDoubles("deep link", features.flatMap { $0.deepLinks.map(\.name) })
        refuseDoubles("job", features.flatMap { $0.jobs.map(\.id) })
        refuseDoubles("store of copies", features.flatMap { $0.stores.map(\.id) })
        refuseDoubles("kind of record", features.records.map(\.id))
        guard faults.isEmpty else { throw Misfit(faults: faults.sorted()) }
        self.features = features
    }

    public var directoryMigrations: [MigrationSet] {
        KernelMigrations.directory
            + features.map { MigrationSet(owner: $0.id, migrations: $0.directoryMigrations) }
    }

    public var schoolMigrations: [MigrationSet] {
        KernelMigrations.school + features.map { MigrationSet(owner: $0.id, migrations: $0.schoolMigrations) }
    }

    /// The page at a path, with the path's variable parts. A literal part outranks a variable one, as in a router.
    public func screen(at path: String) -> (route: ScreenRoute, parameters: [String: String])? {
        features.flatMap(\.screens).compactMap { route in route.parameters(of: path).map { (route, $0) } }
            .min { $0.1.count < $1.1.count }
    }

    /// Where a narrowed device is at home: the first page that its scopes open; `nil` for everybody else.
    public func home(of caller: Caller) -> String? {
        guard let narrowed = caller.account?.token, narrowed.isDevice else { return nil }
        return features.flatMap(\.screens).first { narrowed.covers(pageOf: $0.area) }?.path
    }

    /// The folders of all islands, by their names.
    public var islands: [String: URL] {
        features.reduce(into: [:]) { $0.merge($1.islands) { first, _ in first } }
    }

    /// The parts of other blocks' pages that the caller may see, in their order.
    public func sections(for caller: Caller) -> [PageSection] {
        features.flatMap(\.sections).filter { caller.may($0.permission) }.sorted { $0.order < $1.order }
    }

    /// The ways in that the caller may use, in their order.
    public func navigation(for caller: Caller) -> [NavigationEntry] {
        let narrowed = caller.account?.token
        return features.flatMap(\.navigation)
            .filter { $0.permission.map(caller.may) ?? true }
            .filter { entry in narrowed?.covers(pageOf: screen(at: entry.path)?.route.area) ?? true }
            .map { entry in
                var placed = entry
                let roles = caller.membership?.roles ?? []
                switch entry.place {
                case .family: placed.place = roles == [.parent] ? .tabs : .account
                case .learning: placed.place = roles.contains(where: \.isStaff) ? .account : .tabs
                case .beside: placed.place = roles.contains(where: \.isStaff) ? .beside : .tabs
                default: break
                }
                return placed
            }
            .sorted { ($0.order, $0.path) < ($1.order, $1.path) }
    }
}
