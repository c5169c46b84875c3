public import FeatureKit
public import Foundation
import Synchronization

/// Tells the open event streams of this process what was committed, in commit order.
///
/// A reader that does not keep up loses its stream, never the server its memory: the reader comes
/// back and resumes from the log.
public final class ChangeHub: Sendable {
    /// How many changes may wait for one reader before its stream ends.
    public static let bufferLimit = 256
    /// How many signals may wait for one reader before the oldest is forgotten.
    static let signalLimit = 16

    /// Somebody's stream, and what they may learn of.
    private struct Reader<Element: Sendable>: Sendable {
        let number: UInt64
        let stream: AsyncStream<Element>.Continuation
        let filter: AudienceFilter?
    }

    private struct State {
        // Lists, not dictionaries: whoever publishes takes one as it is, and does so far more often than readers come
        // and go.
        var readers: [UUID: [Reader<LoggedChange>]] = [:]
        var listeners: [UUID: [Reader<Signal>]] = [:]
        var watchers: [UInt64: Watcher] = [:]
        var next: UInt64 = 0
        var latest: [UUID: Int64] = [:]
        var isClosed = false
    }
    private let state = Mutex(State())

    /// Waits for changes of some kinds in whatever school.
    private struct Watcher {
        let kinds: Set<String>
        let schools: AsyncStream<UUID>.Continuation
    }

    public init() {}

    public func publish(_ changes: [LoggedChange], of schoolId: UUID) {
        let (readers, watchers) = state.withLock { state in
            if let last = changes.last { state.latest[schoolId] = max(last.seq, state.latest[schoolId] ?? 0) }
            return (state.readers[schoolId] ?? [], Array(state.watchers.values))
        }
        for reader in readers {
            for change in changes where reader.filter?.passes(change) ?? true {
                if case .dropped = reader.stream.yield(change) { reader.stream.finish() }
            }
        }
        for watcher in watchers where changes.contains(where: { watcher.kinds.contains($0.change.kind) }) {
            watcher.schools.yield(schoolId)
        }
    }

    /// The number of the school's latest change as this process knows it; `nil` before it was `note`d or
    /// anything was published. It may lag behind the log for the moment between commit and publishing,
    /// which only makes a page hear of a change that it shows already.
    public func latest(of schoolId: UUID) -> Int64? { state.withLock { $0.latest[schoolId] } }

    /// The number of the latest change of each school that this process knows of.
    var latestChanges: [UUID: Int64] { state.withLock { $0.latest } }

    /// Remembers what the log said.
    func note(_ seq: Int64, of schoolId: UUID) {
        state.withLock { $0.latest[schoolId] = max(seq, $0.latest[schoolId] ?? 0) }
    }

    /// Forgets a school whose log became another one, and ends its streams: their readers come back.
    public func restart(_ schoolId: UUID) {
        let readers = state.withLock { state in
            state.latest[schoolId] = nil
            return state.readers.removeValue(forKey: schoolId) ?? []
        }
        for reader in readers { reader.stream.finish() }
    }

    /// Forgets all numbers: another process has written, and the logs know better.
    public func forgetLatest() { state.withLock { $0.latest.removeAll() } }

    /// Changes of one school from now on. Ends when the reader falls behind or is cancelled.
    /// - Parameter filter: keeps what is surely not for this reader from waking it; whatever is delivered is still to be
    ///   checked.
    public func changes(of schoolId: UUID, for filter: AudienceFilter? = nil) -> AsyncStream<LoggedChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LoggedChange.self, bufferingPolicy: .bufferingOldest(ChangeHub.bufferLimit))
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.readers[schoolId, default: []].append(
                Reader(number: state.next, stream: continuation, filter: filter))
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number, of: schoolId) }
        return stream
    }

    /// The schools in which changes of these kinds are published from now on, until the reader goes. One that has no
    /// room for more misses the oldest.
    func schools(withNewsOf kinds: Set<String>) -> AsyncStream<UUID> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: UUID.self, bufferingPolicy: .bufferingNewest(ChangeHub.bufferLimit))
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.watchers[state.next] = Watcher(kinds: kinds, schools: continuation)
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.removeWatcher(number) }
        return stream
    }

    private func removeWatcher(_ number: UInt64) { state.withLock { $0.watchers[number] = nil } }

    /// Tells whoever listens now. A signal that a reader has no room for is lost, and so it may be.
    public func send(_ signal: Signal, of schoolId: UUID) {
        let listeners = state.withLock { $0.listeners[schoolId] ?? [] }
        for listener in listeners where listener.filter?.passes(signal) ?? true { listener.stream.yield(signal) }
    }

    /// The signals of one school from now on, until the reader goes.
    public func signals(of schoolId: UUID, for filter: AudienceFilter? = nil) -> AsyncStream<Signal> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Signal.self, bufferingPolicy: .bufferingNewest(ChangeHub.signalLimit))
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.listeners[schoolId, default: []].append(
                Reader(number: state.next, stream: continuation, filter: filter))
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.removeListener(number, of: schoolId) }
        return stream
    }

    /// Ends every stream, also those asked for later, as a server does that is told to stop.
    public func close() {
        let (readers, listeners, watchers) = state.withLock { state in
            state.isClosed = true
            defer { (state.readers, state.listeners, state.watchers) = ([:], [:], [:]) }
            return (
                state.readers.values.flatMap { $0 }, state.listeners.values.flatMap { $0 },
                Array(state.watchers.values)
            )
        }
        for watcher in watchers { watcher.schools.finish() }
        for reader in readers { reader.stream.finish() }
        for listener in listeners { listener.stream.finish() }
    }

    private func removeListener(_ number: UInt64, of schoolId: UUID) {
        state.withLock { state in
            state.listeners[schoolId]?.removeAll { $0.number == number }
            if state.listeners[schoolId]?.isEmpty == true { state.listeners[schoolId] = nil }
        }
    }

    private func remove(_ number: UInt64, of schoolId: UUID) {
        state.withLock { state in
            state.readers[schoolId]?.removeAll { $0.number == number }
            if state.readers[schoolId]?.isEmpty == true { state.readers[schoolId] = nil }
        }
    }
}
