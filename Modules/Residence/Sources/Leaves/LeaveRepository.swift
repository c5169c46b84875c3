import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// The side from which a leave is decided.
enum LeavePart: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    case parent
    case warden
}

/// The SQL of leaves and of the decisions about them.
enum LeaveRepository {
    static func leave(_ id: UUID, in sql: any SQLReading) throws -> Leave? {
        try leaves("id = \(id)", in: sql).first
    }

    /// The leaves of a residence that last at some moment of a span, by their beginning.
    static func leaves(
        of residenceId: UUID, from start: Date, until end: Date, in sql: any SQLReading
    ) throws -> [Leave] {
        try leaves("residence_id = \(residenceId) AND to_at >= \(start) AND from_at <= \(end)", in: sql)
    }

    /// All leaves of a resident, the latest first.
    static func leaves(of studentId: UUID, in sql: any SQLReading) throws -> [Leave] {
        try leaves("student_id = \(studentId)", in: sql).reversed()
    }

    private static func leaves(_ condition: SQL, in sql: any SQLReading) throws -> [Leave] {
        let rows = try sql.rows("SELECT * FROM residence_leaves WHERE \(condition) ORDER BY from_at, id")
        let ids = try rows.map { try $0.get("id", as: UUID.self) }
        guard !ids.isEmpty else { return [] }
        let decisions = try sql.rows(
            "SELECT * FROM residence_leave_decisions WHERE leave_id IN \(list: ids)"
        ).reduce(into: [UUID: [LeavePart: Leave.Decision]]()) { found, row in
            found[try row.get("leave_id"), default: [:]][try row.get("part")] = try Leave.Decision(
                isApproved: row.get("is_approved"), by: row.get("decided_by"), at: row.get("decided_at"),
                note: row.optional("note"))
        }
        return try rows.map { row in
            let id: UUID = try row.get("id")
            return try Leave(
                id: id, pgId: row.get("residence_id"), studentId: row.get("student_id"), from: row.get("from_at"),
                to: row.get("to_at"), place: row.get("place"), companion: row.optional("companion"),
                reason: row.optional("reason"), requestedBy: row.get("requested_by"),
                requestedAt: row.get("requested_at"), needsParent: row.get("needs_parent"),
                parentDecision: decisions[id]?[.parent], wardenDecision: decisions[id]?[.warden],
                withdrawnAt: row.optional("withdrawn_at"))
        }
    }

    static func insert(_ leave: Leave, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO residence_leaves (id, residence_id, student_id, from_at, to_at, place, companion, reason,
                requested_by, requested_at, needs_parent, withdrawn_at)
            VALUES (\(leave.id), \(leave.pgId), \(leave.studentId), \(leave.from), \(leave.to), \(leave.place),
                \(leave.companion), \(leave.reason), \(leave.requestedBy), \(leave.requestedAt),
                \(leave.needsParent), \(leave.withdrawnAt))
            """)
    }

    /// Stores a decision. The first one of each side stays; a later one replaces it only from an approval to a refusal.
    static func decide(
        _ leaveId: UUID, _ part: LeavePart, _ decision: Leave.Decision, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO residence_leave_decisions (leave_id, part, is_approved, decided_by, decided_at, note)
            VALUES (\(leaveId), \(part), \(decision.isApproved), \(decision.by), \(decision.at), \(decision.note))
            ON CONFLICT (leave_id, part) DO UPDATE SET is_approved = excluded.is_approved,
                decided_by = excluded.decided_by, decided_at = excluded.decided_at, note = excluded.note
            """)
    }

    static func withdraw(_ leaveId: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE residence_leaves SET withdrawn_at = \(now) WHERE id = \(leaveId)")
    }
}
