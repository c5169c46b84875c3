import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Finds what the caller may see.
struct SearchService: Sendable {
    /// Changes that are read while somebody waits for a search; more are told instead.
    static let patience: Int64 = 200
    /// The length of a log whose school is small enough to be indexed whole while somebody waits.
    static let small: Int64 = 5_000

    let sources: [SearchSource]
    let audiences: [AudienceSource]
    let indexes: any SearchIndexes
    let indexer: SearchIndexer

    /// The categories in the order of their groups.
    var categories: [SearchSource] { sources.sorted { ($0.order, $0.category) < ($1.order, $1.category) } }

    /// - Parameters:
    ///   - categories: where to look; `nil` is everywhere.
    ///   - limit: hits of each category at most.
    func search(
        query: String, in categories: Set<String>?, limit: Int, _ context: RequestContext
    ) async throws -> SearchAnswer {
        let (membership, database) = (try context.membership, try context.school)
        let schoolId = membership.organization.id
        let behind = try await missing(schoolId, database)
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

    /// Reads what little the index does not know yet.
    /// - Returns: how many changes it still does not know, 0 while it is built; `nil` where it knows all.
    private func missing(_ schoolId: UUID, _ database: any Database) async throws -> Int? {
        let lag = try await indexer.lag(schoolId, database)
        var isQuick = lag.map { $0 <= Self.patience } ?? false
        if lag == nil { isQuick = try await database.read { try ChangeLog.latest(in: $0) <= Self.small } }
        guard isQuick else { return lag.map(Int.init) ?? 0 }
        if lag != 0 { try await indexer.catchUp(schoolId, database) }
        return nil
    }

    func source(_ category: String) -> SearchSource? { sources.first { $0.category == category } }
}

/// What was found.
struct SearchAnswer: Codable, Sendable, Hashable {
    /// Group by group, in the order of the groups.
    let items: [SearchResult]
    /// What was searched for in its place, where nothing fitted what was typed.
    let corrected: String?
    /// How many changes cannot be found yet, where they are many; 0 while the index is built. Absent when all can.
    let behind: Int?
}

/// One hit: `destination` is the page that it opens (`SearchDestination`).
struct SearchResult: Codable, Sendable, Hashable, Identifiable {
    let id: UUID
    let title: String
    let subtitle: String
    /// `people`, `courses`, ...
    let category: String
    let icon: String
    let destination: String
    let tint: Tint

    /// The deep link to it: `course:<id>`. `/open?link=` resolves it where the block has such a link.
    let identifier: String
}
