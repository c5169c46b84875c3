import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import Synchronization
import TestKit
import Testing

@testable import Search

/// A block with things in a table that the search finds.
enum Things {
    struct Add: Command {
        static let contract = Contract(
            "things.add", "/api/v1/things", access: .member(.belong), summary: "Adds one.")
        typealias Result = Done

        let id: UUID
        let name: String
        let reader: String

        init(_ fields: inout FieldReader) {
            id = fields.id("id")
            name = fields.text("name")
            reader = fields.text("reader")
        }
    }

    private static let catalog = """
        {"strings": {
            "things.people": {"localizations": {
                "en": {"stringUnit": {"value": "Persons"}}, "fr": {"stringUnit": {"value": "Personnes"}}
            }},
            "things.courses": {"localizations": {
                "en": {"stringUnit": {"value": "Lessons"}}, "fr": {"stringUnit": {"value": "Leçons"}}
            }}
        }}
        """

    static func feature() throws -> Feature {
        var feature = Feature("Things", catalog: try StringCatalog(json: Data(catalog.utf8)))
        feature.storage.schoolMigrations = [
            Migration("001", "CREATE TABLE things (id TEXT PRIMARY KEY, name TEXT NOT NULL, reader TEXT NOT NULL);")
        ]
        feature.endpoints.commands = [
            .handle(Add.self) { command, context in
                try context.sql.execute(
                    """
                    INSERT INTO things (id, name, reader) VALUES (\(command.id), \(command.name), \(command.reader))
                    ON CONFLICT (id) DO UPDATE SET name = \(command.name), reader = \(command.reader)
                    """)
                context.record(
                    Change("things.added", topics: [], audience: [.school], payload: ["thing": command.id.text]))
                return Done()
            }
        ]
        feature.pages.searchSources = [source("people", order: 10), source("courses", order: 20)]
        return feature
    }

    /// Things with a capital initial are people, and the others courses.
    private static func source(_ category: String, order: Int) -> SearchSource {
        SearchSource(
            category: category, link: category == "courses" ? "course" : nil, title: "things.\(category)",
            icon: .book, isOfPeople: category == "people",
            order: order,
            kinds: ["things.added", "things.swept"],
            touched: { change, _ in change.touches("thing") },
            ids: { after, limit, sql in
                try sql.rows("SELECT id FROM things WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)").map
                {
                    try $0.get("id")
                }
            },
            documents: { ids, _, sql in
                try sql.rows("SELECT * FROM things WHERE id IN \(list: ids) ORDER BY id").map { row in
                    let id: UUID = try row.get("id")
                    return try SearchDocument(
                        id: id, title: row.get("name"), subtitle: "In box 7", path: "/things/\(id.text)",
                        tint: .leaf,
                        readers: [Audience(row.get("reader"))])
                }.filter { ($0.title.first?.isUppercase == true) == (category == "people") }
            })
    }
}

@Suite("Search")
struct SearchTests {
    let school: TestSchool
    let indexes: TestSearchIndexes
    let indexer: SearchIndexer
    let guide: Caller

    init() async throws {
        let (things, indexes) = (try Things.feature(), try TestSearchIndexes())
        self.indexes = indexes
        indexer = SearchIndexer(sources: things.pages.searchSources, indexes: indexes)
        school = try await TestSchool([
            things,
            SearchFeature.make(sources: things.pages.searchSources, audiences: [], links: [], indexes: indexes) {
                []
            },
        ])
        guide = school.makeCaller(.guide)
    }

    @discardableResult
    func add(_ names: String..., reader: Audience = .school, id: UUID? = nil) async throws -> UUID {
        var last = UUID()
        for name in names {
            last = id ?? school.ids.id(at: school.clock.now)
            try await school.execute(
                Things.Add.self, ["id": .id(last), "name": .text(name), "reader": .text(reader.tag)], as: guide)
        }
        return last
    }

    func answer(_ query: String, _ more: [String: InputValue] = [:], as caller: Caller? = nil) async throws
        -> SearchAnswer
    {
        let input = more.merging(["q": .text(query)]) { first, _ in first }
        return try await school.answer(Find.self, .object(input), as: caller ?? guide)
    }

    func find(_ query: String, _ more: [String: InputValue] = [:], as caller: Caller? = nil) async throws
        -> [String]
    {
        try await answer(query, more, as: caller).items.map(\.title)
    }

    func index() async throws {
        try await indexer.catchUp(school.organization.id, school.database)
    }

    @Test(
        "results of all blocks are grouped and can be limited to categories",
        .requirement("WW-14.01.b", "WW-14.04.a", "WW-14.04.b"))
    func groups() async throws {
        try await add("Łukasz Żak", "lukewarm water", "Lucia Roy")
        try await index()
        let found = try await answer("  LÚ ")
        #expect(found.items.map(\.title) == ["Lucia Roy", "Łukasz Żak", "lukewarm water"])
        #expect(found.items.map(\.category) == ["people", "people", "courses"])
        let first = try #require(found.items.first)
        #expect(first.destination == "/things/\(first.id.text)")
        #expect(first.subtitle == "In box 7" && first.icon == "book")
        #expect(first.identifier == "people:\(first.id.text)")
        let last = try #require(found.items.last)
        #expect(last.identifier == "course:\(last.id.text)")
        #expect(try await find("lu", ["limit": "1"]) == ["Lucia Roy", "lukewarm water"])
        #expect(try await find("lu", ["category": .list(["courses"])]) == ["lukewarm water"])
        #expect(try await find("lu", ["category": .list(["unheard"])]).isEmpty)
    }

    @Test(
        "a caller finds only what she may see, also right after a change of permissions", .requirement("WW-14.03.f")
    )
    func rights() async throws {
        let id = try await add("Secret plan", reader: .role(.admin))
        try await index()
        let admin = school.makeCaller(.admin)
        #expect(try await find("secret").isEmpty)
        #expect(try await find("secret", as: admin) == ["Secret plan"])
        try await add("Secret plan", reader: .role(.guide), id: id)
        #expect(try await find("secret") == ["Secret plan"])
        #expect(try await find("secret", as: admin).isEmpty)
    }

    @Test("a few changes are found at once, and with many the result shows how many are missing")
    func behind() async throws {
        try await add("first")
        let own = try await indexes.index(of: school.organization.id)
        #expect(try await own.place() == nil)
        #expect(try await find("first") == ["first"], "a small school is indexed at the first search")
        try await add("second")
        let soon = try await answer("sec")
        #expect((soon.items.map(\.title), soon.behind) == (["second"], nil))
        for number in 0...SearchService.maximumLag { try await add("many \(number)") }
        #expect(try await answer("second").behind == Int(SearchService.maximumLag) + 1)
        try await index()
        #expect(try await answer("second").behind == nil)
    }

    @Test("a restored school is indexed again, and an unchanged one is not")
    func restored() async throws {
        try await add("first")
        try await index()
        let own = try await indexes.index(of: school.organization.id)
        let place = try #require(try await own.place())
        // Another log has another hash at the same place.
        try await own.move(to: SearchPlace(seq: place.seq, hash: "of another log"))
        try await index()
        #expect(try await own.place() == place)
        #expect(try await find("first") == ["first"])
        // A school that was restored to an earlier state has a shorter log.
        try await own.move(to: SearchPlace(seq: place.seq + 5, hash: place.hash))
        try await index()
        #expect(try await own.place() == place)
    }

    @Test("an updated index equals a newly built one")
    func sameAsAnew() async throws {
        try await index()
        var generator = SeededGenerator(seed: 7)
        var ids: [UUID] = []
        for number in 0..<60 {
            let known = ids.randomElement(using: &generator)
            let id = Bool.random(using: &generator) ? known : nil
            ids.append(
                try await add(
                    (Bool.random(using: &generator) ? "Thing " : "thing ") + "\(number)",
                    reader: Bool.random(using: &generator) ? .school : .role(.admin), id: id))
            if number % 7 == 0 { try await index() }
        }
        try await index()
        let followed = try await Set(answer("thing", ["limit": "50"]).items)
        try await indexes.index(of: school.organization.id).clear()
        try await index()
        #expect(try await Set(answer("thing", ["limit": "50"]).items) == followed)
        #expect(followed.count > 5)
    }

    @Test("an empty, endless or meaningless query is a fault of its field")
    func faults() async throws {
        for query in ["", "   ", String(repeating: "x", count: 201), "a\u{0}b"] {
            #expect(try await problem { _ = try await find(query) }?.faults.map(\.field) == ["q"])
        }
        #expect(try await problem { _ = try await find("a", ["limit": "51"]) }?.faults.map(\.field) == ["limit"])
    }

    @Test("only members of a school can search")
    func access() async throws {
        #expect(
            try await problem { _ = try await school.environment.answer("search.find", ["q": "a"], as: .nobody) }
                == .signInNeeded)
        let alone = Caller(account: school.environment.makeAccount(), membership: nil)
        #expect(
            try await problem { _ = try await school.environment.answer("search.find", ["q": "a"], as: alone) }
                == .notFound)
    }

    @Test(
        "the last ten searches are stored for the person who made them, the latest first",
        .requirement("WW-14.06.a"))
    func recent() async throws {
        let other = school.makeCaller(.guide)
        func recent(_ caller: Caller) async throws -> [String] {
            try await school.answer(ListRecentSearches.self, [:], as: caller).items
        }
        func remember(_ query: String) async throws {
            school.clock.advance(by: 1)
            try await school.execute(RememberSearch.self, ["q": .text(query)], as: guide)
        }
        for number in 1...12 { try await remember("search \(number)x") }
        #expect(try await recent(guide) == (3...12).reversed().map { "search \($0)x" })
        #expect(try await recent(other).isEmpty)
        try await remember("search 5x")
        #expect(try await recent(guide).first == "search 5x")
        #expect(try await recent(guide).count == 10)
        // A beginning of a longer query.
        try await remember("search 5xyz")
        #expect(try await !recent(guide).contains("search 5x"))
        try await school.execute(ClearRecentSearches.self, [:], as: guide)
        #expect(try await recent(guide).isEmpty)
    }

    @Test(
        "the field is part of the top bar, and results are grouped and open their page",
        .requirement("WW-14.01.a", "WW-14.01.c", "WW-14.06.b", "PT-3.40.c"))
    func page() async throws {
        func screen(_ query: String, in category: String = "") async throws -> Screen {
            guard
                case .screen(let screen) = try await school.environment.screen(
                    "/search", as: guide, query: ["q": query, "in": category])
            else { throw TestEnvironment.Unknown(description: "the search leads elsewhere") }
            return screen
        }
        let lukasz = try await add("Łukasz Żak")
        let water = try await add("lukewarm water")
        try await index()
        let empty = try await screen("")
        #expect(empty.search?.path == "/search")
        #expect(Outline(empty).contains("the first letters are enough."))
        let found = try await screen("luk")
        #expect(found.search?.value == "luk")
        let outline = Outline(found)
        #expect(outline.contains("- Łukasz Żak · In box 7 -> sheet /things/\(lukasz.text)"))
        #expect(outline.contains("- lukewarm water · In box 7 -> /things/\(water.text)"))
        #expect(outline.lines.filter { $0.hasPrefix("## ") } == ["## Persons", "## Lessons"])
        #expect(Outline(try await screen("lukewram")).contains("Showing results for “lukewarm”"))
        #expect(Outline(try await screen("zzz")).contains("! empty: No results for “zzz”"))
        let french = try await school.environment.outline(
            "/search", as: guide, query: ["q": "zzz"], language: .french)
        #expect(french.contains("Aucun résultat pour «\u{A0}zzz\u{A0}»"))
        let long = try await screen(String(repeating: "é", count: 5000))
        #expect(long.search?.value.count == 200)
        for number in 1...9 { try await add("Luk \(number)") }
        let many = Outline(try await screen("luk"))
        #expect(many.contains("/search?in=people&q=luk"))
        #expect(!Outline(try await screen("luk", in: "people")).contains("lukewarm"))
        try await school.execute(RememberSearch.self, ["q": "luk & co"], as: guide)
        #expect(Outline(try await screen("")).contains("-> /search?q=luk%20%26%20co"))
    }
}
