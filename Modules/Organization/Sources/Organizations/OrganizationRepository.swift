import Domain
import FeatureKit
import Foundation

/// The SQL of organizations, and of the active one of each account and device.
enum OrganizationRepository {
    static func insert(_ organization: Organization, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO organizations (id, name, avatar_tint, time_zone, created_at)
            VALUES (\(organization.id), \(organization.name), \(organization.avatarTint),
                \(organization.timeZone), \(organization.createdAt))
            """)
    }

    static func rename(_ id: UUID, to name: String, tint: Tint, timeZone: String, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE organizations SET name = \(name), avatar_tint = \(tint), time_zone = \(timeZone)
            WHERE id = \(id)
            """)
    }

    static func requiresSecondFactor(_ id: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.value("SELECT requires_second_factor FROM organizations WHERE id = \(id)") ?? false
    }

    static func setRequiresSecondFactor(_ isRequired: Bool, of id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE organizations SET requires_second_factor = \(isRequired) WHERE id = \(id)")
    }

    static func organization(_ id: UUID, in sql: any SQLReading) throws -> Organization? {
        try sql.row("SELECT * FROM organizations WHERE id = \(id)").map(organization)
    }

    static func organizations(ofAccount accountId: UUID, in sql: any SQLReading) throws -> [Organization] {
        try sql.rows(
            """
            SELECT * FROM organizations
            WHERE id IN (SELECT org_id FROM memberships WHERE account_id = \(accountId)) ORDER BY created_at, id
            """
        ).map(organization)
    }

    static func all(in sql: any SQLReading) throws -> [Organization] {
        try sql.rows("SELECT * FROM organizations ORDER BY created_at, id").map(organization)
    }

    static func setActive(
        _ orgId: UUID, account: UUID, device: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO active_organizations (account_id, device_id, org_id, used_at)
            VALUES (\(account), \(device), \(orgId), \(instant))
            ON CONFLICT (account_id, device_id) DO UPDATE SET org_id = excluded.org_id, used_at = excluded.used_at
            """)
    }

    /// Returns the organization that was last used on this device, else on any device of the account.
    static func lastUsed(account: UUID, device: UUID, in sql: any SQLReading) throws -> UUID? {
        let used = try sql.rows(
            """
            SELECT device_id, org_id FROM active_organizations WHERE account_id = \(account)
            ORDER BY used_at DESC
            """)
        let here = try used.first { try $0.get("device_id", as: UUID.self) == device }
        return try (here ?? used.first)?.get("org_id")
    }

    private static func organization(_ row: SQLRow) throws -> Organization {
        try Organization(
            id: row.get("id"), name: row.get("name"), avatarTint: row.get("avatar_tint"),
            timeZone: row.get("time_zone"), createdAt: row.get("created_at"))
    }
}
