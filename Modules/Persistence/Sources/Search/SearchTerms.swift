import GRDB

/// The words that stand in an index.
enum SearchTerms {
    /// Words that are sought in the place of one beginning.
    private static let most = 64
    /// Letters of a beginning for which the index has a list of its own.
    private static let listed = 3
    /// Words of the index that are compared with a misspelt one.
    private static let candidates = 20_000

    /// What is sought for a word, in the language of FTS5, and with how many documents each of its words stands in;
    /// those with several count several times.
    struct Group {
        let expression: String
        let count: Int
    }

    /// Whatever begins with a word; `nil` where nothing does.
    ///
    /// Terms hold letters and digits only, and stand in quotes.
    static func group(_ word: String, _ database: GRDB.Database) throws -> Group? {
        let statement = try database.cachedStatement(
            sql: "SELECT term, count FROM terms WHERE term >= ? AND term < ? LIMIT ?")
        var terms = try Row.fetchAll(statement, arguments: [word, end(of: word), most + 1])
        guard !terms.isEmpty else { return nil }
        if terms.count > most {
            if word.count <= listed { return Group(expression: "\"\(word)\" *", count: total(terms)) }
            // Whoever goes on typing is told of the others.
            terms = try Row.fetchAll(
                database,
                sql: "SELECT term, count FROM terms WHERE term >= ? AND term < ? ORDER BY count DESC, term LIMIT ?",
                arguments: [word, end(of: word), most])
        }
        let words = terms.map { "\"\($0["term"] as String)\"" }
        return Group(expression: "(\(words.joined(separator: " OR ")))", count: total(terms))
    }

    private static func total(_ terms: [Row]) -> Int { terms.reduce(0) { $0 + ($1["count"] as Int) } }

    /// The words with each that nothing begins with put right; `nil` where there is nothing to put right.
    static func corrected(_ words: [String], _ database: GRDB.Database) throws -> [String]? {
        var isChanged = false
        let better = try words.map { word in
            guard try group(word, database) == nil, let near = try nearest(to: word, database) else { return word }
            isChanged = true
            return near
        }
        return isChanged ? better : nil
    }

    /// The word of the index that is nearest to a misspelt one and has one of its first two letters at its beginning;
    /// of equals the most frequent.
    private static func nearest(to word: String, _ database: GRDB.Database) throws -> String? {
        let limit = Spelling.allowance(word.count)
        guard limit > 0 else { return nil }
        var spelling = Spelling(word)
        var best: (distance: Int, count: Int, term: String)?
        for initial in Set(word.prefix(2)).map(String.init) {
            let rows = try Row.fetchCursor(
                database, sql: "SELECT term, count FROM terms WHERE term >= ? AND term < ? LIMIT ?",
                arguments: [initial, end(of: initial), candidates])
            while let row = try rows.next() {
                var term: String = row["term"]
                let bound = best?.distance ?? limit
                guard let distance = spelling.distance(toBeginningOf: &term, limit: bound) else { continue }
                let count: Int = row["count"]
                if best.map({ (distance, -count) < ($0.distance, -$0.count) }) ?? true {
                    best = (distance, count, term)
                }
            }
        }
        return best?.term
    }

    /// What stands behind all words with a beginning.
    private static func end(of beginning: String) -> String { beginning + "\u{10FFFF}" }
}

/// By how many documents the number of those with each word changes while some are written.
struct TermCounts {
    private var counts: [String: Int] = [:]

    mutating func add(_ title: [String], _ text: [String]) {
        for term in Set(title).union(text) { counts[term, default: 0] += 1 }
    }

    /// - Parameters:
    ///   - title: words with spaces between, as they are kept.
    mutating func remove(_ title: String, _ text: String) {
        for term in Set(title.split(separator: " ") + text.split(separator: " ")) {
            counts[String(term), default: 0] -= 1
        }
    }

    func write(to database: GRDB.Database) throws {
        let change = try database.cachedStatement(
            sql: """
                INSERT INTO terms (term, count) VALUES (?, ?)
                ON CONFLICT (term) DO UPDATE SET count = count + excluded.count
                """)
        let forget = try database.cachedStatement(sql: "DELETE FROM terms WHERE term = ? AND count <= 0")
        for (term, count) in counts.sorted(by: { $0.key < $1.key }) where count != 0 {
            try change.execute(arguments: [term, count])
            if count < 0 { try forget.execute(arguments: [term]) }
        }
    }
}
