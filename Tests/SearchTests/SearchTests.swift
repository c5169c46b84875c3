import DesignSystem
import Domain
import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Search

@Suite("Search")
struct SearchTests {
    /// What a source was asked.
    final class Asked: Sendable {
        private let all = Mutex<[String]>([])
        var queries: [String] { all.withLock { $0 } }
        func note(_ query: String) { all.withLock { $0.append(query) } }
    }

    let asked = Asked()
    let school: TestSchool
    let guide: Caller

    init() async throws {
        let asked = asked
        let people = ["Łukasz Żak", "Lucia Roy", "Ana Silva"]
        let source = SearchSource(category: "people") { query, limit, context in
            asked.note(query)
            return people.filter { NameFolding.fold($0).contains(query) }.prefix(limit).map { name in
                SearchHit(
                    id: context.ids.id(at: context.now), title: name, subtitle: "Student", category: "people",
                    path: "/students/\(NameFolding.fold(name))", tint: .leaf)
            }
        }
        school = try await TestSchool([SearchFeature.make(sources: [source])])
        guide = school.makeCaller(.guide)
    }

    func find(_ query: String, limit: String? = nil) async throws -> [String] {
        var input: [String: InputValue] = ["q": .text(query)]
        if let limit { input["limit"] = .text(limit) }
        return try await school.answer(Find.self, .object(input), as: guide).items.map(\.title)
    }

    @Test("a query reaches every source folded, and their hits come back")
    func folds() async throws {
        #expect(try await find("  LÚ ") == ["Łukasz Żak", "Lucia Roy"])
        #expect(asked.queries == ["lu"])
        #expect(try await find("lu", limit: "1") == ["Łukasz Żak"])
        #expect(try await find("zzz").isEmpty)
    }

    @Test("an empty, endless or nonsense query is told as a fault of its field")
    func faults() async throws {
        for query in ["", "   ", String(repeating: "x", count: 201), "a\u{0}b"] {
            #expect(try await problem { _ = try await find(query) }?.faults.map(\.field) == ["q"])
        }
        #expect(try await problem { _ = try await find("a", limit: "51") }?.faults.map(\.field) == ["limit"])
        #expect(asked.queries.isEmpty)
    }

    @Test("only people of a school search")
    func access() async throws {
        #expect(
            try await problem { _ = try await school.house.answer("search.find", ["q": "a"], as: .nobody) }
                == .signInNeeded)
        let alone = Caller(account: school.house.makeAccount(), membership: nil)
        #expect(
            try await problem { _ = try await school.house.answer("search.find", ["q": "a"], as: alone) }
                == .notFound)
        #expect(asked.queries.isEmpty)
    }

    @Test("the field is part of the top bar, and results are rows that lead to the person", .requirement("PT-3.40"))
    func page() async throws {
        func screen(_ query: String) async throws -> Screen {
            guard
                case .screen(let screen) = try await school.house.screen("/search", as: guide, query: ["q": query])
            else { throw TestHouse.Unknown(description: "the search leads elsewhere") }
            return screen
        }
        let empty = try await screen("")
        #expect(empty.search?.path == "/search")
        #expect(Outline(empty).contains("Type the first letters of a name."))
        #expect(asked.queries.isEmpty, "an empty field asks nobody")
        let found = try await screen("lu")
        #expect(found.search?.value == "lu")
        let outline = Outline(found)
        #expect(outline.contains("## People · 2 results"))
        #expect(outline.contains("- Łukasz Żak · Student -> sheet /students/lukasz zak"))
        #expect(Outline(try await screen("zzz")).contains("! empty: Nothing found for “zzz”"))
        let french = try await school.house.outline("/search", as: guide, query: ["q": "zzz"], language: .french)
        #expect(french.contains("Rien trouvé pour « zzz »"))
        let long = try await screen(String(repeating: "é", count: 5000))
        #expect(long.search?.value.count == 200)
    }
}
