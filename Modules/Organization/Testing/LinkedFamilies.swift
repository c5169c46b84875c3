public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
import Synchronization

/// A substitute for the links between parents and children in the tests of blocks that read them.
public final class LinkedFamilies: FamilyLinks {
    private let links = Mutex<[UUID: [(id: UUID, name: String)]]>([:])

    public init() {}

    public func add(parent: UUID, of child: UUID, named name: String) {
        links.withLock { $0[parent, default: []].append((child, name)) }
    }

    public func children(ofParent personId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Person] {
        links.withLock { $0[personId] ?? [] }.map {
            Person(
                id: $0.id, orgId: orgId, name: PersonName(given: $0.name, family: ""), email: nil, avatarTint: .sky,
                createdAt: Date(timeIntervalSince1970: 1_793_000_000))
        }
    }

    public func parents(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        Set(links.withLock { $0 }.filter { $0.value.contains { $0.id == studentId } }.keys)
    }
}
