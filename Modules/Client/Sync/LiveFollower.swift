import Domain
import Foundation

/// Follows the server's event stream and loads what events make stale.
///
/// The stream is resumed one event before the last one that was taken in, which the server then repeats. If another
/// event arrives instead, or none until the first heartbeat, the server's log is not the one of before, as after a
/// restored backup: everything is loaded anew.
@MainActor
final class LiveFollower {
    /// The last event that was taken in.
    struct Anchor: Equatable {
        let seq: Int64
        let fingerprint: String

        init(seq: Int64, fingerprint: String) {
            self.seq = seq
            self.fingerprint = fingerprint
        }

        init?(text: String) {
            let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let seq = Int64(parts[0]) else { return nil }
            self.init(seq: seq, fingerprint: String(parts[1]))
        }

        var text: String { "\(seq) \(fingerprint)" }
    }

    private let engine: SyncEngine
    private(set) var anchor: Anchor?
    private var follower: Task<Void, Never>?
    /// Whether a stream is open.
    private(set) var isOpen = false
    /// The number of times that everything was loaded anew because the server's log was another one.
    private(set) var reloads = 0

    init(_ engine: SyncEngine) throws {
        self.engine = engine
        anchor = try engine.database.read { try $0.meta(.anchor) }.flatMap(Anchor.init)
    }

    func start() {
        guard follower == nil else { return }
        follower = Task { [weak self] in await self?.follow() }
    }

    func stop() {
        follower?.cancel()
        follower = nil
        isOpen = false
    }

    private func follow() async {
        var failures = 0
        while !Task.isCancelled {
            do {
                guard let account = engine.account else { return }
                _ = try engine.owner()
                try await connect(account) { failures = 0 }
            } catch {
                // The connection ended, or what an event made stale could not be loaded: begin again at the anchor.
            }
            isOpen = false
            engine.feed.publish()
            failures += 1
            let environment = engine.environment
            do {
                try await environment.sleep(
                    environment.backoff.delay(after: failures, random: environment.random()))
            } catch { return }
        }
    }

    private func connect(_ account: UUID, opened: () -> Void) async throws {
        var expected = anchor
        // Only the newest need not be lost: what arrives while something is loaded is taken in together.
        let inbox = Inbox()
        let stream = engine.api.events(after: expected.map { $0.seq - 1 }, for: account)
        let reader = Task {
            do {
                for try await item in stream { await inbox.add(item) }
                await inbox.end(nil)
            } catch { await inbox.end(error) }
        }
        defer { reader.cancel() }
        while let items = try await withTaskCancellationHandler(
            operation: { try await inbox.take() }, onCancel: { Task { await inbox.end(CancellationError()) } })
        {
            try Task.checkCancellation()
            var stale: Set<Stale> = []
            var last: Anchor?
            for item in items {
                switch item {
                case .opened:
                    opened()
                    isOpen = true
                    engine.connectionReturned()
                    // Without an anchor nothing tells what was missed.
                    if expected == nil { stale.insert(.everything) }
                case .heartbeat:
                    if expected != nil {
                        expected = nil
                        reloads += 1
                        stale.insert(.everything)
                        try forgetAnchor()
                    }
                case .event(let event):
                    guard let seq = event.seq else { continue }
                    let found = Anchor(seq: seq, fingerprint: event.fingerprint)
                    if let wanted = expected {
                        expected = nil
                        if found == wanted { continue }
                        reloads += 1
                        stale.insert(.everything)
                    } else if let before = last ?? anchor, seq <= before.seq {
                        reloads += 1
                        stale.insert(.everything)
                    }
                    last = found
                    stale.formUnion(event.stale.union(event.topics.map(Stale.topic)))
                }
            }
            if !stale.isEmpty {
                try await engine.load(stale.contains(.everything) ? [.everything] : stale)
            }
            // Only once everything is loaded, so that a process that ends in between loads it again.
            if let last, last != anchor {
                try engine.database.commit { try $0.put(last.text, meta: .anchor) }
                anchor = last
            }
            engine.feed.publish()
        }
    }

    private func forgetAnchor() throws {
        try engine.database.commit { try $0.put(nil, meta: .anchor) }
        anchor = nil
    }
}

/// The items of a stream that were not taken yet.
private actor Inbox {
    private var items: [LiveItem] = []
    private var isEnded = false
    private var failure: (any Error)?
    private var waiter: CheckedContinuation<Void, Never>?

    func add(_ item: LiveItem) {
        items.append(item)
        waiter?.resume()
        waiter = nil
    }

    func end(_ error: (any Error)?) {
        isEnded = true
        failure = failure ?? error
        waiter?.resume()
        waiter = nil
    }

    /// Returns what has arrived since, at least one item; `nil` at the end.
    func take() async throws -> [LiveItem]? {
        if items.isEmpty, !isEnded {
            await withCheckedContinuation { waiter = $0 }
        }
        if items.isEmpty {
            if let failure { throw failure }
            return nil
        }
        defer { items = [] }
        return items
    }
}

extension LiveEvent {
    private func id(_ name: String) -> UUID? { payload[name].flatMap(UUID.init(text:)) }

    /// The parts of the server's data that the event has changed, as far as the stores hold them.
    var stale: Set<Stale> {
        if kind.hasPrefix("message.") || kind.hasPrefix("conversation.") {
            var stale: Set<Stale> = [.conversations]
            if let talk = id("conversation") { stale.insert(.messages(conversationId: talk)) }
            return stale
        }
        guard kind.hasPrefix("residence."), let pgId = id("residence") else { return [] }
        if kind.hasPrefix("residence.leave") { return [.leaves(pgId: pgId), .passages(pgId: pgId)] }
        if kind.hasPrefix("residence.meal") || kind.hasPrefix("residence.menu") { return [.meals(pgId: pgId)] }
        if kind.hasPrefix("residence.passage") { return [.passages(pgId: pgId)] }
        // No store holds roll calls.
        if kind.hasPrefix("residence.rollCall") { return [] }
        var stale: Set<Stale> = []
        if let room = id("room") { stale.insert(.room(room, pgId: pgId)) }
        if let student = id("student") { stale.insert(.student(student, pgId: pgId)) }
        return stale
    }
}
