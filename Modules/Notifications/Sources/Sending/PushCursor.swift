import FeatureKit
import Foundation

/// How far one device has been notified of a school's changes.
struct PushCursor: Sendable, Hashable {
    let deviceId: UUID
    let personId: UUID
    /// The number of the last change that was sent to the device or skipped.
    var seq: Int64 = 0
    /// The last number of a summary that was begun but not confirmed; `nil` without one.
    ///
    /// It is sent again unchanged and never grows, so that the device takes a second try as the same notification.
    var summaryThrough: Int64?
    /// How many tries of the next message have failed.
    var tries = 0
    /// The earliest time of the next try; `nil` if none has failed.
    var notBefore: Date?

    init(deviceId: UUID, personId: UUID) {
        self.deviceId = deviceId
        self.personId = personId
    }

    /// The cursor after everything up to a number was sent.
    func advanced(to seq: Int64) -> PushCursor {
        var next = PushCursor(deviceId: deviceId, personId: personId)
        next.seq = seq
        return next
    }

    /// The cursor after a failed try.
    /// - Parameter retryAfter: seconds that the push service asked for.
    func failed(at now: Date, retryAfter: Int?) -> PushCursor {
        var next = self
        next.tries += 1
        let pause = max(
            Self.pause(afterTries: next.tries), min(TimeInterval(retryAfter ?? 0), Self.longestPause))
        next.notBefore = now.addingTimeInterval(pause)
        return next
    }

    /// Whether it is too early for another try.
    ///
    /// A pause that ends more than ``longestPause`` from now was measured before the clock was set back; it is over.
    func pauses(at now: Date) -> Bool {
        guard let notBefore else { return false }
        return notBefore > now && notBefore.timeIntervalSince(now) <= Self.longestPause
    }

    /// The upper limit of a pause in seconds, no matter what a push service asks for.
    static let longestPause: TimeInterval = 86_400

    /// Seconds until the next try: 30 after the first failure, doubling with each, at most an hour.
    static func pause(afterTries tries: Int) -> TimeInterval { min(3600, 30 * pow(2, Double(min(tries, 10) - 1))) }
}

/// Reads and writes cursors. They are in the school's database, so that a restored backup holds log and cursors of one
/// moment.
enum CursorRepository {
    static let migration = Migration(
        "004-cursors",
        """
        CREATE TABLE push_cursors (
            device_id TEXT PRIMARY KEY,
            person_id TEXT NOT NULL,
            seq BIGINT NOT NULL,
            summary_through BIGINT,
            tries INTEGER NOT NULL,
            not_before BIGINT,
            changed_at BIGINT NOT NULL
        );
        CREATE INDEX push_cursors_person ON push_cursors (person_id);
        CREATE INDEX push_cursors_changed ON push_cursors (changed_at);
        """)

    static func cursor(of device: PushDevice, in sql: any SQLReading) throws -> PushCursor {
        var cursor = PushCursor(deviceId: device.id, personId: device.personId)
        guard let row = try sql.row("SELECT * FROM push_cursors WHERE device_id = \(device.id)") else {
            return cursor
        }
        cursor.seq = try row.get("seq")
        cursor.summaryThrough = try row.optional("summary_through")
        cursor.tries = try row.get("tries")
        cursor.notBefore = try row.optional("not_before")
        return cursor
    }

    static func set(_ cursor: PushCursor, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO push_cursors (device_id, person_id, seq, summary_through, tries, not_before, changed_at)
            VALUES (\(cursor.deviceId), \(cursor.personId), \(cursor.seq), \(cursor.summaryThrough),
                \(cursor.tries), \(cursor.notBefore), \(now))
            ON CONFLICT (device_id) DO UPDATE SET seq = excluded.seq, summary_through = excluded.summary_through,
                tries = excluded.tries, not_before = excluded.not_before, changed_at = excluded.changed_at
            """)
    }

    static func remove(_ deviceIds: [UUID], in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM push_cursors WHERE device_id IN \(list: deviceIds)")
    }
}
