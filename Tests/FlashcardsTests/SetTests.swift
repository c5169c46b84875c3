import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import FlashcardsModel
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Flashcards

@Suite("Flashcard sets")
struct SetTests {
    @Test(
        "a student finds flashcards among the tools, makes a set with a card, and studies it",
        .requirement("WW-1.08.a", "WW-1.08.b", "WW-1.08.c"))
    func creator() async throws {
        let fixture = try await FlashcardsFixture()
        let entry = try #require(fixture.feature.pages.navigation.first)
        #expect(entry.placement.name == "tools" && entry.permission.map(fixture.mia.may) == true)
        #expect(try await fixture.page(entry.path, as: fixture.mia).contains("-> /flashcards/new"))
        #expect(try await fixture.page(SetPath.new, as: fixture.mia).contains("Create set"))
        let set = try await fixture.set(as: fixture.mia)
        let card = try await fixture.card(in: set, as: fixture.mia)
        #expect(
            try await fixture.page(SetPath.set(set.id), as: fixture.mia).contains("-> \(SetPath.study(set.id))"))
        try await fixture.rate(card, .easy, fixture.newId(), as: fixture.mia)
        #expect(try await fixture.page(SetPath.set(set.id), as: fixture.mia).contains("1 of 1 cards known"))
    }

    @Test("a private set is found by its owner alone", arguments: [true, false])
    func privacy(_ isOfTeacher: Bool) async throws {
        let fixture = try await FlashcardsFixture()
        let owner = isOfTeacher ? fixture.teacher : fixture.mia
        let set = try await fixture.set(as: owner)
        let card = try await fixture.card(in: set, as: owner)
        let others = [fixture.teacher, fixture.mia, fixture.noah, fixture.school.makeCaller(.superAdmin)].filter {
            $0 != owner
        }
        for other in others {
            for path in [
                SetPath.set(set.id), SetPath.study(set.id), SetPath.settings(set.id), SetPath.newCard(set.id),
                SetPath.importing(set.id), SetPath.card(card.id, of: set.id),
            ] {
                #expect(try await problem { _ = try await fixture.page(path, as: other) } == .notFound, "\(path)")
            }
            for name in ["flashcards.update", "flashcards.delete", "flashcards.follow", "flashcards.addCard"] {
                let refused = try await problem {
                    _ = try await fixture.school.execute(
                        name, ["setId": .id(set.id), "title": "Mine", "front": "a", "back": "b"].only(for: name),
                        as: other)
                }
                #expect(refused == .notFound, "\(name)")
            }
            let refused = try await problem {
                try await fixture.school.execute(DeleteCard.self, ["cardId": .id(card.id)], as: other)
            }
            #expect(refused == .notFound)
            let listed = try await fixture.school.answer(ListSets.self, as: other).items
            #expect(listed.isEmpty)
        }
        #expect(SetAccess.readers(of: set) == [.person(FlashcardsFixture.id(owner))])
    }

    @Test("a shared set is studied by the students of the course and edited by its owner and the teachers")
    func sharing() async throws {
        let fixture = try await FlashcardsFixture()
        let set = try await fixture.set(as: fixture.mia, isShared: true)
        let card = try await fixture.card(in: set, as: fixture.mia)
        #expect(try await fixture.page(SetPath.set(set.id), as: fixture.noah).contains("le marché"))
        let refused = try await problem {
            _ = try await fixture.card("x", "y", in: set, as: fixture.noah)
        }
        #expect(refused == .notAllowed)
        #expect(
            try await problem { _ = try await fixture.page(SetPath.settings(set.id), as: fixture.noah) }
                == .notAllowed)
        try await fixture.school.execute(
            UpdateCard.self, ["cardId": .id(card.id), "front": "le marché", "back": "the fair"], as: fixture.teacher
        )
        #expect(try await fixture.page(SetPath.set(set.id), as: fixture.noah).contains("the fair"))
        #expect(
            try await problem { _ = try await fixture.page(SetPath.set(set.id), as: fixture.stranger) } == .notFound
        )
        // Only the owner deletes it; a teacher ends the sharing.
        #expect(
            try await problem {
                try await fixture.school.execute(DeleteSet.self, ["setId": .id(set.id)], as: fixture.teacher)
            } == .notAllowed)
        try await fixture.school.execute(
            UpdateSet.self, ["setId": .id(set.id), "title": "Au marché"], as: fixture.teacher)
        #expect(
            try await problem { _ = try await fixture.page(SetPath.set(set.id), as: fixture.noah) } == .notFound)
        #expect(try await fixture.page(SetPath.set(set.id), as: fixture.mia).contains("the fair"))
    }

    @Test(
        "what an admin or a student of an archived course may open, they also study and see among the cards of today"
    )
    func sameRule() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, cards) = try await fixture.shared()
        let admin = fixture.school.makeCaller(.admin)
        let people = [admin, fixture.noah]
        for person in people {
            try await fixture.school.execute(
                FollowSet.self, ["setId": .id(set.id), "isFollowed": true], as: person)
        }
        var archived = fixture.course
        archived.isArchived = true
        try await TestCourses.put(archived, in: fixture.school.database)
        for person in people {
            let (page, today, all) = (
                try await fixture.page(SetPath.set(set.id), as: person),
                try await fixture.page("/flashcards", as: person),
                try await fixture.page(SetPath.studyAll, as: person)
            )
            #expect(page.contains("mot 1") && today.contains("2 cards today") && today.contains("Au marché"))
            #expect(all.contains(cards[0].id.text))
        }
        let membership = try #require(fixture.stranger.membership)
        let opened = try await fixture.school.database.read { sql in
            try SetAccess(courses: TestCourses(), roster: TestCourses()).opened([set], by: membership, in: sql)
        }
        #expect(opened.isEmpty)
    }

    @Test("more sets and people than one statement can name are read in several")
    func crowds() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, cards) = try await fixture.shared()
        try await fixture.rate(cards[0], .easy, fixture.newId(), as: fixture.mia)
        let (mia, many) = (FlashcardsFixture.id(fixture.mia), (0..<40_000).map { _ in UUID() })
        let (course, later) = (fixture.course.id, Date(timeIntervalSince1970: 4e9))
        try await fixture.school.database.read { sql in
            #expect(try CardSetRepository.sets(many + [set.id, set.id], in: sql).map(\.id) == [set.id])
            #expect(try CardSetRepository.ids(sharedIn: many + [course], in: sql) == [set.id])
            #expect(try CardSetRepository.titles(many + [set.id], in: sql) == [set.id: "Au marché"])
            #expect(try ReviewRepository.known(of: set.id, by: many + [mia], in: sql) == [mia: 1])
            let counts = try ReviewRepository.counts(of: many + [set.id], by: mia, dueBefore: later, in: sql)
            #expect(counts == [set.id: .init(seen: 1, known: 1, due: 1)])
            #expect(try ReviewRepository.dueTimes(of: many + [set.id], by: mia, before: later, in: sql).count == 1)
            let due = try ReviewRepository.due(of: many + [set.id], by: mia, before: later, limit: 5, in: sql)
            #expect(due.map(\.cardId) == [cards[0].id])
        }
    }

    @Test("nobody shares in a course in which they are not")
    func foreignCourses() async throws {
        let fixture = try await FlashcardsFixture()
        let refused = try await problem { _ = try await fixture.set(as: fixture.stranger, isShared: true) }
        #expect(refused == .notFound)
    }

    @Test("parents have no flashcards, and no audience that would let a search find them")
    func parents() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, _) = try await fixture.shared()
        for path in ["/flashcards", SetPath.set(set.id), SetPath.study(set.id)] {
            #expect(try await problem { _ = try await fixture.page(path, as: fixture.parent) } == .notAllowed)
        }
        let readers = SetAccess.readers(of: set)
        #expect(!readers.contains(Audience("course:\(fixture.course.id.text)")))
        let membership = try #require(fixture.parent.membership)
        let audiences = try await fixture.school.database.read { [feature = fixture.feature] in
            try feature.access.audiences.all(for: membership, in: $0)
        }
        #expect(audiences.isDisjoint(with: readers))
        let student = try #require(fixture.mia.membership)
        let found = try await fixture.school.database.read { [feature = fixture.feature] in
            try feature.access.audiences.all(for: student, in: $0)
        }
        #expect(!found.isDisjoint(with: readers))
    }

    @Test("the search has a document for each set with its cards, and the link opens it")
    func search() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, _) = try await fixture.shared()
        let source = SetSections.search
        let documents = try await fixture.school.database.read {
            try source.documents(source.ids(nil, 10, $0), fixture.school.organization.id, $0)
        }
        #expect(documents.map(\.title) == ["Au marché"])
        #expect(documents[0].text.contains("mot 2 word 2"))
        let link = try #require(fixture.feature.pages.deepLinks.first { $0.name == source.link })
        let context = try await fixture.school.context(of: fixture.mia)
        #expect(try await link.path(set.id, context) == SetPath.set(set.id))
        #expect(try await link.path(nil, context) == "/flashcards")
    }

    @Test("teachers see how many cards each student knows, by name, only of a set that a teacher shared")
    func progress() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, cards) = try await fixture.shared()
        try await fixture.rate(cards[0], .easy, fixture.newId(), as: fixture.noah)
        let page = try await fixture.page(SetPath.set(set.id), as: fixture.teacher)
        let (mia, noah) = (try #require(page.range(of: "Mia Roy")), try #require(page.range(of: "Noah Roy")))
        #expect(mia.lowerBound < noah.lowerBound)
        #expect(page.contains("0 of 2 cards known") && page.contains("1 of 2 cards known"))
        #expect(try await !fixture.page(SetPath.set(set.id), as: fixture.mia).contains("Noah Roy"))
        let own = try await fixture.set("Mine", as: fixture.mia, isShared: true)
        try await fixture.card(in: own, as: fixture.mia)
        #expect(try await !fixture.page(SetPath.set(own.id), as: fixture.teacher).contains("Noah Roy"))
    }

    @Test("two teachers who edit a card at the same time overwrite nothing unseen")
    func versions() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, cards) = try await fixture.shared()
        try await fixture.school.environment.expectVersions(
            of: "card", at: SetPath.card(cards[0].id, of: set.id), changing: "front", as: fixture.teacher,
            code: ContentVersion.changed)
        try await fixture.school.environment.expectVersions(
            of: "set", at: SetPath.settings(set.id), changing: "title", as: fixture.teacher,
            code: ContentVersion.changed)
    }

    @Test("the cards of a set change their order: before another card, to the end of a page and of the set")
    func order() async throws {
        let fixture = try await FlashcardsFixture()
        let (set, cards) = try await fixture.shared(cards: 4)
        func move(_ place: Int, _ fields: [String: InputValue] = [:], as person: Caller) async throws -> [Int] {
            var input: [String: InputValue] = ["cardId": .id(cards[place].id)]
            input.merge(fields) { $1 }
            try await fixture.school.execute(MoveCard.self, .object(input), as: person)
            let read = try await fixture.school.answer(ReadSet.self, ["setId": .id(set.id)], as: fixture.mia).cards
            return read.compactMap { one in cards.firstIndex { $0.id == one.id } }
        }
        let teacher = fixture.teacher
        #expect(try await move(2, ["before": .id(cards[0].id)], as: teacher) == [2, 0, 1, 3])
        #expect(try await move(2, ["before": .id(cards[3].id)], as: teacher) == [0, 1, 2, 3])
        #expect(try await move(0, as: teacher) == [1, 2, 3, 0])
        #expect(try await move(1, ["end": .id(cards[0].id)], as: teacher) == [2, 3, 1, 0])
        let count = try await fixture.school.changes().count
        for fields: [String: InputValue] in [["before": .id(cards[1].id)], ["before": .id(cards[3].id)]] {
            #expect(try await move(3, fields, as: teacher) == [2, 3, 1, 0], "it is there already")
        }
        #expect(try await fixture.school.changes().count == count)
        // A deleted card leaves a gap, and a new one comes last.
        try await fixture.school.execute(DeleteCard.self, ["cardId": .id(cards[3].id)], as: teacher)
        try await fixture.card("neuf", "new", in: set, as: teacher)
        #expect(try await move(0, ["before": .id(cards[2].id)], as: teacher) == [0, 2, 1])
        let page = try await fixture.school.environment.page(SetPath.set(set.id), as: teacher)
        let rows = page.cells.filter { $0.move != nil }
        #expect(rows.map(\.title) == ["mot 1", "mot 3", "mot 2", "neuf"])
        #expect(
            rows.map { $0.menu.map(\.title).dropFirst() } == [
                ["Move down"], ["Move up", "Move down"], ["Move up", "Move down"], ["Move up"],
            ])
        // Those who study the set cannot.
        let student = try await fixture.school.environment.page(SetPath.set(set.id), as: fixture.mia)
        #expect(student.cells.allSatisfy { $0.move == nil && $0.menu.isEmpty })
        #expect(try await problem { _ = try await move(0, as: fixture.mia) } == .notAllowed)
        let other = try await fixture.set(as: teacher)
        let foreign = try await fixture.card(in: other, as: teacher)
        #expect(try await problem { _ = try await move(0, ["before": .id(foreign.id)], as: teacher) } == .notFound)
    }

    @Test("at the border of two pages a card moves to the other page")
    func pageBorder() async throws {
        let fixture = try await FlashcardsFixture()
        let set = try await fixture.set(as: fixture.mia)
        let lines = (1...103).map { "front \($0)\tback \($0)" }.joined(separator: "\n")
        try await fixture.school.execute(
            ImportCards.self, ["setId": .id(set.id), "lines": .text(lines)], as: fixture.mia)
        func act(_ row: PTListCell, _ title: String) async throws {
            let item = try #require(row.menu.first { $0.title == title })
            guard case .perform(let call) = item.action else { throw Problem.notFound }
            try await fixture.school.execute(
                "flashcards.moveCard", .object(call.fields.mapValues { .text($0) }), as: fixture.mia)
        }
        func titles(_ after: String? = nil) async throws -> [PTListCell] {
            try await fixture.school.environment.page(
                SetPath.set(set.id), as: fixture.mia, query: after.map { ["after": $0] } ?? [:]
            ).cells.filter { $0.title.hasPrefix("front") }
        }
        try await act(try #require(titles().last), "Move down")
        #expect(try await titles().last?.title == "front 101")
        #expect(try await titles("100").map(\.title) == ["front 100", "front 102", "front 103"])
        try await act(try #require(titles("100").first), "Move up")
        #expect(try await titles().last?.title == "front 100")
        // A card that is dropped at the end of the first page stays on it.
        let first = try #require(try await titles().first?.move)
        try await fixture.school.execute(
            "flashcards.moveCard", .object(first.fields.merging(["before": ""]) { $1 }.mapValues { .text($0) }),
            as: fixture.mia, isForm: true)
        #expect(try await titles().last?.title == "front 1")
        #expect(try await titles("100").first?.title == "front 101")
    }

    @Test(
        "everyone who may open a set exports it as CSV and as text, and nobody else does",
        arguments: Language.allCases)
    func exports(_ language: Language) async throws {
        let fixture = try await FlashcardsFixture()
        let (set, _) = try await fixture.shared()
        func text(_ name: String, as person: Caller) async throws -> String {
            let bytes = try await fixture.school.environment.answer(
                name, ["setId": .id(set.id)], as: person, language: language)
            return String(decoding: bytes, as: UTF8.self)
        }
        for person in [fixture.teacher, fixture.mia] {
            let csv = try await text("flashcards.export", as: person)
            #expect(
                csv
                    == "\u{FEFF}\(language == .french ? "Recto,Verso" : "Front,Back")\r\nmot 1,word 1\r\nmot 2,word 2\r\n"
            )
            let plain = try await text("flashcards.exportText", as: person)
            #expect(plain == "#separator:tab\n#html:false\nmot 1\tword 1\nmot 2\tword 2\n")
            let page = try await fixture.page(SetPath.set(set.id), as: person)
            #expect(
                page.contains("Export CSV") && page.contains("/api/v1/flashcards/cards.txt?setId=\(set.id.text)"))
        }
        for name in ["flashcards.export", "flashcards.exportText"] {
            #expect(try await problem { _ = try await text(name, as: fixture.stranger) } == .notFound)
            #expect(try await problem { _ = try await text(name, as: fixture.parent) } == .notAllowed)
        }
    }

    @Test("a set takes 5,000 cards and no more, and its page shows a hundred at a time")
    func many() async throws {
        let fixture = try await FlashcardsFixture()
        let set = try await fixture.set(as: fixture.mia)
        let lines = (1...4999).map { "front \($0)\tback \($0)" }.joined(separator: "\n")
        let result = try await fixture.school.execute(
            ImportCards.self, ["setId": .id(set.id), "lines": .text(lines)], as: fixture.mia)
        #expect(result == .init(added: 4999, skipped: 0))
        try await fixture.card("last", "one", in: set, as: fixture.mia)
        let full = try await problem { _ = try await fixture.card("too", "many", in: set, as: fixture.mia) }
        #expect(full?.code == "flashcards.full")
        let first = try await fixture.page(SetPath.set(set.id), as: fixture.mia)
        #expect(first.contains("front 100") && !first.contains("front 101"))
        let next = try await fixture.page(SetPath.set(set.id), as: fixture.mia, query: ["after": "4900"])
        #expect(next.contains("front 4901") && next.contains("last"))
    }

    @Test("an import names the faulty lines and adds nothing, or skips them if it may")
    func imports() async throws {
        let fixture = try await FlashcardsFixture()
        let set = try await fixture.set(as: fixture.mia)
        let text = "le chat\tthe cat\nalone\n\(String(repeating: "x", count: 10_000))\ty"
        func run(_ skips: Bool) async throws -> ImportCards.Result {
            try await fixture.school.execute(
                ImportCards.self, ["setId": .id(set.id), "lines": .text(text), "skips": .bool(skips)],
                as: fixture.mia)
        }
        let refused = try await problem { _ = try await run(false) }
        let words = try fixture.school.environment.words()
        #expect(
            refused?.faults.map { $0.sentence(words) } == [
                "Line 2 has no tab, comma or semicolon between front and back.",
                "Line 3 is too long. A side has at most 2,000 characters.",
            ])
        #expect(try await fixture.page(SetPath.set(set.id), as: fixture.mia).contains("No cards yet"))
        #expect(try await run(true) == .init(added: 1, skipped: 2))
        let file = UploadedFile(
            name: "cards.csv", contentType: "text/csv", bytes: Array("chien;dog\r\noiseau;bird".utf8))
        let fromFile = try await fixture.school.execute(
            ImportCards.self, ["setId": .id(set.id), "file": .file(file)], as: fixture.mia)
        #expect(fromFile.added == 2)
        let binary = UploadedFile(name: "x", contentType: "", bytes: [0, 1, 2, 0, 0, 5])
        let notText = try await problem {
            _ = try await fixture.school.execute(
                ImportCards.self, ["setId": .id(set.id), "file": .file(binary)], as: fixture.mia)
        }
        #expect(notText?.faults.map(\.code) == ["flashcards.notText"])
    }

    @Test("each side needs a text, a picture or a sound, and 10,000 characters are refused with the field")
    func sides() async throws {
        let fixture = try await FlashcardsFixture()
        let set = try await fixture.set(as: fixture.mia)
        let empty = try await problem {
            try await fixture.school.execute(AddCard.self, ["setId": .id(set.id), "front": "x"], as: fixture.mia)
        }
        #expect(empty?.faults == [Fault("back", "flashcards.emptySide")])
        let long = try await problem {
            _ = try await fixture.card(String(repeating: "e\u{301}", count: 5000), "x", in: set, as: fixture.mia)
        }
        #expect(long?.faults == [Fault("front", "tooLong", [.number(2000)])])
        try await fixture.card("سوق 👩🏽‍🌾 e\u{301}te\u{301}", "market\nsecond line", in: set, as: fixture.mia)
        #expect(try await fixture.page(SetPath.set(set.id), as: fixture.mia).contains("سوق 👩🏽‍🌾 e\u{301}te\u{301}"))
    }

    @Test("a picture needs a text alternative, and a side may have only a picture and a sound")
    func files() async throws {
        let fixture = try await FlashcardsFixture()
        let set = try await fixture.set(as: fixture.mia, isShared: true)
        let photo = UploadedFile(name: "a.jpg", contentType: "image/jpeg", bytes: TestPictures.photo)
        let sound = UploadedFile(name: "a.ogg", contentType: "audio/ogg", bytes: Array("OggS sound".utf8))
        func add(_ fields: [String: InputValue]) async throws -> Flashcard {
            try await fixture.school.execute(
                AddCard.self, .object(["setId": .id(set.id), "back": "x"].merging(fields) { $1 }), as: fixture.mia)
        }
        let unnamed = try await problem { _ = try await add(["picture": .file(photo), "front": "y"]) }
        #expect(unnamed?.faults.map(\.field) == ["pictureAlternative"])
        let card = try await add([
            "picture": .file(photo), "pictureAlternative": "A stall", "pictureSide": "front", "sound": .file(sound),
            "soundSide": "front",
        ])
        #expect(card.front.text.isEmpty && card.front.picture?.alternative == "A stall" && card.front.sound != nil)
        let noSound = try await problem { _ = try await add(["front": "y", "sound": .file(photo)]) }
        #expect(noSound?.faults.map(\.code) == ["flashcards.sound"])
        // The last file of a side without a text stays.
        func remove(_ kind: String) async throws {
            try await fixture.school.execute(
                RemoveCardFile.self, ["cardId": .id(card.id), "side": "front", "file": .text(kind)], as: fixture.mia
            )
        }
        try await remove("sound")
        #expect(try await problem { try await remove("picture") }?.code == "flashcards.lastFile")
        let hash = try #require(card.front.picture?.hash)
        func download(_ person: Caller) async throws -> DownloadedFile {
            let route = fixture.feature.endpoints.downloads[0]
            return try await route.file(
                ["setId": set.id.text, "hash": hash.text], fixture.school.context(of: person))
        }
        #expect(try await download(fixture.noah).contentType == "image/jpeg")
        #expect(try await problem { _ = try await download(fixture.stranger) } == .notFound)
    }
}

extension [String: InputValue] {
    /// The fields that a command of this test takes.
    fileprivate func only(for command: String) -> InputValue {
        let names: Set<String> =
            switch command {
            case "flashcards.update": ["setId", "title"]
            case "flashcards.addCard": ["setId", "front", "back"]
            default: ["setId"]
            }
        return .object(filter { names.contains($0.key) })
    }
}
