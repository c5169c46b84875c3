public import Domain
public import Foundation

/// What a block contributes to a server: everything that the composition root gets from it.
///
/// The contributions stand in groups. ScreenKit adds the groups of pages and notifications, which need the design system.
public struct Feature: Sendable {
    /// The block's module name.
    public let id: String
    /// The block's texts in every language.
    public var catalog: StringCatalog
    /// Who may do what, and who belongs to which audience.
    public var access = Access()
    /// The block's tables, what they hold about people, and copies outside of them.
    public var storage = Storage()
    /// What programs and pages call.
    public var endpoints = Endpoints()
    /// How the audit trail describes the block's changes.
    public var audit = Audit()
    /// What the block does by itself, again and again.
    public var jobs: [Job] = []
    private var groups: [ObjectIdentifier: any FeatureGroup] = [:]

    public init(_ id: String, catalog: StringCatalog) {
        self.id = id
        self.catalog = catalog
    }

    /// A group of contributions that another kernel module declares; an empty one where the block has set none.
    public subscript<Group: FeatureGroup>(_ type: Group.Type) -> Group {
        get { groups[ObjectIdentifier(type)] as? Group ?? Group() }
        set { groups[ObjectIdentifier(type)] = newValue }
    }
}

/// A group of contributions that a kernel module above FeatureKit adds to `Feature`.
public protocol FeatureGroup: Sendable {
    /// Contributes nothing.
    init()
}

extension Feature {
    /// Who may do what, and who belongs to which audience.
    public struct Access: Sendable {
        public var permissions: [Permission] = []
        /// For each permission, the key of the words in the block's catalog that say what it allows.
        public var titles: [Permission: String] = [:]
        /// Areas whose endpoints no API token reaches because they belong to one person, such as the account.
        public var personalAreas: Set<String> = []
        public var audiences: [AudienceSource] = []
    }

    /// The block's tables, what they hold about people, and copies outside of them.
    public struct Storage: Sendable {
        /// Tables in the directory; most blocks have none.
        public var directoryMigrations: [Migration] = []
        /// Tables in each school's database.
        public var schoolMigrations: [Migration] = []
        /// Every table of the block, by the kind of record that it holds.
        public var records: [RecordKind] = []
        /// Where the block keeps copies of records outside of its tables.
        public var stores: [DerivedStore] = []
    }

    /// What programs and pages call.
    public struct Endpoints: Sendable {
        public var queries: [QueryRegistration] = []
        public var commands: [CommandRegistration] = []
        /// Files that people download.
        public var downloads: [DownloadRoute] = []
    }

    /// How the audit trail describes the block's changes.
    public struct Audit: Sendable {
        /// Every kind of change that the block's commands record.
        public var kinds: [AuditKind] = []
        /// Key of the heading under which the audit trail groups these kinds.
        public var title: String?
        /// Find the names of the block's things by their ids.
        public var names: [NameSource] = []
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
        guard contract.access != .anyone, !contains(where: { $0.access.personalAreas.contains(contract.area) })
        else {
            return nil
        }
        return TokenScope(area: contract.area, mayChange: isCommand)
    }

    /// Every scope that an API token may have: each covers an endpoint of these blocks.
    public var tokenScopes: Set<TokenScope> {
        let reads = flatMap(\.endpoints.queries).map { tokenScope(of: $0.contract, isCommand: false) }
        let changes = flatMap(\.endpoints.commands).map { tokenScope(of: $0.contract, isCommand: true) }
        return Set((reads + changes).compactMap(\.self))
    }
}
