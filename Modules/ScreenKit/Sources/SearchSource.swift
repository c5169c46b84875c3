public import DesignSystem
import Domain
public import FeatureKit
public import Foundation

/// The documents of a search source that a change affects.
public enum SearchTouch: Sendable, Hashable {
    /// The documents with these ids are new, changed or deleted.
    case some([UUID])
    /// All documents of the source have to be read again.
    case everything
}

/// The documents of a feature block that the search finds, and the people who find them.
///
/// The index follows the change log: after each change whose kind is one of `kinds` it reads the affected documents
/// again. The documents name their readers, so that a search checks no rights; the page that a hit opens checks them.
public struct SearchSource: Sendable {
    /// The name of the source's category, which never changes, of letters only: `people`, `courses`.
    public let category: String
    /// The name of the deep link to one document, `course` for `course:<id>`; the category if no deep link leads
    /// there.
    public let link: String
    /// The key of the group's title in the feature block's string catalog.
    public let title: String
    public let icon: PTIcon
    /// Whether hits are people, who are shown with an avatar and open in a sheet over the list.
    public let isOfPeople: Bool
    /// The position of the group of hits: groups are sorted by it, smallest first. Blocks leave gaps.
    public let order: Int
    /// The kinds of change that may affect documents.
    public let kinds: Set<String>
    /// Returns the documents that a change affects, whose kind is one of `kinds`.
    public let touched: @Sendable (LoggedChange, any SQLReading) throws -> SearchTouch
    /// Returns the ids of at most `limit` documents after an id, in the order of ids; those of the beginning for `nil`.
    public let ids: @Sendable (_ after: UUID?, _ limit: Int, any SQLReading) throws -> [UUID]
    /// Returns the current documents with these ids in a school. Deleted ones are left out.
    public let documents: @Sendable (_ ids: [UUID], _ schoolId: UUID, any SQLReading) throws -> [SearchDocument]

    public init(
        category: String, link: String? = nil, title: String, icon: PTIcon, isOfPeople: Bool = false, order: Int,
        kinds: Set<String>,
        touched: @escaping @Sendable (LoggedChange, any SQLReading) throws -> SearchTouch,
        ids: @escaping @Sendable (_ after: UUID?, _ limit: Int, any SQLReading) throws -> [UUID],
        documents: @escaping @Sendable (_ ids: [UUID], _ schoolId: UUID, any SQLReading) throws -> [SearchDocument]
    ) {
        self.category = category
        self.link = link ?? category
        self.title = title
        self.icon = icon
        self.isOfPeople = isOfPeople
        self.order = order
        self.kinds = kinds
        self.touched = touched
        self.ids = ids
        self.documents = documents
    }
}

extension SearchSource {
    /// Returns the beginning of a longer text, at most 90 characters, as a title.
    public static func excerpt(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 90 ? "\(line.prefix(89))…" : line
    }
}

extension LoggedChange {
    /// Returns the document whose id the payload has for a key; all documents if it has none.
    public func touches(_ key: String) -> SearchTouch {
        change.payload[key].flatMap(UUID.init(text:)).map { .some([$0]) } ?? .everything
    }
}
