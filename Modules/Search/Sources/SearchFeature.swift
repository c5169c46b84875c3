import DesignSystem
import Domain
public import FeatureKit
public import Foundation
public import ScreenKit

/// Searches everything that the caller may see.
struct Find: Query {
    static let contract = Contract(
        "search.find", "/api/v1/search", access: .member(.belong),
        summary: "What the caller may see and the words match, by category; small mistakes are corrected.")
    typealias Result = SearchAnswer

    let query: String
    let categories: [String]
    let limit: Int

    init(_ fields: inout FieldReader) {
        query = fields.text("q", max: 200)
        categories = fields.texts("category", max: 20)
        limit = fields.integer("limit", in: 1...50, default: 20)
    }
}

/// The search field. Its results come from the sources of other feature blocks.
public enum SearchFeature {
    /// Builds the Search feature block.
    ///
    /// - Parameters:
    ///   - sources: The categories of results.
    ///   - audiences: The audiences that a person belongs to.
    ///   - links: The deep links of all blocks.
    ///   - indexes: The search indexes of all schools.
    ///   - allSchools: Returns the ids of all schools; the indexes of others are deleted.
    public static func make(
        sources: [SearchSource], audiences: [AudienceSource], links: [DeepLink], indexes: any SearchIndexes,
        allSchools: @escaping @Sendable () async throws -> [UUID]
    ) throws -> Feature {
        let indexer = SearchIndexer(sources: sources, indexes: indexes)
        let service = SearchService(sources: sources, audiences: audiences, indexes: indexes, indexer: indexer)
        var feature = Feature("Search", catalog: try StringCatalog(in: .module))
        feature.storage.schoolMigrations = [RecentSearchRepository.migration]
        feature.storage.records = [RecentSearchRepository.record]
        feature.endpoints.queries =
            [
                .handle(Find.self) { find, context in
                    try await service.search(
                        query: find.query, in: find.categories.isEmpty ? nil : Set(find.categories),
                        limit: find.limit, context)
                }
            ] + RecentSearchHandlers.queries
        feature.endpoints.commands = RecentSearchHandlers.commands
        feature.pages.screens = [SearchScreen(service: service).route, OpenScreen(links: links).route]
        feature.pages.navigation = [
            NavigationEntry(
                .tabs, "search.tab", icon: .search, path: SearchScreen.path, order: 90, permission: .belong)
        ]
        feature.jobs = [
            .school("search.index", every: 300, after: indexer.kinds) { context in
                guard let schoolId = context.schoolId else { return }
                try await indexer.catchUp(schoolId, context.database)
            },
            .school("search.tidy", every: 3600) { context in
                guard let schoolId = context.schoolId else { return }
                try await indexes.index(of: schoolId).tidy()
            },
            // Deletes the indexes of removed schools.
            .server("search.sweep", every: 3600) { _ in try await indexes.keepOnly(Set(allSchools())) },
        ]
        return feature
    }
}
