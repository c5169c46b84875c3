import CoreSpotlight
public import Foundation
import UniformTypeIdentifiers

/// The app's entries in the system's search (WW-1.14).
public struct SpotlightIndex: Sendable {
    /// A course, assignment or quiz that the person can open.
    public struct Entry: Sendable, Hashable {
        public enum Kind: String, Sendable, CaseIterable { case course, assignment, quiz }
        public let kind: Kind
        public let id: UUID
        public let title: String
        /// A line below the title, such as the name of the course; `nil` for none.
        public let detail: String?

        public init(_ kind: Kind, _ id: UUID, title: String, detail: String? = nil) {
            self.kind = kind
            self.id = id
            self.title = title
            self.detail = detail
        }

        /// The identifier in the system's search, which the app's router opens: `course:{id}`.
        public var identifier: String { "\(kind.rawValue):\(id.uuidString.lowercased())" }
    }

    /// The name of all entries together, by which they are removed.
    private static let domain = "school"

    public init() {}

    /// Replaces all entries. Throws if the system refuses them.
    public func replace(with entries: [Entry]) async throws {
        try await clear()
        try await CSSearchableIndex.default().indexSearchableItems(
            entries.map { entry in
                let attributes = CSSearchableItemAttributeSet(contentType: .text)
                attributes.title = entry.title
                attributes.contentDescription = entry.detail
                return CSSearchableItem(
                    uniqueIdentifier: entry.identifier, domainIdentifier: Self.domain, attributeSet: attributes)
            })
    }

    /// Removes all entries, as when the person signs out.
    public func clear() async throws {
        try await CSSearchableIndex.default().deleteSearchableItems(withDomainIdentifiers: [Self.domain])
    }

    /// The type of the activity with which the system opens an entry.
    public static var activityType: String { CSSearchableItemActionType }

    /// Returns the identifier of the entry that the person chose, for the app's router; `nil` for another activity.
    public static func identifier(of userInfo: [AnyHashable: Any]?) -> String? {
        userInfo?[CSSearchableItemActivityIdentifier] as? String
    }
}
