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

@Suite("What a family sees")
struct FamilyTests {
    let house: InsightsHouse

    init() async throws { house = try await InsightsHouse() }

    @Test("a parent sees what was shared about the own child, never another's")
    func ownChild() async throws {
        try await house.shared("About Noah.")
        #expect(try await house.read().map(\.text) == ["About Noah."])
        #expect(try await house.read(as: house.otherParent).isEmpty)
        let theirs = try await house.outline("/family", as: house.otherParent)
        #expect(theirs.first == "# Tom")
        #expect(theirs.contains { $0.contains("Nothing is shared about Tom yet") })
        await #expect(throws: Problem.notFound) {
            try await house.outline("/family", as: house.otherParent, query: ["child": house.noah.text])
        }
        await #expect(throws: Problem.notFound) {
            try await house.school.answer(
                ReadFamilyItems.self, ["studentId": .text(house.noah.text)], as: house.otherParent)
        }
    }

    @Test("several children have a switch, none a sentence")
    func switcher() async throws {
        let both = house.school.makeCaller(.parent)
        house.families.link(try #require(both.membership?.personId), to: [house.noah, house.mia])
        let page = try await house.outline("/family", as: both, query: ["child": house.noah.text])
        #expect(page.contains("Children: Mia | *Noah*"))
        // The one who was chosen last, on whatever page; somebody else's child is none of theirs.
        let server = house.school.house
        for (last, shown) in [
            (house.noah, "Mia | *Noah*"), (house.mia, "*Mia* | Noah"), (house.tom, "*Mia* | Noah"),
        ] {
            let page = try await server.outline("/family", as: both, lastStudent: last).description
            #expect(page.contains("Children: \(shown)"))
        }
        let nobody = try await house.outline("/family", as: house.school.makeCaller(.parent), language: .french)
        #expect(nobody.contains { $0.contains("Aucun enfant ne vous est encore lié") })
    }

    @Test(
        "a text in both languages is read in one's own; in the other alone, that is said",
        .requirement("BY-1.22.c"))
    func languages() async throws {
        try await house.shared("Noah sang.", language: .english)
        let french = try await house.outline("/family", as: house.parent, language: .french)
        #expect(french.contains { $0.contains("Noah sang.") })
        #expect(french.contains { $0.contains("Écrit en anglais seulement") })
        try await house.shared("Noah a chanté.", language: .french)
        let both = try await house.outline("/family", as: house.parent, language: .french)
        #expect(both.contains { $0.contains("Noah a chanté.") })
        #expect(!both.contains { $0.contains("Noah sang.") || $0.contains("seulement") })
    }

    @Test("parents are told that there is something to read, in words that tell nothing of it")
    func notified() async throws {
        try await house.shared("A secret sentence.")
        let logged = try #require(try await house.school.changes().first { $0.change.kind == "insights.shared" })
        let parentId = try #require(house.parent.membership?.personId)
        let otherId = try #require(house.otherParent.membership?.personId)
        #expect(logged.change.audience.contains(.person(parentId)))
        #expect(!logged.change.audience.contains(.person(otherId)))
        let kind = try #require(
            house.school.house.features.flatMap(\.notifications.kinds).first { $0.kind == "insights.shared" })
        let told = try await kind.show(logged, house.school.context(of: house.parent, language: .french))
        #expect(told.text == "Un nouveau résumé à propos de Noah est à lire")
        #expect(told.path == "/family?student=\(house.noah.text)")
        let colleague = try await kind.show(logged, house.school.context(of: house.admin))
        #expect(colleague.path == "/students/\(house.noah.text)")
    }

    @Test(
        "nothing else of this block is a parent's: every other endpoint and page refuses",
        .requirement("BY-1.09.a"))
    func nothingElse() async throws {
        let item = try await house.shared()
        let note = house.note(house.noah, "Private words.")
        let features = house.school.house.features
        let values: [String: String] = [
            "studentId": house.noah.text, "textId": item.textId.text, "itemId": item.id.text,
            "observationId": note.id.text, "classroomId": house.maple.text,
        ]
        var refused = 0
        // What Settings says of models is everybody's.
        for screen in features.flatMap(\.pages.screens)
        where !screen.path.hasPrefix("/family") && screen.path != AISettingsView.path {
            let path = values.reduce(screen.path) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
            await #expect(throws: Problem.notAllowed, "\(path)") {
                try await house.outline(path, as: house.parent)
            }
            refused += 1
        }
        for command in features.flatMap(\.endpoints.commands) {
            await #expect(throws: Problem.notAllowed, "\(command.contract.name)") {
                try await house.school.execute(
                    command.contract.name,
                    .object(
                        Dictionary(
                            uniqueKeysWithValues: command.input.map { field in
                                (field.name, values[field.name].map { .text($0) } ?? Self.sample(field))
                            })), as: house.parent)
            }
            refused += 1
        }
        for query in features.flatMap(\.endpoints.queries) where query.contract.name != "family.items" {
            await #expect(throws: Problem.notAllowed, "\(query.contract.name)") {
                _ = try await house.school.house.answer(
                    query.contract.name, ["studentId": .text(house.noah.text)], as: house.parent)
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

    @Test("staff who are nobody's parent have no family page", arguments: [Role.guide, .admin, .warden, .student])
    func staff(_ role: Role) async throws {
        await #expect(throws: Problem.notAllowed) {
            try await house.outline("/family", as: house.school.makeCaller(role))
        }
    }
}

@Suite("The weekly letter")
struct LetterTests {
    /// Friday 20 November 2026, 15:00 in Toronto.
    static let fridayAfternoon = Date(timeIntervalSince1970: 1_795_204_800)
    let house: InsightsHouse

    init() async throws { house = try await InsightsHouse(clock: FixedClock(Self.fridayAfternoon)) }

    func letters() async throws -> [FamilyText] {
        let last = LetterWeek(of: house.today).last
        return try await house.school.database.read { try FamilyTextRepository.letters(lastDay: last, in: $0) }
    }

    func runJobs() async throws {
        let school = house.school
        let id = school.organization.id
        let runner = JobRunner(
            school.house.features.flatMap(\.jobs), directory: school.house.directory, schools: school.house.schools,
            allSchools: { [id] }, hub: school.house.hub, clock: school.clock, ids: school.ids,
            report: { Issue.record("\($0.error)") })
        await runner.runDue()
    }

    @Test(
        "at the week's end one is drafted in both languages for each child with something to tell, once, and sent to nobody",
        .requirement("BY-1.22.a", "BY-1.22.b"))
    func job() async throws {
        house.note(house.noah, "Sang a song.", daysAgo: 1)
        house.note(house.mia, "Walked with Noah.", with: [house.noah])
        try await runJobs()
        try await runJobs()
        let drafts = try await letters()
        #expect(drafts.map(\.studentId) == [house.noah, house.noah], "Mia's only note names another child")
        #expect(Set(drafts.map(\.language)) == Set(Language.allCases))
        #expect(drafts.allSatisfy { !$0.isApproved })
        #expect(drafts.first { $0.language == .french }?.text.contains("Sang a song.") == true)
        #expect(try await house.read().isEmpty)
        let kinds = try await house.school.changes().map(\.change.kind)
        #expect(kinds == ["letters.drafted"])
    }

    @Test(
        "the week ends on Friday at two, in the school's time zone",
        arguments: [(-3, false), (-1, true), (0, true), (30, true), (60, false)])
    func weekEnd(_ hours: Int, _ hasEnded: Bool) throws {
        let toronto = try #require(TimeZone(identifier: "America/Toronto"))
        #expect(LetterDrafting.hasEnded(Self.fridayAfternoon + Double(hours) * 3600, in: toronto) == hasEnded)
    }

    @Test(
        "a guide asks for them now, reads, and approves and shares one after the other; the parent reads it as a letter",
        .requirement("BY-1.22.a", "BY-1.22.b"))
    func oneAfterTheOther() async throws {
        house.note(house.noah, "Sang a song.", daysAgo: 1)
        house.note(house.mia, "Poured water.")
        try await house.school.execute(DraftLetters.self, as: house.guide)
        let first = try await house.outline("/letters")
        #expect(first.contains { $0.contains("## Mia Ruiz · English") }, "the first by name")
        let drafts = try await letters()
        #expect(drafts.count == 4)
        let hers = try #require(drafts.first { $0.studentId == house.mia && $0.language == .english })
        try await house.school.execute(ReleaseText.self, house.edit(hers), as: house.guide)
        let next = try await house.outline("/letters")
        #expect(next.contains { $0.contains("## Mia Ruiz · French") })
        let his = try #require(drafts.first { $0.studentId == house.noah && $0.language == .french })
        let item = try await house.school.execute(
            ReleaseText.self, house.edit(his, "Chère famille,\n\nNoah a chanté."), as: house.guide)
        let list = try await house.outline("/family", as: house.parent, language: .french)
        #expect(list.contains { $0.contains("-> /family/letters/\(item.id.text)") })
        let letter = try await house.outline("/family/letters/\(item.id.text)", as: house.parent, language: .french)
        #expect(letter.contains { $0.contains("Noah a chanté.") })
        await #expect(throws: Problem.notFound) {
            try await house.outline("/family/letters/\(item.id.text)", as: house.otherParent)
        }
    }

    @Test("a guide of another class sees and drafts none of them")
    func otherClass() async throws {
        house.note(house.noah, "Sang a song.")
        try await house.school.execute(DraftLetters.self, as: house.otherGuide)
        #expect(try await letters().isEmpty)
        try await house.school.execute(DraftLetters.self, as: house.guide)
        let page = try await house.outline("/letters", as: house.otherGuide)
        #expect(page.contains { $0.contains("No letters for this week yet") })
        #expect(!page.contains { $0.contains("Noah") })
    }
}
