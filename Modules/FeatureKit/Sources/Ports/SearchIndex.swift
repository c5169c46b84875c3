public import Domain
public import Foundation

/// Something that the search finds, as the index keeps it.
public struct SearchDocument: Sendable, Hashable {
    public let id: UUID
    /// What it is called; searched, and shown.
    public let title: String
    /// What stands under it, in no language of its own: a name, a class. Searched as well.
    public let subtitle: String
    /// What else is searched in it: an e-mail address, a description.
    public let text: String
    /// The page that it opens.
    public let path: String
    public let tint: Tint
    /// Who finds it: whoever belongs to one of these.
    public let readers: [Audience]

    public init(
        id: UUID, title: String, subtitle: String = "", text: String = "", path: String, tint: Tint,
        readers: [Audience]
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.text = text
        self.path = path
        self.tint = tint
        self.readers = readers
    }
}

/// A school's search index. It is made of the school's own data and can be thrown away at any time.
public protocol SearchIndex: Sendable {
    /// How far it follows the change log; `nil` where it has to be built.
    func place() async throws -> SearchPlace?
    /// Empties it, to be built anew.
    func clear() async throws
    /// Writes documents of a category in the place of those with their ids, and takes others out.
    func put(_ documents: [SearchDocument], in category: String, removing ids: [UUID]) async throws
    /// Notes how far it follows the log now that all before is written.
    func move(to place: SearchPlace) async throws
    /// Takes all documents of a category out.
    func remove(category: String) async throws
    /// Puts its file in order where much was written, or anything was taken out, since the last time; takes seconds for a
    /// million documents, during which it is read as ever.
    func tidy() async throws
    func find(_ search: IndexedSearch) async throws -> IndexedHits
}

/// A place in a school's change log, with the entry's hash: a school that was restored has another log.
public struct SearchPlace: Sendable, Hashable {
    public let seq: Int64
    public let hash: String

    public init(seq: Int64, hash: String) {
        self.seq = seq
        self.hash = hash
    }
}

/// What is searched for, and by whom.
public struct IndexedSearch: Sendable, Hashable {
    /// As typed; case, accents and small mistakes do not matter, and the last word may be a beginning.
    public let text: String
    /// What the reader belongs to.
    public let readers: Set<Audience>
    public let categories: [String]
    /// Hits of each category at most.
    public let limit: Int

    public init(text: String, readers: Set<Audience>, categories: [String], limit: Int) {
        self.text = text
        self.readers = readers
        self.categories = categories
        self.limit = limit
    }
}

/// What an index found.
public struct IndexedHits: Sendable, Hashable {
    public struct Hit: Sendable, Hashable {
        public let category: String
        public let id: UUID
        public let title: String
        public let subtitle: String
        public let path: String
        public let tint: Tint

        public init(category: String, id: UUID, title: String, subtitle: String, path: String, tint: Tint) {
            self.category = category
            self.id = id
            self.title = title
            self.subtitle = subtitle
            self.path = path
            self.tint = tint
        }
    }
    /// Those whose title fits first, then the latest.
    public var hits: [Hit]
    /// What was searched for in its place, where nothing fitted what was typed.
    public var corrected: String?

    public init(hits: [Hit] = [], corrected: String? = nil) {
        self.hits = hits
        self.corrected = corrected
    }
}

/// The search indexes of all schools.
public protocol SearchIndexes: Sendable {
    func index(of schoolId: UUID) async throws -> any SearchIndex
    /// Takes a school's index off the disk; it is made anew when it is next wanted. Doing it again changes nothing.
    func remove(_ schoolId: UUID) async throws
    /// Takes the indexes of all other schools off the disk.
    func keepOnly(_ schoolIds: Set<UUID>) async throws
}
