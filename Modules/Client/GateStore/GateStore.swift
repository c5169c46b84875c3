import Domain
public import Foundation
public import Observation
public import ResidenceModel

/// A passage that the gate has recorded, with what it decided about it.
public struct GatePassage: Sendable, Hashable, Identifiable {
    public let id: UUID
    public let resident: GateList.Resident
    public let decision: GateDecision
    /// The server's time at the read.
    public let at: Date

    public init(id: UUID, resident: GateList.Resident, decision: GateDecision, at: Date) {
        self.id = id
        self.resident = resident
        self.decision = decision
        self.at = at
    }
}

/// The meaning of one read of a tag.
public enum GateRead: Sendable, Hashable {
    /// The passage is stored on this device and will be sent.
    case passage(GatePassage)
    /// The tag was read a moment ago; nothing was recorded.
    case repeated
    case unknown
    /// The tag was reported lost.
    case lost
    /// The device is no longer a gate; nothing was recorded.
    case over
}

/// The state of a gate.
public struct GateStoreState: StoreState {
    /// The residents, their tags and leaves, and the curfews; `nil` before the first load.
    public internal(set) var list: GateList?
    /// The time of the last successful load since the store was opened; the list has the time of the one before.
    public internal(set) var lastSyncTime: Date?
    public internal(set) var syncInProgress = false
    /// The reason for which the last load of the list failed; `nil` after a successful one.
    public internal(set) var error: StoreError?
    /// Whether a warden ended the gate or its session. Unsent passages stay in the file.
    public internal(set) var isOver = false
}

/// The store of a device at a door (decisions 41 and 44).
///
/// It decides about each read of a tag from its own list, and sends the passages when it can. Its file belongs to the residence, not to an account: a gate that another warden pairs again sends what it still has.
@MainActor @Observable
public final class GateStore: Store {
    /// The seconds between two loads of the list.
    public static let refreshInterval: TimeInterval = 60
    /// The seconds within which an unknown tag that is read again is not shown again.
    static let unknownWindow: TimeInterval = 5

    public private(set) var state = GateStoreState()
    /// The state of the passages on their way to the server.
    public private(set) var syncSummary = SyncSummary()

    @ObservationIgnored private let engine: SyncEngine
    @ObservationIgnored private let clock: ServerClock
    @ObservationIgnored private var index: GateIndex?
    /// The passages that the server has confirmed since the list, by resident.
    @ObservationIgnored private var confirmed: [UUID: [CheckInOutRecord]] = [:]
    /// The passages that wait to be sent, by resident, in order.
    @ObservationIgnored private var waiting: [UUID: [GatePassageEntry]] = [:]
    /// The uptime at which each resident's tag, or an unknown code, was read last.
    @ObservationIgnored private var reads: [String: TimeInterval] = [:]
    @ObservationIgnored private var refresher: Task<Void, Never>?

    /// Opens the file of the gate that this device is. Throws `userNotAuthenticated` if it is none.
    ///
    /// - Parameter clock: The clock that `auth` has too.
    public static func open(
        api: any APIManager, auth: any AuthManager, storage: ClientStorage, clock: ServerClock,
        environment: ClientEnvironment = ClientEnvironment()
    ) async throws -> GateStore {
        guard let account = auth.userId, let pgId = auth.currentPgId else {
            throw StoreError.userNotAuthenticated
        }
        let file = storage.gateFile(in: pgId)
        let (database, stored) = try await Task.detached { () throws in
            let database = try ClientDatabase(file: file)
            return (database, try StoredGate(reading: database))
        }.value
        clock.restore(stored.anchor, seen: stored.seen)
        var environment = environment
        environment.clock = clock
        let engine = SyncEngine(
            api: api, auth: auth, environment: environment, database: database, account: account,
            entries: stored.entries, notices: stored.notices)
        return GateStore(engine, clock, stored)
    }

    private init(_ engine: SyncEngine, _ clock: ServerClock, _ stored: StoredGate) {
        self.engine = engine
        self.clock = clock
        index = stored.index
        state.list = stored.index?.list
        confirmed = Dictionary(grouping: stored.confirmed, by: \.studentId)
        for case .gatePassage(let passage) in stored.entries.map(\.change) {
            waiting[passage.studentId, default: []].append(passage)
        }
        syncSummary = engine.summary
        engine.register(self)
        engine.feed.onChange = { [weak self] in self?.note() }
    }

    private func note() {
        let summary = engine.summary
        if summary != syncSummary { syncSummary = summary }
    }

    /// A stream with an element after each change, for those who do not observe.
    public var changes: AsyncStream<Void> { engine.feed.stream() }

    /// The passages that the server refused, the oldest first.
    public var notices: [SyncNotice] { engine.notices }

    /// The server's time.
    public var now: Date { clock.now }

    // MARK: - Reads

    /// Decides about a read of a tag, and stores the passage.
    ///
    /// - Parameters:
    ///   - code: The text that the reader gave.
    ///   - method: The kind of the reader.
    /// - Throws: `StoreError.notStored` if the device cannot store the passage; it then counts as not read.
    public func read(_ code: String, method: CheckInMethod = .kiosk) throws -> GateRead {
        guard !state.isOver, engine.auth.isAuthenticated else { return .over }
        let code = TagCode.normalized(code)
        guard let index, let (resident, tag) = index.find(code) else {
            return isRepeated(code, within: Self.unknownWindow) ? .repeated : .unknown
        }
        if isRepeated(resident.id.text, within: PassageLog.repeatWindow) { return .repeated }
        if tag.isLost { return .lost }
        let now = clock.now
        let last = LastPassage.latest(resident.last, own(of: resident.id))
        // Also after a restart of the program, and for a passage through another door.
        if let last, abs(now.timeIntervalSince(last.at)) < PassageLog.repeatWindow { return .repeated }
        let decision = GateDecision(of: resident, last: last, at: now, days: index.list.days)
        let entry = GatePassageEntry(
            id: engine.environment.newId(now), studentId: resident.id, name: resident.name, type: decision.type,
            method: method, tagId: tag.id, at: now, reading: clock.reading)
        do {
            try engine.enqueue(.gatePassage(entry), id: entry.id) { _ in
                waiting[entry.studentId, default: []].append(entry)
            }
        } catch {
            // The next read of the tag is not a repeated one.
            reads[resident.id.text] = nil
            throw error
        }
        return .passage(GatePassage(id: entry.id, resident: resident, decision: decision, at: now))
    }

    /// Whether a tag was read within some seconds. A tag that stays at the reader is one read.
    private func isRepeated(_ key: String, within window: TimeInterval) -> Bool {
        let now = clock.uptime
        if reads.count > 1000 { reads = reads.filter { now - $0.value < PassageLog.repeatWindow } }
        defer { reads[key] = now }
        return reads[key].map { now - $0 < window } ?? false
    }

    /// The latest passage of a resident that this gate recorded after its list.
    private func own(of id: UUID) -> LastPassage? {
        let sent = (confirmed[id] ?? []).map { ($0.type, $0.timestamp) }
        let unsent = (waiting[id] ?? []).map { ($0.type, $0.at) }
        return (sent + unsent).max { $0.1 < $1.1 }.map { LastPassage(type: $0.0, at: $0.1, changedAt: $0.1) }
    }

    // MARK: - The list

    /// Begins to send, and to load the list each minute.
    public func start() {
        engine.connectionReturned()
        guard refresher == nil else { return }
        refresher = Task { [weak self] in
            var failures = 0
            while !Task.isCancelled {
                await self?.refresh()
                guard let self, !self.state.isOver else { return }
                failures = self.state.error == nil ? 0 : failures + 1
                let environment = self.engine.environment
                let wait =
                    failures == 0
                    ? Self.refreshInterval
                    : environment.backoff.delay(after: failures, random: environment.random())
                do { try await environment.sleep(wait) } catch { return }
            }
        }
    }

    /// Ends sending and loading. Unsent passages stay in the file.
    public func stop() {
        refresher?.cancel()
        refresher = nil
        engine.stop()
    }

    public func refresh() async {
        guard !state.syncInProgress, !state.isOver else { return }
        state.syncInProgress = true
        let settled = confirmed.values.flatMap { $0 }.map(\.id)
        do {
            let asked = clock.now
            let list = try await engine.api.getGateList(for: engine.sender())
            let before = clock.now
            let anchor = clock.synchronize(to: list.now, asked: asked)
            // Waiting times that were noted with a clock that was ahead would last too long.
            if clock.now < before { engine.forgetWaits() }
            try await take(list, anchor: anchor, settled: settled)
            state.error = nil
            state.lastSyncTime = list.now
            engine.connectionReturned()
        } catch APIError.refused(let refusal) where refusal.code == GateRefusal.noGate {
            await end()
        } catch {
            if engine.auth.isAuthenticated { state.error = StoreError(error) } else { await end() }
        }
        state.syncInProgress = false
        engine.feed.publish()
    }

    /// Stores a list, and forgets the confirmed passages that it contains.
    private func take(_ list: GateList, anchor: ServerClock.Anchor?, settled: [UUID]) async throws {
        let database = engine.database
        let isNew = index.map { !list.hasSameContent(as: $0.list) } ?? true
        let made = try await Task.detached { () throws -> GateIndex? in
            guard isNew || !settled.isEmpty || anchor != nil else { return nil }
            // A list that only tells another time is not written: storage cards wear out.
            try database.commit { transaction in
                if isNew { try transaction.put(list, .gateList, id: "list") }
                for id in settled { try transaction.remove(.record, id: id.text) }
                if let anchor {
                    try transaction.put(
                        String(decoding: JSONEncoder().encode(anchor), as: UTF8.self), meta: .serverClock)
                }
            }
            return isNew ? GateIndex(list) : nil
        }.value
        if let made {
            index = made
            state.list = list
        }
        let gone = Set(settled)
        confirmed = confirmed.compactMapValues { records in
            let left = records.filter { !gone.contains($0.id) }
            return left.isEmpty ? nil : left
        }
    }

    /// Notes that the device is no longer a gate, and forgets its session.
    private func end() async {
        state.isOver = true
        await engine.auth.signOut()
    }

    /// Shows nothing any more. The file stays.
    public func clear() {
        stop()
        index = nil
        confirmed = [:]
        waiting = [:]
        reads = [:]
        state = GateStoreState()
        engine.feed.publish()
    }
}

extension GateList {
    /// Whether two lists differ in their time only.
    fileprivate func hasSameContent(as other: GateList) -> Bool {
        gate == other.gate && residence == other.residence && timeZone == other.timeZone && days == other.days
            && residents == other.residents
    }
}

/// The refusals of a gate's requests.
enum GateRefusal {
    /// The device is no gate, or a warden ended it.
    static let noGate = "residence.noGate"
    /// The refusals that are about the resident of one passage. Other refusals of these statuses are about the gate.
    private static let ofPassages: Set<String> = [
        "residence.studentNotFound", "residence.movedOut", "residence.idTaken",
    ]

    /// Whether a refusal of a passage says that the gate may not record any, such as while the school is closed.
    static func isAboutGate(_ refusal: Refusal) -> Bool {
        [403, 404, 423].contains(refusal.status) && !ofPassages.contains(refusal.code)
    }
}

extension GateStore: ChangeHandler {
    func handles(_ change: PendingChange) -> Bool { if case .gatePassage = change { true } else { false } }

    func send(_ entry: OutboxEntry) async throws -> ChangeAnswer {
        guard case .gatePassage(let passage) = entry.change else { return .done }
        // Computed again for a passage that was recorded before the server's time was known.
        let at = passage.reading.flatMap(clock.time) ?? passage.at
        do {
            return .record(
                try await engine.api.recordGatePassage(passage, at: at, key: entry.id, for: engine.sender()))
        } catch APIError.refused(let refusal) where GateRefusal.isAboutGate(refusal) {
            if refusal.code == GateRefusal.noGate { await end() } else { state.error = .refused(refusal) }
            // The passage stays until the gate is allowed again.
            throw APIError.signInNeeded
        } catch {
            if !engine.auth.isAuthenticated { await end() }
            throw error
        }
    }

    func store(_ answer: ChangeAnswer, to change: PendingChange, in transaction: ClientTransaction) throws {
        if case .record(let record) = answer { try transaction.put(record, .record, id: record.id.text) }
    }

    func settle(_ change: PendingChange, _ answer: ChangeAnswer?) {
        guard case .gatePassage(let passage) = change else { return }
        waiting[passage.studentId]?.removeAll { $0.id == passage.id }
        if waiting[passage.studentId]?.isEmpty == true { waiting[passage.studentId] = nil }
        if case .record(let record) = answer {
            confirmed[record.studentId, default: []].append(record)
        }
    }

    func show(_ error: StoreError, of change: PendingChange) {}

    func load(_ stale: Set<Stale>) async throws {}
}
