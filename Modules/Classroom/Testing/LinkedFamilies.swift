public import ClassroomInterface
public import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// Stands in for whose parent somebody is, in the tests of a block that asks.
public final class LinkedFamilies: FamilyLinks {
    private let links = Mutex<[UUID: [(id: UUID, name: String)]]>([:])

    public init() {}

    public func add(parent: UUID, of child: UUID, named name: String) {
        links.withLock { $0[parent, default: []].append((child, name)) }
    }

    public func children(ofParent personId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        links.withLock { $0[personId] ?? [] }.map {
            Student(
                id: $0.id, orgId: orgId, firstName: $0.name, lastName: "", displayName: $0.name, avatarTint: .sky,
                createdAt: Date(timeIntervalSince1970: 1_793_000_000))
        }
    }

    public func parents(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        Set(links.withLock { $0 }.filter { $0.value.contains { $0.id == studentId } }.keys)
    }

    public func studentIds(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        let all = Set(links.withLock { $0 }.values.joined().map(\.id)).sorted { $0.text < $1.text }
        return Array(all.filter { child in id.map { $0.text < child.text } ?? true }.prefix(limit))
    }
}
