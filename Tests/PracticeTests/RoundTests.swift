import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Practice

@Suite("Rounds of practice")
struct RoundTests {
    @Test("a round that is sent several times and from two devices is stored once")
    func once() async throws {
        let fixture = try await PracticeFixture()
        let id = fixture.school.ids.id(at: fixture.school.clock.now)
        let first = try await fixture.record(round: id)
        let again = try await fixture.record(["correct": 10], round: id)
        #expect(again == first)
        #expect(try await fixture.rounds(as: fixture.mia) == [first])
        let other = try await problem { _ = try await fixture.record(round: id, as: fixture.noah) }
        #expect(other?.status == 404, "another child's round is not found")
    }

    @Test(
        "a week of rounds that waited on two devices merges by time, and a wrong clock cannot date one in the future"
    )
    func offline() async throws {
        let fixture = try await PracticeFixture()
        let now = fixture.school.clock.now
        func at(_ days: Double) -> InputValue { .text(now.addingTimeInterval(days * 86_400).formatted(.iso8601)) }
        try await fixture.record(["finishedAt": at(-1), "level": 5])
        try await fixture.record(["finishedAt": at(-6), "level": 2])
        try await fixture.record(["finishedAt": at(-3), "level": 4, "kind": "division"])
        let rounds = try await fixture.rounds(as: fixture.mia)
        #expect(rounds.map(\.level) == [5, 4, 2])
        let page = try await fixture.outline("/tools/math", as: fixture.mia)
        #expect(
            page.contains(#""addition":{"at":"#) && page.contains(#""level":5"#) && !page.contains(#""level":2"#))
        let future = try await fixture.record(["finishedAt": at(400)])
        #expect(abs(future.finishedAt.timeIntervalSince(now)) < 1)
    }

    @Test("typing lessons open by the best round of any device")
    func best() async throws {
        let fixture = try await PracticeFixture()
        for correct in [80, 96, 90] {
            try await fixture.record([
                "tool": "typing", "kind": "azerty", "level": 1, "asked": 100, "correct": .number(Double(correct)),
            ])
        }
        #expect(try await fixture.outline("/tools/typing", as: fixture.mia).contains(#""azerty":{"1":96}"#))
    }

    @Test("a list that was deleted during a round leaves its name, and the round is stored")
    func deleted() async throws {
        let fixture = try await PracticeFixture()
        let list = try await fixture.list()
        let fields: [String: InputValue] = [
            "tool": "spelling", "kind": "en", "level": 0, "list": .id(list.id), "listName": "Week 12", "asked": 2,
            "correct": 1, "missed": .list(["river"]),
        ]
        #expect(try await fixture.record(fields).listId == list.id)
        _ = try await fixture.school.execute(DeleteWordList.self, ["listId": .id(list.id)], as: fixture.mia)
        let after = try await fixture.record(fields)
        #expect(after.listId == nil && after.listName == "Week 12")
        #expect(try await fixture.rounds(as: fixture.mia).count == 2)
    }

    @Test("a round that no device made is refused with each fault")
    func refused() async throws {
        let fixture = try await PracticeFixture()
        let refused = try await problem {
            _ = try await fixture.record(["tool": "chess", "asked": 0, "correct": 11, "level": 100])
        }
        let fields = Set(refused?.faults.map(\.field) ?? [])
        #expect(fields.isSuperset(of: ["tool", "asked", "level"]))
        for (tool, kind) in [("math", "chess"), ("typing", "addition"), ("spelling", "Mia Roy"), ("math", "en")] {
            let unknown = try await problem {
                _ = try await fixture.record(["tool": .text(tool), "kind": .text(kind)])
            }
            #expect(unknown?.faults.map(\.code) == ["practice.kind"], "\(kind)")
        }
        let more = try await problem { _ = try await fixture.record(["correct": 11]) }
        #expect(more?.faults.map(\.code) == ["practice.moreThanAsked"])
    }

    // MARK: - Who sees what

    @Test("a child and the guide of the child's class see the results, and nobody else does, not even a parent")
    func wall() async throws {
        let fixture = try await PracticeFixture()
        try await fixture.record()
        #expect(try await fixture.rounds(as: fixture.mia).count == 1)
        #expect(try await fixture.rounds(of: fixture.mia, as: fixture.guide).map(\.missed) == [["48 + 27"]])
        for stranger in [fixture.noah, fixture.teacher, fixture.stranger] {
            let refused = try await problem { _ = try await fixture.rounds(of: fixture.mia, as: stranger) }
            #expect(refused?.status == 404)
        }
        let mia = PracticeFixture.id(fixture.mia)
        #expect(try await fixture.outline(ProgressScreens.path(of: mia), as: fixture.guide).contains("48 + 27"))
        for stranger in [fixture.teacher, fixture.stranger] {
            let refused = try await problem {
                _ = try await fixture.outline(ProgressScreens.path(of: mia), as: stranger)
            }
            #expect(refused?.status == 404)
        }
        let parent = try await problem { _ = try await fixture.rounds(of: fixture.mia, as: fixture.parent) }
        #expect(parent == .notAllowed)
        for path in ["/practice", ProgressScreens.path(of: mia), "/tools/math"] {
            let refused = try await problem { _ = try await fixture.outline(path, as: fixture.parent) }
            #expect([403, 404].contains(refused?.status), "\(path)")
        }
        let logged = try #require(
            try await fixture.school.changes().first { $0.change.kind == "practice.finished" })
        #expect(!logged.change.audience.contains(.person(PracticeFixture.id(fixture.parent))))
        let guided = try await fixture.outline("/practice", as: fixture.guide)
        // The list has all students of the guide's classes, also those who never practiced.
        #expect(guided.contains("Mia Roy") && guided.contains("Your students"))
        #expect(try await !fixture.outline("/practice", as: fixture.stranger).contains("Mia"))
    }

    @Test("the teacher of a course sees the rounds with its list, by name and without rank, and no others")
    func courseResults() async throws {
        let fixture = try await PracticeFixture()
        let list = try await fixture.courseList()
        let own = try await fixture.list("secret", as: fixture.noah)
        let fields: [String: InputValue] = [
            "tool": "spelling", "kind": "en", "level": 0, "asked": 2, "seconds": 30,
        ]
        try await fixture.record(
            fields.merging(["list": .id(list.id), "correct": 1, "missed": .list(["river"])]) { $1 },
            as: fixture.noah)
        try await fixture.record(
            fields.merging(["list": .id(list.id), "correct": 2, "missed": .list([])]) { $1 }, as: fixture.mia)
        try await fixture.record(
            fields.merging(["list": .id(own.id), "correct": 0, "missed": .list(["secret"])]) { $1 },
            as: fixture.noah)
        let page = try await fixture.outline(WordListScreens.path(list.id), as: fixture.teacher)
        let (first, second) = (
            try #require(page.range(of: "Mia Roy")), try #require(page.range(of: "Noah Roy"))
        )
        #expect(first.lowerBound < second.lowerBound)
        #expect(page.contains("1 of 2 right at once") && page.contains("To practice together: river"))
        #expect(!page.contains("secret"))
    }

    @Test(
        "the page of results shows a chart, levels and words to practice, in both languages",
        arguments: Language.allCases)
    func page(_ language: Language) async throws {
        let fixture = try await PracticeFixture()
        for (day, level) in zip([-3.0, -2, -1], [1, 2, 3]) {
            let time = fixture.school.clock.now.addingTimeInterval(day * 86_400).formatted(.iso8601)
            try await fixture.record(["level": .number(Double(level)), "finishedAt": .text(time)])
        }
        try await fixture.record([
            "tool": "typing", "kind": "qwerty", "level": 2, "asked": 60, "correct": 57, "seconds": 60,
            "missed": .list(["k"]),
        ])
        try await fixture.record([
            "tool": "spelling", "kind": "fr", "level": 0, "listName": "Mots", "missed": .list(["forêt"]),
        ])
        let page = try await fixture.outline("/practice", as: fixture.mia, language)
        for text in language == .english
            ? ["Level 3", "60 characters a minute", "forêt", "8 of 10 right at once", "Addition, level 3"]
            : [
                "Niveau 3", "60 caractères par minute", "forêt", "8 sur 10 justes du premier coup",
                "Addition, niveau 3",
            ]
        {
            #expect(page.contains(text), "\(text) in \(page)")
        }
        #expect(!page.contains("practice."))
    }

    @Test("the newest rounds of a person and of a list are found without reading all rounds")
    func indexed() async throws {
        let fixture = try await PracticeFixture()
        let id = PracticeFixture.id(fixture.mia)
        for statement in [
            RoundRepository.rounds(of: id, limit: 10), RoundRepository.rounds(withList: id, since: .distantPast),
            WordListRepository.words(of: id),
        ] { try await fixture.school.expectIndexed(statement) }
        let latest = RoundRepository.latest(of: id, .spelling)
        try await fixture.school.expectIndexed(latest, allowing: ["ranked"])
        #expect(
            try await fixture.school.queryPlan(latest).allSatisfy { !$0.contains("CORRELATED") },
            "no subquery for each round")
    }

    @Test("of each word list, by id or by name, the last round says what to practice, also of rounds at one time")
    func latest() async throws {
        let fixture = try await PracticeFixture()
        let (list, now) = (try await fixture.list(), fixture.school.clock.now)
        func record(_ word: String, _ hours: Double, _ more: [String: InputValue]) async throws {
            let fields: [String: InputValue] = [
                "tool": "spelling", "kind": "en", "level": 0, "missed": .list([.text(word)]),
                "finishedAt": .text(now.addingTimeInterval(hours * 3600).formatted(.iso8601)),
            ]
            try await fixture.record(fields.merging(more) { $1 })
        }
        try await record("old", -3, ["list": .id(list.id)])
        try await record("new", -1, ["list": .id(list.id)])
        try await record("middle", -2, ["list": .id(list.id)])
        try await record("first", -1, ["listName": "Easy"])
        try await record("second", -1, ["listName": "Easy"])
        try await record("mot", -5, ["listName": "Easy", "kind": "fr"])
        try await fixture.record(["kind": "addition"])
        let id = PracticeFixture.id(fixture.mia)
        let found = try await fixture.school.database.read { try RoundRepository.latest(of: id, .spelling, in: $0) }
        #expect(Set(found.flatMap(\.missed)) == ["new", "second", "mot"])
    }

    @Test("more people than one statement can name are asked in several")
    func crowds() async throws {
        let fixture = try await PracticeFixture()
        try await fixture.record()
        let mia = PracticeFixture.id(fixture.mia)
        let latest = try await fixture.school.database.read {
            try RoundRepository.latest(of: (0..<40_000).map { _ in UUID() } + [mia, mia], in: $0)
        }
        #expect(Array(latest.keys) == [mia])
    }

    // MARK: - Words

    @Test("no text for a child blames", arguments: Language.allCases)
    func kind(_ language: Language) async throws {
        let words = Words(language, [try await PracticeFixture().feature.catalog])
        for key in PracticeTool.allCases.flatMap(\.wordKeys) {
            let text = words("practice.play.\(key)").lowercased()
            for blame in ["wrong", "mistake", "bad", "fail", "faux", "faute", "erreur", "mauvais", "raté"] {
                #expect(!text.contains(blame), "\(key): \(text)")
            }
        }
    }
}
