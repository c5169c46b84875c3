import Domain
import FeatureKit
import Foundation
import GRDB

/// A school's search index in its own file, on SQLite's full-text search (FTS5).
///
/// Audiences are words of each document (`marks`), so that one query finds the matches that the reader may see. The
/// documents of a category have one range of row ids, in the order of writing. Results are the latest first: a group is
/// read from its end until it is full and nothing is ranked, so that a frequent word costs no more than a rare one.
///
/// A prefix is looked up in `terms` and searched as the list of whole words. FTS5 would gather all documents of a
/// prefix before it returns the first; for whole words it reads only as far as needed.
final class SQLiteSearchIndex: SearchIndex {
    /// Incremented when the tables change, or when a block adds documents that no change announces. A file with another
    /// layout is rebuilt.
    private static let layout = 5
    /// The number of row ids per category, more than a school will ever use.
    private static let span: Int64 = 1 << 40

    /// The number of written documents after which `tidy` optimizes the index.
    private static let untidy = 1000

    private let pool: DatabasePool
    private let readers = ReaderThreads(readerCount)
    private static let readerCount = 3

    /// Opens or creates the file. Blocks the calling thread.
    init(at url: URL) throws {
        var settings = Configuration()
        settings.maximumReaderCount = Self.readerCount
        settings.busyMode = .timeout(5)
        settings.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -8192; PRAGMA secure_delete = ON;")
        }
        try PrivateFiles.makeDatabase(url)
        pool = try DatabasePool(path: url.path, configuration: settings)
        try pool.writeWithoutTransaction { database in
            // A power cut may undo the last entries. They are indexed again from the change log.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard found != Self.layout else { return }
            try database.inTransaction {
                try Self.makeTables(database)
                try database.execute(sql: "PRAGMA user_version = \(Self.layout)")
                return .commit
            }
        }
    }

    /// The statements that create the tables.
    ///
    /// `words` is an external-content table over `documents`. `terms` counts for each word the documents that contain
    /// it, `kinds` lists the audience kinds of each category. FTS5 has its own lists for prefixes of up to three
    /// letters.
    ///
    /// `SearchTokens` splits texts into words beforehand, so FTS5 must split at spaces only. A word that it split
    /// further (at a vowel sign of Hindi, at a letter newer than its tables) would be a phrase, which an index without
    /// positions refuses.
    private static let tables = """
        CREATE TABLE place (seq INTEGER NOT NULL, hash TEXT NOT NULL);
        CREATE TABLE upkeep (written INTEGER NOT NULL, removed INTEGER NOT NULL);
        INSERT INTO upkeep VALUES (0, 0);
        CREATE TABLE categories (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, next INTEGER NOT NULL);
        CREATE TABLE kinds (category INTEGER NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (category, kind)) WITHOUT ROWID;
        CREATE TABLE documents (
            row INTEGER PRIMARY KEY,
            category TEXT NOT NULL,
            id TEXT NOT NULL,
            shown TEXT NOT NULL,
            subtitle TEXT NOT NULL,
            path TEXT NOT NULL,
            tint TEXT NOT NULL,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            marks TEXT NOT NULL
        );
        CREATE UNIQUE INDEX documents_id ON documents (category, id);
        CREATE TABLE terms (term TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
        CREATE VIRTUAL TABLE words USING fts5 (
            title, text, marks, content = 'documents', content_rowid = 'row', detail = 'column',
            tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'", prefix = '1 2 3');
        INSERT INTO words (words, rank) VALUES ('usermerge', 2);
        CREATE TRIGGER documents_insert AFTER INSERT ON documents BEGIN
            INSERT INTO words (rowid, title, text, marks) VALUES (new.row, new.title, new.text, new.marks);
        END;
        CREATE TRIGGER documents_delete AFTER DELETE ON documents BEGIN
            INSERT INTO words (words, rowid, title, text, marks)
            VALUES ('delete', old.row, old.title, old.text, old.marks);
        END;
        """
    /// Includes tables of earlier layouts, so that old files are emptied completely.
    private static let allTables = [
        "vocabulary", "words", "documents", "place", "upkeep", "categories", "kinds", "terms",
    ]

    private static func makeTables(_ database: GRDB.Database) throws {
        for table in allTables { try database.execute(sql: "DROP TABLE IF EXISTS \(table)") }
        try database.execute(sql: tables)
    }

    func close() throws { try pool.close() }

    // MARK: - Writing

    func place() async throws -> SearchPlace? {
        try await reading { database in
            try Row.fetchOne(database, sql: "SELECT seq, hash FROM place").map {
                SearchPlace(seq: $0["seq"], hash: $0["hash"])
            }
        }
    }

    func clear() async throws { try await writing { try Self.makeTables($0) } }

    func remove(category: String) async throws {
        try await writing { database in
            var counts = TermCounts()
            let rows = try Row.fetchCursor(
                database, sql: "SELECT title, text FROM documents WHERE category = ?", arguments: [category])
            while let row = try rows.next() { counts.remove(row["title"], row["text"]) }
            try database.execute(sql: "DELETE FROM documents WHERE category = ?", arguments: [category])
            try Self.note(written: 0, removed: database.changesCount, database)
            try counts.write(to: database)
        }
    }

    private static func note(written: Int, removed: Int, _ database: GRDB.Database) throws {
        guard written > 0 || removed > 0 else { return }
        try database.execute(
            sql: "UPDATE upkeep SET written = written + ?, removed = removed + ?", arguments: [written, removed])
    }

    func put(_ documents: [SearchDocument], in category: String, removing ids: [UUID]) async throws {
        try await writing { database in
            var counts = TermCounts()
            let gone = try Self.delete(ids + documents.map(\.id), of: category, &counts, database)
            try Self.insert(documents, category, &counts, database)
            try Self.note(written: documents.count, removed: max(0, gone - documents.count), database)
            try counts.write(to: database)
            // Each write adds a segment to the index, and every search reads every segment.
            try database.execute(
                sql: "INSERT INTO words (words, rank) VALUES ('merge', ?)",
                arguments: [Self.leastMerge + documents.count / Self.documentsPerMergedPage])
        }
    }

    /// The least number of index pages merged after each write, and the documents per additional page.
    private static let (leastMerge, documentsPerMergedPage) = (64, 2)

    /// Deletes documents in the order of their row ids, because FTS5 flushes to disk whenever a row id decreases.
    ///
    /// - Returns: The number of deleted documents.
    private static func delete(
        _ ids: [UUID], of category: String, _ counts: inout TermCounts, _ database: GRDB.Database
    ) throws -> Int {
        let find = try database.cachedStatement(
            sql: "SELECT row, title, text FROM documents WHERE category = ? AND id = ?")
        var rows: Set<Int64> = []
        for id in ids {
            guard let row = try Row.fetchOne(find, arguments: [category, id.text]), rows.insert(row["row"]).inserted
            else { continue }
            counts.remove(row["title"], row["text"])
        }
        let delete = try database.cachedStatement(sql: "DELETE FROM documents WHERE row = ?")
        for row in rows.sorted() { try delete.execute(arguments: [row]) }
        return rows.count
    }

    private static func insert(
        _ documents: [SearchDocument], _ category: String, _ counts: inout TermCounts, _ database: GRDB.Database
    ) throws {
        guard !documents.isEmpty else { return }
        try database.execute(
            sql: "INSERT INTO categories (name, next) VALUES (?, 0) ON CONFLICT DO NOTHING", arguments: [category])
        guard
            let place = try Row.fetchOne(
                database, sql: "SELECT number, next FROM categories WHERE name = ?", arguments: [category])
        else { return }
        let (number, next): (Int64, Int64) = (place["number"], place["next"])
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO documents (row, category, id, shown, subtitle, path, tint, title, text, marks)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for (offset, document) in documents.enumerated() {
            let title = SearchTokens.indexed(document.title)
            let text = SearchTokens.indexed("\(document.subtitle) \(document.text)")
            try insert.execute(arguments: [
                number * span + next + Int64(offset), category, document.id.text, document.title, document.subtitle,
                document.path, document.tint.rawValue, title.joined(separator: " "), text.joined(separator: " "),
                document.readers.map(SearchTokens.mark).joined(separator: " "),
            ])
            counts.add(title, text)
        }
        try database.execute(
            sql: "UPDATE categories SET next = next + ? WHERE number = ?", arguments: [documents.count, number])
        let kind = try database.cachedStatement(sql: "INSERT OR IGNORE INTO kinds (category, kind) VALUES (?, ?)")
        for name in Set(documents.flatMap(\.readers).map(SearchTokens.kind)).sorted() {
            try kind.execute(arguments: [number, name])
        }
    }

    func move(to place: SearchPlace) async throws {
        try await writing { database in
            try database.execute(sql: "DELETE FROM place")
            try database.execute(
                sql: "INSERT INTO place (seq, hash) VALUES (?, ?)", arguments: [place.seq, place.hash])
        }
    }

    func tidy() async throws {
        let isUntidy = try await reading { database in
            try Row.fetchOne(database, sql: "SELECT written, removed FROM upkeep").map {
                $0["written"] >= Self.untidy || $0["removed"] > 0
            } ?? false
        }
        guard isUntidy else { return }
        try await writing { database in
            // Erased text stays in old segments until they are merged. One segment is also searched twice as fast as
            // several.
            try database.execute(sql: "INSERT INTO words (words) VALUES ('optimize')")
            try database.execute(sql: "UPDATE upkeep SET written = 0, removed = 0")
        }
        do {
            try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch {
            // The log cannot be truncated while there are readers; the next call tries again.
            let fault = DatabaseFault.translating(error)
            guard fault as? DatabaseFault == .busy else { throw fault }
        }
    }

    // MARK: - Finding

    func find(_ search: IndexedSearch) async throws -> IndexedHits {
        let words = Array(SearchTokens.sought(search.text).prefix(SearchTokens.most))
        guard !words.isEmpty, !search.readers.isEmpty, !search.categories.isEmpty else { return IndexedHits() }
        return try await reading { database in
            let hits = try Self.hits(words, search, database)
            guard hits.isEmpty, let better = try SearchTerms.corrected(words, database) else {
                return IndexedHits(hits: hits)
            }
            let found = try Self.hits(better, search, database)
            return IndexedHits(hits: found, corrected: found.isEmpty ? nil : better.joined(separator: " "))
        }
    }

    /// The latest matches, at most `limit` per category: those with all words in the title first.
    private static func hits(
        _ words: [String], _ search: IndexedSearch, _ database: GRDB.Database
    ) throws -> [IndexedHits.Hit] {
        var groups: [SearchTerms.Group] = []
        for word in words {
            guard let group = try SearchTerms.group(word, database) else { return [] }
            groups.append(group)
        }
        let readers = Dictionary(grouping: search.readers, by: SearchTokens.kind).mapValues {
            $0.map { "\"\(SearchTokens.mark($0))\"" }
        }
        var (numbers, marks): ([String: Int64], [Int64: [String]]) = ([:], [:])
        for row in try Row.fetchAll(database.cachedStatement(sql: kinds))
        where search.categories.contains(row["name"]) {
            guard let own = readers[row["kind"]] else { continue }
            numbers[row["name"]] = row["number"]
            marks[row["number"], default: []] += own
        }
        let terms = groups.map(\.expression).joined(separator: " AND ")
        let isFrequent = groups.allSatisfy { $0.count >= frequent }
        func rows(_ columns: String, of categories: [Int64]) throws -> [Int64: [Int64]] {
            let rights = Set(categories.flatMap { marks[$0] ?? [] }).sorted().joined(separator: " OR ")
            guard !rights.isEmpty else { return [:] }
            return try scan(
                "{\(columns)} : (\(terms)) AND {marks} : (\(rights))", categories, search.limit, database)
        }
        func isFull(_ rows: [Int64]?) -> Bool { rows?.count == search.limit }
        var (titles, all): ([Int64: [Int64]], [Int64: [Int64]]) = ([:], [:])
        if isFrequent {
            for number in numbers.values {
                titles.merge(try rows("title", of: [number])) { _, new in new }
                if isFull(titles[number]) { continue }
                all.merge(try rows("title text", of: [number])) { _, new in new }
            }
        } else {
            // A group that is not full is complete. A full group may lack older documents with the words in their
            // title.
            all = try rows("title text", of: Array(numbers.values))
            titles = try rows("title", of: all.filter { isFull($0.value) }.map(\.key))
        }
        let read = try database.cachedStatement(sql: document)
        return try search.categories.flatMap { category -> [IndexedHits.Hit] in
            guard let number = numbers[category] else { return [] }
            let first = titles[number] ?? []
            let others = (all[number] ?? []).filter { !first.contains($0) }
            let found = try (first + others).prefix(search.limit).compactMap {
                try Row.fetchOne(read, arguments: [$0])
            }
            guard !isFrequent, first.isEmpty else { return found.compactMap(hit) }
            let isTitled = found.map { has(words, $0["title"]) }
            let order = found.indices.filter { isTitled[$0] } + found.indices.filter { !isTitled[$0] }
            return order.compactMap { hit(found[$0]) }
        }
    }

    /// The number of documents per word from which each category is queried by itself, titles first.
    ///
    /// With frequent words the titles are likely to fill a group. With rarer words one query for all categories is
    /// faster, although it searches for all of the reader's audiences at once: each word and audience costs about as
    /// much as a query.
    private static let frequent = 200

    /// The row ids of the latest matches, at most `limit` per category. Rows are read from the end; when a category is
    /// full, the next query begins below it.
    private static func scan(
        _ expression: String, _ numbers: [Int64], _ limit: Int, _ database: GRDB.Database
    ) throws -> [Int64: [Int64]] {
        let statement = try database.cachedStatement(sql: found)
        let wanted = Set(numbers)
        guard let lowest = wanted.min(), let highest = wanted.max() else { return [:] }
        // For one category, as many rows as needed. For several, twice as many, because rows of full categories are
        // skipped.
        let portion = lowest == highest ? limit : 2 * limit
        var (end, groups): (Int64, [Int64: [Int64]]) = ((highest + 1) * span - 1, [:])
        while true {
            let rows = try Int64.fetchAll(statement, arguments: [expression, lowest * span, end, portion])
            for row in rows where wanted.contains(row / span) && groups[row / span, default: []].count < limit {
                groups[row / span, default: []].append(row)
            }
            guard rows.count == portion, let last = rows.last else { return groups }
            let number = last / span
            if let group = groups[number], group.count < limit {
                end = last - 1
                continue
            }
            guard let next = wanted.filter({ $0 < number }).max() else { return groups }
            end = (next + 1) * span - 1
        }
    }

    private static let kinds = "SELECT name, number, kind FROM categories JOIN kinds ON category = number"

    /// The matching row ids, in descending order.
    private static let found = """
        SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?
        """

    private static let document = """
        SELECT category, id, shown, subtitle, path, tint, title FROM documents WHERE row = ?
        """

    private static func has(_ words: [String], _ title: String) -> Bool {
        let own = title.split(separator: " ")
        return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }

    private static func hit(_ row: Row) -> IndexedHits.Hit? {
        guard let id = UUID(text: row["id"]), let tint = Tint(rawValue: row["tint"]) else { return nil }
        return IndexedHits.Hit(
            category: row["category"], id: id, title: row["shown"], subtitle: row["subtitle"], path: row["path"],
            tint: tint)
    }

    // MARK: - The file

    private func reading<Value: Sendable>(
        _ work: @escaping @Sendable (GRDB.Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await readers.read(pool, work)
        } catch {
            throw DatabaseFault.translating(error)
        }
    }

    private func writing(_ work: @escaping @Sendable (GRDB.Database) throws -> Void) async throws {
        do { try await pool.write(work) } catch { throw DatabaseFault.translating(error) }
    }
}
