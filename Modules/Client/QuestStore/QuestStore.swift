import Domain
public import Foundation
public import Observation
public import QuestModel

/// The state of `QuestStore`: what the device remembers of each player.
public struct QuestStoreState: StoreState, Sendable, Hashable {
    /// The present quest and the last results of each player, by the player's id.
    public internal(set) var players: [String: QuestMemory] = [:]
    /// Always `nil`, because the store loads nothing.
    public var lastSyncTime: Date? { nil }
    public var syncInProgress: Bool { false }

    public init() {}
}

/// The store of the quests on this device. Each step is on disk, and a guess once the dial rests, so that an app that was closed continues there.
///
/// A finished session is a command in the queue before the child sees its summary.
@MainActor @Observable
public final class QuestStore: Store {
    public private(set) var state = QuestStoreState()

    /// The seconds between two readings of the clocks during a task.
    nonisolated static let interval: TimeInterval = 0.25
    /// The seconds after which a running task is stored again, which limits the effect of a changed clock.
    nonisolated static let saving: TimeInterval = 5

    @ObservationIgnored private let engine: SyncEngine
    @ObservationIgnored private let pages: PageStore
    /// The id of this start of the app, to which the steady clock belongs.
    @ObservationIgnored private let launch: UUID
    @ObservationIgnored private var savedAt: TimeInterval = 0
    /// The players whose guess has changed since it was stored: a dial that is turned changes it many times a second.
    @ObservationIgnored private var unsaved: Set<String> = []
    /// The readings of the clocks while a task runs, and the storing of guesses.
    @ObservationIgnored private var beat: Task<Void, Never>?

    init(_ engine: SyncEngine, _ pages: PageStore, _ stored: StoredState) {
        self.engine = engine
        self.pages = pages
        launch = engine.environment.newId(engine.now)
        for memory in stored.quests { state.players[memory.player] = memory }
        follow()
    }

    /// Makes the pages stale. This store itself loads nothing.
    public func refresh() async { await pages.refresh() }

    public func clear() {
        unsaved = []
        rest()
        state = QuestStoreState()
        engine.feed.publish()
    }

    // MARK: - Clocks

    private var moment: Stopwatch.Moment {
        Stopwatch.Moment(
            wall: engine.now.timeIntervalSince1970, steady: engine.environment.steady(), launch: launch)
    }

    /// Ends the readings of the clocks. What ran is measured by the next start.
    func rest() {
        beat?.cancel()
        beat = nil
        storeGuesses()
    }

    /// Reads the clocks as long as a task runs, and stores guesses once they rest.
    private func follow() {
        let isRunning = state.players.values.contains { $0.quest?.step == .run }
        guard isRunning || !unsaved.isEmpty else { return rest() }
        guard beat == nil else { return }
        let sleep = engine.environment.sleep
        beat = Task { [weak self] in
            while !Task.isCancelled {
                do { try await sleep(Self.interval) } catch { return }
                self?.tick()
            }
        }
    }

    private func storeGuesses() {
        for player in unsaved {
            // A disk that is full now may have room at the next step, which stores the guess as well.
            if let memory = state.players[player] { try? store(memory) }
        }
        unsaved = []
    }

    private func tick() {
        storeGuesses()
        defer { follow() }
        let moment = moment
        let isDue = abs(moment.wall - savedAt) > Self.saving
        for player in state.players.keys where state.players[player]?.quest?.step == .run {
            state.players[player]?.quest?.read(moment)
            // A disk that is full now may have room at the next reading; the time in memory is right.
            if isDue, let memory = state.players[player] { try? store(memory) }
        }
    }

    private func store(_ memory: QuestMemory) throws {
        _ = try engine.owner()
        do {
            try engine.database.commit { try $0.put(memory, .quest, id: memory.player) }
        } catch { throw StoreError(error) }
        savedAt = engine.now.timeIntervalSince1970
        unsaved.remove(memory.player)
    }

    // MARK: - Steps

    /// Returns the memory of a player after what a child wants.
    private func memory(after action: QuestAction, in page: PlayProperties) throws -> QuestMemory {
        let player = page.player.id
        var memory = state.players[player] ?? QuestMemory(player: player)
        let moment = moment
        func find(_ seconds: Double, wasStopped: Bool) {
            memory.find(seconds, wasStopped: wasStopped, at: engine.now, messages: page.messages)
        }
        switch action {
        case .start(let routine):
            memory.quest = CurrentQuest(
                routine, of: player, waiting: waiting(for: routine, in: page),
                session: engine.environment.newId(engine.now), at: engine.now)
            (memory.command, memory.isRefused) = (nil, nil)
        case .guess(let seconds): memory.quest?.choose(guess: seconds)
        case .begin: memory.quest?.begin(at: moment)
        case .pause: memory.quest?.pause(at: moment)
        case .resume: memory.quest?.resume(at: moment)
        case .readClocks: memory.quest?.read(moment)
        case .forget: memory.quest?.forget(at: moment)
        case .end:
            if let seconds = memory.quest?.end(at: moment) { find(seconds, wasStopped: false) }
        case .tell(let seconds): find(seconds, wasStopped: true)
        case .takeMeasured:
            if let quest = memory.quest, quest.canTakeMeasured { find(quest.spent, wasStopped: false) }
        case .next:
            switch memory.quest?.continuation {
            case .task: memory.quest?.next()
            case .session: try finish(&memory, in: page)
            case .nothing, nil: memory.quest = nil
            }
        case .leave: memory.quest = nil
        }
        return memory
    }

    /// Stores the session for the server, once, before it is shown as finished.
    private func finish(_ memory: inout QuestMemory, in page: PlayProperties) throws {
        guard let quest = memory.quest, let played = quest.played(at: engine.now) else { return }
        let known = pages.state.commands.map(\.command).first { $0.key == quest.session.text }
        let command = try known ?? PageCommand(path: page.record, json: played, key: quest.session)
        if known == nil { try pages.enqueue(command) }
        memory.command = command.id
        memory.quest?.finish()
    }

    // MARK: - What waits

    private func sessions(in page: PlayProperties) -> [PageCommand] {
        pages.state.commands.filter { $0.answeredAt == nil && $0.command.path == page.record }.map(\.command)
    }

    private func waiting(for routine: PlayProperties.RoutineItem, in page: PlayProperties) -> Int {
        sessions(in: page).count { command in
            // A command of another kind is no session of the routine.
            (try? command.arguments(PlayedSession.self))?.routine == UUID(text: routine.id)
        }
    }
}

extension QuestStore: SessionRepositoryProtocol {
    public func quest(of player: String) -> CurrentQuest? { state.players[player]?.quest }

    public func perform(_ action: QuestAction, in page: PlayProperties) throws {
        let memory = try memory(after: action, in: page)
        if case .guess = action {
            _ = try engine.owner()
            unsaved.insert(memory.player)
        } else {
            try store(memory)
        }
        state.players[page.player.id] = memory
        follow()
        engine.feed.publish()
    }

    public func waiting(in page: PlayProperties) -> Int { sessions(in: page).count }

    public func delivery(of player: String) -> QuestDelivery {
        // Read so that observers learn of an answer.
        _ = pages.state.commands
        guard let id = state.players[player]?.command else { return .sent }
        if engine.entries.contains(where: { $0.change.recordId == id }) { return .waiting }
        let isRefused = state.players[player]?.isRefused == true || engine.notices.contains { $0.recordId == id }
        return isRefused ? .refused : .sent
    }

    /// Remembers that a command was refused before its notice goes, so that the quest is not taken for one that arrived.
    func remember(refused id: UUID) throws {
        for var memory in state.players.values where memory.command == id {
            memory.isRefused = true
            try store(memory)
            state.players[memory.player] = memory
        }
    }

    // MARK: - The parent's side

    private struct GateState: Decodable {
        let asks: String
        let lockedUntil: Date?
    }
    private struct GateOpened: Decodable { let path: String }

    public func gate(of page: PlayProperties) async -> QuestGate {
        do {
            let data = try await engine.api.send(
                APIRequest(.get, page.gate.path, account: try engine.owner()))
            let state = try APIJSON.decode(GateState.self, from: data)
            guard state.asks == "code" else { return .signIn }
            return .code(wait: max(0, state.lockedUntil?.timeIntervalSince(engine.now) ?? 0))
        } catch {
            // Without an answer the keypad is shown, which says so after a code.
            return StoreError(error) == .userNotAuthenticated ? .signIn : .code(wait: 0)
        }
    }

    public func openGate(of page: PlayProperties, code: String) async -> QuestGateAnswer {
        do {
            let data = try await engine.api.send(
                APIRequest(
                    .post, page.gate.path, body: try APIJSON.encode(["code": code]), account: try engine.owner()))
            return .open(try APIJSON.decode(GateOpened.self, from: data).path)
        } catch {
            switch StoreError(error) {
            case .userNotAuthenticated: return .signIn
            // The device has no code, so an adult signs in.
            case .refused(let refusal) where refusal.status == 409: return .signIn
            case .refused(let refusal) where refusal.status < 500:
                return .wrong(wait: TimeInterval(refusal.retryAfter ?? 0))
            default: return .offline
            }
        }
    }

    public func closeGate(of page: PlayProperties) async {
        do {
            _ = try await engine.api.send(
                APIRequest(.post, page.gate.close, body: Data("{}".utf8), account: try engine.owner()))
        } catch {
            // Without a network the next start closes it; the server does by itself after 15 minutes.
        }
    }
}
