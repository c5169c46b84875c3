import Domain
import FeatureKit
import Foundation

/// A request with an idempotency key, and the stored answer to it.
///
/// An equal request with the same key gets the first answer again. A different request with the same key counts as
/// another one, because a page without scripts sends one key from several forms.
///
/// When a person is erased, stored answers are cleared and keys stay. A repeated request still takes effect once, and
/// its answer only says that it was done (`clearedBody`).
struct IdempotentRequest: Sendable {
    /// A hash of caller, command, idempotency key and input.
    let key: String

    /// Days for which an answer is stored: longer than a device is likely to be without a network.
    static let lifetimeDays = 14

    /// The stored answer to a request.
    struct StoredAnswer: Sendable {
        let status: Int
        let body: String
        let feedback: Feedback?
        let destination: String?
        /// Whether the answer was cleared.
        let isCleared: Bool
    }

    /// The body that replaces a cleared answer: that of `Done`.
    static let clearedBody = #"{"done":true}"#

    /// The statement that clears all stored answers. An answer may contain data about a person, and it is not known
    /// which one contains whose.
    static var clearing: SQL {
        "UPDATE idempotency SET body = '', feedback = NULL, destination = NULL WHERE body <> ''"
    }

    static let migrations = MigrationSet(
        owner: "pipeline",
        migrations: [
            Migration(
                "001-idempotency",
                """
                CREATE TABLE idempotency (
                    key TEXT NOT NULL,
                    input TEXT NOT NULL,
                    at BIGINT NOT NULL,
                    status INTEGER NOT NULL,
                    body TEXT NOT NULL,
                    feedback TEXT,
                    destination TEXT,
                    PRIMARY KEY (key, input)
                );
                CREATE INDEX idempotency_at ON idempotency (at);
                """),
            // Every command writes here, so the table has one short key, and no second index that only a nightly job
            // would use.
            Migration(
                "002-one-key",
                """
                DROP TABLE idempotency;
                CREATE TABLE idempotency (
                    key TEXT PRIMARY KEY NOT NULL,
                    at BIGINT NOT NULL,
                    status INTEGER NOT NULL,
                    body TEXT NOT NULL,
                    feedback TEXT,
                    destination TEXT
                );
                """),
        ])

    /// Returns the stored answer; `nil` if the request is new.
    func storedAnswer(in sql: any SQLReading) throws -> StoredAnswer? {
        guard
            let row = try sql.row(
                """
                SELECT status, body, feedback, destination FROM idempotency WHERE key = \(key)
                """)
        else { return nil }
        let feedback: String? = try row.optional("feedback")
        let body: String = try row.get("body")
        return try StoredAnswer(
            status: row.get("status"), body: body.isEmpty ? Self.clearedBody : body,
            feedback: feedback.map { try JSON.decode(Feedback.self, from: Data($0.utf8)) },
            destination: row.optional("destination"), isCleared: body.isEmpty)
    }

    /// Stores the answer to the request.
    func store(_ outcome: Pipeline.Outcome, at instant: Date, in sql: any SQLWriting) throws {
        let feedback = try outcome.feedback.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        try sql.execute(
            """
            INSERT INTO idempotency (key, at, status, body, feedback, destination)
            VALUES (\(key), \(instant), \(outcome.status),
                \(String(decoding: outcome.body, as: UTF8.self)), \(feedback), \(outcome.destination))
            """)
    }
}
