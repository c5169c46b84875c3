import Domain
public import Foundation

/// The hash chain of the change log.
///
/// Each entry stores a SHA-256 of the hash of the entry before it and of its own content. Altering, removing or
/// inserting an entry therefore invalidates all entries after it (docs/decisions/0011).
enum ChangeChain {
    /// The text that takes the place of a previous hash for the first entry of the chain.
    static let start = "PinkTower change log"

    /// Returns the hash of one entry. Each part is preceded by its length in bytes, so that different entries never
    /// give the same input.
    static func hash(
        after previous: String, seq: Int64, at milliseconds: Int64, actor: String, kind: String, topics: String,
        audience: String, payload: String, reshapes: Bool
    ) -> String {
        var text = ""
        text.reserveCapacity(640)
        func add(_ part: String) {
            text += String(part.utf8.count)
            text += ":"
            text += part
        }
        add(previous)
        add(String(seq))
        add(String(milliseconds))
        add(actor)
        add(kind)
        add(topics)
        add(audience)
        add(payload)
        add(reshapes ? "1" : "0")
        return SHA256.hex(Array(text.utf8))
    }
}

/// The result of verifying the hash chain of a change log.
public struct ChainReport: Codable, Sendable, Hashable {
    /// The number of entries in the verified change log.
    public var entries: Int64 = 0
    /// The number of the first entry with a hash; `nil` if no entry has one. Earlier entries were made before the log
    /// had hashes.
    public var start: Int64?
    /// The number of the first entry that is missing or does not match its hash; `nil` if the log is intact.
    public var brokenAt: Int64?
    /// The hash of the latest entry. Comparing it with a copy stored elsewhere also detects a log that was rewritten
    /// as a whole.
    public var head = ""

    public init() {}
    public var isIntact: Bool { brokenAt == nil }
}

extension ChangeLog {
    /// Verifies the hash chain of a school's whole change log.
    ///
    /// Reads in portions, each in its own snapshot, so that a long log blocks nobody. Entries that are appended
    /// meanwhile are verified too.
    /// - Parameter portion: how many entries one snapshot reads.
    public static func verify(_ school: any Database, portion: Int = 2000) async throws -> ChainReport {
        var walk = ChainWalk()
        while walk.report.isIntact {
            let (seq, before) = (walk.seq, walk)
            let (next, count) = try await school.read { sql in
                let rows = try sql.rows("SELECT * FROM change_log WHERE seq > \(seq) ORDER BY seq LIMIT \(portion)")
                var walk = before
                for row in rows where walk.report.isIntact { try walk.take(row) }
                return (walk, rows.count)
            }
            walk = next
            if count < portion { break }
        }
        return walk.report
    }
}

private struct ChainWalk {
    var report = ChainReport()
    var seq: Int64 = 0

    mutating func take(_ row: SQLRow) throws {
        let number: Int64 = try row.get("seq")
        let hash: String = try row.get("hash")
        defer { (seq, report.entries) = (number, report.entries + 1) }
        guard number == seq + 1 else {
            // The missing entry is at fault, not the one after it.
            report.brokenAt = seq + 1
            return
        }
        if hash.isEmpty && report.start == nil { return }
        let expected = try ChangeChain.hash(
            after: report.start == nil ? ChangeChain.start : report.head, seq: number, at: row.get("at"),
            actor: row.optional("actor_id") ?? "", kind: row.get("kind"), topics: row.get("topics"),
            audience: row.get("audience"), payload: row.get("payload"), reshapes: row.get("reshapes"))
        guard hash == expected else {
            report.brokenAt = number
            return
        }
        if report.start == nil { report.start = number }
        report.head = hash
    }
}

/// The criteria of a search in the change log; properties that are `nil` or empty match every entry.
public struct ChangeFilter: Sendable, Hashable {
    /// The person who made the change; `nil` matches every person.
    public var actor: UUID?
    /// The kinds of change of which an entry must have one.
    public var kinds: [String] = []
    /// An id that must be among the values of the entry's payload.
    public var subject: UUID?
    /// The first instant that matches; `nil` sets no beginning.
    public var from: Date?
    /// The instant before which entries match; `nil` sets no end.
    public var until: Date?

    public init() {}
}

extension ChangeLog {
    /// The number of entries that one search examines; longer logs are searched in several steps.
    public static let searchReach: Int64 = 50_000

    /// Returns the matching entries below `seq`, newest first, and the number to pass as `seq` for the next step.
    ///
    /// That number is `nil` at the beginning of the log. Reads the log by its primary key instead of by an index for
    /// each criterion, because writes are more frequent than searches.
    public static func search(
        _ filter: ChangeFilter, before seq: Int64?, limit: Int, in sql: any SQLReading
    ) throws -> (found: [LoggedChange], next: Int64?) {
        let last = try latest(in: sql)
        var end = min(seq ?? .max, last + 1)
        if let until = filter.until { end = min(end, try first(at: until, below: end, in: sql)) }
        let beginning = try filter.from.map { try first(at: $0, below: end, in: sql) } ?? 1
        let reach = max(beginning, end - searchReach)
        var condition: SQL = "seq >= \(reach) AND seq < \(end)"
        if let actor = filter.actor { condition = "\(condition) AND actor_id = \(actor)" }
        // NB: `|| ''` keeps SQLite on the primary key; its index by kind would sort all entries of that kind.
        if !filter.kinds.isEmpty { condition = "\(condition) AND kind || '' IN \(list: filter.kinds)" }
        if let subject = filter.subject { condition = "\(condition) AND payload LIKE \("%=\(subject.text)%")" }
        let found = try sql.rows(
            "SELECT * FROM change_log WHERE \(condition) ORDER BY seq DESC LIMIT \(limit)"
        ).map(LoggedChange.init(row:))
        if found.count == limit, let oldest = found.last, oldest.seq > beginning { return (found, oldest.seq) }
        return (found, reach > beginning ? reach : nil)
    }

    /// Returns the number of the first entry at or after an instant, by binary search; `end` if there is none below
    /// it.
    ///
    /// Entries are in the order of time, apart from differences between the clocks of two servers.
    private static func first(at instant: Date, below end: Int64, in sql: any SQLReading) throws -> Int64 {
        var (low, high) = (Int64(1), end)
        while low < high {
            let middle = low + (high - low) / 2
            let at: Date? = try sql.value("SELECT at FROM change_log WHERE seq = \(middle)")
            if let at, at >= instant { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
