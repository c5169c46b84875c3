import FeatureKit
import Foundation

/// A child's request for help, with the adults who were told and what they did.
struct HelpRequest: Codable, Sendable, Hashable, Identifiable {
    /// The longest text of a request and of its answer in Unicode scalars.
    static let textLength = 1000

    /// One of the adults who were told, or who dealt with the request later.
    struct Adult: Codable, Sendable, Hashable {
        let id: UUID
        /// When the adult confirmed having seen the request; `nil` until then.
        let seenAt: Date?
        /// Whether this adult closed the request.
        let hasClosed: Bool
    }

    let id: UUID
    let personId: UUID
    /// What the child wrote; may be empty.
    let note: String
    let askedAt: Date
    let closedAt: Date?
    /// The words for the child with which the request was closed.
    let answer: String
    let adults: [Adult]
}

/// The SQL of requests for help.
enum HelpRepository {
    static func insert(
        _ id: UUID, of personId: UUID, note: String, telling adultIds: [UUID], at instant: Date,
        in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO wellness_requests (id, person_id, note, asked_at, answer)
            VALUES (\(id), \(personId), \(note), \(instant), '')
            """)
        for adult in adultIds {
            try sql.execute(
                """
                INSERT INTO wellness_request_adults (request_id, adult_id, has_closed) VALUES (\(id), \(adult), \(false))
                """)
        }
    }

    /// Marks a request as seen by an adult, and returns whether it was not before.
    static func markSeen(_ id: UUID, by adultId: UUID, at instant: Date, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            INSERT INTO wellness_request_adults (request_id, adult_id, seen_at, has_closed)
            VALUES (\(id), \(adultId), \(instant), \(false))
            ON CONFLICT (request_id, adult_id) DO UPDATE SET seen_at = excluded.seen_at
                WHERE wellness_request_adults.seen_at IS NULL
            """) > 0
    }

    static func close(
        _ id: UUID, by adultId: UUID, saying answer: String, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            "UPDATE wellness_requests SET closed_at = \(instant), answer = \(answer) WHERE id = \(id)")
        try sql.execute(
            """
            UPDATE wellness_request_adults SET has_closed = \(true) WHERE request_id = \(id) AND adult_id = \(adultId)
            """)
    }

    static func request(_ id: UUID, in sql: any SQLReading) throws -> HelpRequest? {
        try requests(sql.rows("SELECT * FROM wellness_requests WHERE id = \(id)"), in: sql).first
    }

    /// The last request of a child.
    static func last(of personId: UUID, in sql: any SQLReading) throws -> HelpRequest? {
        try requests(
            sql.rows(
                """
                SELECT * FROM wellness_requests WHERE person_id = \(personId) ORDER BY asked_at DESC, id DESC LIMIT 1
                """), in: sql
        ).first
    }

    /// The open requests of the school, the oldest first.
    static func open(in sql: any SQLReading) throws -> [HelpRequest] {
        try requests(
            sql.rows(
                "SELECT * FROM wellness_requests WHERE closed_at IS NULL ORDER BY asked_at, id LIMIT 200"), in: sql)
    }

    /// The requests that were closed since an instant, the newest first.
    static func closed(since start: Date, in sql: any SQLReading) throws -> [HelpRequest] {
        try requests(
            sql.rows(
                """
                SELECT * FROM wellness_requests WHERE closed_at >= \(start) ORDER BY closed_at DESC, id DESC LIMIT 50
                """), in: sql)
    }

    private static func requests(_ rows: [SQLRow], in sql: any SQLReading) throws -> [HelpRequest] {
        let ids = try rows.map { try $0.get("id", as: UUID.self) }
        let adults: [UUID: [HelpRequest.Adult]] = try sql.rows(
            """
            SELECT * FROM wellness_request_adults WHERE request_id IN \(list: ids)
            ORDER BY request_id, seen_at, adult_id
            """
        ).reduce(into: [:]) { all, row in
            all[try row.get("request_id"), default: []].append(
                try HelpRequest.Adult(
                    id: row.get("adult_id"), seenAt: row.optional("seen_at"), hasClosed: row.get("has_closed")))
        }
        return try rows.map { row in
            let id: UUID = try row.get("id")
            return try HelpRequest(
                id: id, personId: row.get("person_id"), note: row.get("note"), askedAt: row.get("asked_at"),
                closedAt: row.optional("closed_at"), answer: row.get("answer"), adults: adults[id] ?? [])
        }
    }
}
