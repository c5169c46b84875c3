import Synchronization

/// Lets only one import at a time read its files into memory: the largest take 150 MB. The others wait with their files
/// on disk.
final class ImportTurns: Sendable {
    /// The permission to run. The next import runs when it is deallocated.
    final class Turn: Sendable {
        private let turns: ImportTurns

        fileprivate init(of turns: ImportTurns) { self.turns = turns }

        deinit { turns.pass() }
    }

    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    /// Waits until all earlier imports are done.
    func take() async -> Turn {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
        return Turn(of: self)
    }

    private func pass() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
