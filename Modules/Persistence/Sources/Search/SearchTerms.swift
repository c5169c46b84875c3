import GRDB

/// Lookups in the index's list of words.
enum SearchTerms {
    /// The most words that replace one prefix.
    private static let most = 64
    /// The length of prefixes for which FTS5 has its own list.
    private static let listed = 3
    /// The most words that are compared with a misspelled one.
    private static let candidates = 20_000

    /// An FTS5 expression for one typed word, and the number of documents that its words occur in. A document with
    /// several of the words counts several times.
    struct Group {
        let expression: String
        let count: Int
    }

    /// The words of the index that begin with `word`, or `nil` if there are none.
    ///
    /// Words contain only letters and digits and are quoted.
    static func group(_ word: String, _ database: GRDB.Database) throws -> Group? {
        let statement = try database.cachedStatement(
            sql: "SELECT term, count FROM terms WHERE term >= ? AND term < ? LIMIT ?")
        var terms = try Row.fetchAll(statement, arguments: [word, end(of: word), most + 1])
        guard !terms.isEmpty else { return nil }
        if terms.count > most {
            if word.count <= listed { return Group(expression: "\"\(word)\" *", count: total(terms)) }
            // The most frequent words; typing on finds the others.
            terms = try Row.fetchAll(
                database,
                sql: "SELECT term, count FROM terms WHERE term >= ? AND term < ? ORDER BY count DESC, term LIMIT ?",
                arguments: [word, end(of: word), most])
        }
        let words = terms.map { "\"\($0["term"] as String)\"" }
        return Group(expression: "(\(words.joined(separator: " OR ")))", count: total(terms))
    }

    private static func total(_ terms: [Row]) -> Int { terms.reduce(0) { $0 + ($1["count"] as Int) } }

    /// Replaces each word that no word of the index begins with by the nearest one. Returns `nil` if there is nothing
    /// to correct.
    static func corrected(_ words: [String], _ database: GRDB.Database) throws -> [String]? {
        var isChanged = false
        let better = try words.map { word in
            guard try group(word, database) == nil, let near = try nearest(to: word, database) else { return word }
            isChanged = true
            return near
        }
        return isChanged ? better : nil
    }

    /// The nearest word of the index that begins with one of the first two letters of `word`; of equally near ones the
    /// most frequent.
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

    /// An upper bound for all words with a prefix.
    private static func end(of beginning: String) -> String { beginning + "\u{10FFFF}" }
}

/// The changes to the document count of each word during one write.
struct TermCounts {
    private var counts: [String: Int] = [:]

    mutating func add(_ title: [String], _ text: [String]) {
        for term in Set(title).union(text) { counts[term, default: 0] += 1 }
    }

    /// Subtracts a stored document, whose words are separated by spaces.
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
        let delete = try database.cachedStatement(sql: "DELETE FROM terms WHERE term = ? AND count <= 0")
        for (term, count) in counts.sorted(by: { $0.key < $1.key }) where count != 0 {
            try change.execute(arguments: [term, count])
            if count < 0 { try delete.execute(arguments: [term]) }
        }
    }
}
