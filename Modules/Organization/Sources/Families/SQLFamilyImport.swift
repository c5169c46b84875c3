public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Imports links between parents and children into the feature block's own table.
public struct SQLFamilyImport: FamilyImporting {
    public init() {}

    public let tables: Set<String> = ["guardians"]

    public func links(in sql: any SQLReading) throws -> Set<FamilyLink> { try FamilyRepository.links(in: sql) }

    public func link(_ links: [FamilyLink], by staffId: UUID?, at instant: Date, in sql: any SQLWriting) throws {
        try FamilyRepository.link(links, by: staffId, at: instant, in: sql)
    }

    public func unlink(_ links: [FamilyLink], in sql: any SQLWriting) throws {
        try FamilyRepository.unlink(links, in: sql)
    }
}
