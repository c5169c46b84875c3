import Domain
public import Foundation
public import Observation
public import ResidenceModel

/// The state of `AttendanceStore`: who is on leave, and who asks for it.
public struct AttendanceStoreState: StoreState, Sendable, Hashable {
    /// The leaves by id.
    public internal(set) var leaves: [UUID: Leave] = [:]
    /// The ids of the leaves of each residence, by their beginning.
    public internal(set) var leavesByPg: [UUID: [UUID]] = [:]
    public internal(set) var leavesLoading = false
    public internal(set) var leavesError: StoreError?
    public internal(set) var lastSyncTime: Date?
    public internal(set) var syncInProgress = false

    public init() {}

    /// The leaves of a residence, by their beginning.
    public func leaves(of pgId: UUID) -> [Leave] { (leavesByPg[pgId] ?? []).compactMap { leaves[$0] } }

    /// The approved leaves that last at an instant.
    public func away(from pgId: UUID, at instant: Date) -> [Leave] {
        leaves(of: pgId).filter { $0.covers(instant) }
    }
}

/// The store of leaves, as far as wardens decide on them.
@MainActor @Observable
public final class AttendanceStore: Store {
    public private(set) var state = AttendanceStoreState()

    @ObservationIgnored private let engine: SyncEngine
    @ObservationIgnored private var leaves: [UUID: Leave]
    @ObservationIgnored var order = LoadOrder()

    init(_ engine: SyncEngine, _ stored: StoredState) {
        self.engine = engine
        leaves = stored.leaves
        state.leavesByPg = stored.leavesByPg
        state.lastSyncTime = stored.leaveSync
        engine.register(self)
        showAll()
    }

    public func clear() {
        leaves = [:]
        state = AttendanceStoreState()
        engine.feed.publish()
    }

    /// The state of a leave's decision on its way to the server.
    public func syncState(of id: UUID) -> RecordSyncState { engine.state(of: id) }

    public func refresh() async {
        guard let pgId = engine.auth.currentPgId else { return }
        state.syncInProgress = true
        engine.feed.publish()
        // The error is in the state.
        do { try await loadLeaves(pgId: pgId) } catch {}
        state.syncInProgress = false
        engine.feed.publish()
    }

    /// Loads the leaves of a residence that have not ended.
    public func loadLeaves(pgId: UUID) async throws {
        state.leavesLoading = true
        state.leavesError = nil
        engine.feed.publish()
        do {
            let account = try engine.owner()
            let leaves = try await current(.leaves(pgId: pgId)) {
                try await engine.api.getLeaves(pgId: pgId, for: account)
            }
            try take(leaves, of: pgId)
            state.leavesLoading = false
            engine.feed.publish()
        } catch {
            state.leavesLoading = false
            state.leavesError = StoreError(error)
            engine.feed.publish()
            throw error
        }
    }

    private func take(_ items: [Leave], of pgId: UUID) throws {
        let ids = items.map(\.id)
        let gone = Set(state.leavesByPg[pgId] ?? []).subtracting(ids)
        let now = engine.now
        try engine.database.commit { transaction in
            for item in items where leaves[item.id] != item {
                try transaction.put(item, .leave, id: item.id.text)
            }
            for id in gone { try transaction.remove(.leave, id: id.text) }
            try transaction.put(ids, .leaves, owner: pgId.text)
            try transaction.put(String(now.timeIntervalSince1970), meta: .leaveSync)
        }
        for item in items { leaves[item.id] = item }
        for id in gone { leaves[id] = nil }
        state.leavesByPg[pgId] = ids
        state.lastSyncTime = now
        showAll()
    }

    /// Approves or declines a leave. The decision shows at once.
    @discardableResult
    public func decideLeave(_ leaveId: UUID, approves: Bool, note: String? = nil) async throws -> Leave {
        guard let leave = state.leaves[leaveId] else { throw StoreError.leaveNotFound }
        let account = try engine.owner()
        state.leavesError = nil
        let decision = LeaveDecision(
            pgId: leave.pgId, leaveId: leaveId, approves: approves, note: note,
            by: engine.auth.profileId ?? account, at: engine.now)
        let answer = try await engine.perform(.decideLeave(decision)) { apply($0.change) }
        if case .leave(let leave) = answer { return leave }
        return state.leaves[leaveId] ?? leave
    }

    private func showAll() {
        state.leaves = leaves
        for entry in engine.entries where handles(entry.change) { apply(entry.change) }
    }

    private func apply(_ change: PendingChange) {
        guard case .decideLeave(let decision) = change else { return }
        state.leaves[decision.leaveId]?.wardenDecision = Leave.Decision(
            isApproved: decision.approves, by: decision.by, at: decision.at, note: decision.note)
    }
}

extension AttendanceStore: ChangeHandler, PartLoader {
    func handles(_ change: PendingChange) -> Bool { if case .decideLeave = change { true } else { false } }

    func send(_ entry: OutboxEntry) async throws -> ChangeAnswer {
        guard case .decideLeave(let decision) = entry.change else { return .done }
        let account = try engine.sender()
        return .leave(try await engine.api.decideLeave(decision, key: entry.id, for: account))
    }

    func store(_ answer: ChangeAnswer, to change: PendingChange, in transaction: ClientTransaction) throws {
        if case .leave(let leave) = answer { try transaction.put(leave, .leave, id: leave.id.text) }
    }

    func settle(_ change: PendingChange, _ answer: ChangeAnswer?) {
        if case .leave(let leave) = answer {
            order.changes += 1
            leaves[leave.id] = leave
        }
        showAll()
    }

    func show(_ error: StoreError, of change: PendingChange) { state.leavesError = error }

    func load(_ stale: Set<Stale>) async throws {
        let isAll = stale.contains(.everything)
        for pgId in Array(state.leavesByPg.keys) where isAll || stale.contains(.leaves(pgId: pgId)) {
            // A refusal is in the state and stops nothing.
            do {
                try await loadLeaves(pgId: pgId)
            } catch APIError.refused(let refusal) where !refusal.isTransient { continue }
        }
    }
}
