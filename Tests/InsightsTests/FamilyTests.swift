import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Insights

@Suite("The family's pages")
struct FamilyTests {
    let fixture: InsightsFixture

    init() async throws { fixture = try await InsightsFixture() }

    @Test("a parent sees what was shared about their own child and never another's")
    func ownChild() async throws {
        try await fixture.shared("About Noah.")
        #expect(try await fixture.read().map(\.text) == ["About Noah."])
        #expect(try await fixture.read(as: fixture.otherParent).isEmpty)
        let theirs = try await fixture.outline("/family", as: fixture.otherParent)
        #expect(theirs.first == "# Tom")
        #expect(theirs.contains { $0.contains("Nothing shared about Tom yet") })
        await #expect(throws: Problem.notFound) {
            try await fixture.outline("/family", as: fixture.otherParent, query: ["child": fixture.noah.text])
        }
        await #expect(throws: Problem.notFound) {
            try await fixture.school.answer(
                ReadFamilyItems.self, ["studentId": .text(fixture.noah.text)], as: fixture.otherParent)
        }
    }

    @Test("a parent of several children chooses one, and a parent without children sees an explanation")
    func switcher() async throws {
        let both = fixture.school.makeCaller(.parent)
        fixture.families.link(try #require(both.membership?.personId), to: [fixture.noah, fixture.mia])
        let page = try await fixture.outline("/family", as: both, query: ["child": fixture.noah.text])
        #expect(page.contains("Children: Mia | *Noah*"))
        // The page shows the child who was chosen last on any page, unless it is another family's.
        let server = fixture.school.environment
        for (last, shown) in [
            (fixture.noah, "Mia | *Noah*"), (fixture.mia, "*Mia* | Noah"), (fixture.tom, "*Mia* | Noah"),
        ] {
            let page = try await server.outline("/family", as: both, lastStudent: last).description
            #expect(page.contains("Children: \(shown)"))
        }
        let nobody = try await fixture.outline("/family", as: fixture.school.makeCaller(.parent), language: .french)
        #expect(nobody.contains { $0.contains("Aucun enfant lié pour l’instant") })
    }

    @Test(
        "a text in both languages is shown in the reader's, and one in the other language has a note",
        .requirement("BY-1.22.c"))
    func languages() async throws {
        try await fixture.shared("Noah sang.", language: .english)
        let french = try await fixture.outline("/family", as: fixture.parent, language: .french)
        #expect(french.contains { $0.contains("Noah sang.") })
        #expect(french.contains { $0.contains("Écrit en anglais seulement") })
        try await fixture.shared("Noah a chanté.", language: .french)
        let both = try await fixture.outline("/family", as: fixture.parent, language: .french)
        #expect(both.contains { $0.contains("Noah a chanté.") })
        #expect(!both.contains { $0.contains("Noah sang.") || $0.contains("seulement") })
    }

    @Test("parents are notified of a shared item in a sentence that reveals none of it")
    func notified() async throws {
        try await fixture.shared("A secret sentence.")
        let logged = try #require(try await fixture.school.changes().first { $0.change.kind == "insights.shared" })
        let parentId = try #require(fixture.parent.membership?.personId)
        let otherId = try #require(fixture.otherParent.membership?.personId)
        #expect(logged.change.audience.contains(.person(parentId)))
        #expect(!logged.change.audience.contains(.person(otherId)))
        let kind = try #require(
            fixture.school.environment.features.flatMap(\.notifications.kinds).first {
                $0.kind == "insights.shared"
            })
        let shown = try await kind.show(logged, fixture.school.context(of: fixture.parent, language: .french))
        #expect(shown.text == "Nouveau résumé sur Noah")
        #expect(shown.path == "/family?student=\(fixture.noah.text)")
        let colleague = try await kind.show(logged, fixture.school.context(of: fixture.admin))
        #expect(colleague.path == "/students/\(fixture.noah.text)")
    }

    @Test(
        "all other endpoints and pages of the block refuse a parent",
        .requirement("BY-1.09.a"))
    func nothingElse() async throws {
        let item = try await fixture.shared()
        let note = fixture.note(fixture.noah, "Private words.")
        let features = fixture.school.environment.features
        let values: [String: String] = [
            "studentId": fixture.noah.text, "textId": item.textId.text, "itemId": item.id.text,
            "observationId": note.id.text, "classroomId": fixture.maple.text,
        ]
        var refused = 0
        // All members may read what the settings say about models.
        for screen in features.flatMap(\.pages.screens)
        where !screen.path.hasPrefix("/family") && screen.path != AISettingsView.path {
            let path = values.reduce(screen.path) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
            await #expect(throws: Problem.notAllowed, "\(path)") {
                try await fixture.outline(path, as: fixture.parent)
            }
            refused += 1
        }
        for command in features.flatMap(\.endpoints.commands) {
            await #expect(throws: Problem.notAllowed, "\(command.contract.name)") {
                try await fixture.school.execute(
                    command.contract.name,
                    .object(
                        Dictionary(
                            uniqueKeysWithValues: command.input.map { field in
                                (field.name, values[field.name].map { .text($0) } ?? Self.sample(field))
                            })), as: fixture.parent)
            }
            refused += 1
        }
        for query in features.flatMap(\.endpoints.queries) where query.contract.name != "family.items" {
            await #expect(throws: Problem.notAllowed, "\(query.contract.name)") {
                _ = try await fixture.school.environment.answer(
                    query.contract.name, ["studentId": .text(fixture.noah.text)], as: fixture.parent)
            }
            refused += 1
        }
        #expect(refused > 15)
    }

    private static func sample(_ field: FieldReader.Specification) -> InputValue {
        switch field.type {
        case .integer: .number(1)
        case .choice: .text(field.choices?.first ?? "")
        case .secret: "sk-12345678"
        default: .text("Words")
        }
    }

    @Test("staff who are not parents have no family page", arguments: [Role.guide, .admin, .warden, .student])
    func staff(_ role: Role) async throws {
        await #expect(throws: Problem.notAllowed) {
            try await fixture.outline("/family", as: fixture.school.makeCaller(role))
        }
    }
}

@Suite("Weekly letters")
struct LetterTests {
    /// Friday 20 November 2026, 15:00 in Toronto.
    static let fridayAfternoon = Date(timeIntervalSince1970: 1_795_204_800)
    let fixture: InsightsFixture

    init() async throws { fixture = try await InsightsFixture(clock: FixedClock(Self.fridayAfternoon)) }

    func letters() async throws -> [FamilyText] {
        let last = LetterWeek(of: fixture.today).last
        return try await fixture.school.database.read { try FamilyTextRepository.letters(lastDay: last, in: $0) }
    }

    func runJobs() async throws {
        let school = fixture.school
        let id = school.organization.id
        let runner = JobRunner(
            school.environment.features.flatMap(\.jobs), directory: school.environment.directory,
            schools: school.environment.schools,
            allSchools: { [id] }, hub: school.environment.hub, clock: school.clock, ids: school.ids,
            report: { Issue.record("\($0.error)") })
        await runner.runDue()
    }

    @Test(
        "at the week's end letters are drafted once, in both languages, for each child with records, and not sent",
        .requirement("BY-1.22.a", "BY-1.22.b"))
    func job() async throws {
        fixture.note(fixture.noah, "Sang a song.", daysAgo: 1)
        fixture.note(fixture.mia, "Walked with Noah.", with: [fixture.noah])
        try await runJobs()
        try await runJobs()
        let drafts = try await letters()
        #expect(drafts.map(\.studentId) == [fixture.noah, fixture.noah], "Mia's only note names another child")
        #expect(Set(drafts.map(\.language)) == Set(Language.allCases))
        #expect(drafts.allSatisfy { !$0.isApproved })
        #expect(drafts.first { $0.language == .french }?.text.contains("Sang a song.") == true)
        #expect(try await fixture.read().isEmpty)
        let kinds = try await fixture.school.changes().map(\.change.kind)
        #expect(kinds == ["letters.drafted"])
    }

    @Test(
        "the week ends on Friday at two in the school's time zone",
        arguments: [(-3, false), (-1, true), (0, true), (30, true), (60, false)])
    func weekEnd(_ hours: Int, _ hasEnded: Bool) throws {
        let toronto = try #require(TimeZone(identifier: "America/Toronto"))
        #expect(LetterDrafting.hasEnded(Self.fridayAfternoon + Double(hours) * 3600, in: toronto) == hasEnded)
    }

    @Test(
        "a guide drafts, reads, approves and shares letters one after the other, and a parent reads one",
        .requirement("BY-1.22.a", "BY-1.22.b"))
    func oneAfterTheOther() async throws {
        fixture.note(fixture.noah, "Sang a song.", daysAgo: 1)
        fixture.note(fixture.mia, "Poured water.")
        try await fixture.school.execute(DraftLetters.self, as: fixture.guide)
        let first = try await fixture.outline("/letters")
        #expect(first.contains { $0.contains("## Mia Ruiz · English") }, "the first by name")
        let drafts = try await letters()
        #expect(drafts.count == 4)
        let hers = try #require(drafts.first { $0.studentId == fixture.mia && $0.language == .english })
        try await fixture.school.execute(ReleaseText.self, fixture.edit(hers), as: fixture.guide)
        let next = try await fixture.outline("/letters")
        #expect(next.contains { $0.contains("## Mia Ruiz · French") })
        let his = try #require(drafts.first { $0.studentId == fixture.noah && $0.language == .french })
        let item = try await fixture.school.execute(
            ReleaseText.self, fixture.edit(his, "Chère famille,\n\nNoah a chanté."), as: fixture.guide)
        let list = try await fixture.outline("/family", as: fixture.parent, language: .french)
        #expect(list.contains { $0.contains("-> /family/letters/\(item.id.text)") })
        let letter = try await fixture.outline(
            "/family/letters/\(item.id.text)", as: fixture.parent, language: .french)
        #expect(letter.contains { $0.contains("Noah a chanté.") })
        await #expect(throws: Problem.notFound) {
            try await fixture.outline("/family/letters/\(item.id.text)", as: fixture.otherParent)
        }
    }

    @Test("a guide of another class neither sees nor drafts the letters")
    func otherClass() async throws {
        fixture.note(fixture.noah, "Sang a song.")
        try await fixture.school.execute(DraftLetters.self, as: fixture.otherGuide)
        #expect(try await letters().isEmpty)
        try await fixture.school.execute(DraftLetters.self, as: fixture.guide)
        let page = try await fixture.outline("/letters", as: fixture.otherGuide)
        #expect(page.contains { $0.contains("No letters this week yet") })
        #expect(!page.contains { $0.contains("Noah") })
    }
}
