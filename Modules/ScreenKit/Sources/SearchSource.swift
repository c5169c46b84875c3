public import DesignSystem
import Domain
public import FeatureKit
public import Foundation

/// What a change means for the documents of a source.
public enum SearchTouch: Sendable, Hashable {
    /// These are new, different or gone.
    case some([UUID])
    /// All are to be read again.
    case everything
}

/// A block's part of the search: what of it is found, and by whom.
///
/// The index follows the change log: after each change of these kinds it reads the touched documents again. Rights stand
/// in the documents, so that nobody is asked while somebody searches; the page that a hit opens checks them once more.
public struct SearchSource: Sendable {
    /// `people`, `courses`: stable, and letters only.
    public let category: String
    /// The deep link's name for one document: `course` for `course:<id>`; the category where no deep link leads there.
    public let link: String
    /// Key of the group's title in the block's catalog.
    public let title: String
    public let icon: PTIcon
    /// Whether hits are people: they show an avatar and open over the list.
    public let isOfPeople: Bool
    /// Smaller stands first; blocks leave gaps.
    public let order: Int
    /// The kinds of change after which a document may be different.
    public let kinds: Set<String>
    /// What a change of these kinds touches.
    public let touched: @Sendable (LoggedChange, any SQLReading) throws -> SearchTouch
    /// The ids of all documents after one, in their order.
    public let ids: @Sendable (_ after: UUID?, _ limit: Int, any SQLReading) throws -> [UUID]
    /// The documents of these ids as they are now, in this school; those that are gone are left out.
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
    /// The beginning of a longer text, as a title.
    public static func excerpt(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > 90 ? "\(line.prefix(89))…" : line
    }
}

extension LoggedChange {
    /// The one document that the payload names under a key; where it names none, all.
    public func touches(_ key: String) -> SearchTouch {
        change.payload[key].flatMap(UUID.init(text:)).map { .some([$0]) } ?? .everything
    }
}
