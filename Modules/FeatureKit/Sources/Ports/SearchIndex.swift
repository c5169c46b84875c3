public import Domain
public import Foundation

/// A document that the search finds, as the index stores it.
public struct SearchDocument: Sendable, Hashable {
    public let id: UUID
    /// The title of the document, which is searched and shown.
    public let title: String
    /// The line under the document's title, in no particular language: a name, a class. It is searched as well.
    public let subtitle: String
    /// Further text of the document that is searched and not shown: an email address, a description.
    public let text: String
    /// The path of the page that the document opens when it is chosen.
    public let path: String
    public let tint: Tint
    /// The audiences that find the document, as groups of people: the person who searches must belong to one of them.
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

/// The search index of a school. It is made of the school's data and can be deleted at any time.
public protocol SearchIndex: Sendable {
    /// Returns the entry of the school's change log up to which the index is current; `nil` if it has to be built.
    func place() async throws -> SearchPlace?
    /// Empties the search index, to build it again.
    func clear() async throws
    /// Adds or replaces documents of a category, and removes others.
    func put(_ documents: [SearchDocument], in category: String, removing ids: [UUID]) async throws
    /// Stores the entry of the school's change log up to which the index is current.
    func move(to place: SearchPlace) async throws
    /// Removes all documents of a category.
    func remove(category: String) async throws
    /// Compacts the file of the search index if many documents were written, or any were removed, since the last time.
    ///
    /// Takes seconds for a million documents; searches continue meanwhile.
    func tidy() async throws
    /// Returns the documents of the index that match a search.
    func find(_ search: IndexedSearch) async throws -> IndexedHits
}

/// The entry of a school's change log up to which a search index is current. The hash detects a restored school, which
/// has another log.
public struct SearchPlace: Sendable, Hashable {
    public let seq: Int64
    public let hash: String

    public init(seq: Int64, hash: String) {
        self.seq = seq
        self.hash = hash
    }
}

/// The input of a search in the index: the text, the searcher's audiences, the categories and the limit.
public struct IndexedSearch: Sendable, Hashable {
    /// The text that is searched for, as it was typed. Case, accents and small mistakes do not matter, and the last
    /// word may be incomplete.
    public let text: String
    /// The audiences, as groups of people, that the person who searches belongs to.
    public let readers: Set<Audience>
    /// The categories of documents to search in.
    public let categories: [String]
    /// The largest number of documents that are returned for each category.
    public let limit: Int

    public init(text: String, readers: Set<Audience>, categories: [String], limit: Int) {
        self.text = text
        self.readers = readers
        self.categories = categories
        self.limit = limit
    }
}

/// The documents that a search found.
public struct IndexedHits: Sendable, Hashable {
    /// A document that a search found.
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
    /// The documents that were found: those with a matching title first, then the latest.
    public var hits: [Hit]
    /// The corrected text that was searched instead, if nothing matched the typed text.
    public var corrected: String?

    public init(hits: [Hit] = [], corrected: String? = nil) {
        self.hits = hits
        self.corrected = corrected
    }
}

/// The search indexes of all schools.
public protocol SearchIndexes: Sendable {
    /// Returns the search index of one school.
    func index(of schoolId: UUID) async throws -> any SearchIndex
    /// Deletes a school's index; it is built again when it is next needed. Safe to repeat.
    func remove(_ schoolId: UUID) async throws
    /// Deletes the search indexes of all schools except these.
    func keepOnly(_ schoolIds: Set<UUID>) async throws
}
