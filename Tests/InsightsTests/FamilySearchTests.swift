import ClassroomTesting
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Insights

@Suite("Search for families")
struct FamilySearchTests {
    let fixture: InsightsFixture

    init() async throws { fixture = try await InsightsFixture() }

    private func source(_ category: String) throws -> SearchSource {
        try #require(
            FamilySearch(families: fixture.families, students: TestClassrooms()).sources.first {
                $0.category == category
            })
    }

    private func documents(_ category: String) async throws -> [SearchDocument] {
        let (source, id) = (try source(category), fixture.school.organization.id)
        return try await fixture.school.database.read { sql in
            try source.documents(try source.ids(nil, 50, sql), id, sql)
        }
    }

    @Test("a parent finds their own child, and a child without parents is not found")
    func children() async throws {
        let found = try await documents("family")
        let parent = try #require(fixture.parent.membership?.personId)
        let noah = try #require(found.first { $0.id == fixture.noah })
        #expect(noah.title == "Noah Ruiz" && noah.path == "/family?child=\(fixture.noah.text)")
        #expect(noah.readers == [.person(parent)])
        #expect(Set(found.map(\.id)) == [fixture.noah, fixture.tom])
    }

    @Test("a parent finds an item that was shared about their child until it is taken back")
    func texts() async throws {
        let item = try await fixture.shared("Noah built the pink tower.")
        let found = try #require(try await documents("shared").first)
        let parent = try #require(fixture.parent.membership?.personId)
        #expect(found.id == item.id && found.title == "Noah built the pink tower." && found.subtitle == "Noah Ruiz")
        #expect(found.readers == [.person(parent)])
        let source = try source("shared")
        let shared = try #require(try await fixture.school.changes().last { $0.change.kind == "insights.shared" })
        #expect(source.kinds.contains("insights.takenBack"))
        #expect(try await fixture.school.database.read { try source.touched(shared, $0) } == .some([item.id]))
        try await fixture.school.execute(TakeBackItem.self, ["itemId": .id(item.id)], as: fixture.guide)
        #expect(try await documents("shared").isEmpty)
    }
}
