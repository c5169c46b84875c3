import Synchronization

/// Lets one import at a time into memory: the largest take 150 MB until they are done. Others wait with their files on disk.
final class ImportTurns: Sendable {
    /// The import that has it may go on. The next one does once it is gone.
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

    /// Waits until all that came before are done.
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
