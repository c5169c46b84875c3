import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// The SQL of passages, their corrections, and of what follows from them.
enum PassageRepository {
    /// More passages than a resident's state can depend on: those that do not count lie within seconds of others.
    private static let recentLimit = 60

    static func record(_ id: UUID, in sql: any SQLReading) throws -> CheckInOutRecord? {
        try sql.row("SELECT * FROM residence_passages WHERE id = \(id)").map(record)
    }

    /// The latest passages of a residence, the newest first.
    static func latest(of residenceId: UUID, limit: Int, in sql: any SQLReading) throws -> [CheckInOutRecord] {
        try sql.rows(
            """
            SELECT * FROM residence_passages WHERE residence_id = \(residenceId)
            ORDER BY at DESC, id DESC LIMIT \(limit)
            """
        ).map(record)
    }

    /// The latest passages of a resident, the newest first, without their places.
    static func latest(ofResident studentId: UUID, limit: Int, in sql: any SQLReading) throws -> [CheckInOutRecord]
    {
        try sql.rows(
            """
            SELECT id, residence_id, student_id, type, method, at, NULL AS tag_id, NULL AS latitude,
                NULL AS longitude, NULL AS accuracy, NULL AS device_id
            FROM residence_passages WHERE student_id = \(studentId) ORDER BY at DESC, id DESC LIMIT \(limit)
            """
        ).map(record)
    }

    /// A resident's latest passages with their corrections, up to an instant.
    static func log(of studentId: UUID, until: Date? = nil, in sql: any SQLReading) throws -> PassageLog {
        let limit: SQL = until.map { "AND at <= \($0)" } ?? ""
        let records = try sql.rows(
            """
            SELECT * FROM residence_passages WHERE student_id = \(studentId) \(limit)
            ORDER BY at DESC, id DESC LIMIT \(recentLimit)
            """
        ).map(record)
        return PassageLog(records, corrections: try corrections(of: records.map(\.id), in: sql))
    }

    /// The passages of a residence in a span of time, by resident.
    static func records(
        of residenceId: UUID, from start: Date, until end: Date, in sql: any SQLReading
    ) throws -> [CheckInOutRecord] {
        try sql.rows(
            """
            SELECT * FROM residence_passages WHERE residence_id = \(residenceId) AND at >= \(start) AND at < \(end)
            ORDER BY at, id
            """
        ).map(record)
    }

    static func corrections(of passages: [UUID], in sql: any SQLReading) throws -> [RecordCorrection] {
        guard !passages.isEmpty else { return [] }
        return try sql.rows(
            "SELECT * FROM residence_corrections WHERE passage_id IN \(list: passages) ORDER BY corrected_at, id"
        ).map { row in
            let type: RecordType? = try row.optional("type")
            let at: Date? = try row.optional("at")
            let change: RecordCorrection.Change =
                if let type, let at { .replaced(type: type, timestamp: at) } else { .taken }
            return try RecordCorrection(
                id: row.get("id"), recordId: row.get("passage_id"), change: change, reason: row.get("reason"),
                by: row.get("corrected_by"), at: row.get("corrected_at"))
        }
    }

    private static func record(_ row: SQLRow) throws -> CheckInOutRecord {
        let latitude: Double? = try row.optional("latitude")
        let longitude: Double? = try row.optional("longitude")
        let accuracy: Double? = try row.optional("accuracy")
        let location = latitude.flatMap { latitude in
            longitude.flatMap { GeoLocation(latitude: latitude, longitude: $0, accuracy: accuracy) }
        }
        return try CheckInOutRecord(
            id: row.get("id"), studentId: row.get("student_id"), pgId: row.get("residence_id"),
            method: row.get("method"), type: row.get("type"), timestamp: row.get("at"),
            nfcTagId: row.optional("tag_id"), location: location, deviceId: row.optional("device_id"))
    }

    /// The passage of which a new one is only a repeated read, see `PassageLog.repeatWindow`.
    static func repeated(by new: CheckInOutRecord, in sql: any SQLReading) throws -> CheckInOutRecord? {
        let window = PassageLog.repeatWindow
        return try sql.rows(
            """
            SELECT * FROM residence_passages WHERE student_id = \(new.studentId)
                AND at > \(new.timestamp.addingTimeInterval(-window)) AND at < \(new.timestamp.addingTimeInterval(window))
            ORDER BY at DESC
            """
        ).map(record).first { $0.type == new.type || (new.method != .manual && $0.timestamp <= new.timestamp) }
    }

    static func insert(
        _ record: CheckInOutRecord, recordedBy person: UUID?, at now: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO residence_passages (id, residence_id, student_id, type, method, at, received_at, tag_id,
                latitude, longitude, accuracy, device_id, recorded_by)
            VALUES (\(record.id), \(record.pgId), \(record.studentId), \(record.type), \(record.method),
                \(record.timestamp), \(now), \(record.nfcTagId), \(record.location?.latitude),
                \(record.location?.longitude), \(record.location?.accuracy), \(record.deviceId), \(person))
            """)
        try refresh(record.studentId, in: sql)
    }

    static func insert(
        _ correction: RecordCorrection, of record: CheckInOutRecord, in sql: any SQLWriting
    ) throws {
        let replacement: (type: RecordType, at: Date)? =
            if case .replaced(let type, let at) = correction.change { (type, at) } else { nil }
        try sql.execute(
            """
            INSERT INTO residence_corrections (id, passage_id, type, at, reason, corrected_by, corrected_at)
            VALUES (\(correction.id), \(record.id), \(replacement?.type), \(replacement?.at), \(correction.reason),
                \(correction.by), \(correction.at))
            """)
        try refresh(record.studentId, in: sql)
    }

    // MARK: - What follows

    /// Computes a resident's presence anew from the passages.
    private static func refresh(_ studentId: UUID, in sql: any SQLWriting) throws {
        let log = try log(of: studentId, in: sql)
        guard let last = log.passages.last, let presence = Presence(log, at: last.timestamp) else {
            try sql.execute("DELETE FROM residence_presence WHERE student_id = \(studentId)")
            return
        }
        func latest(_ type: RecordType) -> Date? {
            log.passages.last { $0.type == type && !$0.isSeenAgain }?.timestamp
        }
        try sql.execute(
            """
            INSERT INTO residence_presence (student_id, type, last_passage, changed_at, last_check_in, last_check_out)
            VALUES (\(studentId), \(presence.type), \(presence.lastPassage), \(presence.changedAt),
                \(latest(.checkIn)), \(latest(.checkOut)))
            ON CONFLICT (student_id) DO UPDATE SET type = excluded.type, last_passage = excluded.last_passage,
                changed_at = excluded.changed_at, last_check_in = excluded.last_check_in,
                last_check_out = excluded.last_check_out
            """)
    }

    /// A resident's presence now, with the times of the latest check-in and check-out.
    struct Current: Sendable {
        let presence: Presence
        let lastCheckIn: Date?
        let lastCheckOut: Date?
    }

    /// The presence now of one resident; `nil` without a passage.
    static func presence(of studentId: UUID, in sql: any SQLReading) throws -> Presence? {
        try sql.row("SELECT * FROM residence_presence WHERE student_id = \(studentId)").map { row in
            try Presence(
                type: row.get("type"), lastPassage: row.get("last_passage"), changedAt: row.get("changed_at"))
        }
    }

    /// The presence now of everyone who lives in a residence; residents without a passage are left out.
    static func current(of residenceId: UUID, in sql: any SQLReading) throws -> [UUID: Current] {
        try sql.rows(
            """
            SELECT residence_presence.* FROM residents
            JOIN residence_presence ON residence_presence.student_id = residents.person_id
            WHERE residents.residence_id = \(residenceId)
            """
        ).reduce(into: [:]) { found, row in
            found[try row.get("student_id")] = try Current(
                presence: Presence(
                    type: row.get("type"), lastPassage: row.get("last_passage"), changedAt: row.get("changed_at")),
                lastCheckIn: row.optional("last_check_in"), lastCheckOut: row.optional("last_check_out"))
        }
    }
}
