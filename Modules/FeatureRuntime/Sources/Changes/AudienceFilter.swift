public import FeatureKit
import Synchronization

/// What one reader of a school's changes may learn of, as far as it is known just now.
///
/// Five hundred open pages would all wake up for a message between two people. The hub asks here first and wakes whoever
/// may be meant; the reader checks what it is given as before. From a change that reshapes audiences on until the reader
/// has settled, everything passes: what comes right behind a new right is not lost.
public final class AudienceFilter: Sendable {
    private struct State {
        /// `nil` until the reader knows.
        var audiences: Set<Audience>?
        /// Changes on their way to the reader after which it may belong to others.
        var reshaping = 0

        func mayConcern(_ audience: [Audience]) -> Bool {
            guard reshaping == 0, let audiences else { return true }
            return !audiences.isDisjoint(with: audience)
        }
    }
    private let state = Mutex(State())

    public init() {}

    /// The reader knows what it belongs to.
    public func know(_ audiences: Set<Audience>) { state.withLock { $0.audiences = audiences } }

    /// The reader is done with a change that it was given, and belongs to these now.
    public func settle(_ change: LoggedChange, _ audiences: Set<Audience>) {
        guard change.change.reshapesAudience else { return }
        state.withLock { state in
            state.audiences = audiences
            state.reshaping -= 1
        }
    }

    func passes(_ change: LoggedChange) -> Bool {
        state.withLock { state in
            if change.change.reshapesAudience {
                state.reshaping += 1
                return true
            }
            return state.mayConcern(change.change.audience)
        }
    }

    func passes(_ signal: Signal) -> Bool { state.withLock { $0.mayConcern(signal.audience) } }
}
