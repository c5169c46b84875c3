import FeatureKit
import Foundation

/// How far one device has been told of what happened in a school.
struct PushCursor: Sendable, Hashable {
    let deviceId: UUID
    let personId: UUID
    /// Everything up to here was told there, or is not told any more.
    var seq: Int64 = 0
    /// A summary was begun that reaches up to here. What was begun is sent again as it was, never larger: so it is the
    /// same notification for the device, whatever became of the first try.
    var summaryThrough: Int64?
    /// How often the next one was tried in vain.
    var tries = 0
    /// No try before this.
    var notBefore: Date?

    init(deviceId: UUID, personId: UUID) {
        self.deviceId = deviceId
        self.personId = personId
    }

    /// After the device has got everything up to a place.
    func told(through seq: Int64) -> PushCursor {
        var next = PushCursor(deviceId: deviceId, personId: personId)
        next.seq = seq
        return next
    }

    /// After a try that failed.
    /// - Parameter retryAfter: seconds that the service asked for.
    func failed(at now: Date, retryAfter: Int?) -> PushCursor {
        var next = self
        next.tries += 1
        let pause = max(
            Self.pause(afterTries: next.tries), min(TimeInterval(retryAfter ?? 0), Self.longestPause))
        next.notBefore = now.addingTimeInterval(pause)
        return next
    }

    /// Whether it is too early for another try. A pause that ends later than the longest one from now was measured
    /// before the clock was set back, and is over.
    func pauses(at now: Date) -> Bool {
        guard let notBefore else { return false }
        return notBefore > now && notBefore.timeIntervalSince(now) <= Self.longestPause
    }

    /// Seconds that no pause exceeds, whatever a service asks for.
    static let longestPause: TimeInterval = 86_400

    /// Seconds until the next try: twice as long each time, from half a minute to an hour.
    static func pause(afterTries tries: Int) -> TimeInterval { min(3600, 30 * pow(2, Double(min(tries, 10) - 1))) }
}

/// The SQL of cursors. They stand in the school: with its log they go back where it is restored.
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
