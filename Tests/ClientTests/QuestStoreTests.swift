import Client
import Domain
import Foundation
import QuestModel
import Synchronization
import TestKit
import Testing

/// The steady clock of a device, which a test moves or lets sleep.
final class SteadyClock: Sendable {
    private let seconds = Mutex(100.0)
    var now: TimeInterval { seconds.withLock { $0 } }
    func advance(by time: TimeInterval) { seconds.withLock { $0 += time } }
}

/// Quests on a device: what is stored, what is sent, and how time is measured.
@Suite("The store of quests")
@MainActor
struct QuestStoreTests {
    private static let record = "/api/v1/quest/sessions"
    private static let mia = UUID()
    private static let leo = UUID()

    private static func page(of player: UUID = mia) -> PlayProperties {
        let routine = PlayProperties.RoutineItem(
            id: routine.text, displayName: "Morning", activeDays: [7], completedSessions: 2,
            tasks: tasks.map { .init(id: $0.0.text, displayName: $0.1, referenceSeconds: nil) })
        let empty = PlayProperties.RoutineItem(
            id: UUID().text, displayName: "Empty", activeDays: Array(1...7), completedSessions: 0, tasks: [])
        let items = [mia, leo].map { PlayProperties.PlayerItem(id: $0.text, name: $0 == mia ? "Mia" : "Leo") }
        return PlayProperties(
            player: items[player == mia ? 0 : 1], players: items, timeZone: "Europe/Paris", language: "en",
            record: record,
            gate: .init(path: "/api/v1/quest/gate", close: "/api/v1/quest/gate/close", signIn: "/sign-in"),
            routines: [routine, empty], discoveries: [],
            messages: FeedbackGenerator.catalog.map { .init($0, text: "About {task}") }, words: [:])
    }

    private static let routine = UUID()
    private static let tasks = [(UUID(), "Dress"), (UUID(), "Brush teeth")]

    /// A device with both of its clocks.
    private struct QuestDevice {
        let api = FakeAPI()
        let clock: FixedClock
        let steady: SteadyClock
        let sleep = ManualSleep()
        let store: AppStore

        @MainActor
        init(
            _ auth: FakeAuth, _ storage: ClientStorage = .memory, clock: FixedClock = FixedClock(),
            steady: SteadyClock = SteadyClock()
        ) async throws {
            (self.clock, self.steady) = (clock, steady)
            let sleep = sleep
            store = try await AppStore.open(
                api: api, auth: auth, storage: storage,
                environment: ClientEnvironment(
                    clock: clock, random: { 1 }, sleep: { try await sleep.sleep($0) }, timeZone: .gmt,
                    steady: { steady.now }))
        }

        @MainActor var quests: QuestStore { store.questStore }
        @MainActor var quest: CurrentQuest? { quests.quest(of: QuestStoreTests.mia.text) }

        @MainActor
        func does(_ actions: QuestAction..., in page: PlayProperties = QuestStoreTests.page()) throws {
            for action in actions { try quests.perform(action, in: page) }
        }

        /// Both clocks go on.
        func pass(_ seconds: TimeInterval) {
            clock.advance(by: seconds)
            steady.advance(by: seconds)
        }
    }

    private static var start: QuestAction { .start(page().routines[0]) }

    private struct Sent: Decodable {
        struct Estimation: Decodable {
            let task: UUID?
            let estimatedSeconds, actualSeconds: Double
            let wasStopped: Bool
        }
        let session, player: UUID
        let routine: UUID?
        let estimations: [Estimation]
    }

    @Test(
        "a whole quest without a network is one command under the session's key, and is sent once when the network is back"
    )
    func whole() async throws {
        let device = try await QuestDevice(FakeAuth())
        device.api.on("POST \(Self.record)", failing: offline)
        try device.does(Self.start, .guess(60), .begin)
        device.pass(72)
        try device.does(.end)
        #expect(device.quest?.step == .found && device.quest?.message != nil)
        try device.does(.next, .begin)
        device.pass(10)
        try device.does(.pause)
        device.pass(500)
        try device.does(.resume)
        device.pass(20)
        try device.does(.end, .next)
        #expect(device.quest?.step == .path)
        #expect(device.store.syncSummary.unsent == 1 && device.quests.waiting(in: Self.page()) == 1)
        #expect(device.quests.delivery(of: Self.mia.text) == .waiting)

        device.api.on("POST \(Self.record)", json: "{}")
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 }
        #expect(device.quests.delivery(of: Self.mia.text) == .sent && device.quests.waiting(in: Self.page()) == 0)
        let requests = device.api.requests("POST \(Self.record)")
        let sent = try JSONDecoder().decode(Sent.self, from: try #require(requests.last?.body))
        #expect(Set(requests.map(\.idempotencyKey)) == [device.quest?.session])
        #expect(sent.session == device.quest?.session && sent.player == Self.mia && sent.routine == Self.routine)
        #expect(sent.estimations.map(\.actualSeconds) == [72, 30])
        #expect(sent.estimations.map(\.estimatedSeconds) == [60, Guesses.first])
        #expect(sent.estimations.map(\.task) == Self.tasks.map(\.0))
        try device.does(.leave)
        #expect(device.quest == nil)
    }

    @Test("an app that is killed in the middle continues at the same step, and the time while it was closed counts")
    func killed() async throws {
        let (auth, folder, clock) = (FakeAuth(), try TemporaryFolder(), FixedClock())
        let storage = ClientStorage(folder: folder.url)
        let device = try await QuestDevice(auth, storage, clock: clock)
        try device.does(Self.start, .guess(300), .begin)
        device.pass(30)
        try device.does(.readClocks)
        let session = device.quest?.session
        device.store.stop()

        clock.advance(by: 60)
        let next = try await QuestDevice(auth, storage, clock: clock)
        #expect(next.quest?.session == session && next.quest?.step == .run && next.quest?.guess == 300)
        next.pass(5)
        try next.does(.end)
        #expect(next.quest?.estimations.first?.actualSeconds == 95)
        // Killed after the last task, before and after the session was stored.
        try next.does(.next, .begin)
        next.pass(40)
        try next.does(.end)
        next.store.stop()
        let third = try await QuestDevice(auth, storage, clock: clock)
        third.api.on("POST \(Self.record)", failing: offline)
        #expect(third.quest?.step == .found)
        try third.does(.next)
        third.store.stop()
        let fourth = try await QuestDevice(auth, storage, clock: clock)
        #expect(fourth.quest?.step == .path && fourth.quests.waiting(in: Self.page()) == 1)
        #expect(fourth.quests.delivery(of: Self.mia.text) == .waiting)
        fourth.store.stop()
    }

    @Test("while a task runs, its time is read four times a second and stored every five seconds")
    func beats() async throws {
        let (auth, folder, clock) = (FakeAuth(), try TemporaryFolder(), FixedClock())
        let storage = ClientStorage(folder: folder.url)
        let device = try await QuestDevice(auth, storage, clock: clock)
        try device.does(Self.start)
        #expect(device.sleep.waits.isEmpty)
        try device.does(.begin)
        try await eventually { device.sleep.waits == [0.25] }
        device.pass(4)
        device.sleep.fire()
        try await eventually { device.quest?.spent == 4 && device.sleep.waits.count == 2 }
        #expect(device.quest?.spent == 4)
        device.pass(2)
        device.sleep.fire()
        try await eventually { device.quest?.spent == 6 && device.sleep.waits.count == 3 }
        // The clock is set back while the app is closed: what was stored remains, and the child is asked.
        device.store.stop()
        clock.advance(by: -3600)
        let next = try await QuestDevice(auth, storage, clock: clock)
        #expect(next.quest?.spent == 6)
        try next.does(.end)
        #expect(next.quest?.step == .told && next.quest?.question == .clock)
        try next.does(.tell(240))
        #expect(next.quest?.estimations.first?.actualSeconds == 240)
        #expect(next.quest?.estimations.first?.wasStopped == true)
    }

    @Test("a dial that is turned is stored once it rests, and at the latest when the app stops")
    func guesses() async throws {
        let (auth, folder) = (FakeAuth(), try TemporaryFolder())
        let storage = ClientStorage(folder: folder.url)
        let device = try await QuestDevice(auth, storage)
        try device.does(Self.start, .guess(60), .guess(75), .guess(90))
        #expect(device.quest?.guess == 90)
        try await eventually { device.sleep.waits == [0.25] }
        let early = try await QuestDevice(auth, storage)
        #expect(early.quest?.guess == Guesses.first)
        device.sleep.fire()
        let stored = { @MainActor () async throws -> Double? in
            try await QuestDevice(auth, storage).quest?.guess
        }
        for _ in 0..<500 where try await stored() != 90 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(try await stored() == 90)
        #expect(device.sleep.waits.count == 1, "nothing runs, so nothing is read")
        try device.does(.guess(300))
        device.store.stop()
        #expect(try await stored() == 300)
    }

    @Test("a device that slept counts the time by the clock, and asks after a long sleep")
    func slept() async throws {
        let device = try await QuestDevice(FakeAuth())
        try device.does(Self.start, .begin)
        device.clock.advance(by: 240)
        device.steady.advance(by: 3)
        try device.does(.end)
        #expect(device.quest?.estimations.first?.actualSeconds == 240)
        try device.does(.next, .begin)
        device.clock.advance(by: 1500)
        device.steady.advance(by: 3)
        try device.does(.end)
        #expect(device.quest?.question == .long)
        try device.does(.takeMeasured)
        #expect(device.quest?.estimations.last?.actualSeconds == 1500)
        #expect(device.quest?.estimations.last?.wasStopped == false)
    }

    @Test("an abandoned quest leaves nothing to send, and one whose tasks were all left out neither")
    func abandoned() async throws {
        let device = try await QuestDevice(FakeAuth())
        try device.does(Self.start, .begin)
        device.pass(60)
        try device.does(.end, .leave)
        #expect(device.quest == nil && device.store.syncSummary.unsent == 0)
        try device.does(Self.start, .next, .next)
        #expect(device.quest == nil && device.store.syncSummary.unsent == 0)
    }

    @Test("each player has a quest of their own, and one does not end that of the other")
    func players() async throws {
        let (auth, folder) = (FakeAuth(), try TemporaryFolder())
        let storage = ClientStorage(folder: folder.url)
        let device = try await QuestDevice(auth, storage)
        let leos = Self.page(of: Self.leo)
        try device.does(Self.start, .guess(60), .begin)
        try device.does(Self.start, .guess(900), in: leos)
        try device.does(.leave, in: leos)
        try device.does(Self.start, .guess(600), in: leos)
        device.store.stop()
        let next = try await QuestDevice(auth, storage)
        #expect(next.quest?.step == .run && next.quest?.guess == 60)
        #expect(next.quests.quest(of: Self.leo.text)?.guess == 600)
        next.store.stop()
    }

    @Test("signing out erases the quests of the account, and another account sees none of them")
    func accounts() async throws {
        let folder = try TemporaryFolder()
        let storage = ClientStorage(folder: folder.url)
        let ana = FakeAuth()
        let device = try await QuestDevice(ana, storage)
        try device.does(Self.start, .begin)
        device.store.stop()
        let others = try await QuestDevice(FakeAuth(), storage)
        #expect(others.quest == nil)
        let again = try await QuestDevice(ana, storage)
        #expect(again.quest != nil)
        let account = try #require(ana.userId)
        try await again.store.signOut()
        #expect(again.quest == nil)
        #expect(throws: StoreError.userNotAuthenticated) { try again.does(Self.start) }
        ana.userId = account
        #expect(try await QuestDevice(ana, storage).quest == nil)
    }

    @Test("a session that the server refuses is not shown as sent, and leaves a notice")
    func refused() async throws {
        let device = try await QuestDevice(FakeAuth())
        device.api.on("POST \(Self.record)", failing: refusal(404, "notFound", "There is no such player."))
        try device.does(Self.start, .begin)
        device.pass(60)
        try device.does(.end, .next, .next)
        try await eventually { device.store.syncSummary.unsent == 0 }
        #expect(device.quest?.step == .path && device.quests.delivery(of: Self.mia.text) == .refused)
        #expect(device.store.notices.map(\.sentence) == ["There is no such player."])
    }

    @Test("a refused session is not shown as sent once its notice was read, also after the app ended")
    func refusedAndRead() async throws {
        let (auth, folder) = (FakeAuth(), try TemporaryFolder())
        let storage = ClientStorage(folder: folder.url)
        let device = try await QuestDevice(auth, storage)
        device.api.on("POST \(Self.record)", failing: refusal(404, "notFound", "There is no such player."))
        try device.does(Self.start, .begin)
        device.pass(60)
        try device.does(.end, .next, .next)
        try await eventually { !device.store.notices.isEmpty }
        try device.store.dismiss(try #require(device.store.notices.first).id)
        #expect(device.store.notices.isEmpty && device.quests.delivery(of: Self.mia.text) == .refused)
        device.store.stop()
        let later = try await QuestDevice(auth, storage)
        #expect(later.quests.delivery(of: Self.mia.text) == .refused)
        // The next quest begins anew.
        try later.does(.leave, Self.start)
        #expect(later.quests.delivery(of: Self.mia.text) == .sent)
    }

    @Test("sessions that wait count as completed for the next quest of the same routine")
    func calibration() async throws {
        let device = try await QuestDevice(FakeAuth())
        device.api.on("POST \(Self.record)", failing: offline)
        try device.does(Self.start)
        #expect(device.quest?.completed == 2)
        try device.does(.begin)
        device.pass(60)
        try device.does(.end, .next, .next, .leave, Self.start)
        #expect(device.quest?.completed == 3)
    }

    // MARK: - Routines and the parent's side

    @Test("the routines of today are those of the weekday in the family's zone that have tasks")
    func today() async throws {
        // Sunday in Paris, and Monday two hours later while it is Sunday in London.
        let sunday = try Date.ISO8601FormatStyle().parse("2026-11-22T22:30:00Z")
        let device = try await QuestDevice(FakeAuth(), clock: FixedClock(sunday))
        let routines = device.store.routineRepository
        #expect(routines.fetchActiveForToday(in: Self.page()).map(\.displayName) == ["Morning"])
        device.clock.advance(by: 3600)
        #expect(routines.fetchActiveForToday(in: Self.page()).isEmpty)
    }

    @Test("the pages of other players are read ahead, and one that cannot be read stops nothing")
    func readAhead() async throws {
        let device = try await QuestDevice(FakeAuth())
        let addresses = [Self.mia, Self.leo].map { PlayProperties.address(of: $0.text) }
        device.api.on("GET \(addresses[0])", failing: offline)
        device.api.on("GET \(addresses[1])", json: "{}")
        await device.store.routineRepository.readAhead(addresses, accept: "application/json")
        #expect(try device.store.pageStore.stored(addresses[0]) == nil)
        #expect(try device.store.pageStore.stored(addresses[1])?.body == Data("{}".utf8))
    }

    @Test("the gate asks for the code or for a sign-in, and without a network for the code")
    func gate() async throws {
        let device = try await QuestDevice(FakeAuth())
        let page = Self.page()
        let path = "/api/v1/quest/gate"
        device.api.on("GET \(path)", json: #"{"role":"player","asks":"signIn"}"#)
        #expect(await device.quests.gate(of: page) == .signIn)
        let until = device.clock.now.addingTimeInterval(30).formatted(.iso8601)
        device.api.on("GET \(path)", json: #"{"role":"player","asks":"code","lockedUntil":"\#(until)"}"#)
        guard case .code(let wait) = await device.quests.gate(of: page) else {
            Issue.record("the gate asks for the code")
            return
        }
        #expect(abs(wait - 30) < 1)
        device.api.on("GET \(path)", failing: offline)
        #expect(await device.quests.gate(of: page) == .code(wait: 0))

        device.api.on("POST \(path)", json: #"{"role":"parent","path":"/quest"}"#)
        #expect(await device.quests.openGate(of: page, code: "1234") == .open("/quest"))
        #expect(device.api.requests.last?.body == Data(#"{"code":"1234"}"#.utf8))
        device.api.on("POST \(path)", failing: refusal(422, "auth.wrongCode"))
        #expect(await device.quests.openGate(of: page, code: "1234") == .wrong(wait: 0))
        device.api.on(
            "POST \(path)",
            failing: .refused(Refusal(status: 429, code: "auth.locked", title: "Wait.", retryAfter: 60)))
        #expect(await device.quests.openGate(of: page, code: "1234") == .wrong(wait: 60))
        device.api.on("POST \(path)", failing: refusal(409, "auth.noCode"))
        #expect(await device.quests.openGate(of: page, code: "1234") == .signIn)
        device.api.on("POST \(path)", failing: offline)
        #expect(await device.quests.openGate(of: page, code: "1234") == .offline)

        device.api.on("POST \(path)/close", json: "{}")
        await device.quests.closeGate(of: page)
        #expect(device.api.requests("POST \(path)/close").count == 1)
        device.api.on("POST \(path)/close", failing: offline)
        await device.quests.closeGate(of: page)
    }

    @Test("what the store holds can be cleared, and refreshing it makes the pages stale")
    func clear() async throws {
        let device = try await QuestDevice(FakeAuth())
        try device.does(Self.start)
        let questStore = device.store.questStore
        let before = device.store.pageStore.state.version(of: [])
        await questStore.refresh()
        #expect(device.store.pageStore.state.version(of: []) > before)
        #expect(questStore.state.players.count == 1 && questStore.state.lastSyncTime == nil)
        questStore.clear()
        #expect(questStore.state.players.isEmpty)
    }
}
