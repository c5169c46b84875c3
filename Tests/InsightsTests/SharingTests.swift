import ClassroomInterface
import ClassroomTesting
import CurriculumInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Insights

@Suite("Sharing with families")
struct SharingTests {
    let house: InsightsHouse

    init() async throws { house = try await InsightsHouse() }

    @Test(
        "a summary is drafted from the record, edited, approved, then shared: parents see exactly these words",
        .requirement("BY-1.09.c", "PT-2.10", "PT-2.22.c"))
    func way() async throws {
        house.note(house.noah, "Built the tower alone.")
        let draft = try await house.summary()
        #expect(draft.text.contains("“Built the tower alone.”"))
        #expect(draft.version == 1 && !draft.isApproved)
        #expect(try await house.read().isEmpty)
        let approved = try await house.approve(draft, "Noah built the tower.\n\nCome and see it.")
        #expect(approved.version == 2 && approved.isApproved)
        #expect(try await house.read().isEmpty, "approved is not shared")
        try await house.share(approved)
        let seen = try await house.read()
        #expect(seen.map(\.text) == ["Noah built the tower.\n\nCome and see it."])
        let page = try await house.outline("/family", as: house.parent)
        #expect(page.contains { $0.contains("Come and see it.") })
        let preview = try await house.outline(approved.path)
        #expect(preview.contains { $0.contains("Come and see it.") })
    }

    @Test("what is not approved in this version is not shared")
    func notApproved() async throws {
        let draft = try await house.summary()
        await #expect(throws: Problem(409, "insights.notApproved")) { try await house.share(draft) }
        let approved = try await house.approve(draft, "First words.")
        let edited = try await house.school.execute(
            SaveText.self, house.edit(approved, "Other words."), as: house.guide)
        await #expect(throws: Problem(409, "insights.notApproved")) { try await house.share(edited) }
        await #expect(throws: Problem(409, "insights.notApproved")) { try await house.share(approved) }
        #expect(try await house.read().isEmpty)
    }

    @Test(
        "a change after sharing changes nothing for the parents until it is approved and shared again; then the older is gone"
    )
    func again() async throws {
        let item = try await house.shared("First.")
        let text = try await house.summary()
        #expect(text.id == item.textId, "the same child, days and language: the same text")
        let edited = try await house.school.execute(SaveText.self, house.edit(text, "Second."), as: house.guide)
        #expect(try await house.read().map(\.text) == ["First."])
        let page = try await house.outline(edited.path)
        #expect(page.contains { $0.contains("Parents still see the version of") })
        try await house.share(house.approve(edited))
        #expect(try await house.read().map(\.text) == ["Second."])
    }

    @Test(
        "taken back it is gone at once, and the parent's open page hears of it; twice is once",
        .requirement("BY-1.09.d"))
    func takeBack() async throws {
        let item = try await house.shared()
        let parentId = try #require(house.parent.membership?.personId)
        for _ in 0..<2 {
            try await house.school.execute(TakeBackItem.self, ["itemId": .id(item.id)], as: house.guide)
        }
        #expect(try await house.read().isEmpty)
        #expect(try await !house.outline("/family", as: house.parent).contains { $0.contains("Noah built") })
        let changes = try await house.school.changes().map(\.change).filter { $0.kind == "insights.takenBack" }
        #expect(changes.count == 1)
        #expect(changes.first?.audience.contains(.person(parentId)) == true)
        #expect(changes.first?.topics.contains("family:\(house.noah.text)") == true)
        await #expect(throws: Problem.notFound) {
            try await house.outline("/family/letters/\(item.id.text)", as: house.parent)
        }
    }

    @Test(
        "photos are shared with an observation only where the guide says so, and go with it",
        .requirement("BY-1.09.b"))
    func photos() async throws {
        let note = house.note(house.noah, "Noah poured water.")
        let files = house.school.house.blobs.blobs(of: house.school.organization.id)
        let (picture, small) = (try await files.put([1, 2, 3]), try await files.put([4, 5]))
        let photo = Photo(hash: picture, thumbnail: small, width: 1600, height: 900)
        house.history.set(
            photos: [
                RecordedPhoto(photo, path: "/large", thumbnailPath: "/small")
            ], of: note.id)
        let draft = try await house.school.execute(
            DraftObservation.self, ["studentId": .id(house.noah), "observationId": .id(note.id)], as: house.guide)
        let text = try await house.approve(draft)
        let page = try await house.outline("/students/\(house.noah.text)/texts/\(text.id.text)").joined(
            separator: "\n")
        #expect(page.contains("(picture: Photo with Noah)") && page.contains("Share text and photos"))
        #expect(page.contains("Share the text alone"))

        let bare = try await house.share(text)
        #expect(bare.photos.isEmpty)
        func fetch(_ item: SharedItem, _ hash: BlobHash, as caller: Caller) async throws -> DownloadedFile {
            let route = try #require(
                FamilyScreens(families: house.families, students: TestClassrooms()).downloads.first)
            return try await route.file(
                ["itemId": item.id.text, "hash": hash.text], house.school.context(of: caller))
        }
        await #expect(throws: Problem.notFound) { try await fetch(bare, picture, as: house.parent) }

        let item = try await house.school.execute(
            ShareText.self,
            ["textId": .id(text.id), "version": .number(Double(text.version)), "withPhotos": .bool(true)],
            as: house.guide)
        #expect(try await house.read().map(\.photos) == [item.photos])
        #expect(item.photos == [photo])
        for caller in [house.parent, house.guide] {
            #expect(try await fetch(item, small, as: caller).contentType == "image/jpeg")
        }
        // What the guide takes off the observation afterwards is still what she shared.
        house.history.set(photos: [], of: note.id)
        _ = try await fetch(item, picture, as: house.parent)
        for caller in [house.otherParent, house.otherGuide] {
            await #expect(throws: Problem.notFound) { try await fetch(item, picture, as: caller) }
        }
        await #expect(throws: Problem.notFound) { try await fetch(item, BlobHash(of: [9]), as: house.parent) }
        let family = try await house.outline("/family", as: house.parent).joined()
        #expect(family.contains("(picture: Photo with Noah)"))
        try await house.school.execute(TakeBackItem.self, ["itemId": .id(item.id)], as: house.guide)
        await #expect(throws: Problem.notFound) { try await fetch(item, picture, as: house.parent) }
    }

    @Test(
        "the words of a text and of its shared copies are among those in which the name of an erased person is replaced"
    )
    func freeWords() async throws {
        let text = try await house.approve(house.summary(), "Noah sang with Ana Kovač.")
        _ = try await house.share(text)
        let later = try await house.approve(text, "Noah sang alone.")
        #expect(later.text == "Noah sang alone.")
        let texts = try await house.school.database.read { try freeTexts(of: InsightsRecordStore.kinds, in: $0) }
        #expect(texts.isSuperset(of: ["Noah sang with Ana Kovač.", "Noah sang alone."]))
    }

    @Test("sharing the same version twice is one item and one piece of news")
    func twice() async throws {
        let text = try await house.approve(house.summary(), "Words.")
        let first = try await house.share(text)
        house.school.clock.advance(by: 60)
        #expect(try await house.share(text) == first)
        #expect(try await house.read().count == 1)
        let kinds = try await house.school.changes().map(\.change.kind)
        #expect(kinds.count { $0 == "insights.shared" } == 1)
    }

    @Test("two guides at one text: the second is told, and loses no word; nothing is overwritten")
    func conflict() async throws {
        let draft = try await house.summary()
        _ = try await house.school.execute(SaveText.self, house.edit(draft, "Ana's words."), as: house.guide)
        await #expect(throws: Problem(409, "insights.changed")) {
            try await house.school.execute(SaveText.self, house.edit(draft, "Ben's words."), as: house.admin)
        }
        let again = try await house.school.execute(
            SaveText.self, house.edit(draft, "Ana's words."), as: house.guide)
        #expect(again.version == 2, "the same words once more are no change")
    }

    @Test(
        "a single observation: the names of other children are pointed out, its words are chosen, then it is shared"
    )
    func observation() async throws {
        let note = house.note(house.noah, "Noah and Mia carried the rug.", daysAgo: 2)
        let page = try await house.outline(
            "/students/\(house.noah.text)/share/observation/\(note.id.text)")
        #expect(page.contains { $0.contains("This text names other children: Mia") })
        let french = try await house.outline(
            "/students/\(house.noah.text)/share/observation/\(note.id.text)", language: .french)
        #expect(french.contains { $0.contains("Ce texte nomme d’autres enfants\u{a0}: Mia") })
        let draft: FamilyText = try await house.school.execute(
            DraftObservation.self, ["studentId": .id(house.noah), "observationId": .id(note.id)], as: house.guide)
        #expect(draft.text == note.content && draft.firstDay == note.day)
        try await house.share(house.approve(draft, "Noah carried the rug with a friend."))
        #expect(try await house.read().map(\.text) == ["Noah carried the rug with a friend."])
        // Mia's observation is not Noah's to share.
        let hers = house.note(house.mia, "Mia poured.")
        await #expect(throws: Problem.notFound) {
            try await house.school.execute(
                DraftObservation.self, ["studentId": .id(house.noah), "observationId": .id(hers.id)],
                as: house.guide)
        }
    }

    @Test("a guide of another class finds no text, no page and no item of the child", .requirement("PT-2M.15.a"))
    func otherClass() async throws {
        let item = try await house.shared()
        let text = try await house.summary()
        for attempt in [
            { _ = try await house.summary(as: house.otherGuide) },
            {
                _ = try await house.school.execute(
                    SaveText.self, house.edit(text, "Mine now."), as: house.otherGuide)
            },
            {
                _ = try await house.school.execute(
                    ReleaseText.self, house.edit(text, "Mine now."), as: house.otherGuide)
            },
            {
                _ = try await house.school.execute(
                    TakeBackItem.self, ["itemId": .id(item.id)], as: house.otherGuide)
            },
            { _ = try await house.outline(text.path, as: house.otherGuide) },
            { _ = try await house.outline("/students/\(house.noah.text)/summary", as: house.otherGuide) },
            { _ = try await house.outline("/students/\(house.noah.text)/insights", as: house.otherGuide) },
        ] as [@Sendable () async throws -> Void] {
            await #expect(throws: Problem.notFound) { try await attempt() }
        }
        #expect(try await house.read().map(\.text) == ["Noah built the tower."])
    }

    @Test("nothing that was written goes into the log")
    func log() async throws {
        let item = try await house.shared("A secret sentence.")
        try await house.school.execute(TakeBackItem.self, ["itemId": .id(item.id)], as: house.guide)
        let told = try await house.school.changes().flatMap { $0.change.payload.values }
        #expect(!told.isEmpty && !told.contains { $0.contains("secret") })
        #expect(
            try await house.school.changes().map(\.change.kind)
                == [
                    "insights.drafted", "insights.edited", "insights.approved", "insights.shared",
                    "insights.takenBack",
                ])
    }

    @Test("insights with their reasons, and a proposal that is accepted once", .requirement("PT-2.23.b"))
    func accept() async throws {
        let tower = MaterialStep(
            materialId: UUID(), name: "Pink Tower", state: .presented, day: house.today.adding(days: -5))
        house.materials.add(tower, of: house.noah)
        for back in 0..<3 {
            house.note(house.noah, "Counted beads.", daysAgo: back, subject: TestTaxonomy.mathematics)
        }
        let page = "/students/\(house.noah.text)/insights"
        let before = try await house.outline(page)
        #expect(before.contains { $0.contains("Mathematics comes up in 3 notes of 3.") })
        #expect(before.contains { $0.contains("-> /students/\(house.noah.text)#observation-") })
        #expect(before.contains { $0.contains("Pink Tower: once more") })
        let read = try await house.school.answer(
            ReadInsights.self, ["studentId": .text(house.noah.text)], as: house.guide)
        let proposal = try #require(read.proposals.first { $0.title == "Pink Tower: once more" })
        for _ in 0..<2 {
            try await house.school.execute(
                AcceptProposal.self, ["studentId": .id(house.noah), "proposal": .text(proposal.key)],
                as: house.guide)
        }
        #expect(
            house.record.planned == [
                TestRecord.Planned(isLesson: true, title: "Pink Tower: once more", studentId: house.noah)
            ])
        let after = try await house.outline(page)
        #expect(!after.contains { $0.contains("Pink Tower: once more") })
        await #expect(throws: Problem(409, "insights.proposalGone")) {
            try await house.school.execute(
                AcceptProposal.self, ["studentId": .id(house.noah), "proposal": "revisit.nothing"], as: house.guide)
        }
        let quiet = try await house.outline(page, query: ["span": "today"])
        #expect(quiet.contains { $0.contains("Mathematics") } == false, "one note of today is no pattern")
    }

    @Test(
        "the child's page has the time, the two ways and the texts; the class has its recommendations",
        .requirement("WW-1.07.a", "PT-2.22.a", "PT-2.22.b", "PT-3.32.d"))
    func pages() async throws {
        try await house.shared()
        let child = try await house.outline("/students/\(house.noah.text)")
        #expect(child.contains("## Insights"))
        #expect(child.contains { $0.contains("[Summary] -> /students/\(house.noah.text)/summary?span=week") })
        #expect(child.contains { $0.contains("{Shared}") })
        let spans = try await house.school.house.page("/students/\(house.noah.text)", as: house.guide).components
            .compactMap { component in
                if case .segments(let control) = component { control.segments } else { nil }
            }.first
        #expect(spans?.map(\.title) == ["Today", "Week", "Month"])
        let paths = spans?.map { $0.path.split(separator: "?").last ?? "" }
        #expect(paths == ["span=today", "span=week", "span=month"])
        #expect(spans?.map(\.isSelected) == [false, true, false])
        let french = try await house.outline(
            "/students/\(house.noah.text)", query: ["span": "month"], language: .french)
        #expect(french.contains("## Aperçus"))
        #expect(french.contains { $0.contains("/insights?span=month") })
        let empty = try await house.outline("/classrooms/\(house.maple.text)/recommendations")
        #expect(empty.contains { $0.contains("No suggestions now") })
        house.materials.add(
            MaterialStep(materialId: UUID(), name: "Red Rods", state: .mastered, day: house.today), of: house.mia)
        let room = try await house.outline("/classrooms/\(house.maple.text)/recommendations")
        #expect(room.contains("## Mia Ruiz"))
        #expect(room.contains { $0.contains("Show another child: Red Rods") })
        await #expect(throws: Problem.notFound) {
            try await house.outline("/classrooms/\(house.maple.text)/recommendations", as: house.otherGuide)
        }
    }

    @Test("a child that goes takes its texts along")
    func deletion() async throws {
        try await house.shared()
        let noah = house.noah
        try await house.school.database.write { try $0.execute("DELETE FROM students WHERE id = \(noah)") }
        let left: Int? = try await house.school.database.read {
            try $0.value("SELECT (SELECT COUNT(*) FROM family_texts) + (SELECT COUNT(*) FROM shared_items)")
        }
        #expect(left == 0)
    }
}
