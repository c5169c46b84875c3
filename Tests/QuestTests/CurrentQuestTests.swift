import Domain
import Foundation
import QuestModel
import TestKit
import Testing

@testable import Quest

/// The steps of a quest on a device, and the texts that it shows.
@Suite("A quest on a device")
struct CurrentQuestTests {
    private static let launch = UUID()
    private static let now = FixedClock().now

    private static func moment(_ seconds: Double) -> Stopwatch.Moment {
        Stopwatch.Moment(wall: 1000 + seconds, steady: seconds, launch: launch)
    }

    private static let routine = PlayProperties.RoutineItem(
        id: UUID().text, displayName: "Morning", activeDays: [1], completedSessions: 2,
        tasks: ["Dress", "Brush teeth"].map { .init(id: UUID().text, displayName: $0, referenceSeconds: 90) })

    private static func makeQuest() -> CurrentQuest {
        CurrentQuest(routine, of: UUID().text, waiting: 1, session: UUID(), at: now)
    }

    @Test("a task is guessed, done and found, and the next one begins with a new guess")
    func steps() throws {
        var memory = QuestMemory(player: "mia")
        memory.quest = Self.makeQuest()
        #expect(memory.quest?.completed == 3, "the session that waits counts")
        memory.quest?.choose(guess: 60)
        memory.quest?.begin(at: Self.moment(0))
        memory.quest?.choose(guess: 3600)
        #expect(memory.quest?.guess == 60, "a guess stays as it was at the start")
        #expect(memory.quest?.end(at: Self.moment(72.04)) == 72.04)
        memory.find(72.04, wasStopped: false, at: Self.now, messages: Self.messages)
        let quest = try #require(memory.quest)
        #expect(quest.step == .found && quest.watch == nil && quest.continuation == .task)
        let one = try #require(quest.estimations.first)
        #expect(one.actualSeconds == 72 && one.estimatedSeconds == 60 && one.orderIndex == 0 && !one.wasStopped)
        #expect(quest.message?.rating == .spotOn && quest.message?.phase == .play)
        memory.quest?.next()
        #expect(memory.quest?.step == .guess && memory.quest?.guess == Guesses.first && memory.quest?.index == 1)
        #expect(memory.quest?.message == nil)
    }

    private static let messages = FeedbackGenerator.catalog.map {
        PlayProperties.MessageItem($0, text: "About {task}")
    }

    @Test("a task that is ended at once is no time, and goes on or is left out")
    func quick() {
        var quest = Self.makeQuest()
        quest.begin(at: Self.moment(0))
        #expect(quest.end(at: Self.moment(4)) == nil)
        #expect(quest.step == .told && quest.question == .quick)
        quest.resume(at: Self.moment(60))
        #expect(quest.end(at: Self.moment(66)) == 10, "the time of the question does not count")
    }

    @Test("a child who forgot to stop enters the time, and a very long time can be taken as measured")
    func told() {
        var quest = Self.makeQuest()
        quest.begin(at: Self.moment(0))
        quest.forget(at: Self.moment(400))
        #expect(quest.question == .forgot && !quest.canTakeMeasured)
        var long = Self.makeQuest()
        long.begin(at: Self.moment(0))
        #expect(long.end(at: Self.moment(4000)) == nil)
        #expect(long.question == .long && long.canTakeMeasured)
        var endless = Self.makeQuest()
        endless.begin(at: Self.moment(0))
        #expect(endless.end(at: Self.moment(90_000)) == nil)
        #expect(!endless.canTakeMeasured, "the server takes times up to a day")
    }

    @Test("tasks can be left out; a quest without any time is no session")
    func skip() {
        var quest = Self.makeQuest()
        #expect(quest.continuation == .task)
        quest.next()
        #expect(quest.continuation == .nothing)
        #expect(quest.played(at: Self.now)?.estimations == [])
    }

    @Test("the message is the engine's choice among those that the server sends, and never the same twice in a row")
    func messages() {
        var memory = QuestMemory(player: "mia")
        var history = FeedbackHistory()
        var shown: [String?] = []
        for turn in 0..<12 {
            memory.quest = Self.makeQuest()
            memory.quest?.choose(guess: 60)
            memory.quest?.begin(at: Self.moment(0))
            let actual = Double(50 + turn % 4 * 20)
            history.turn = turn
            let result = TimeEstimationScorer.score(estimated: 60, actual: actual)
            let wanted = FeedbackGenerator.message(for: result, isCalibrationPhase: false, after: history)
            memory.find(actual, wasStopped: false, at: Self.now, messages: Self.messages)
            #expect(memory.quest?.message?.id == wanted.id)
            history.lastMessageId = wanted.id
            history.last = result
            shown.append(memory.quest?.message?.id)
        }
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 != $1 })
        memory.quest = Self.makeQuest()
        memory.quest?.begin(at: Self.moment(0))
        memory.find(60, wasStopped: false, at: Self.now, messages: [])
        #expect(memory.quest?.step == .found && memory.quest?.message == nil, "a server without messages")
    }

    @Test("every step of a quest can be stored and read again")
    func stored() throws {
        var memory = QuestMemory(player: "mia")
        memory.quest = Self.makeQuest()
        memory.quest?.begin(at: Self.moment(0))
        memory.quest?.read(Self.moment(30))
        var copy = try JSONDecoder().decode(QuestMemory.self, from: JSONEncoder().encode(memory))
        #expect(copy == memory)
        #expect(copy.quest?.end(at: Self.moment(50)) == 50)
        copy.find(50, wasStopped: false, at: Self.now, messages: Self.messages)
        #expect(try JSONDecoder().decode(QuestMemory.self, from: JSONEncoder().encode(copy)) == copy)
    }

    // MARK: - The dial

    @Test("the dial goes from five seconds to an hour in growing steps, and stops at both ends")
    func dial() {
        #expect(Guesses.all.first == 5 && Guesses.all.last == 3600 && Guesses.all.count == 56)
        #expect(zip(Guesses.all, Guesses.all.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Guesses.all[Guesses.nearest(118)] == 120 && Guesses.nearest(1) == 0)
        let last = Guesses.all.count - 1
        for place in Guesses.all.indices {
            #expect(Guesses.place(at: Guesses.angle(of: place), from: place) == place)
        }
        #expect(Guesses.place(at: 359, from: 0) == 0, "backwards from the first")
        #expect(Guesses.place(at: 5, from: last) == last, "onwards from the last")
        #expect(Guesses.place(at: 352, from: last) == last)
    }

    @Test(
        "a day of the week is the family's, also on nights in which the clocks change", .requirement("TQ-1.10.a"),
        arguments: [
            ("2026-11-22T09:00:00Z", "Europe/Paris", 7), ("2026-11-22T23:30:00Z", "Europe/Paris", 1),
            ("2026-11-23T02:00:00Z", "America/Vancouver", 7), ("2026-03-28T23:30:00Z", "Europe/Paris", 7),
            ("2026-03-29T21:59:00Z", "Europe/Paris", 7), ("2026-03-29T22:00:00Z", "Europe/Paris", 1),
            ("2026-10-25T22:59:00Z", "Europe/Paris", 7), ("2026-10-25T23:00:00Z", "Europe/Paris", 1),
        ])
    func weekday(_ text: String, _ zone: String, _ day: Int) throws {
        let moment = try Date.ISO8601FormatStyle().parse(text)
        #expect(Day(moment, in: try #require(TimeZone(identifier: zone))).isoWeekday == day)
    }

    // MARK: - Texts

    @Test("the texts come from the page, with their values and plural forms", .requirement("TQ-1.19.c"))
    func words() async throws {
        let fixture = try await QuestFixture()
        try await fixture.routine()
        let english = QuestWords(try #require(try await fixture.properties()))
        #expect(english("hello", ["name": "Mia"]) == "Hello, Mia")
        #expect(english.count("tasks", 1) == "1 thing to do" && english.count("tasks", 2) == "2 things to do")
        #expect(english.short(150) == "2m 30s" && english.long(150) == "2 minutes 30 seconds")
        let dialed = [45.0, 60, 75].map { english.dialed($0) }.map { "\($0.number) \($0.unit)" }
        #expect(dialed == ["45 seconds", "1 minute", "1:15 minutes"])
        #expect(english.counting(125) == "2:05" && english.counting(3725) == "1:02:05")
        #expect(english("no such text").isEmpty)
        let french = QuestWords(try #require(try await fixture.properties(.french)))
        #expect(french.count("tasks", 0) == "0 chose à faire", "French has the singular for none")
        #expect(french.long(62) == "1 minute 2 secondes")
    }
}
