public import Domain
public import Foundation

/// The contributions of a feature block to a server: texts, permissions, tables, endpoints, jobs and pages.
///
/// The contributions are grouped. ScreenKit adds the groups of pages and notifications, which need the design system.
public struct Feature: Sendable {
    /// The name of the feature block, which is the name of its module.
    public let id: String
    /// The feature block's texts in every language.
    public var catalog: StringCatalog
    /// The feature block's permissions, and the functions that find a person's audiences (groups that may learn of
    /// changes).
    public var access = Access()
    /// The feature block's tables, what they hold about people, and copies outside of the tables.
    public var storage = Storage()
    /// The feature block's queries, commands and downloads.
    public var endpoints = Endpoints()
    /// The description of the feature block's changes in the audit log.
    public var audit = Audit()
    /// The background work that the feature block does by itself at intervals.
    public var jobs: [Job] = []
    private var groups: [ObjectIdentifier: any FeatureGroup] = [:]

    public init(_ id: String, catalog: StringCatalog) {
        self.id = id
        self.catalog = catalog
    }

    /// Returns the group of contributions of a type that another kernel module declares, such as pages. The group is
    /// empty if the feature block has set none.
    public subscript<Group: FeatureGroup>(_ type: Group.Type) -> Group {
        get { groups[ObjectIdentifier(type)] as? Group ?? Group() }
        set { groups[ObjectIdentifier(type)] = newValue }
    }
}

/// A group of contributions that a kernel module above FeatureKit adds to `Feature`.
public protocol FeatureGroup: Sendable {
    /// Creates a group of contributions that contains none.
    init()
}

extension Feature {
    /// A feature block's permissions, and the functions that find a person's audiences (groups that may learn of
    /// changes).
    public struct Access: Sendable {
        public var permissions: [Permission] = []
        /// The key of each permission's description in the feature block's string catalog.
        public var titles: [Permission: String] = [:]
        /// Areas whose endpoints no API token reaches because they belong to one person, such as the account.
        public var personalAreas: Set<String> = []
        /// The functions that find the feature block's audiences (groups that may learn of changes) to which a person
        /// belongs.
        public var audiences: [AudienceSource] = []
    }

    /// A feature block's tables, what they hold about people, and copies outside of the tables.
    public struct Storage: Sendable {
        /// The migrations of the feature block's tables in the server's directory database; most blocks have none.
        public var directoryMigrations: [Migration] = []
        /// The migrations of the feature block's tables in each school's database.
        public var schoolMigrations: [Migration] = []
        /// The kinds of record that the feature block stores. Every table belongs to one of them.
        public var records: [RecordKind] = []
        /// The stores outside of the tables, such as a search index, that contain copies of the feature block's
        /// records.
        public var stores: [DerivedStore] = []
    }

    /// A feature block's queries, commands, downloads and uploads.
    public struct Endpoints: Sendable {
        public var queries: [QueryRegistration] = []
        public var commands: [CommandRegistration] = []
        /// The routes of the feature block's files that people download.
        public var downloads: [DownloadRoute] = []
        /// The routes to which clients send files in parts.
        public var uploads: [UploadRoute] = []
    }

    /// The description of the feature block's changes for the audit log, which lists who changed what.
    public struct Audit: Sendable {
        /// The kinds of change that the feature block's commands record, each with its sentence.
        public var kinds: [AuditKind] = []
        /// The key of the heading under which the audit log lists the feature block's kinds of change.
        public var title: String?
        /// The functions that find the names of the feature block's things, such as classrooms, by their ids, for the
        /// audit log.
        public var names: [NameSource] = []
    }
}

/// A function that finds the audiences (groups that may learn of changes) of a feature block that a person belongs to.
public struct AudienceSource: Sendable {
    public let audiences: @Sendable (ActiveMembership, any SQLReading) throws -> Set<Audience>

    public init(_ audiences: @escaping @Sendable (ActiveMembership, any SQLReading) throws -> Set<Audience>) {
        self.audiences = audiences
    }
}

extension Sequence<AudienceSource> {
    /// Returns every audience, a group that may learn of changes, that these functions find for a person.
    public func all(for membership: ActiveMembership, in sql: any SQLReading) throws -> Set<Audience> {
        var all: Set<Audience> = [.school, .person(membership.personId)]
        all.formUnion(membership.roles.map(Audience.role))
        for source in self { try all.formUnion(source.audiences(membership, sql)) }
        return all
    }
}

/// A kind of change and the sentence with which the audit log describes such a change.
public struct AuditKind: Sendable, Hashable {
    /// One argument of the audit log's sentence, taken from the change's payload.
    public enum Part: Sendable, Hashable {
        /// The name of a thing whose id is the payload's value for `key`: `.name("student", of: "person")`.
        case name(_ key: String, of: String)
        /// A text of the catalog, whose key is `prefix` followed by the payload's value for `key`.
        case word(_ key: String, prefix: String)
        /// The payload's value for `key` itself: a day, a number.
        case value(_ key: String)
    }
    public let kind: String
    /// The key of the sentence in the feature block's string catalog. It says what was done, without the person who did
    /// it.
    public let sentence: String
    public let parts: [Part]

    public init(_ kind: String, _ sentence: String, _ parts: Part...) {
        self.kind = kind
        self.sentence = sentence
        self.parts = parts
    }
}

/// A function that finds the names of one sort of things in the caller's school. Things that no longer exist are
/// left out.
public struct NameSource: Sendable {
    /// The sort of the things whose names are found: `person`, `classroom`.
    public let sort: String
    public let find: @Sendable ([UUID], any SQLReading) throws -> [UUID: String]

    public init(_ sort: String, _ find: @escaping @Sendable ([UUID], any SQLReading) throws -> [UUID: String]) {
        self.sort = sort
        self.find = find
    }
}

extension Sequence<Feature> {
    /// Returns the scope that an API token needs for an endpoint; `nil` if it needs none, or if no token reaches
    /// the endpoint.
    public func tokenScope(of contract: Contract, isCommand: Bool) -> TokenScope? {
        guard contract.access != .anyone, !contains(where: { $0.access.personalAreas.contains(contract.area) })
        else {
            return nil
        }
        return TokenScope(area: contract.area, mayChange: isCommand)
    }

    /// Every scope that an API token may have. Each covers an endpoint of these feature blocks.
    public var tokenScopes: Set<TokenScope> {
        let reads = flatMap(\.endpoints.queries).map { tokenScope(of: $0.contract, isCommand: false) }
        let changes = flatMap(\.endpoints.commands).map { tokenScope(of: $0.contract, isCommand: true) }
        return Set((reads + changes).compactMap(\.self))
    }
}
