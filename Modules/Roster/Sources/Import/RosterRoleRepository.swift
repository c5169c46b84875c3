import Domain
import FeatureKit
import Foundation

/// The SQL of the roles that bundles named. Memberships live in the directory, so a role is noted in the
/// school's transaction and given after it; what was noted and not given is given by the next import.
enum RosterRoleRepository {
    static func all(in sql: any SQLReading) throws -> Set<RosterPlan.RoleGift> {
        Set(try sql.rows("SELECT person_id, role FROM roster_roles").map(gift))
    }

    static func waiting(in sql: any SQLReading) throws -> [RosterPlan.RoleGift] {
        try sql.rows("SELECT person_id, role FROM roster_roles WHERE given = 0 ORDER BY person_id, role").map(gift)
    }

    static func note(_ gifts: [RosterPlan.RoleGift], in sql: any SQLWriting) throws {
        let rows = gifts.map { [$0.personId.sqlValue, $0.role.sqlValue, false.sqlValue] }
        for portion in SQL.portions(of: rows) {
            try sql.execute("INSERT INTO roster_roles (person_id, role, given) VALUES \(rows: portion)")
        }
    }

    static func forget(_ gifts: [RosterPlan.RoleGift], in sql: any SQLWriting) throws {
        for (role, gifts) in Dictionary(grouping: gifts, by: \.role) {
            for portion in SQL.portions(of: gifts.map { [$0.personId.sqlValue] }) {
                try sql.execute(
                    "DELETE FROM roster_roles WHERE role = \(role) AND person_id IN (VALUES \(rows: portion))")
            }
        }
    }

    static func markGiven(_ role: Role, to personIds: [UUID], in sql: any SQLWriting) throws {
        for start in stride(from: 0, to: personIds.count, by: SQL.valueLimit - 1) {
            let portion = personIds[start..<min(start + SQL.valueLimit - 1, personIds.count)]
            try sql.execute(
                "UPDATE roster_roles SET given = 1 WHERE role = \(role) AND person_id IN \(list: portion)")
        }
    }

    private static func gift(_ row: SQLRow) throws -> RosterPlan.RoleGift {
        try RosterPlan.RoleGift(personId: row.get("person_id"), role: row.get("role"))
    }
}
