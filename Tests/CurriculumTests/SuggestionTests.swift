import ClassroomInterface
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Curriculum

@Suite("Suggestions for a child")
struct SuggestionTests {
    let fixture: CurriculumFixture
    let bea: UUID

    init() async throws {
        fixture = try await CurriculumFixture()
        bea = try await fixture.child("Bea Ruiz")
    }

    func names() async throws -> [String] { try await fixture.suggestions(for: bea).map(\.name) }

    func ids(_ material: String) throws -> InputValue {
        ["studentId": .id(bea), "materialId": .id(try fixture.id(material))]
    }

    @Test(
        "each suggestion cites records with their days and links to observations",
        .requirement("BY-1.08.b"))
    func cites() async throws {
        try await fixture.note(bea, "Cylinder block 1", .mastered, daysAgo: 9)
        try await fixture.note(bea, "Pink Tower", .practicing, daysAgo: 4)
        let observations = (1...3).map {
            Evidence(id: UUID(), day: fixture.today.adding(days: -$0), excerpt: "Built it alone \($0)")
        }
        fixture.record.observe([try fixture.id("Pink Tower"): observations])
        let found = try await fixture.suggestions(for: bea)
        #expect(found.count <= 5)
        let stair = try #require(found.first { $0.name == "Brown Stair" })
        #expect(stair.subject == "Sensorial")
        let reason = try #require(stair.because.first)
        #expect(stair.because.count == 1)
        #expect(reason.name == "Pink Tower")
        #expect(reason.state == .practicing)
        #expect(reason.day == fixture.today.adding(days: -4))
        #expect(reason.observations == Array(observations.prefix(2)))
        let page = try await fixture.outline("/students/\(bea.text)")
        let words = try fixture.school.environment.words()
        #expect(
            page.contains("  After Pink Tower: Practicing, \(words.longDate(fixture.today.adding(days: -4)))"))
        let link = "/students/\(bea.text)#observation-\(observations[0].id.text)"
        #expect(page.contains { $0.contains("Built it alone 1") && $0.hasSuffix(link) })
        let french = try await fixture.outline("/students/\(bea.text)", language: .french)
        #expect(french.contains("## Pour la suite"))
        #expect(french.contains { $0.contains("Après Tour rose\u{a0}: En pratique, ") })
    }

    @Test("accepting a suggestion plans a lesson, and hides the suggestion in every language while it is open")
    func accept() async throws {
        try await fixture.note(bea, "Pink Tower", .mastered, daysAgo: 2)
        #expect(try await names().contains("Brown Stair"))
        let outcome = try await fixture.school.execute(
            "curriculum.accept", ids("Brown Stair"), as: fixture.guide, language: .french)
        #expect(outcome.feedback?.text == "Leçon prévue\u{a0}: Escalier marron")
        let lesson = try #require(fixture.record.lessons.first)
        #expect(lesson.title == "Escalier marron")
        #expect(lesson.details?.hasPrefix("Après Tour rose\u{a0}: Maîtrisé, ") == true)
        #expect(lesson.studentId == bea)
        #expect(try await !names().contains("Brown Stair"))
        let refused = try await problem {
            try await fixture.school.execute("curriculum.accept", ids("Brown Stair"), as: fixture.guide)
        }
        #expect(refused?.status == 409)
        #expect(
            refused.map { try? $0.sentence(fixture.school.environment.words()) }
                == "A lesson “Brown Stair” is already planned. Complete it first.")
        #expect(fixture.record.lessons.count == 1)
        fixture.record.completeAll()
        #expect(try await names().contains("Brown Stair"))
    }

    @Test("accepting twice with the same idempotency key plans one lesson")
    func once() async throws {
        for _ in 0..<2 {
            try await fixture.school.execute(
                "curriculum.accept", ids("Pink Tower"), as: fixture.guide, key: "one-tap-here")
        }
        #expect(fixture.record.lessons.count == 1)
    }

    @Test("a dismissed suggestion is hidden for thirty days")
    func dismiss() async throws {
        try await fixture.note(bea, "Pink Tower", .mastered)
        for _ in 0..<2 {
            let outcome = try await fixture.school.execute(
                "curriculum.dismiss", ids("Brown Stair"), as: fixture.guide)
            #expect(outcome.feedback?.text == "Hidden for 30 days")
        }
        #expect(try await !names().contains("Brown Stair"))
        fixture.school.clock.advance(by: 30 * 86_400 - 1)
        #expect(try await !names().contains("Brown Stair"))
        fixture.school.clock.advance(by: 1)
        #expect(try await names().contains("Brown Stair"))
    }

    @Test("a hidden material is not suggested")
    func hidden() async throws {
        try await fixture.note(bea, "Pink Tower", .mastered)
        let stair = try fixture.id("Brown Stair")
        try await fixture.school.execute(
            HideEntry.self, ["entryId": .id(stair), "hidden": true], as: fixture.admin)
        #expect(try await !names().contains("Brown Stair"))
    }
}
