import DesignSystem
import FeatureKit
import ScreenKit
import Testing

@testable import Search

/// Pages and tools that are found by their names.
@Suite("The search for pages")
struct PageSearchTests {
    private static let titles = [
        "tools.typing": "Leçons de clavier", "tools.math": "Calcul mental", "school.members": "Membres de l’école",
        "search.tab": "Recherche", "child.page": "Clavier de l’enfant", "account.out": "Clavier éteint",
    ]

    private static let entries = [
        NavigationEntry(.tabs, "tools.math", icon: .calculator, path: "/tools/math", order: 1),
        NavigationEntry(.tabs, "tools.typing", icon: .grid, path: "/tools/typing", order: 2),
        NavigationEntry(.settings, "tools.typing", icon: .grid, path: "/tools/typing", order: 3),
        NavigationEntry(.settings, "school.members", icon: .grid, path: "/settings/members", order: 4),
        NavigationEntry(.tabs, "search.tab", icon: .search, path: SearchScreen.path, order: 5),
        NavigationEntry(.settings, "child.page", icon: .grid, path: "/students/{studentId}/keys", order: 6),
        NavigationEntry(.settings, "account.out", icon: .logout, path: "/api/v1/out", order: 7, isCommand: true),
    ]

    @Test(
        "a page is found once by the beginnings of its words, in any order and without accents",
        arguments: [
            ("clavier", ["/tools/typing"]), ("lecons clav", ["/tools/typing"]), ("CLAV leçons", ["/tools/typing"]),
            ("ecole", ["/settings/members"]), ("me", ["/tools/math", "/settings/members"]), ("ental", []), ("", []),
            (" - ", []), ("recherche", []), ("calcul clavier", []),
        ])
    func names(query: String, paths: [String]) {
        let found = PageSearch.entries(named: query, among: Self.entries) { Self.titles[$0.title] ?? "" }
        #expect(found.map(\.path) == paths)
    }

    @Test("a page in another one is told apart by it, and a page of its own stands alone")
    func parents() throws {
        let settings = NavigationEntry(.tabs, "settings", icon: .grid, path: "/settings", order: 8)
        let entries = Self.entries + [settings]
        let members = try #require(entries.first { $0.path == "/settings/members" })
        #expect(PageSearch.parent(of: members, among: entries) == settings)
        #expect(PageSearch.parent(of: settings, among: entries) == nil)
        #expect(PageSearch.parent(of: Self.entries[0], among: entries) == nil)
    }
}
