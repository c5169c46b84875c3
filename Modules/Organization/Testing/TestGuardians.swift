public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
import Synchronization

/// A substitute for the guardian service, in memory. Invites are recorded and not sent.
public final class TestGuardians: GuardianService {
    private struct State {
        var people: [UUID: Person] = [:]
        var links: [UUID: [UUID]] = [:]
        var invited: [String] = []
    }
    private let state = Mutex(State())

    public init() {}

    /// The addresses to which the test's guardians were invited, in order.
    public var invited: [String] { state.withLock { $0.invited } }

    public func children(ofGuardian personId: UUID, in sql: any SQLReading) throws -> [UUID] {
        state.withLock { state in state.links.filter { $0.value.contains(personId) }.map(\.key) }
    }

    public func guardians(ofChild childId: UUID, in sql: any SQLReading) throws -> [Guardian] {
        state.withLock { state in
            state.links[childId, default: []].compactMap { id in
                state.people[id].map {
                    Guardian(id: id, name: $0.name.display, email: $0.email, hasAccount: false)
                }
            }
        }
    }

    public func link(
        _ draft: Person, to childId: UUID, by staffId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws -> UUID {
        state.withLock { state in
            let known = state.people.values.first { $0.email?.lowercased() == draft.email?.lowercased() }
            let person = known ?? draft
            state.people[person.id] = person
            if !state.links[childId, default: []].contains(person.id) {
                state.links[childId, default: []].append(person.id)
            }
            return person.id
        }
    }

    public func unlink(_ personId: UUID, from childId: UUID, in sql: any SQLWriting) throws -> Bool {
        state.withLock { state in
            let before = state.links[childId, default: []]
            state.links[childId] = before.filter { $0 != personId }
            return before.contains(personId)
        }
    }

    public func invite(_ personId: UUID, at email: String, in context: inout CommandContext) throws {
        state.withLock { $0.invited.append(email) }
    }
}
