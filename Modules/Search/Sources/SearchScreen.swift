import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The search page (`UniversalSearchView`): a field, recent searches, and results by category.
struct SearchScreen: Sendable {
    static let path = "/search"
    /// The most results of each category.
    static let groupLimit = 5
    /// The most results of a single category.
    static let categoryLimit = 50

    let service: SearchService

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.belong), tab: Self.path) { .screen(try await screen($0)) }
    }

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let query = String((request.query["q"] ?? "").prefix(200)).trimmingCharacters(in: .whitespacesAndNewlines)
        let alone = request.query["in"].flatMap(service.source)
        let body =
            query.isEmpty
            ? try await recent(request) : try await found(query, alone, request)
        return Screen(
            title: words("search.title"), body: body,
            search: PTSearchField(
                path: Self.path, value: query, placeholder: words("search.placeholder"),
                label: words("search.title"), keeping: alone.map { ["in": $0.category] } ?? [:],
                remembering: RememberSearch.contract.path))
    }

    /// The recent searches, or a tip if there are none.
    private func recent(_ request: ScreenRequest) async throws -> [Component] {
        let (words, personId) = (request.words, try request.context.membership.personId)
        let recent = try await request.context.school.read { try RecentSearchRepository.list(of: personId, in: $0) }
        guard !recent.isEmpty else {
            return [.text(PTText(words("search.tip"), role: .note, isCentered: true))]
        }
        return [
            .section(
                PTSection(
                    title: words("search.recent"),
                    action: PTButton(
                        title: words("search.forget"), role: .quiet,
                        action: .perform(request.call(ClearRecentSearches.self))),
                    body: [
                        .list(
                            PTList(
                                cells: recent.map { query in
                                    PTListCell(
                                        leading: .icon(.clock, tint: .sand), title: query,
                                        action: .open(address(query)))
                                }))
                    ]))
        ]
    }

    private func found(_ query: String, _ alone: SearchSource?, _ request: ScreenRequest) async throws
        -> [Component]
    {
        let words = request.words
        let answer = try await service.search(
            query: query, in: alone.map { [$0.category] },
            limit: alone == nil ? Self.groupLimit + 1 : Self.categoryLimit,
            request.context)
        var body: [Component] = []
        if let behind = answer.behind {
            body.append(
                .banner(
                    PTBanner(
                        tone: .info, icon: .sync,
                        title: behind == 0 ? words("search.building") : words("search.behind", behind))))
        }
        if let corrected = answer.corrected {
            body.append(.text(PTText(words("search.corrected", corrected), role: .note)))
        }
        if alone != nil {
            body.append(
                .links(PTLinks(links: [.init(title: words("search.everywhere"), action: .open(address(query)))])))
        }
        let pages = alone == nil ? pages(query, request) : []
        body += pages
        let groups = Dictionary(grouping: answer.items, by: \.category)
        for source in service.categories {
            guard let hits = groups[source.category] else { continue }
            let shown = alone == nil ? Array(hits.prefix(Self.groupLimit)) : hits
            let hasMore = shown.count < hits.count
            body.append(
                .section(
                    PTSection(
                        title: words(source.title),
                        action: hasMore
                            ? PTButton(
                                title: words("search.more"), role: .quiet,
                                action: .open(address(query, in: source.category)),
                                spoken: words("search.moreOf", words(source.title)))
                            : nil,
                        body: [.list(PTList(cells: shown.map { cell($0, source) }))])))
        }
        if groups.isEmpty, pages.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .search, title: words("search.none", query), message: words("search.noneTip"))))
        }
        return body
    }

    /// The pages and tools with the name that the person types.
    private func pages(_ query: String, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        let found = PageSearch.entries(named: query, among: request.navigation) { words($0.title) }
        guard !found.isEmpty else { return [] }
        let cells = found.prefix(Self.groupLimit).map { entry in
            PTListCell(
                leading: .icon(entry.icon, tint: .sky), title: words(entry.title),
                // Two pages may have the same name, such as the messages and their settings.
                subtitle: PageSearch.parent(of: entry, among: request.navigation).map { words($0.title) },
                trailing: [.chevron], action: .open(entry.path))
        }
        return [.section(PTSection(title: words("search.pages"), body: [.list(PTList(cells: cells))]))]
    }

    private func cell(_ hit: SearchResult, _ source: SearchSource) -> PTListCell {
        PTListCell(
            id: hit.identifier,
            leading: source.isOfPeople
                ? .avatar(
                    PTAvatar(initials: Initials.of(hit.title), tint: hit.tint, id: hit.id))
                : .icon(source.icon, tint: hit.tint),
            title: hit.title, subtitle: hit.subtitle.isEmpty ? nil : hit.subtitle, trailing: [.chevron],
            // A person opens in a sheet, so that the next result is a tap away.
            action: source.isOfPeople ? .present(hit.destination) : .open(hit.destination))
    }

    private func address(_ query: String, in category: String? = nil) -> String {
        FilterLinks(path: Self.path, query: ["in": category ?? ""], known: ["in"]).with("q", query)
    }
}
