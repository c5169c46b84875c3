import DesignSystem
import Domain
public import FeatureKit
import Foundation

struct Find: Query {
    static let contract = Contract(
        "search.find", "/api/v1/search", access: .member(.belong),
        summary: "People and things whose name begins with the words, only those that the caller may see.")
    typealias Result = Page<SearchHit>

    let query: String
    let limit: Int

    init(_ fields: inout FieldReader) {
        query = fields.text("q", max: 200)
        limit = fields.integer("limit", in: 1...50, default: 20)
    }
}

/// The block: one field; what it finds comes from the other blocks.
public enum SearchFeature {
    public static func make(sources: [SearchSource]) throws -> Feature {
        var feature = Feature("Search", catalog: try StringCatalog(in: .module))
        feature.queries = [
            .handle(Find.self) { find, context in
                Page(items: try await hits(find.query, find.limit, sources, context), next: nil)
            }
        ]
        feature.screens = [
            ScreenRoute("/search", access: .member(.belong), tab: "/search") { request in
                .screen(try await screen(sources, request))
            }
        ]
        feature.navigation = [
            NavigationEntry(.tabs, "search.tab", icon: "search", path: "/search", order: 90, permission: .belong)
        ]
        return feature
    }

    private static func hits(
        _ query: String, _ limit: Int, _ sources: [SearchSource], _ context: RequestContext
    ) async throws -> [SearchHit] {
        let folded = NameFolding.fold(query).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !folded.isEmpty else { return [] }
        var hits: [SearchHit] = []
        for source in sources { hits += try await source.find(folded, limit, context) }
        return hits
    }

    private static func screen(_ sources: [SearchSource], _ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let query = String((request.query["q"] ?? "").prefix(200))
        let found = try await hits(query, 20, sources, request.context)
        let groups = Dictionary(grouping: found, by: \.category).sorted { $0.key < $1.key }
        let body: [Component]
        if query.isEmpty {
            body = [.text(PTText(words("search.tip"), role: .note, isCentered: true))]
        } else if found.isEmpty {
            body = [
                .empty(
                    PTEmptyState(
                        icon: .search, title: words("search.none", query), message: words("search.noneTip")))
            ]
        } else {
            body = groups.map { category, hits in
                .section(
                    PTSection(
                        title: words("search.category.\(category)"), detail: words("search.count", hits.count),
                        body: [
                            .list(
                                PTList(
                                    cells: hits.map { hit in
                                        PTListCell(
                                            id: hit.id.text,
                                            leading: .avatar(
                                                PTAvatar(
                                                    initials: PersonName(fullName: hit.title).initials,
                                                    tint: hit.tint,
                                                    id: hit.id)),
                                            title: hit.title, subtitle: hit.subtitle, trailing: [.chevron],
                                            // A person stands over what was found, so that the next one is a tap away.
                                            action: category == "people" ? .present(hit.path) : .open(hit.path))
                                    }))
                        ]))
            }
        }
        return Screen(
            title: words("search.title"), body: body,
            search: PTSearchField(
                path: "/search", value: query, placeholder: words("search.placeholder"),
                label: words("search.title")))
    }
}
