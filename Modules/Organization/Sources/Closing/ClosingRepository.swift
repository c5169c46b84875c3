import Domain
import FeatureKit
import Foundation

/// A school that is closed and waits for its deletion.
struct Closing: Sendable {
    let orgId: UUID
    let closedAt: Date
    let deletesAt: Date
}

/// The SQL of closed schools.
enum ClosingRepository {
    static func insert(_ closing: Closing, by personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO closings (org_id, person_id, closed_at, deletes_at)
            VALUES (\(closing.orgId), \(personId), \(closing.closedAt), \(closing.deletesAt))
            """)
    }

    static func closing(of orgId: UUID, in sql: any SQLReading) throws -> Closing? {
        try sql.row("SELECT org_id, closed_at, deletes_at FROM closings WHERE org_id = \(orgId)").map(closing)
    }

    /// Throws the problem of a closed school, which names the day of its deletion.
    static func refuseClosed(_ orgId: UUID, in sql: any SQLReading) throws {
        guard let closing = try closing(of: orgId, in: sql),
            let organization = try OrganizationRepository.organization(orgId, in: sql)
        else { return }
        let day = Day(closing.deletesAt, in: organization.resolvedTimeZone)
        throw Problem(423, "schoolClosed", [.text(organization.name), .day(day)])
    }

    static func due(at instant: Date, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT org_id FROM closings WHERE deletes_at <= \(instant)").map { try $0.get("org_id") }
    }

    static func hasten(_ orgId: UUID, to instant: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE closings SET deletes_at = \(instant) WHERE org_id = \(orgId)")
    }

    static func remove(_ orgId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM closings WHERE org_id = \(orgId)")
    }

    private static func closing(_ row: SQLRow) throws -> Closing {
        try Closing(orgId: row.get("org_id"), closedAt: row.get("closed_at"), deletesAt: row.get("deletes_at"))
    }
}
