import Domain
import FeatureKit
import Foundation
import QuestModel
import TestKit
import Testing

@testable import Quest

@Suite("Playing")
struct PlayTests {
    @Test(
        "a session is rated by the server and stored with the names at that time",
        .requirement("TQ-1.01.c", "TQ-1.05", "TQ-1.06.a", "TQ-1.06.b", "TQ-1.11.a", "TQ-1.11.b"))
    func records() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let recorded = try await fixture.record(fixture.played(routine, [(120, 150), (60, 600)]))
        #expect(recorded.results.map(\.rating) == [.close, .wayOff] && recorded.isCalibration)
        #expect(recorded.results.map(\.differenceSeconds) == [-30, -540])
        let task = routine.orderedTasks[0].id
        try await fixture.school.execute(
            UpdateTask.self, ["routineId": .id(routine.id), "taskId": .id(task), "name": "Shirt"], as: fixture.ana)
        let sessions = try await fixture.school.database.read {
            try SQLSessionRepository().fetchSessions(for: routine.id, in: $0)
        }
        let one = try #require(sessions.first?.orderedEstimations.first)
        #expect(one.taskDisplayName == "Dress" && one.taskId == task)
        #expect(one.ratingRawValue == "close" && one.rating == .close && one.accuracyPercent == 80)
    }

    @Test("a session that is sent several times or from several devices is stored once", .requirement("BY-1.04.b"))
    func arrivesOnce() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let id = fixture.school.ids.id(at: fixture.school.clock.now)
        let first = try await fixture.record(fixture.played(routine, [(120, 150)], session: id))
        try await withThrowingTaskGroup(of: RecordedSession.self) { group in
            for guess in 0..<20 {
                group.addTask {
                    try await fixture.record(fixture.played(routine, [(60, Double(60 + guess))], session: id))
                }
            }
            for try await again in group { #expect(again == first) }
        }
        let count = try await fixture.school.database.read {
            try $0.value("SELECT COUNT(*) FROM quest_sessions", as: Int.self)
        }
        #expect(count == 1)
    }

    @Test("two devices can play the same routine at the same time", .requirement("TQ-1.11.c"))
    func playsTwice() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let (first, second) = (fixture.played(routine), fixture.played(routine))
        _ = try await (fixture.record(first), fixture.record(second))
        let sessions = try await fixture.school.database.read { sql in
            try SQLSessionRepository().fetchAllSessions(of: fixture.mia, since: .distantPast, in: sql)
        }
        #expect(sessions.count == 2)
    }

    @Test("the first three sessions of each routine are for calibration", .requirement("TQ-1.11.a", "TQ-1.18.c"))
    func calibrates() async throws {
        let fixture = try await QuestFixture()
        let (morning, evening) = try await (fixture.routine("Morning"), fixture.routine("Evening"))
        var flags: [Bool] = []
        for _ in 0..<4 { flags.append(try await fixture.record(fixture.played(morning)).isCalibration) }
        #expect(flags == [true, true, true, false])
        #expect(try await fixture.record(fixture.played(evening)).isCalibration)
    }

    @Test("a session of a deleted routine is still recorded")
    func takesStaleRoutines() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let played = fixture.played(routine)
        try await fixture.school.execute(DeleteRoutine.self, ["routineId": .id(routine.id)], as: fixture.ana)
        #expect(try await fixture.record(played).results.map(\.taskDisplayName) == ["Dress", "Brush teeth"])
    }

    @Test(
        "an impossible duration is refused at its field with a sentence",
        arguments: [
            (120, 0, "actualSeconds", "quest.noTime"), (120, -3, "actualSeconds", "outOfRange"),
            (120, .infinity, "actualSeconds", "outOfRange"), (120, 86_401, "actualSeconds", "outOfRange"),
            (0, 60, "estimatedSeconds", "outOfRange"), (-5, 60, "estimatedSeconds", "outOfRange"),
            (3601, 60, "estimatedSeconds", "outOfRange"), (1e300, 60, "estimatedSeconds", "outOfRange"),
            (.nan, 60, "estimatedSeconds", "number"),
        ] as [(Double, Double, String, String)])
    func refusesDurations(_ guess: Double, _ actual: Double, _ field: String, _ code: String) async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let refused = try await problem { try await fixture.record(fixture.played(routine, [(guess, actual)])) }
        #expect(refused?.status == 422)
        let fault = try #require(refused?.faults.first)
        #expect(refused?.faults.count == 1 && fault.field == "estimations[0].\(field)" && fault.code == code)
        for language in Language.allCases {
            #expect(!fault.sentence(try fixture.school.environment.words(language)).contains("«"))
        }
    }

    @Test("a task can take from five seconds to a day")
    func takesExtremes() async throws {
        let fixture = try await QuestFixture()
        let recorded = try await fixture.record(fixture.played(fixture.routine(), [(5, 5), (3600, 86_400)]))
        #expect(recorded.results.map(\.rating) == [.spotOn, .wayOff])
    }

    @Test("a task that is ended too soon earns nothing, and a session of only such tasks is not stored")
    func earnsNothing() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let hasty = fixture.played(routine, [(5, 0.1), (5, 4.9)])
        for _ in 0..<2 { #expect(try await fixture.record(hasty).results.isEmpty) }
        #expect(try await fixture.properties()?.routines.first?.completedSessions == 0)
        let half = try await fixture.record(fixture.played(routine, [(5, 3), (60, 62)]))
        #expect(half.results.map(\.taskDisplayName) == [routine.orderedTasks[1].displayName])
        #expect(try await fixture.properties()?.routines.first?.completedSessions == 1)
    }

    @Test("a session without tasks, or with two at one position, is refused")
    func refusesEmpty() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        #expect(
            try await problem { try await fixture.record(fixture.played(routine, [])) }?.faults.map(\.code) == [
                "quest.noTasks"
            ])
        var played = fixture.played(routine)
        if case .list(var all)? = played["estimations"] {
            all.append(all[0])
            played["estimations"] = .list(all)
        }
        #expect(try await problem { try await fixture.record(played) }?.faults.map(\.code) == ["quest.sameOrder"])
    }

    @Test("a session from a wrong clock gets a time between a year ago and now and no negative duration")
    func distrustsClocks() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        var played = fixture.played(routine)
        played["startedAt"] = .text("2031-01-01T00:00:00.250Z")
        played["completedAt"] = .text("1999-01-01T00:00:00Z")
        try await fixture.record(played)
        let session = try #require(
            try await fixture.school.database.read {
                try SQLSessionRepository().fetchSessions(for: routine.id, in: $0)
            }.first)
        let completed = try #require(session.completedAt)
        let now = fixture.school.clock.now
        #expect(session.startedAt == completed && completed == now.addingTimeInterval(-PlayHandlers.longestWait))
    }

    @Test(
        "the page has all data for days without a network", .requirement("BY-1.26.b"),
        arguments: Language.allCases)
    func hasOfflineData(_ language: Language) async throws {
        let fixture = try await QuestFixture(timeZone: "Europe/Paris")
        let leo = try await fixture.school.execute(AddPlayer.self, ["name": "Leo"], as: fixture.ana).id
        let routine = try await fixture.routine(days: [2], tasks: ["Dress", "Eat"])
        try await fixture.record(fixture.played(routine))
        let properties = try #require(try await fixture.properties(language))
        #expect(properties.player.id == fixture.mia.text && properties.players.map(\.name) == ["Mia", "Leo"])
        #expect(properties.timeZone == "Europe/Paris" && properties.language == language.rawValue)
        #expect(properties.routines.map(\.activeDays) == [[2]] && properties.routines[0].completedSessions == 1)
        #expect(properties.routines[0].tasks.map(\.displayName) == ["Dress", "Eat"])
        #expect(properties.routines[0].tasks.map(\.referenceSeconds) == [120, 120])
        #expect(properties.messages.count == FeedbackGenerator.catalog.count)
        #expect(properties.messages.allSatisfy { !$0.text.contains("feedback.") })
        #expect(!properties.discoveries.isEmpty && properties.record == "/api/v1/quest/sessions")
        #expect(try await fixture.properties(player: leo.text)?.routines.isEmpty == true)
    }

    @Test(
        "the child's texts do not mention the parent mode", .requirement("TQ-2.09"),
        arguments: Language.allCases)
    func hidesParentMode(_ language: Language) throws {
        let forbidden = ["parent", "admin", "settings", "locked", "pin", "réglages", "verrouill"]
        let shown = (try StringCatalog.quest().entries[language] ?? [:]).filter { key, _ in
            ["stage.", "feedback.", "discovery.", "quest.pair.", "quest.nobody", "quest.title"].contains {
                key.hasPrefix($0)
            }
        }
        #expect(shown.count > 40)
        for (key, entry) in shown {
            let words = "\(entry)".lowercased().split { !$0.isLetter }.map(String.init)
            for word in forbidden {
                #expect(
                    !words.contains { $0 == word || word.count > 3 && $0.hasPrefix(word) }, "\(key) says \(word)")
            }
        }
    }

    @Test("weeks summarize all guesses", .requirement("BY-1.26.a", "BY-1.26.b"))
    func sumsUpWeeks() {
        func sample(_ week: Int, _ guesses: Int, _ accuracy: Double, _ bias: Double) -> GrowthEngine.Sample {
            .init(
                week: week, guesses: guesses, accuracyPercent: accuracy, biasPercent: bias,
                distanceSeconds: 100 - accuracy)
        }
        let weeks = GrowthEngine.weeks([sample(8, 1, 40, -60), sample(7, 2, 30, -20), sample(8, 3, 80, -20)])
        #expect(weeks.map(\.week) == [7, 8] && weeks.map(\.guesses) == [2, 4])
        #expect(weeks.map(\.accuracyPercent) == [30, 70] && weeks.map(\.biasPercent) == [-20, -30])
        let discoveries = GrowthEngine.discoveries(weeks, nearest: (task: "Dress", seconds: 3))
        #expect(
            discoveries == [
                .closer(from: 70, to: 30), .nearest(task: "Dress", seconds: 3), .longerThanThought, .guesses(6),
            ])
        #expect(GrowthEngine.discoveries([], nearest: nil).isEmpty)
        // A child is not discoveries of guesses that got worse.
        #expect(GrowthEngine.discoveries(weeks.reversed(), nearest: nil).contains(.guesses(6)))
        #expect(
            !GrowthEngine.discoveries(weeks.reversed(), nearest: nil).contains {
                if case .closer = $0 { true } else { false }
            })
    }

    @Test("a session on Sunday evening belongs to the week that ends then", .requirement("TQ-1.03.b"))
    func placesSessionsInWeeks() async throws {
        let fixture = try await QuestFixture(timeZone: "Europe/Paris")
        let routine = try await fixture.routine()
        // 22 March 2026 was a Sunday; at 23:30 in Paris it is 22:30 in UTC.
        fixture.school.clock.set(try Date("2026-03-22T22:30:00Z", strategy: .iso8601))
        let mia = try await fixture.school.execute(AddPlayer.self, ["name": "Zoé"], as: fixture.ana).id
        var played = fixture.played(routine, of: mia)
        played["routine"] = .null
        try await fixture.record(played)
        fixture.school.clock.advance(by: 3600)
        var later = fixture.played(routine, of: mia)
        later["routine"] = .null
        later["startedAt"] = later["completedAt"]
        try await fixture.record(later)
        let now = fixture.school.clock.now
        let weeks = try await fixture.school.database.read { sql in
            try GrowthRepository.weeks(
                GrowthRepository.of(player: mia), at: now, in: TimeZone(identifier: "Europe/Paris") ?? .gmt, sql)
        }
        #expect(weeks.map { GrowthRepository.monday(ofWeek: $0.week).description } == ["2026-03-16", "2026-03-23"])
    }
}
