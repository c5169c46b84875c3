public import Domain
public import Foundation

/// One change of a school's data by a command, as the command records it in the change log.
public struct Change: Sendable, Hashable {
    /// The kind of change, a past participle under its area: `attendance.marked`.
    public let kind: String
    /// The topics of the change, such as `classroom:<id>` or `members`: open pages that name one of them are refreshed.
    public let topics: [String]
    /// The audiences of the change: the groups of people who may learn of it.
    public let audience: [Audience]
    /// The ids and values that notifications and open pages need of the change; no free text.
    public let payload: [String: String]
    /// Whether the change alters which people belong to an audience, a group that may learn of changes.
    public let reshapesAudience: Bool

    public init(
        _ kind: String, topics: [String], audience: [Audience], payload: [String: String] = [:],
        reshapesAudience: Bool = false
    ) {
        self.kind = kind
        self.topics = topics
        self.audience = audience
        self.payload = payload
        self.reshapesAudience = reshapesAudience
    }
}

/// A group of people of one school, named by a tag that changes carry and readers are compared with.
public struct Audience: Sendable, Hashable, Codable {
    public let tag: String
    public init(_ tag: String) { self.tag = tag }

    /// The audience of all people of the school.
    public static let school = Audience("school")
    /// Returns the audience that consists of one person.
    public static func person(_ id: UUID) -> Audience { Audience("person:\(id.text)") }
    /// Returns the audience that consists of the people with a role.
    public static func role(_ role: Role) -> Audience { Audience("role:\(role.rawValue)") }
    /// Returns the audiences that consist of the people with any of these roles.
    public static func roles(_ roles: some Sequence<Role>) -> [Audience] { roles.map(Audience.role) }
}

/// A change as it is stored in the change log, with its number, author and time.
public struct LoggedChange: Sendable, Hashable {
    /// The number of the entry in the log; numbers begin with 1 and have no gaps.
    public let seq: Int64
    public let at: Date
    /// The person who made the change; `nil` for the system.
    public let actorId: UUID?
    public let change: Change
    /// The hash that links the entry to the one before it (`ChangeLog.verify`); empty in entries from before the hash
    /// chain.
    public let hash: String

    public init(seq: Int64, at: Date, actorId: UUID?, change: Change, hash: String = "") {
        self.hash = hash
        self.seq = seq
        self.at = at
        self.actorId = actorId
        self.change = change
    }
}

/// The change log of one school's database, to which every command appends its changes.
public enum ChangeLog {
    /// The migrations that create the tables of the change log in a school's database.
    public static let migrations = MigrationSet(
        owner: "kernel",
        migrations: [
            Migration(
                "001-change-log",
                """
                CREATE TABLE change_log (
                    seq BIGINT PRIMARY KEY,
                    at BIGINT NOT NULL,
                    actor_id TEXT,
                    kind TEXT NOT NULL,
                    topics TEXT NOT NULL,
                    audience TEXT NOT NULL,
                    payload TEXT NOT NULL,
                    reshapes INTEGER NOT NULL
                );
                CREATE INDEX change_log_kind ON change_log (kind, seq);
                """),
            // SQLite keeps a table by its INTEGER key and needs no index for it. Two thousand million
            // changes, the most that PostgreSQL's INTEGER counts, outlast any school.
            Migration(
                "002-integer-key",
                """
                CREATE TABLE changes (
                    seq INTEGER PRIMARY KEY NOT NULL,
                    at BIGINT NOT NULL,
                    actor_id TEXT,
                    kind TEXT NOT NULL,
                    topics TEXT NOT NULL,
                    audience TEXT NOT NULL,
                    payload TEXT NOT NULL,
                    reshapes INTEGER NOT NULL
                );
                INSERT INTO changes (seq, at, actor_id, kind, topics, audience, payload, reshapes)
                SELECT seq, at, actor_id, kind, topics, audience, payload, reshapes FROM change_log;
                DROP TABLE change_log;
                ALTER TABLE changes RENAME TO change_log;
                CREATE INDEX change_log_kind ON change_log (kind, seq);
                """),
            // SQL cannot compute the hash: earlier entries stay without one, and the chain begins with the next
            // entry.
            Migration("003-hash-chain", "ALTER TABLE change_log ADD COLUMN hash TEXT NOT NULL DEFAULT '';"),
            // Who viewed what in which hour, so that a view is recorded once an hour.
            Migration(
                "004-sightings",
                """
                CREATE TABLE sightings (
                    hour INTEGER NOT NULL,
                    actor_id TEXT NOT NULL,
                    subject TEXT NOT NULL,
                    PRIMARY KEY (hour, actor_id, subject)
                );
                """),
        ], appendOnly: ["change_log"])

    /// Returns the number of the latest change in the log; 0 if there is none.
    public static func latest(in sql: any SQLReading) throws -> Int64 {
        try sql.value("SELECT MAX(seq) FROM change_log") ?? 0
    }

    /// Appends changes and returns them with their numbers. A school has one writer at a time, so numbers have no
    /// gaps and follow the order of commits.
    public static func append(
        _ changes: [Change], at instant: Date, actor: UUID?, in sql: any SQLWriting
    ) throws -> [LoggedChange] {
        guard !changes.isEmpty else { return [] }
        let last = try sql.row("SELECT seq, hash FROM change_log ORDER BY seq DESC LIMIT 1")
        var seq: Int64 = try last?.get("seq") ?? 0
        var head: String = try last?.get("hash") ?? ""
        return try changes.map { change in
            seq += 1
            let (topics, audience) = (
                change.topics.joined(separator: " "), change.audience.map(\.tag).joined(separator: " ")
            )
            let payload = encode(change.payload)
            head = ChangeChain.hash(
                after: head.isEmpty ? ChangeChain.start : head, seq: seq, at: milliseconds(instant),
                actor: actor?.text ?? "", kind: change.kind, topics: topics, audience: audience, payload: payload,
                reshapes: change.reshapesAudience)
            try sql.execute(
                """
                INSERT INTO change_log (seq, at, actor_id, kind, topics, audience, payload, reshapes, hash)
                VALUES (\(seq), \(instant), \(actor), \(change.kind), \(topics), \(audience), \(payload),
                    \(change.reshapesAudience), \(head))
                """)
            return LoggedChange(seq: seq, at: instant, actorId: actor, change: change, hash: head)
        }
    }

    /// The instant as it is stored: milliseconds since 1970.
    private static func milliseconds(_ instant: Date) -> Int64 {
        if case .integer(let number) = instant.sqlValue { number } else { 0 }
    }

    /// Returns at most `limit` changes of the log with a number above `seq`, oldest first.
    public static func changes(after seq: Int64, limit: Int, in sql: any SQLReading) throws -> [LoggedChange] {
        try sql.rows(
            "SELECT * FROM change_log WHERE seq > \(seq) ORDER BY seq LIMIT \(limit)"
        ).map(LoggedChange.init(row:))
    }

    /// Returns the latest changes of the given kinds with a number below `seq`, newest first.
    public static func latest(
        kinds: [String], before seq: Int64 = .max, limit: Int, in sql: any SQLReading
    ) throws -> [LoggedChange] {
        try sql.rows(
            """
            SELECT * FROM change_log WHERE kind IN \(list: kinds) AND seq < \(seq)
            ORDER BY seq DESC LIMIT \(limit)
            """
        ).map(LoggedChange.init(row:))
    }

    /// Writes one line `key=value` for each pair, sorted by key. Keys and values are ids and enumeration values
    /// without line breaks.
    static func encode(_ payload: [String: String]) -> String {
        var text = ""
        for key in payload.keys.sorted() {
            if !text.isEmpty { text += "\n" }
            text += key
            text += "="
            text += payload[key] ?? ""
        }
        return text
    }

    static func decode(_ text: String) -> [String: String] {
        text.split(separator: "\n").reduce(into: [:]) { payload, line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { payload[String(parts[0])] = String(parts[1]) }
        }
    }
}

extension LoggedChange {
    init(row: SQLRow) throws {
        func words(_ column: String) throws -> [String] {
            try row.get(column, as: String.self).split(separator: " ").map(String.init)
        }
        try self.init(
            seq: row.get("seq"), at: row.get("at"), actorId: row.optional("actor_id"),
            change: Change(
                row.get("kind"), topics: words("topics"), audience: words("audience").map(Audience.init),
                payload: ChangeLog.decode(row.get("payload")), reshapesAudience: row.get("reshapes")),
            hash: row.get("hash"))
    }
}
