import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Searches the index for what the caller may see.
struct SearchService: Sendable {
    /// The most changes that a search indexes first. With more, the answer has the number of missing ones.
    static let maximumLag: Int64 = 200
    /// The longest change log of a school whose whole index a search builds first.
    static let smallLog: Int64 = 5_000

    let sources: [SearchSource]
    let audiences: [AudienceSource]
    let indexes: any SearchIndexes
    let indexer: SearchIndexer

    /// The categories in the order of their groups.
    var categories: [SearchSource] { sources.sorted { ($0.order, $0.category) < ($1.order, $1.category) } }

    /// Searches the index.
    ///
    /// - Parameters:
    ///   - categories: The categories to search; `nil` for all.
    ///   - limit: The most results per category.
    func search(
        query: String, in categories: Set<String>?, limit: Int, _ context: RequestContext
    ) async throws -> SearchAnswer {
        let (membership, database) = (try context.membership, try context.school)
        let schoolId = membership.organization.id
        let behind = try await update(schoolId, database)
        let readers = try await database.read { try audiences.all(for: membership, in: $0) }
        let wanted = self.categories.map(\.category).filter { categories?.contains($0) ?? true }
        let found = try await indexes.index(of: schoolId).find(
            IndexedSearch(text: query, readers: readers, categories: wanted, limit: limit))
        return SearchAnswer(
            items: found.hits.map {
                SearchResult(
                    id: $0.id, title: $0.title, subtitle: $0.subtitle, category: $0.category,
                    icon: source($0.category)?.icon.rawValue ?? "search", destination: $0.path, tint: $0.tint,
                    identifier: "\(source($0.category)?.link ?? $0.category):\($0.id.text)")
            },
            corrected: found.corrected, behind: behind)
    }

    /// Updates the index if that is quick.
    ///
    /// - Returns: The number of changes that are not indexed, 0 while the index is being built, or `nil` if it is
    ///   complete.
    private func update(_ schoolId: UUID, _ database: any Database) async throws -> Int? {
        let lag = try await indexer.lag(schoolId, database)
        var isQuick = lag.map { $0 <= Self.maximumLag } ?? false
        if lag == nil { isQuick = try await database.read { try ChangeLog.latest(in: $0) <= Self.smallLog } }
        guard isQuick else { return lag.map(Int.init) ?? 0 }
        if lag != 0 { try await indexer.catchUp(schoolId, database) }
        return nil
    }

    func source(_ category: String) -> SearchSource? { sources.first { $0.category == category } }
}

/// The results of a search.
struct SearchAnswer: Codable, Sendable, Hashable {
    /// The results in the order of the categories.
    let items: [SearchResult]
    /// The corrected query, if nothing matched the typed one.
    let corrected: String?
    /// The number of changes that are not indexed yet, 0 while the index is being built. Absent if it is complete.
    let behind: Int?
}

/// A result. `destination` is the page that it opens (`SearchDestination`).
struct SearchResult: Codable, Sendable, Hashable, Identifiable {
    let id: UUID
    let title: String
    let subtitle: String
    /// The category, such as `people` or `courses`.
    let category: String
    let icon: String
    let destination: String
    let tint: Tint

    /// The deep link, such as `course:<id>`, which `/open?link=` resolves if the block has such links.
    let identifier: String
}
