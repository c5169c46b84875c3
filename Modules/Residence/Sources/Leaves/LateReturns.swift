import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

/// A resident who is not back in time.
struct LateReturn: Sendable, Hashable {
    let studentId: UUID
    let pgId: UUID
    /// The time by which the resident was to be back: the end of a leave, or the curfew.
    let due: Date
}

/// Tells wardens of late residents, and parents where the school chose so.
struct LateReturns: Sendable {
    /// Seconds between two looks.
    private static let interval: TimeInterval = 60

    let leaves: LeaveHandlers
    /// Looks up a school by its id.
    let school: @Sendable (UUID) async throws -> Organization?

    var job: Job {
        .school("residence.lateReturns", every: Self.interval) { context in
            let isNeeded = try await context.database.read { try $0.exists("SELECT 1 FROM residences LIMIT 1") }
            guard isNeeded, let id = context.schoolId, let organization = try await school(id) else { return }
            let timeZone = organization.resolvedTimeZone
            let now = context.now
            try await context.commit(recording: { (changes: [Change]) in changes }) { sql in
                try ResidenceRepository.residences("1 = 1", in: sql).flatMap {
                    try changes(in: $0, at: now, timeZone, in: sql)
                }
            }
        }
    }

    /// Notes who is late now and who has come back, and returns a change for each.
    private func changes(
        in residence: Residence, at now: Date, _ timeZone: TimeZone, in sql: any SQLWriting
    ) throws -> [Change] {
        let late = try late(in: residence, at: now, timeZone, in: sql)
        let new = try late.filter { try LateReturnRepository.insert($0, at: now, in: sql) }
        let open = try LateReturnRepository.open(of: residence.id, in: sql)
        let presences = try PassageRepository.current(of: residence.id, in: sql)
        let returned = try open.filter { one in
            guard let presence = presences[one.studentId]?.presence, presence.type == .checkIn else { return false }
            try LateReturnRepository.close(one, at: max(presence.changedAt, one.due), in: sql)
            return true
        }
        return try new.map { try change("residence.late", $0, residence, in: sql) }
            + returned.map { try change("residence.returned", $0, residence, in: sql) }
    }

    /// The residents of a residence who are late, the earliest due first.
    func late(
        in residence: Residence, at now: Date, _ timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [LateReturn] {
        let reader = DayReader(residence, in: timeZone)
        let attendance = try reader.attendance(on: reader.calendar.day(of: now), at: now, in: sql)
        var due = attendance.students.reduce(into: [UUID: Date]()) {
            if $1.status == .notReturned { $0[$1.id] = $1.due }
        }
        let here = Set(attendance.students.map(\.id))
        let presences = try PassageRepository.current(of: residence.id, in: sql)
        // The end of a leave may lie days back, where the day's attendance does not look.
        for leave in try leaves.current(of: residence, at: now, in: sql)
        where here.contains(leave.studentId)
            && LeaveHandlers.isLate(leave, presences[leave.studentId]?.presence, at: now)
        {
            due[leave.studentId] = min(due[leave.studentId] ?? leave.to, leave.to)
        }
        return due.map { LateReturn(studentId: $0.key, pgId: residence.id, due: $0.value) }
            .sorted { ($0.due, $0.studentId) < ($1.due, $1.studentId) }
    }

    private func change(
        _ kind: String, _ late: LateReturn, _ residence: Residence, in sql: any SQLReading
    ) throws -> Change {
        let parents =
            try residence.tellsParents
            ? leaves.families.parents(ofStudent: late.studentId, in: sql).sorted() : []
        return Change(
            kind, topics: [ResidenceTopic.residence(late.pgId), ResidenceTopic.leaves(of: late.studentId)],
            audience: [.wardens(of: late.pgId)] + parents.map(Audience.person)
                + Audience.roles(Permission.manageResidences.roles),
            payload: ["residence": late.pgId.text, "student": late.studentId.text])
    }
}

/// The SQL of late returns.
enum LateReturnRepository {
    /// Notes a late return. Returns `false` if it was noted before.
    static func insert(_ late: LateReturn, at now: Date, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            INSERT INTO residence_late_returns (student_id, residence_id, due_at, noticed_at)
            VALUES (\(late.studentId), \(late.pgId), \(late.due), \(now)) ON CONFLICT (student_id, due_at) DO NOTHING
            """) > 0
    }

    /// The late residents of a residence who have not come back.
    static func open(of residenceId: UUID, in sql: any SQLReading) throws -> [LateReturn] {
        try sql.rows(
            """
            SELECT * FROM residence_late_returns WHERE residence_id = \(residenceId) AND returned_at IS NULL
            ORDER BY due_at, student_id
            """
        ).map {
            try LateReturn(studentId: $0.get("student_id"), pgId: $0.get("residence_id"), due: $0.get("due_at"))
        }
    }

    static func close(_ late: LateReturn, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE residence_late_returns SET returned_at = \(instant)
            WHERE student_id = \(late.studentId) AND due_at = \(late.due)
            """)
    }
}
