import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// Records who viewed whose data, once an hour for each viewer and person, after the request is answered.
///
/// These entries of the change log cause no live events.
public final class Sightings: Sendable {
    private struct Sighting: Hashable {
        let school: UUID
        let actor: UUID
        let subject: String
        let hour: Int
    }
    private struct State {
        var known: Set<Sighting> = []
        var running: [UInt64: Task<Void, Never>] = [:]
        var next: UInt64 = 0
    }
    private let state = Mutex(State())
    private let report: @Sendable (any Error) -> Void

    /// Creates a recorder of views that has recorded none yet.
    /// - Parameter report: receives the error if an entry could not be written. The page was shown all the same.
    public init(report: @escaping @Sendable (any Error) -> Void = { _ in }) { self.report = report }

    /// Records that a caller viewed the data of people.
    ///
    /// Returns at once, except for an export: it is recorded before it is sent, and this throws if that fails.
    /// - Parameters:
    ///   - parameters: the parameters of the request, one of which has the id of the person who was shown.
    ///   - facts: further values for the payload of the entry.
    public func note(
        _ seen: Seen, _ parameters: [String: String], facts: [String: String] = [:],
        by membership: ActiveMembership,
        at now: Date, in school: any Database
    ) async throws {
        let subject = seen.parameter.flatMap { parameters[$0] }.flatMap(UUID.init(text:))
        guard seen.parameter == nil || subject != nil else { return }
        let key = seen.parameter.map { $0.hasSuffix("Id") ? String($0.dropLast(2)) : $0 }
        var payload = facts
        if let key, let subject { payload[key] = subject.text }
        let change = Change(seen.kind, topics: [], audience: [], payload: payload)
        let actor = membership.personId
        if seen.isExport {
            // conformance: allow write - what a reader saw is no command of theirs
            try await school.write { _ = try ChangeLog.append([change], at: now, actor: actor, in: $0) }
            return
        }
        let sighting = Sighting(
            school: membership.organization.id, actor: actor,
            subject: "\(seen.kind) \(subject?.text ?? "")", hour: Int(now.timeIntervalSince1970 / 3600))
        state.withLock { state in
            if state.known.count > 50_000 { state.known.removeAll() }
            guard state.known.insert(sighting).inserted else { return }
            state.next += 1
            let number = state.next
            state.running[number] = Task { [self] in
                var isWritten = true
                do {
                    try await write(sighting, change, at: now, in: school)
                } catch DatabaseFault.closed {
                    // The log of a closed school takes no entries.
                } catch {
                    isWritten = false
                    report(error)
                }
                self.state.withLock { state in
                    state.running[number] = nil
                    // The next view tries again.
                    if !isWritten { state.known.remove(sighting) }
                }
            }
        }
    }

    /// Waits until all recorded views are on disk.
    public func drain() async {
        while let task = state.withLock({ $0.running.first?.value }) { await task.value }
    }

    private func write(_ sighting: Sighting, _ change: Change, at now: Date, in school: any Database) async throws {
        // conformance: allow write - what a reader saw is no command of theirs
        try await school.write { sql in
            try sql.execute("DELETE FROM sightings WHERE hour < \(sighting.hour - 24)")
            let isNew = try sql.execute(
                """
                INSERT INTO sightings (hour, actor_id, subject)
                VALUES (\(sighting.hour), \(sighting.actor), \(sighting.subject))
                ON CONFLICT (hour, actor_id, subject) DO NOTHING
                """)
            guard isNew > 0 else { return }
            _ = try ChangeLog.append([change], at: now, actor: sighting.actor, in: sql)
        }
    }
}
