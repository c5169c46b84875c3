public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Reads the links between parents and children from the feature block's own tables.
public struct SQLFamilyLinks: FamilyLinks {
    public init() {}

    public func children(ofParent personId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Person] {
        let ids = try FamilyRepository.children(ofGuardian: personId, in: sql)
        return try PeopleRepository.people(ids, of: orgId, in: sql).values
            .sorted(by: Person.precedes)
    }

    public func parents(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        Set(try FamilyRepository.guardians(ofChild: studentId, in: sql).map(\.id))
    }
}
