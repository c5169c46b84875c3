import Synchronization
import Testing

@testable import Roster

@Suite("Concurrent imports")
struct ImportTurnsTests {
    private final class Counts: Sendable {
        private let state = Mutex((inside: 0, most: 0, all: 0))
        func enter() { state.withLock { $0 = ($0.inside + 1, max($0.most, $0.inside + 1), $0.all + 1) } }
        func leave() { state.withLock { $0.inside -= 1 } }
        var most: Int { state.withLock { $0.most } }
        var all: Int { state.withLock { $0.all } }
    }

    @Test("imports run one at a time, also after a failure")
    func oneAtATime() async throws {
        struct Failure: Error {}
        let (turns, counts) = (ImportTurns(), Counts())
        func importing(_ number: Int) async throws {
            let turn = await turns.take()
            defer { withExtendedLifetime(turn) {} }
            counts.enter()
            await Task.yield()
            counts.leave()
            if number % 3 == 0 { throw Failure() }
        }
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    do {
                        try await importing(number)
                        return false
                    } catch { return true }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(counts.most == 1 && counts.all == 40 && failures == 14)
    }
}
