import Domain
import FeatureKit
import Foundation

/// A request under an idempotency key, and the answer that is kept for it.
///
/// An equal request under the same key gets the first answer again. A different one under the same key
/// counts as its own: a page without scripts sends one key from several forms.
///
/// After a person was erased the answers are forgotten and the keys stay: a repeated request still takes effect once, and
/// its answer says no more than that it was done (`forgotten`).
struct IdempotentRequest: Sendable {
    /// Caller, command, key and input in one.
    let key: String

    /// How long an answer is kept: longer than any phone stays in a bag.
    static let lifetimeDays = 14

    struct Kept: Sendable {
        let status: Int
        let body: String
        let feedback: Feedback?
        let destination: String?
        /// Whether the answer itself is no longer known.
        let isForgotten: Bool
    }

    /// The body that takes the place of a forgotten answer: that of `Done`.
    static let forgotten = #"{"done":true}"#

    /// Forgets what was answered: an answer may hold what a record said. It is not known which answer names whom, so
    /// that all are forgotten.
    static var forgetting: SQL {
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
            // Every command writes here: one short key, and no second index that only a nightly job would use.
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

    func kept(in sql: any SQLReading) throws -> Kept? {
        guard
            let row = try sql.row(
                """
                SELECT status, body, feedback, destination FROM idempotency WHERE key = \(key)
                """)
        else { return nil }
        let feedback: String? = try row.optional("feedback")
        let body: String = try row.get("body")
        return try Kept(
            status: row.get("status"), body: body.isEmpty ? Self.forgotten : body,
            feedback: feedback.map { try JSON.decode(Feedback.self, from: Data($0.utf8)) },
            destination: row.optional("destination"), isForgotten: body.isEmpty)
    }

    func keep(_ outcome: Pipeline.Outcome, at instant: Date, in sql: any SQLWriting) throws {
        let feedback = try outcome.feedback.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        try sql.execute(
            """
            INSERT INTO idempotency (key, at, status, body, feedback, destination)
            VALUES (\(key), \(instant), \(outcome.status),
                \(String(decoding: outcome.body, as: UTF8.self)), \(feedback), \(outcome.destination))
            """)
    }
}
