import Domain
import Foundation
import MessagingModel
import ResidenceModel

/// A store's part in the sync: its unsent changes, its answers, and the events that make it stale.
@MainActor
protocol ChangeHandler: AnyObject {
    func handles(_ change: PendingChange) -> Bool
    /// Sends a change. Throws `APIError`.
    func send(_ entry: OutboxEntry) async throws -> ChangeAnswer
    /// Stores the server's answer within a transaction. Called again after a failed transaction.
    func store(_ answer: ChangeAnswer, to change: PendingChange, in transaction: ClientTransaction) throws
    /// Takes the stored answer into memory, or, without one, drops a refused change.
    func settle(_ change: PendingChange, _ answer: ChangeAnswer?)
    /// Shows an error of a change or load.
    func show(_ error: StoreError, of change: PendingChange)
    /// Loads what an event has made stale. Throws `APIError` if the server is not reached.
    func load(_ stale: Set<Stale>) async throws
}

/// A part of the server's data that an event has changed.
enum Stale: Sendable, Hashable {
    case room(UUID, pgId: UUID)
    case student(UUID, pgId: UUID)
    case passages(pgId: UUID)
    case leaves(pgId: UUID)
    case meals(pgId: UUID)
    case conversations
    case messages(conversationId: UUID)
    /// The pages that name a topic of the event stream.
    case topic(String)
    case everything
}

/// The queue of unsent changes and its sending: in order per entity, with backoff, exactly once per entry's id.
@MainActor
final class SyncEngine {
    /// The end of a change's first attempt, for the caller who waits.
    enum Outcome {
        case accepted(ChangeAnswer)
        case refused(StoreError)
        /// The change stays in the queue.
        case deferred
    }

    let api: any APIManager
    let auth: any AuthManager
    let environment: ClientEnvironment
    let database: ClientDatabase
    /// The account whose file this is; `nil` if nobody was signed in.
    let account: UUID?
    let feed = ChangeFeed()
    private(set) var entries: [OutboxEntry]
    private(set) var notices: [SyncNotice]
    /// Server ids of the temporary ids that views may still hold.
    private var realIds: [UUID: UUID] = [:]
    /// The stores, which hold the engine. They are weak here, so that both end with the app's root store.
    private var handlers: [Handler] = []
    private var inFlight: [UUID: Task<Void, Never>] = [:]
    private var waiters: [UUID: CheckedContinuation<Outcome, Never>] = [:]
    private var isStopped = false
    private var pausedUntil: Date?
    private var connectionFailures = 0
    private var needsSignIn = false
    private var wake: Task<Void, Never>?

    init(
        api: any APIManager, auth: any AuthManager, environment: ClientEnvironment, database: ClientDatabase,
        account: UUID?, entries: [OutboxEntry], notices: [SyncNotice]
    ) {
        self.api = api
        self.auth = auth
        self.environment = environment
        self.database = database
        self.account = account
        self.entries = entries
        self.notices = notices
    }

    private struct Handler {
        weak var store: (any ChangeHandler)?
    }

    func register(_ handler: any ChangeHandler) { handlers.append(Handler(store: handler)) }

    private func handler(of change: PendingChange) -> (any ChangeHandler)? {
        handlers.lazy.compactMap(\.store).first { $0.handles(change) }
    }

    var now: Date { environment.clock.now }

    /// Returns the account whose data this is. Throws `userNotAuthenticated` if another person is signed in.
    func owner() throws -> UUID {
        guard let account, !isStopped, auth.isAuthenticated, auth.userId == account else {
            throw StoreError.userNotAuthenticated
        }
        return account
    }

    /// Returns the account for which a change is sent. Throws `APIError.signInNeeded` if another person is signed in.
    func sender() throws -> UUID {
        do { return try owner() } catch { throw APIError.signInNeeded }
    }

    /// Returns the server's id in the place of a temporary one.
    func real(_ id: UUID) -> UUID { realIds[id] ?? id }

    // MARK: - Adding

    /// Stores a change, shows it, and waits for its first attempt.
    ///
    /// - Parameter show: Applies the change to the store's state. Called after the change is on disk.
    /// - Returns: The server's answer; `nil` if the change stays in the queue.
    func perform(_ change: PendingChange, show: (OutboxEntry) -> Void) async throws -> ChangeAnswer? {
        let entry = try append(change, id: environment.newId(now), show: show)
        let outcome = await withCheckedContinuation { continuation in
            waiters[entry.id] = continuation
            pump()
        }
        switch outcome {
        case .accepted(let answer): return answer
        case .refused(let error): throw error
        case .deferred: return nil
        }
    }

    /// Stores a change, shows it, and begins to send it, without waiting for its first attempt.
    ///
    /// - Parameter id: The id of the entry, which is the `Idempotency-Key` of its request.
    func enqueue(_ change: PendingChange, id: UUID, show: (OutboxEntry) -> Void) throws {
        _ = try append(change, id: id, show: show)
        pump()
    }

    private func append(
        _ change: PendingChange, id: UUID, show: (OutboxEntry) -> Void
    ) throws -> OutboxEntry {
        _ = try owner()
        let entry: OutboxEntry
        do {
            entry = try database.commit { try $0.append(change, id: id, at: now) }
        } catch { throw StoreError(error) }
        entries.append(entry)
        show(entry)
        feed.publish()
        return entry
    }

    /// Takes a change that is not being sent out of the queue. Returns whether it could.
    func cancel(_ id: UUID) throws -> Bool {
        guard inFlight[id] == nil, let entry = entries.first(where: { $0.id == id }) else { return false }
        // An earlier attempt may have reached the server.
        guard entry.attempts == 0 else { return false }
        try database.commit { try $0.remove(entry) }
        entries.removeAll { $0.id == id }
        resume(id, .deferred)
        handler(of: entry.change)?.settle(entry.change, nil)
        feed.publish()
        return true
    }

    // MARK: - State

    func state(of recordId: UUID) -> RecordSyncState {
        var state = RecordSyncState.synced
        for entry in entries where entry.change.recordId == recordId {
            if inFlight[entry.id] != nil { return .sending }
            if entry.attempts > 0 { state = .failed } else if state == .synced { state = .waiting }
        }
        return state
    }

    var summary: SyncSummary {
        var summary = SyncSummary()
        summary.unsent = entries.count
        summary.failing = entries.count { $0.attempts > 0 }
        summary.isOffline = connectionFailures > 0
        summary.needsSignIn = needsSignIn
        summary.notices = notices.count
        return summary
    }

    func dismiss(_ id: UUID) throws {
        try database.commit { try $0.remove(.notice, id: id.text) }
        notices.removeAll { $0.id == id }
        feed.publish()
    }

    func add(_ notice: SyncNotice) throws {
        try database.commit { try $0.put(notice, .notice, id: notice.id.text) }
        notices.append(notice)
        feed.publish()
    }

    // MARK: - Sending

    /// Sends what waited for a connection.
    func connectionReturned() {
        connectionFailures = 0
        pausedUntil = nil
        needsSignIn = false
        pump()
        feed.publish()
    }

    /// Ends the waiting times of single changes, which were noted with a clock that was ahead.
    func forgetWaits() {
        for index in entries.indices { entries[index].notBefore = nil }
        pausedUntil = nil
    }

    /// Starts what can be sent now, and answers callers whose change has to wait.
    func pump() {
        guard !isStopped else { return releaseAll() }
        do { _ = try owner() } catch { return releaseAll() }
        let now = now
        if let until = pausedUntil, until <= now { pausedUntil = nil }
        let isPaused = pausedUntil != nil || needsSignIn
        if isPaused, waiters.isEmpty {
            if let pausedUntil { wakeUp(at: pausedUntil) }
            return
        }
        // Whether the last change of each entity moves on without waiting for a time.
        var moving: [EntityKey: Bool] = [:]
        var next: Date? = pausedUntil
        for entry in entries {
            // The end of each request looks at the queue again. It may be long after a week without a network.
            if inFlight.count >= environment.lanes, waiters.isEmpty { return }
            let keys = entry.change.entities
            let before = keys.compactMap { moving[$0] }
            let isMoving: Bool
            if inFlight[entry.id] != nil {
                isMoving = true
            } else if isPaused {
                isMoving = false
            } else if !before.isEmpty {
                isMoving = before.allSatisfy { $0 }
            } else if let time = entry.notBefore, time > now {
                isMoving = false
                next = min(next ?? time, time)
            } else {
                isMoving = true
                if inFlight.count < environment.lanes { start(entry) }
            }
            for key in keys { moving[key] = isMoving }
            if !isMoving { resume(entry.id, .deferred) }
        }
        if let next { wakeUp(at: next) }
    }

    private func wakeUp(at time: Date) {
        wake?.cancel()
        let (sleep, seconds) = (environment.sleep, max(0, time.timeIntervalSince(now)))
        wake = Task { [weak self] in
            do { try await sleep(seconds) } catch { return }
            self?.pump()
        }
    }

    private func start(_ entry: OutboxEntry) {
        guard let handler = handler(of: entry.change) else { return }
        inFlight[entry.id] = Task { [weak self] in
            let result: Result<ChangeAnswer, any Error>
            do {
                result = .success(try await handler.send(entry))
            } catch {
                result = .failure(error)
            }
            self?.finish(entry.id, result)
        }
    }

    private func finish(_ id: UUID, _ result: Result<ChangeAnswer, any Error>) {
        inFlight[id] = nil
        guard !isStopped, let entry = entries.first(where: { $0.id == id }) else { return resume(id, .deferred) }
        switch result {
        case .success(let answer):
            connectionFailures = 0
            do {
                try accept(entry, answer)
            } catch {
                postpone(entry, String(describing: error), backoff(entry.attempts + 1))
            }
        case .failure(APIError.refused(let refusal)) where refusal.isTransient:
            connectionFailures = 0
            if let seconds = refusal.retryAfter {
                // The server asks every request of this person to wait.
                pausedUntil = now.addingTimeInterval(Double(seconds))
            }
            postpone(entry, refusal.title, backoff(entry.attempts + 1))
        case .failure(APIError.refused(let refusal)):
            connectionFailures = 0
            do {
                try refuse(entry, refusal)
            } catch {
                postpone(entry, String(describing: error), backoff(entry.attempts + 1))
            }
        case .failure(APIError.signInNeeded):
            needsSignIn = true
            postpone(entry, "", nil)
        case .failure(APIError.malformed(let reason)):
            postpone(entry, reason, backoff(entry.attempts + 1))
        case .failure(let error):
            connectionFailures += 1
            let wait = environment.backoff.delay(after: connectionFailures, random: environment.random())
            pausedUntil = max(pausedUntil ?? .distantPast, now.addingTimeInterval(wait))
            postpone(entry, String(describing: error), nil)
        }
        feed.publish()
        pump()
    }

    private func backoff(_ attempts: Int) -> Date {
        now.addingTimeInterval(environment.backoff.delay(after: attempts, random: environment.random()))
    }

    private func accept(_ entry: OutboxEntry, _ answer: ChangeAnswer) throws {
        let handler = handler(of: entry.change)
        let swap = swap(entry.change, answer)
        let changed = entries.compactMap { other -> OutboxEntry? in
            guard let swap, other.id != entry.id else { return nil }
            var other = other
            let change = other.change.replacing(swap.temporary, by: swap.real)
            guard change != other.change else { return nil }
            other.change = change
            return other
        }
        try database.commit { transaction in
            try handler?.store(answer, to: entry.change, in: transaction)
            try transaction.remove(entry)
            for other in changed { try transaction.update(other) }
        }
        entries.removeAll { $0.id == entry.id }
        for other in changed {
            if let index = entries.firstIndex(where: { $0.id == other.id }) { entries[index] = other }
        }
        if let swap { realIds[swap.temporary] = swap.real }
        handler?.settle(entry.change, answer)
        resume(entry.id, .accepted(answer))
    }

    /// The temporary id of a created record and the server's.
    private func swap(_ change: PendingChange, _ answer: ChangeAnswer) -> (temporary: UUID, real: UUID)? {
        switch (change, answer) {
        case (.createRoom(let creation), .room(let room)): (creation.temporaryId, room.id)
        case (.passage(let passage), .record(let record)) where passage.record.id != record.id:
            (passage.record.id, record.id)
        case (.sendMessage(let sent), .message(let message)) where sent.id != message.id: (sent.id, message.id)
        default: nil
        }
    }

    /// Takes a refused change back, with those that cannot be without it.
    private func refuse(_ entry: OutboxEntry, _ refusal: Refusal) throws {
        var dropped = [entry]
        if let temporary = entry.change.temporaryId {
            dropped += entries.filter { other in
                other.id != entry.id && other.change.entities.contains { $0.id == temporary }
            }
        }
        let new = dropped.map { other in
            SyncNotice(
                id: environment.newId(now), kind: other.id == entry.id ? .notApplied : .notPossible, at: now,
                recordId: other.change.recordId, code: refusal.code,
                sentence: refusal.errors?.first?.message ?? refusal.title, localText: other.change.localText,
                otherText: [:])
        }
        try database.commit { transaction in
            for other in dropped { try transaction.remove(other) }
            for notice in new { try transaction.put(notice, .notice, id: notice.id.text) }
        }
        let ids = Set(dropped.map(\.id))
        entries.removeAll { ids.contains($0.id) }
        notices += new
        let error = StoreError.refused(refusal)
        for other in dropped {
            handler(of: other.change)?.settle(other.change, nil)
            handler(of: other.change)?.show(error, of: other.change)
            resume(other.id, .refused(error))
        }
    }

    private func postpone(_ entry: OutboxEntry, _ reason: String, _ time: Date?) {
        guard let index = entries.firstIndex(where: { $0.id == entry.id }) else { return }
        entries[index].attempts += 1
        entries[index].failure = reason
        entries[index].notBefore = time
        let postponed = entries[index]
        // Should the disk be full, the number of attempts is lost and nothing else.
        try? database.commit { try $0.update(postponed) }
        resume(entry.id, .deferred)
    }

    private func resume(_ id: UUID, _ outcome: Outcome) {
        waiters.removeValue(forKey: id)?.resume(returning: outcome)
    }

    private func releaseAll() {
        for id in Array(waiters.keys) { resume(id, .deferred) }
    }

    /// Stops sending. Requests under way are canceled; the server knows them by their keys when they are sent again.
    func stop() {
        isStopped = true
        wake?.cancel()
        for task in inFlight.values { task.cancel() }
        inFlight = [:]
        releaseAll()
    }

    /// Removes the queue of an account that signed out.
    func drop() {
        stop()
        entries = []
        notices = []
        realIds = [:]
        feed.publish()
    }

    // MARK: - Events

    /// Loads stale parts in all stores.
    func load(_ stale: Set<Stale>) async throws {
        for handler in handlers.compactMap(\.store) { try await handler.load(stale) }
    }
}

/// The changes of the stores, for those who do not observe.
@MainActor
final class ChangeFeed {
    private var listeners: [UUID: AsyncStream<Void>.Continuation] = [:]
    /// Called with each change, before the listeners.
    var onChange: (() -> Void)?

    /// Returns a stream with an element after each change. Changes that nobody took yet are one element.
    func stream() -> AsyncStream<Void> {
        let id = UUID()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            listeners[id] = continuation
            continuation.onTermination = { [weak self] _ in
                Task { @MainActor in self?.listeners[id] = nil }
            }
        }
    }

    func publish() {
        onChange?()
        for listener in listeners.values { listener.yield() }
    }
}
