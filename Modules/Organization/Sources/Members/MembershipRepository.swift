public import Domain
import FeatureKit
public import Foundation

/// A role of a person in an organization. A person with several roles has several memberships.
public struct Membership: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let orgId: UUID
    /// The id of the person; the requirement ledger calls it `guideId`.
    public let guideId: UUID
    /// The account of the person; `nil` until the person has signed in.
    public let accountId: UUID?
    public let role: Role
    public let createdAt: Date
}

enum MembershipRepository {
    /// Adds a role. A person who has the role already keeps the existing row.
    static func insert(_ membership: Membership, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO memberships (id, org_id, person_id, account_id, role, created_at)
            VALUES (\(membership.id), \(membership.orgId), \(membership.guideId), \(membership.accountId),
                \(membership.role), \(membership.createdAt))
            ON CONFLICT (org_id, person_id, role) DO NOTHING
            """)
    }

    /// Adds many roles at once. A person who has one of them already keeps the existing row.
    static func insert(_ memberships: [Membership], in sql: any SQLWriting) throws {
        let rows = memberships.map { new -> [SQLValue] in
            [
                new.id.sqlValue, new.orgId.sqlValue, new.guideId.sqlValue, new.accountId?.sqlValue ?? .null,
                new.role.sqlValue, new.createdAt.sqlValue,
            ]
        }
        for portion in SQL.portions(of: rows) {
            try sql.execute(
                """
                INSERT INTO memberships (id, org_id, person_id, account_id, role, created_at)
                VALUES \(rows: portion) ON CONFLICT (org_id, person_id, role) DO NOTHING
                """)
        }
    }

    static func memberships(of orgId: UUID, in sql: any SQLReading) throws -> [Membership] {
        try sql.rows("SELECT * FROM memberships WHERE org_id = \(orgId) ORDER BY created_at, id").map(membership)
    }

    static func memberships(ofAccount accountId: UUID, in orgId: UUID, _ sql: any SQLReading) throws -> [Membership]
    {
        try sql.rows(
            "SELECT * FROM memberships WHERE account_id = \(accountId) AND org_id = \(orgId)"
        ).map(membership)
    }

    static func memberships(ofPerson personId: UUID, in orgId: UUID, _ sql: any SQLReading) throws -> [Membership] {
        try sql.rows(
            "SELECT * FROM memberships WHERE org_id = \(orgId) AND person_id = \(personId)"
        ).map(membership)
    }

    static func roles(of personIds: [UUID], in orgId: UUID, _ sql: any SQLReading) throws -> [UUID: Set<Role>] {
        try sql.rows(ofEach: personIds) {
            "SELECT person_id, role FROM memberships WHERE org_id = \(orgId) AND person_id IN \(list: $0)"
        }.reduce(into: [:]) { try $0[$1.get("person_id"), default: []].insert($1.get("role")) }
    }

    static func link(_ personId: UUID, accountId: UUID, in orgId: UUID, _ sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE memberships SET account_id = \(accountId)
            WHERE org_id = \(orgId) AND person_id = \(personId)
            """)
    }

    static func unlink(_ accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE memberships SET account_id = NULL WHERE account_id = \(accountId)")
    }

    static func remove(_ personId: UUID, role: Role, in orgId: UUID, _ sql: any SQLWriting) throws {
        try sql.execute(
            "DELETE FROM memberships WHERE org_id = \(orgId) AND person_id = \(personId) AND role = \(role)")
    }

    static func remove(_ role: Role, from personIds: [UUID], in orgId: UUID, _ sql: any SQLWriting) throws {
        for portion in SQL.portions(of: personIds.map { [$0.sqlValue] }) {
            try sql.execute(
                """
                DELETE FROM memberships
                WHERE org_id = \(orgId) AND role = \(role) AND person_id IN (VALUES \(rows: portion))
                """)
        }
    }

    static func removeAll(_ personId: UUID, in orgId: UUID, _ sql: any SQLWriting) throws -> Int {
        try sql.execute("DELETE FROM memberships WHERE org_id = \(orgId) AND person_id = \(personId)")
    }

    static func removeEverybody(from orgId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM memberships WHERE org_id = \(orgId)")
    }

    static func superAdminCount(in orgId: UUID, _ sql: any SQLReading) throws -> Int {
        try sql.value(
            """
            SELECT COUNT(*) FROM memberships
            WHERE org_id = \(orgId) AND role = \(Role.superAdmin) AND account_id IS NOT NULL
            """) ?? 0
    }

    private static func membership(_ row: SQLRow) throws -> Membership {
        try Membership(
            id: row.get("id"), orgId: row.get("org_id"), guideId: row.get("person_id"),
            accountId: row.optional("account_id"), role: row.get("role"), createdAt: row.get("created_at"))
    }
}
