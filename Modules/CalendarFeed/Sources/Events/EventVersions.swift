import Domain
import FeatureKit
import Foundation

/// The version of an event that a person's calendar has read last. It holds no text that people wrote.
struct EventVersion: Sendable, Hashable {
    /// The id of the event (`CalendarEvent.id`).
    let id: String
    /// The number of changes of the event since the calendar first read it (RFC 5545 section 3.8.7.4).
    var sequence: Int
    /// The fingerprint of the event's content.
    var fingerprint: String
    var changedAt: Date
    /// The beginning for a cancellation: a property with its value.
    var start: String
    /// The last day of the event, in the school's time zone.
    var lastDay: Day
    /// The time at which the event was gone; `nil` while it takes place.
    var canceledAt: Date?
}

/// Compares the events of a feed with those that the calendar has read.
///
/// An event that is gone before its last day is canceled, so that calendars which have read it learn of it. Of an event
/// that is over, and of a cancellation after 60 days, the feed says nothing more.
struct EventVersions {
    /// The time for which a cancellation stays in the feed, in seconds: 60 days.
    static let cancellationLifetime: TimeInterval = 60 * 86_400

    /// The versions of the events that take place, by id.
    private(set) var current: [String: EventVersion] = [:]
    /// The events that are gone, by id.
    private(set) var canceled: [EventVersion] = []
    /// The versions that differ from those that are stored.
    private(set) var changed: [EventVersion] = []
    /// The ids of stored versions of which the feed says nothing more.
    private(set) var over: [String] = []

    /// - Parameters:
    ///   - events: the events that take place.
    ///   - read: the versions that the calendar has read.
    ///   - today: the current day in the school.
    init(_ events: [WrittenEvent], fingerprints: [String], read: [EventVersion], today: Day, at now: Date) {
        let known = read.reduce(into: [String: EventVersion]()) { $0[$1.id] = $1 }
        for (event, fingerprint) in zip(events, fingerprints) {
            var version =
                known[event.id]
                ?? EventVersion(
                    id: event.id, sequence: 0, fingerprint: fingerprint, changedAt: now, start: event.start,
                    lastDay: event.lastDay)
            if known[event.id] == nil {
                changed.append(version)
            } else if version.fingerprint != fingerprint || version.canceledAt != nil {
                version = EventVersion(
                    id: event.id, sequence: version.sequence + 1, fingerprint: fingerprint, changedAt: now,
                    start: event.start, lastDay: event.lastDay)
                changed.append(version)
            }
            current[event.id] = version
        }
        for var version in read where current[version.id] == nil {
            if let canceledAt = version.canceledAt {
                if now.timeIntervalSince(canceledAt) > Self.cancellationLifetime {
                    over.append(version.id)
                } else {
                    canceled.append(version)
                }
            } else if version.lastDay < today {
                over.append(version.id)
            } else {
                version.sequence += 1
                version.changedAt = now
                version.canceledAt = now
                changed.append(version)
                canceled.append(version)
            }
        }
    }
}

/// The SQL of the versions of events, in the school's database.
enum EventVersionRepository {
    /// The versions that a person's calendar has read, by id.
    static func versions(of personId: UUID, in sql: any SQLReading) throws -> [EventVersion] {
        try sql.rows("SELECT * FROM calendar_events WHERE person_id = \(personId) ORDER BY event_id").map { row in
            try EventVersion(
                id: row.get("event_id"), sequence: row.get("sequence"), fingerprint: row.get("fingerprint"),
                changedAt: row.get("changed_at"), start: row.get("starts"), lastDay: row.get("last_day"),
                canceledAt: row.optional("cancelled_at"))
        }
    }

    static func save(_ versions: EventVersions, of personId: UUID, in sql: any SQLWriting) throws {
        for version in versions.changed {
            try sql.execute(
                """
                INSERT INTO calendar_events (person_id, event_id, sequence, fingerprint, changed_at, starts, last_day,
                    cancelled_at)
                VALUES (\(personId), \(version.id), \(version.sequence), \(version.fingerprint),
                    \(version.changedAt), \(version.start), \(version.lastDay), \(version.canceledAt))
                ON CONFLICT (person_id, event_id) DO UPDATE SET sequence = excluded.sequence,
                    fingerprint = excluded.fingerprint, changed_at = excluded.changed_at, starts = excluded.starts,
                    last_day = excluded.last_day, cancelled_at = excluded.cancelled_at
                """)
        }
        for id in versions.over {
            try sql.execute(
                "DELETE FROM calendar_events WHERE person_id = \(personId) AND event_id = \(id)")
        }
    }

    static func removeAll(of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM calendar_events WHERE person_id = \(personId)")
    }
}
