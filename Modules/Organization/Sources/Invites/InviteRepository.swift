public import Domain
import FeatureKit
public import Foundation

/// An invite to an organization with a role, used by a code that works once.
public struct Invite: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let orgId: UUID
    public let code: String
    public let role: Role
    /// The person whom the invite is for, if the school already has a record of the person; `nil` for a new person.
    public let personId: UUID?
    /// The classrooms in which the invited person will work; empty for none.
    public let classroomIds: [UUID]
    public let createdByGuideId: UUID
    public let createdAt: Date
    public let expiresAt: Date?
    public let redeemedAt: Date?
    public let revokedAt: Date?

    /// Returns the reason why the code cannot be used any more; `nil` while it can.
    func refusal(at instant: Date) -> String? {
        if revokedAt != nil { return "code.revoked" }
        if redeemedAt != nil { return "code.used" }
        if let expiresAt, expiresAt <= instant { return "code.expired" }
        return nil
    }
}

enum InviteRepository {
    static func insert(_ invite: Invite, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO invites (id, org_id, code, role, person_id, classroom_ids, created_by, created_at,
                expires_at)
            VALUES (\(invite.id), \(invite.orgId), \(invite.code), \(invite.role), \(invite.personId),
                \(text(invite.classroomIds)), \(invite.createdByGuideId), \(invite.createdAt), \(invite.expiresAt))
            """)
    }

    static func invite(code: String, in sql: any SQLReading) throws -> Invite? {
        try sql.row("SELECT * FROM invites WHERE code = \(code)").map(invite)
    }

    /// Returns the invites that can still be used, newest first.
    static func pending(of orgId: UUID, at instant: Date, in sql: any SQLReading) throws -> [Invite] {
        try sql.rows(
            """
            SELECT * FROM invites
            WHERE org_id = \(orgId) AND email IS NULL AND redeemed_at IS NULL AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > \(instant))
            ORDER BY created_at DESC, id DESC LIMIT 200
            """
        ).map(invite)
    }

    static func markRedeemed(_ id: UUID, by personId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            "UPDATE invites SET redeemed_at = \(instant), redeemed_by = \(personId) WHERE id = \(id)")
        // Other invites for the same address and person count as used too.
        try sql.execute(
            """
            UPDATE invites SET redeemed_at = \(instant), redeemed_by = \(personId)
            WHERE redeemed_at IS NULL AND revoked_at IS NULL AND EXISTS (
                SELECT 1 FROM invites AS used WHERE used.id = \(id) AND used.org_id = invites.org_id
                    AND used.email = invites.email AND used.person_id = invites.person_id
            )
            """)
    }

    /// Revokes an open invite. Returns whether the organization has an open invite with this id.
    static func revoke(_ id: UUID, in orgId: UUID, at instant: Date, _ sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            UPDATE invites SET revoked_at = \(instant)
            WHERE id = \(id) AND org_id = \(orgId) AND redeemed_at IS NULL AND revoked_at IS NULL
            """) > 0
    }

    /// Returns ids as text for a column; `nil` for no ids.
    static func text(_ ids: [UUID]) -> String? {
        ids.isEmpty ? nil : ids.map(\.text).joined(separator: " ")
    }

    private static func ids(_ text: String?) -> [UUID] {
        (text ?? "").split(separator: " ").compactMap { UUID(text: String($0)) }
    }

    private static func invite(_ row: SQLRow) throws -> Invite {
        try Invite(
            id: row.get("id"), orgId: row.get("org_id"), code: row.get("code"), role: row.get("role"),
            personId: row.optional("person_id"), classroomIds: ids(row.optional("classroom_ids")),
            createdByGuideId: row.get("created_by"),
            createdAt: row.get("created_at"), expiresAt: row.optional("expires_at"),
            redeemedAt: row.optional("redeemed_at"), revokedAt: row.optional("revoked_at"))
    }
}
