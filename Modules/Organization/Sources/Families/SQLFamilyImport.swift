import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Parents and children on the block's own table.
public struct SQLFamilyImport: FamilyImporting {
    public init() {}

    public let tables: Set<String> = ["guardians"]

    public func links(in sql: any SQLReading) throws -> Set<FamilyLink> {
        Set(
            try sql.rows("SELECT person_id, child_id FROM guardians").map {
                try FamilyLink(guardianId: $0.get("person_id"), childId: $0.get("child_id"))
            })
    }

    public func link(_ links: [FamilyLink], by staffId: UUID?, at instant: Date, in sql: any SQLWriting) throws {
        // The command line has no person.
        let staff = staffId?.text ?? ""
        let rows = links.map { [$0.guardianId.sqlValue, $0.childId.sqlValue, staff.sqlValue, instant.sqlValue] }
        for portion in SQL.portions(of: rows) {
            try sql.execute(
                """
                INSERT INTO guardians (person_id, child_id, linked_by, linked_at) VALUES \(rows: portion)
                ON CONFLICT (person_id, child_id) DO NOTHING
                """)
        }
    }

    public func unlink(_ links: [FamilyLink], in sql: any SQLWriting) throws {
        for portion in SQL.portions(of: links.map { [$0.guardianId.sqlValue, $0.childId.sqlValue] }) {
            try sql.execute("DELETE FROM guardians WHERE (person_id, child_id) IN (VALUES \(rows: portion))")
        }
    }
}
