import Domain
import FeatureKit
import Foundation

/// The SQL of roles that imports give.
///
/// Memberships are in the directory, so a role is noted in the school's transaction and given after it. A role that was
/// not given, for example because of a crash, is given by the next import.
enum RosterRoleRepository {
    /// All noted roles.
    static func all(in sql: any SQLReading) throws -> Set<RosterPlan.RoleAssignment> {
        Set(try sql.rows("SELECT person_id, role FROM roster_roles").map(assignment))
    }

    /// The roles that are noted but not yet given.
    static func waiting(in sql: any SQLReading) throws -> [RosterPlan.RoleAssignment] {
        try sql.rows("SELECT person_id, role FROM roster_roles WHERE given = 0 ORDER BY person_id, role").map(
            assignment)
    }

    /// Notes roles to give.
    static func note(_ assignments: [RosterPlan.RoleAssignment], in sql: any SQLWriting) throws {
        let rows = assignments.map { [$0.personId.sqlValue, $0.role.sqlValue, false.sqlValue] }
        for portion in SQL.portions(of: rows) {
            try sql.execute("INSERT INTO roster_roles (person_id, role, given) VALUES \(rows: portion)")
        }
    }

    /// Deletes notes.
    static func delete(_ assignments: [RosterPlan.RoleAssignment], in sql: any SQLWriting) throws {
        for (role, assignments) in Dictionary(grouping: assignments, by: \.role) {
            for portion in SQL.portions(of: assignments.map { [$0.personId.sqlValue] }) {
                try sql.execute(
                    "DELETE FROM roster_roles WHERE role = \(role) AND person_id IN (VALUES \(rows: portion))")
            }
        }
    }

    /// Marks roles as given.
    static func markGiven(_ role: Role, to personIds: [UUID], in sql: any SQLWriting) throws {
        for portion in SQL.lists(of: personIds) {
            try sql.execute(
                "UPDATE roster_roles SET given = 1 WHERE role = \(role) AND person_id IN \(list: portion)")
        }
    }

    private static func assignment(_ row: SQLRow) throws -> RosterPlan.RoleAssignment {
        try RosterPlan.RoleAssignment(personId: row.get("person_id"), role: row.get("role"))
    }
}
