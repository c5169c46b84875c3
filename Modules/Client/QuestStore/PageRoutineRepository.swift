import Domain
import Foundation
public import QuestModel

/// The routines that pages describe, read from `PageStore`.
@MainActor
public final class PageRoutineRepository: RoutineRepositoryProtocol {
    private let pages: PageStore
    private let engine: SyncEngine

    init(_ pages: PageStore, _ engine: SyncEngine) {
        self.pages = pages
        self.engine = engine
    }

    public func fetchActiveForToday(in page: PlayProperties) -> [PlayProperties.RoutineItem] {
        // A zone that the device does not know is as good as the device's own.
        let zone = TimeZone(identifier: page.timeZone) ?? engine.environment.timeZone
        let today = Day(engine.now, in: zone).isoWeekday
        return page.routines.filter { !$0.tasks.isEmpty && $0.activeDays.contains(today) }
    }

    public func readAhead(_ addresses: [String], accept: String) async {
        for address in addresses {
            // A page that cannot be read now is read when the player opens it.
            do { _ = try await pages.load(address, accept: accept) } catch {}
        }
    }
}
