public import FeatureKit
import Synchronization

/// Decides which changes of a school are delivered to the live event stream of one open page.
///
/// Without it, a message between two people would wake five hundred open pages. The hub asks the filter first; the
/// reader of the stream still checks every change that it receives. After a change that alters audiences everything
/// passes until the reader has read its audiences again, so that nothing is lost right after a new right.
public final class AudienceFilter: Sendable {
    private struct State {
        /// The reader's audiences; `nil` until they are known.
        var audiences: Set<Audience>?
        /// The number of delivered changes that may alter the reader's audiences and are not settled yet.
        var reshaping = 0

        func mayConcern(_ audience: [Audience]) -> Bool {
            guard reshaping == 0, let audiences else { return true }
            return !audiences.isDisjoint(with: audience)
        }
    }
    private let state = Mutex(State())

    public init() {}

    /// Sets the audiences of the person who reads the event stream, in place of earlier ones. Until the first call
    /// every change passes.
    public func setAudiences(_ audiences: Set<Audience>) { state.withLock { $0.audiences = audiences } }

    /// Sets the reader's audiences again, after the event stream has processed a change that may alter them. Does
    /// nothing for other changes.
    public func settle(_ change: LoggedChange, _ audiences: Set<Audience>) {
        guard change.change.reshapesAudience else { return }
        state.withLock { state in
            state.audiences = audiences
            state.reshaping -= 1
        }
    }

    /// Whether the change must be delivered to the reader.
    func passes(_ change: LoggedChange) -> Bool {
        state.withLock { state in
            if change.change.reshapesAudience {
                state.reshaping += 1
                return true
            }
            return state.mayConcern(change.change.audience)
        }
    }

    /// Whether the signal must be delivered to the reader.
    func passes(_ signal: Signal) -> Bool { state.withLock { $0.mayConcern(signal.audience) } }
}
