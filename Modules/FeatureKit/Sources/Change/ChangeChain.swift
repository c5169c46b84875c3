import Domain
public import Foundation

/// Each entry of the log carries a SHA-256 over the hash of the entry before it and its own content, so that
/// whoever alters, removes or inserts one must alter all that follow (docs/decisions/0011).
enum ChangeChain {
    /// What the first chained entry follows.
    static let start = "PinkTower change log"

    /// The hash of one entry. Every part stands behind its length in bytes, so that no two entries read alike.
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

/// What a walk along the chain found.
public struct ChainReport: Codable, Sendable, Hashable {
    /// How many entries the log has.
    public var entries: Int64 = 0
    /// The number of the first entry that carries a hash; those before it are from before there was a chain.
    public var start: Int64?
    /// The number of the first entry that does not follow from the one before it; `nil` where all do.
    public var brokenAt: Int64?
    /// The hash of the latest entry. A copy of it kept elsewhere shows even a log that was rewritten as a whole.
    public var head = ""

    public init() {}
    public var isIntact: Bool { brokenAt == nil }
}

extension ChangeLog {
    /// Walks the whole log of one school and tells the first entry that does not fit.
    ///
    /// Reads in portions, each in a snapshot of its own, so that a long log holds up nobody; what is appended
    /// meanwhile is walked too.
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
            // The gap itself is the fault: the entry that is missing, not the one after it.
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

/// Which entries of the log somebody looks for.
public struct ChangeFilter: Sendable, Hashable {
    public var actor: UUID?
    /// Any of these; empty is every kind.
    public var kinds: [String] = []
    /// Entries that name this id among their facts.
    public var subject: UUID?
    public var from: Date?
    /// Before this instant.
    public var until: Date?

    public init() {}
}

extension ChangeLog {
    /// How many entries one search looks at: a rare thing in a long log is found in steps.
    public static let searchReach: Int64 = 50_000

    /// Entries below `seq` that fit, newest first, and where to look on; `nil` at the log's beginning.
    ///
    /// Walks the log by its key instead of by an index for each question: writing is what is frequent.
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
        // The sign keeps the engine on the key: the index by kind would sort all that there ever was.
        if !filter.kinds.isEmpty { condition = "\(condition) AND kind || '' IN \(list: filter.kinds)" }
        if let subject = filter.subject { condition = "\(condition) AND payload LIKE \("%=\(subject.text)%")" }
        let found = try sql.rows(
            "SELECT * FROM change_log WHERE \(condition) ORDER BY seq DESC LIMIT \(limit)"
        ).map(LoggedChange.init(row:))
        if found.count == limit, let oldest = found.last, oldest.seq > beginning { return (found, oldest.seq) }
        return (found, reach > beginning ? reach : nil)
    }

    /// The number of the first entry at or after an instant, `end` where there is none below it. Entries lie in
    /// the order of their time but for what two clocks differ; found by halving.
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
