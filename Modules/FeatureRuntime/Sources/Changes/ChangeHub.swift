public import FeatureKit
public import Foundation
import Synchronization

/// Delivers committed changes to the live event streams of open pages, in the order of commits, within this process.
///
/// The stream of a reader that does not keep up ends, so that memory stays bounded. The reader connects again and
/// resumes from the log.
public final class ChangeHub: Sendable {
    /// The number of changes that may wait for one event stream before the stream ends.
    public static let bufferLimit = 256
    /// The number of signals that may wait for one reader before the oldest is dropped.
    static let signalLimit = 16

    /// A reader's stream, and the filter of what it receives.
    private struct Reader<Element: Sendable>: Sendable {
        let number: UInt64
        let stream: AsyncStream<Element>.Continuation
        let filter: AudienceFilter?
    }

    private struct State {
        // Arrays, not dictionaries: publishing copies them, and that is far more frequent than adding and removing
        // readers.
        var readers: [UUID: [Reader<LoggedChange>]] = [:]
        var listeners: [UUID: [Reader<Signal>]] = [:]
        var watchers: [UInt64: Watcher] = [:]
        var next: UInt64 = 0
        var latest: [UUID: Int64] = [:]
        var isClosed = false
    }
    private let state = Mutex(State())

    /// A stream of the schools in which changes of some kinds are published.
    private struct Watcher {
        let kinds: Set<String>
        let schools: AsyncStream<UUID>.Continuation
    }

    public init() {}

    /// Delivers changes of a school to the live event streams of its open pages.
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

    /// Returns the number of the school's latest change that this process knows of; `nil` before anything was noted
    /// or published.
    ///
    /// It may lag behind the log between a commit and its publishing. A page then receives a change that it already
    /// shows, which is harmless.
    public func latest(of schoolId: UUID) -> Int64? { state.withLock { $0.latest[schoolId] } }

    /// The number of the latest change of each school that this process knows of.
    var latestChanges: [UUID: Int64] { state.withLock { $0.latest } }

    /// Stores the number of the latest change in a school's log.
    func note(_ seq: Int64, of schoolId: UUID) {
        state.withLock { $0.latest[schoolId] = max(seq, $0.latest[schoolId] ?? 0) }
    }

    /// Removes what is cached about a school whose change log was replaced, and ends its live event streams. Their
    /// readers connect again.
    public func restart(_ schoolId: UUID) {
        let readers = state.withLock { state in
            state.latest[schoolId] = nil
            return state.readers.removeValue(forKey: schoolId) ?? []
        }
        for reader in readers { reader.stream.finish() }
    }

    /// Clears the cached numbers of all schools' latest changes, because another process has written to their logs.
    public func clearLatest() { state.withLock { $0.latest.removeAll() } }

    /// Returns a live stream of the changes of a school from now on. The stream ends when its reader falls behind or is
    /// canceled.
    /// - Parameter filter: keeps changes from waking the reader that are certainly not for it. The reader must still
    ///   check each change.
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

    /// The schools in which changes of these kinds are published from now on. A stream that is full drops its oldest
    /// value.
    func schools(withChangesOf kinds: Set<String>) -> AsyncStream<UUID> {
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

    /// Delivers a signal, such as that a person is typing, to the open pages of a school. A reader whose buffer is full
    /// loses its oldest signal.
    public func send(_ signal: Signal, of schoolId: UUID) {
        let listeners = state.withLock { $0.listeners[schoolId] ?? [] }
        for listener in listeners where listener.filter?.passes(signal) ?? true { listener.stream.yield(signal) }
    }

    /// Returns a live stream of the signals of a school from now on, such as that a person is typing.
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

    /// Ends every live event stream, including those that are requested later, because the server stops.
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
