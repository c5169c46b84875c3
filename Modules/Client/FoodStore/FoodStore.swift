public import Domain
public import Foundation
public import Observation
public import ResidenceModel

/// The state of `FoodStore`: the menu and what the person eats.
public struct FoodStoreState: StoreState, Sendable, Hashable {
    /// The meals by id.
    public internal(set) var meals: [UUID: ResidentMeal] = [:]
    /// The ids of the meals of each residence, by day and time.
    public internal(set) var mealsByPg: [UUID: [UUID]] = [:]
    public internal(set) var loading = false
    public internal(set) var error: StoreError?
    public internal(set) var lastSyncTime: Date?
    public internal(set) var syncInProgress = false

    public init() {}

    /// The meals of a residence on a day.
    public func meals(of pgId: UUID, on day: Day) -> [ResidentMeal] {
        (mealsByPg[pgId] ?? []).compactMap { meals[$0] }.filter { $0.meal.day == day }
    }
}

/// The store of meals.
@MainActor @Observable
public final class FoodStore: Store {
    public private(set) var state = FoodStoreState()

    @ObservationIgnored private let engine: SyncEngine
    @ObservationIgnored private var meals: [UUID: ResidentMeal]
    /// The day whose week was last asked for, of each residence. Empty after a start.
    @ObservationIgnored private var chosenDays: [UUID: Day] = [:]
    @ObservationIgnored var order = LoadOrder()

    init(_ engine: SyncEngine, _ stored: StoredState) {
        self.engine = engine
        meals = stored.meals
        state.mealsByPg = stored.mealsByPg
        state.lastSyncTime = stored.foodSync
        engine.register(self)
        showAll()
    }

    public func clear() {
        meals = [:]
        chosenDays = [:]
        state = FoodStoreState()
        engine.feed.publish()
    }

    /// The state of a choice on its way to the server.
    public func syncState(of id: UUID) -> RecordSyncState { engine.state(of: id) }

    public func refresh() async {
        guard let pgId = engine.auth.currentPgId else { return }
        state.syncInProgress = true
        engine.feed.publish()
        // The error is in the state.
        do { try await reload(pgId: pgId) } catch {}
        state.syncInProgress = false
        engine.feed.publish()
    }

    /// Loads the menu of the week of a day. Other weeks leave the store.
    public func loadMeals(pgId: UUID, from day: Day) async throws {
        chosenDays[pgId] = day
        try await load(pgId: pgId) { chosenDays[pgId] ?? day }
    }

    /// Loads the chosen week again, or the current one if that is later. So a resident who plans a later week keeps it on
    /// the screen.
    private func reload(pgId: UUID) async throws {
        let today = Day(engine.now, in: engine.environment.timeZone)
        try await load(pgId: pgId) { max(chosenDays[pgId] ?? today, today) }
    }

    /// - Parameter day: Returns the day at the time of each request.
    private func load(pgId: UUID, day: @MainActor () -> Day) async throws {
        state.loading = true
        state.error = nil
        engine.feed.publish()
        do {
            let account = try engine.owner()
            let items = try await current(.meals(pgId: pgId)) {
                try await engine.api.getMeals(day: day(), for: account)
            }
            .sorted { ($0.meal.day, $0.meal.time) < ($1.meal.day, $1.meal.time) }
            let ids = items.map(\.id)
            let gone = Set(state.mealsByPg[pgId] ?? []).subtracting(ids)
            let now = engine.now
            try engine.database.commit { transaction in
                for item in items where meals[item.id] != item {
                    try transaction.put(item, .meal, id: item.id.text)
                }
                for id in gone { try transaction.remove(.meal, id: id.text) }
                try transaction.put(ids, .meals, owner: pgId.text)
                try transaction.put(String(now.timeIntervalSince1970), meta: .foodSync)
            }
            for item in items { meals[item.id] = item }
            for id in gone { meals[id] = nil }
            state.mealsByPg[pgId] = ids
            state.lastSyncTime = now
            state.loading = false
            showAll()
            engine.feed.publish()
        } catch {
            state.loading = false
            state.error = StoreError(error)
            engine.feed.publish()
            throw error
        }
    }

    /// Chooses whether the person eats a meal. The choice shows at once; the server refuses one that was made after the
    /// cut-off, or that arrives after the meal was served.
    public func choose(_ choice: MealChoice, mealId: UUID) async throws {
        guard let plan = state.meals[mealId] else { throw StoreError.mealNotFound }
        state.error = nil
        let change = MealChoosing(pgId: plan.meal.pgId, mealId: mealId, choice: choice, at: engine.now)
        _ = try await engine.perform(.chooseMeal(change)) { apply($0.change) }
    }

    private func showAll() {
        state.meals = meals
        for entry in engine.entries where handles(entry.change) { apply(entry.change) }
    }

    private func apply(_ change: PendingChange) {
        guard case .chooseMeal(let choosing) = change else { return }
        state.meals[choosing.mealId]?.choice = choosing.choice
    }
}

extension FoodStore: ChangeHandler, PartLoader {
    func handles(_ change: PendingChange) -> Bool { if case .chooseMeal = change { true } else { false } }

    func send(_ entry: OutboxEntry) async throws -> ChangeAnswer {
        guard case .chooseMeal(let choosing) = entry.change else { return .done }
        let account = try engine.sender()
        return .meal(try await engine.api.chooseMeal(choosing, at: engine.now, key: entry.id, for: account))
    }

    func store(_ answer: ChangeAnswer, to change: PendingChange, in transaction: ClientTransaction) throws {
        if case .meal(let plan) = answer { try transaction.put(plan, .meal, id: plan.id.text) }
    }

    func settle(_ change: PendingChange, _ answer: ChangeAnswer?) {
        if case .meal(let plan) = answer {
            order.changes += 1
            meals[plan.id] = plan
        }
        showAll()
    }

    func show(_ error: StoreError, of change: PendingChange) { state.error = error }

    func load(_ stale: Set<Stale>) async throws {
        let isAll = stale.contains(.everything)
        for pgId in Array(state.mealsByPg.keys) where isAll || stale.contains(.meals(pgId: pgId)) {
            // A refusal is in the state and stops nothing.
            do {
                try await reload(pgId: pgId)
            } catch APIError.refused(let refusal) where !refusal.isTransient { continue }
        }
    }
}
