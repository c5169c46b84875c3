import ClassroomInterface
import ClassroomTesting
import CurriculumInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import ShellInterface
import TestKit
import Testing

@testable import Insights

@Suite("Sharing with families")
struct SharingTests {
    let fixture: InsightsFixture

    init() async throws { fixture = try await InsightsFixture() }

    @Test(
        "a summary is drafted, edited, approved and shared, and parents see exactly its wording",
        .requirement("BY-1.09.c", "PT-2.10", "PT-2.22.c"))
    func summaryIsShared() async throws {
        fixture.note(fixture.noah, "Built the tower alone.")
        let draft = try await fixture.summary()
        #expect(draft.text.contains("“Built the tower alone.”"))
        #expect(draft.version == 1 && !draft.isApproved)
        #expect(try await fixture.read().isEmpty)
        let approved = try await fixture.approve(draft, "Noah built the tower.\n\nCome and see it.")
        #expect(approved.version == 2 && approved.isApproved)
        #expect(try await fixture.read().isEmpty, "approved is not shared")
        try await fixture.share(approved)
        let seen = try await fixture.read()
        #expect(seen.map(\.text) == ["Noah built the tower.\n\nCome and see it."])
        let page = try await fixture.outline("/family", as: fixture.parent)
        #expect(page.contains { $0.contains("Come and see it.") })
        let preview = try await fixture.outline(approved.path)
        #expect(preview.contains { $0.contains("Come and see it.") })
    }

    @Test("a version that is not approved cannot be shared")
    func notApproved() async throws {
        let draft = try await fixture.summary()
        await #expect(throws: Problem(409, "insights.notApproved")) { try await fixture.share(draft) }
        let approved = try await fixture.approve(draft, "First words.")
        let edited = try await fixture.school.execute(
            SaveText.self, fixture.edit(approved, "Other words."), as: fixture.guide)
        await #expect(throws: Problem(409, "insights.notApproved")) { try await fixture.share(edited) }
        await #expect(throws: Problem(409, "insights.notApproved")) { try await fixture.share(approved) }
        #expect(try await fixture.read().isEmpty)
    }

    @Test(
        "a text that is edited after sharing does not change for parents until it is approved and shared again"
    )
    func again() async throws {
        let item = try await fixture.shared("First.")
        let text = try await fixture.summary()
        #expect(text.id == item.textId, "the same child, days and language: the same text")
        let edited = try await fixture.school.execute(
            SaveText.self, fixture.edit(text, "Second."), as: fixture.guide)
        #expect(try await fixture.read().map(\.text) == ["First."])
        let page = try await fixture.outline(edited.path)
        #expect(page.contains { $0.contains("Parents still see the version of") })
        try await fixture.share(fixture.approve(edited))
        #expect(try await fixture.read().map(\.text) == ["Second."])
    }

    @Test(
        "an item that is taken back twice disappears at once, and the parent's open page is notified once",
        .requirement("BY-1.09.d"))
    func takeBack() async throws {
        let item = try await fixture.shared()
        let parentId = try #require(fixture.parent.membership?.personId)
        for _ in 0..<2 {
            try await fixture.school.execute(TakeBackItem.self, ["itemId": .id(item.id)], as: fixture.guide)
        }
        #expect(try await fixture.read().isEmpty)
        #expect(try await !fixture.outline("/family", as: fixture.parent).contains { $0.contains("Noah built") })
        let changes = try await fixture.school.changes().map(\.change).filter { $0.kind == "insights.takenBack" }
        #expect(changes.count == 1)
        #expect(changes.first?.audience.contains(.person(parentId)) == true)
        #expect(changes.first?.topics.contains("family:\(fixture.noah.text)") == true)
        await #expect(throws: Problem.notFound) {
            try await fixture.outline("/family/letters/\(item.id.text)", as: fixture.parent)
        }
    }

    @Test(
        "photos are shared with an observation only if the guide says so, and withdrawn with it",
        .requirement("BY-1.09.b"))
    func photos() async throws {
        let note = fixture.note(fixture.noah, "Noah poured water.")
        let files = fixture.school.environment.blobs.blobs(of: fixture.school.organization.id)
        let (picture, small) = (try await files.put([1, 2, 3]), try await files.put([4, 5]))
        let photo = Photo(hash: picture, thumbnail: small, width: 1600, height: 900)
        fixture.history.set(
            photos: [
                RecordedPhoto(photo, path: "/large", thumbnailPath: "/small")
            ], of: note.id)
        let draft = try await fixture.school.execute(
            DraftObservation.self, ["studentId": .id(fixture.noah), "observationId": .id(note.id)],
            as: fixture.guide)
        let text = try await fixture.approve(draft)
        let page = try await fixture.outline("/students/\(fixture.noah.text)/texts/\(text.id.text)").joined(
            separator: "\n")
        #expect(page.contains("(picture: Photo with Noah)") && page.contains("Share text and photos"))
        #expect(page.contains("Share text only"))

        let bare = try await fixture.share(text)
        #expect(bare.photos.isEmpty)
        func fetch(_ item: SharedItem, _ hash: BlobHash, as caller: Caller) async throws -> DownloadedFile {
            let route = try #require(
                FamilyScreens(families: fixture.families, students: TestClassrooms()).downloads.first)
            return try await route.file(
                ["itemId": item.id.text, "hash": hash.text], fixture.school.context(of: caller))
        }
        await #expect(throws: Problem.notFound) { try await fetch(bare, picture, as: fixture.parent) }

        let item = try await fixture.school.execute(
            ShareText.self,
            ["textId": .id(text.id), "version": .number(Double(text.version)), "withPhotos": .bool(true)],
            as: fixture.guide)
        #expect(try await fixture.read().map(\.photos) == [item.photos])
        #expect(item.photos == [photo])
        for caller in [fixture.parent, fixture.guide] {
            #expect(try await fetch(item, small, as: caller).contentType == "image/jpeg")
        }
        // Photos that are removed from the observation later stay shared.
        fixture.history.set(photos: [], of: note.id)
        _ = try await fetch(item, picture, as: fixture.parent)
        for caller in [fixture.otherParent, fixture.otherGuide] {
            await #expect(throws: Problem.notFound) { try await fetch(item, picture, as: caller) }
        }
        await #expect(throws: Problem.notFound) { try await fetch(item, BlobHash(of: [9]), as: fixture.parent) }
        let family = try await fixture.outline("/family", as: fixture.parent).joined()
        #expect(family.contains("(picture: Photo with Noah)"))
        try await fixture.school.execute(TakeBackItem.self, ["itemId": .id(item.id)], as: fixture.guide)
        await #expect(throws: Problem.notFound) { try await fetch(item, picture, as: fixture.parent) }
    }

    @Test(
        "texts and their shared copies are searched for the name of an erased person"
    )
    func freeWords() async throws {
        let text = try await fixture.approve(fixture.summary(), "Noah sang with Ana Kovač.")
        _ = try await fixture.share(text)
        let later = try await fixture.approve(text, "Noah sang alone.")
        #expect(later.text == "Noah sang alone.")
        let texts = try await fixture.school.database.read { try freeTexts(of: InsightsRecordStore.kinds, in: $0) }
        #expect(texts.isSuperset(of: ["Noah sang with Ana Kovač.", "Noah sang alone."]))
    }

    @Test("sharing the same version twice makes one item and one notification")
    func twice() async throws {
        let text = try await fixture.approve(fixture.summary(), "Words.")
        let first = try await fixture.share(text)
        fixture.school.clock.advance(by: 60)
        #expect(try await fixture.share(text) == first)
        #expect(try await fixture.read().count == 1)
        let kinds = try await fixture.school.changes().map(\.change.kind)
        #expect(kinds.count { $0 == "insights.shared" } == 1)
    }

    @Test("of two guides who edit a text, the second is refused, and nothing is overwritten")
    func conflict() async throws {
        let draft = try await fixture.summary()
        _ = try await fixture.school.execute(SaveText.self, fixture.edit(draft, "Ana's words."), as: fixture.guide)
        await #expect(throws: Problem(409, "insights.changed")) {
            try await fixture.school.execute(SaveText.self, fixture.edit(draft, "Ben's words."), as: fixture.admin)
        }
        let again = try await fixture.school.execute(
            SaveText.self, fixture.edit(draft, "Ana's words."), as: fixture.guide)
        #expect(again.version == 2, "the same words once more are no change")
    }

    @Test(
        "sharing an observation shows a warning about names of other children, and its text can be changed"
    )
    func observation() async throws {
        let note = fixture.note(fixture.noah, "Noah and Mia carried the rug.", daysAgo: 2)
        let page = try await fixture.outline(
            "/students/\(fixture.noah.text)/share/observation/\(note.id.text)")
        #expect(page.contains { $0.contains("This text names other children: Mia") })
        let french = try await fixture.outline(
            "/students/\(fixture.noah.text)/share/observation/\(note.id.text)", language: .french)
        #expect(french.contains { $0.contains("Ce texte nomme d’autres enfants\u{a0}: Mia") })
        let draft: FamilyText = try await fixture.school.execute(
            DraftObservation.self, ["studentId": .id(fixture.noah), "observationId": .id(note.id)],
            as: fixture.guide)
        #expect(draft.text == note.content && draft.firstDay == note.day)
        try await fixture.share(fixture.approve(draft, "Noah carried the rug with a friend."))
        #expect(try await fixture.read().map(\.text) == ["Noah carried the rug with a friend."])
        // Mia's observation cannot be shared about Noah.
        let hers = fixture.note(fixture.mia, "Mia poured.")
        await #expect(throws: Problem.notFound) {
            try await fixture.school.execute(
                DraftObservation.self, ["studentId": .id(fixture.noah), "observationId": .id(hers.id)],
                as: fixture.guide)
        }
    }

    @Test("a guide of another class finds no text, page or item about the child", .requirement("PT-2M.15.a"))
    func otherClass() async throws {
        let item = try await fixture.shared()
        let text = try await fixture.summary()
        for attempt in [
            { _ = try await fixture.summary(as: fixture.otherGuide) },
            {
                _ = try await fixture.school.execute(
                    SaveText.self, fixture.edit(text, "Mine now."), as: fixture.otherGuide)
            },
            {
                _ = try await fixture.school.execute(
                    ReleaseText.self, fixture.edit(text, "Mine now."), as: fixture.otherGuide)
            },
            {
                _ = try await fixture.school.execute(
                    TakeBackItem.self, ["itemId": .id(item.id)], as: fixture.otherGuide)
            },
            { _ = try await fixture.outline(text.path, as: fixture.otherGuide) },
            { _ = try await fixture.outline("/students/\(fixture.noah.text)/summary", as: fixture.otherGuide) },
            { _ = try await fixture.outline("/students/\(fixture.noah.text)/insights", as: fixture.otherGuide) },
        ] as [@Sendable () async throws -> Void] {
            await #expect(throws: Problem.notFound) { try await attempt() }
        }
        #expect(try await fixture.read().map(\.text) == ["Noah built the tower."])
    }

    @Test("the change log contains nothing of a text")
    func log() async throws {
        let item = try await fixture.shared("A secret sentence.")
        try await fixture.school.execute(TakeBackItem.self, ["itemId": .id(item.id)], as: fixture.guide)
        let payloadValues = try await fixture.school.changes().flatMap { $0.change.payload.values }
        #expect(!payloadValues.isEmpty && !payloadValues.contains { $0.contains("secret") })
        #expect(
            try await fixture.school.changes().map(\.change.kind)
                == [
                    "insights.drafted", "insights.edited", "insights.approved", "insights.shared",
                    "insights.takenBack",
                ])
    }

    @Test(
        "a page shows insights with their sources, and a proposal can be accepted once", .requirement("PT-2.23.b"))
    func accept() async throws {
        let tower = MaterialStep(
            materialId: UUID(), name: "Pink Tower", state: .presented, day: fixture.today.adding(days: -5))
        fixture.materials.add(tower, of: fixture.noah)
        for back in 0..<3 {
            fixture.note(fixture.noah, "Counted beads.", daysAgo: back, subject: TestTaxonomy.mathematics)
        }
        let page = "/students/\(fixture.noah.text)/insights"
        let before = try await fixture.outline(page)
        #expect(before.contains { $0.contains("Mathematics appears in 3 notes of 3.") })
        #expect(before.contains { $0.contains("-> /students/\(fixture.noah.text)#observation-") })
        #expect(before.contains { $0.contains("Pink Tower: practice again") })
        let read = try await fixture.school.answer(
            ReadInsights.self, ["studentId": .text(fixture.noah.text)], as: fixture.guide)
        let proposal = try #require(read.proposals.first { $0.title == "Pink Tower: practice again" })
        for _ in 0..<2 {
            try await fixture.school.execute(
                AcceptProposal.self, ["studentId": .id(fixture.noah), "proposal": .text(proposal.key)],
                as: fixture.guide)
        }
        #expect(
            fixture.record.planned == [
                TestRecord.Planned(isLesson: true, title: "Pink Tower: practice again", studentId: fixture.noah)
            ])
        let after = try await fixture.outline(page)
        #expect(!after.contains { $0.contains("Pink Tower: practice again") })
        await #expect(throws: Problem(409, "insights.proposalGone")) {
            try await fixture.school.execute(
                AcceptProposal.self, ["studentId": .id(fixture.noah), "proposal": "revisit.nothing"],
                as: fixture.guide)
        }
        let quiet = try await fixture.outline(page, query: ["span": "today"])
        #expect(quiet.contains { $0.contains("Mathematics") } == false, "one note of today is no pattern")
    }

    @Test(
        "the child's page has the period, insights, summary and texts, and the classroom's page has recommendations",
        .requirement("WW-1.07.a", "PT-2.22.a", "PT-2.22.b", "PT-3.32.d"))
    func pages() async throws {
        try await fixture.shared()
        let child = try await fixture.outline("/students/\(fixture.noah.text)")
        #expect(child.contains("## Insights"))
        #expect(child.contains { $0.contains("[Summary] -> /students/\(fixture.noah.text)/summary?span=week") })
        #expect(child.contains { $0.contains("{Shared}") })
        let spans = try await fixture.school.environment.page("/students/\(fixture.noah.text)", as: fixture.guide)
            .components
            .compactMap { component in
                if case .segments(let control) = component { control.segments } else { nil }
            }.first
        #expect(spans?.map(\.title) == ["Today", "Week", "Month"])
        let paths = spans?.map { $0.path.split(separator: "?").last ?? "" }
        #expect(paths == ["span=today", "span=week", "span=month"])
        #expect(spans?.map(\.isSelected) == [false, true, false])
        let french = try await fixture.outline(
            "/students/\(fixture.noah.text)", query: ["span": "month"], language: .french)
        #expect(french.contains("## Aperçus"))
        #expect(french.contains { $0.contains("/insights?span=month") })
        let empty = try await fixture.outline("/classrooms/\(fixture.maple.text)/recommendations")
        #expect(empty.contains { $0.contains("No suggestions") })
        fixture.materials.add(
            MaterialStep(materialId: UUID(), name: "Red Rods", state: .mastered, day: fixture.today),
            of: fixture.mia)
        let room = try await fixture.outline("/classrooms/\(fixture.maple.text)/recommendations")
        #expect(room.contains("## Mia Ruiz"))
        #expect(room.contains { $0.contains("Show another child: Red Rods") })
        await #expect(throws: Problem.notFound) {
            try await fixture.outline("/classrooms/\(fixture.maple.text)/recommendations", as: fixture.otherGuide)
        }
    }

    @Test(
        "Home leads a guide to the recommendations of each classroom with students", .requirement("WW-1.07.b"),
        arguments: Language.allCases)
    func home(language: Language) async throws {
        let section = try #require(fixture.feature.pages.sections.first { $0.subject == .home })
        func cells(_ caller: Caller) async throws -> [PTListCell] {
            let request = ScreenRequest(
                context: try await fixture.school.context(of: caller, language: language), path: "/home",
                parameters: [:],
                query: [:])
            let id = try #require(caller.membership).personId
            return Screen(title: "Home", body: try await section.make(id, request)).cells
        }
        let own = try await cells(fixture.guide)
        #expect(own.map(\.title) == ["Maple room"])
        let path = "/classrooms/\(fixture.maple.text)/recommendations"
        #expect(own.map(\.action) == [.open(path)])
        #expect(own.first?.subtitle?.contains("2") == true)
        #expect(section.topics(fixture.maple) == ["classrooms"])
        #expect(try await cells(fixture.otherGuide).map(\.title) == ["Birch room"])
        #expect(try await cells(fixture.admin).map(\.title).sorted() == ["Birch room", "Maple room"])
        #expect(try await !fixture.outline(path, language: language).isEmpty)
    }

    @Test("deleting a child deletes its texts")
    func deletion() async throws {
        try await fixture.shared()
        let noah = fixture.noah
        try await fixture.school.database.write { try $0.execute("DELETE FROM students WHERE id = \(noah)") }
        let left: Int? = try await fixture.school.database.read {
            try $0.value("SELECT (SELECT COUNT(*) FROM family_texts) + (SELECT COUNT(*) FROM shared_items)")
        }
        #expect(left == 0)
    }
}
