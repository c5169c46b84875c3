import Domain
public import FeatureKit
public import Foundation
import GRDB
import Synchronization

/// A school's search index in a file of its own, on SQLite's full text search (FTS5).
///
/// Rights are words of each document (`marks`), so that one query finds what fits and may be seen. Documents have the
/// order in which they were written, and the latest come first: nothing is ranked, so that the most frequent word costs
/// no more than the rarest.
final class SQLiteSearchIndex: SearchIndex {
    /// Raised when the file's tables change; an older file is built anew.
    private static let layout = 1
    /// Hits looked at in all categories together, before any is looked at alone.
    private static let scan = 200
    /// Words of the index that are compared with a misspelt one.
    private static let candidates = 20_000

    private let pool: DatabasePool
    /// Whether many documents were taken out since the file was last tidied.
    private let isUntidy = Mutex(false)

    /// Opens or makes the file. Blocks.
    init(at url: URL) throws {
        var settings = Configuration()
        settings.maximumReaderCount = 3
        settings.busyMode = .timeout(5)
        settings.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -8192; PRAGMA secure_delete = FAST;")
        }
        pool = try DatabasePool(path: url.path, configuration: settings)
        try pool.writeWithoutTransaction { database in
            // A power cut takes back the last entries, and the log brings them again.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard found != Self.layout else { return }
            try database.inTransaction {
                for table in ["vocabulary", "words", "documents", "place"] {
                    try database.execute(sql: "DROP TABLE IF EXISTS \(table)")
                }
                try database.execute(sql: Self.tables)
                try database.execute(sql: "PRAGMA user_version = \(Self.layout)")
                return .commit
            }
        }
    }

    /// `words` reads its texts out of `documents` and keeps none of its own.
    private static let tables = """
        CREATE TABLE place (seq INTEGER NOT NULL, hash TEXT NOT NULL);
        CREATE TABLE documents (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
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
        CREATE VIRTUAL TABLE words USING fts5 (
            title, text, marks, content = 'documents', content_rowid = 'row', detail = 'column',
            tokenize = "unicode61 remove_diacritics 0", prefix = '1 2 3');
        CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, col);
        CREATE TRIGGER documents_insert AFTER INSERT ON documents BEGIN
            INSERT INTO words (rowid, title, text, marks) VALUES (new.row, new.title, new.text, new.marks);
        END;
        CREATE TRIGGER documents_delete AFTER DELETE ON documents BEGIN
            INSERT INTO words (words, rowid, title, text, marks)
            VALUES ('delete', old.row, old.title, old.text, old.marks);
        END;
        """

    func close() throws { try pool.close() }

    // MARK: - Writing

    func place() async throws -> SearchPlace? {
        try await reading { database in
            try Row.fetchOne(database, sql: "SELECT seq, hash FROM place").map {
                SearchPlace(seq: $0["seq"], hash: $0["hash"])
            }
        }
    }

    func clear() async throws {
        try await writing { database in
            try database.execute(
                sql: """
                    DROP TABLE vocabulary;
                    DROP TABLE words;
                    DROP TABLE documents;
                    DROP TABLE place;
                    """)
            try database.execute(sql: Self.tables)
        }
    }

    func remove(category: String) async throws {
        try await writing { database in
            try database.execute(sql: "DELETE FROM documents WHERE category = ?", arguments: [category])
        }
        isUntidy.withLock { $0 = true }
    }

    func put(_ documents: [SearchDocument], in category: String, removing ids: [UUID]) async throws {
        try await writing { database in
            let delete = try database.cachedStatement(
                sql: "DELETE FROM documents WHERE category = ? AND id = ?")
            for id in ids + documents.map(\.id) { try delete.execute(arguments: [category, id.text]) }
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO documents (category, id, shown, subtitle, path, tint, title, text, marks)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for document in documents {
                let marks = [SearchTokens.mark(category: category)] + document.readers.map(SearchTokens.mark)
                try insert.execute(arguments: [
                    category, document.id.text, document.title, document.subtitle, document.path,
                    document.tint.rawValue, SearchTokens.split(document.title).joined(separator: " "),
                    SearchTokens.split("\(document.subtitle) \(document.text)").joined(separator: " "),
                    marks.joined(separator: " "),
                ])
            }
        }
    }

    func move(to place: SearchPlace) async throws {
        let tidies = isUntidy.withLock { isUntidy in
            defer { isUntidy = false }
            return isUntidy
        }
        try await writing { database in
            // What was erased stands in the index's older parts until they are written together.
            if tidies { try database.execute(sql: "INSERT INTO words (words) VALUES ('optimize')") }
            try database.execute(sql: "DELETE FROM place")
            try database.execute(
                sql: "INSERT INTO place (seq, hash) VALUES (?, ?)", arguments: [place.seq, place.hash])
        }
    }

    // MARK: - Finding

    func find(_ search: IndexedSearch) async throws -> IndexedHits {
        let words = Array(SearchTokens.split(search.text).prefix(SearchTokens.most))
        guard !words.isEmpty, !search.readers.isEmpty, !search.categories.isEmpty else { return IndexedHits() }
        return try await reading { database in
            let hits = try Self.hits(words, search, database)
            guard hits.isEmpty, let better = try Self.corrected(words, database) else {
                return IndexedHits(hits: hits)
            }
            let found = try Self.hits(better, search, database)
            return IndexedHits(hits: found, corrected: found.isEmpty ? nil : better.joined(separator: " "))
        }
    }

    /// At most `limit` of each category: those whose title has every word, then those that have them anywhere.
    private static func hits(
        _ words: [String], _ search: IndexedSearch, _ database: GRDB.Database
    ) throws -> [IndexedHits.Hit] {
        let wanted = Set(search.categories)
        var found: [String: [IndexedHits.Hit]] = [:]
        var seen: Set<Int64> = []
        func take(_ columns: String, _ category: String?, _ limit: Int) throws -> Int {
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT documents.row, category, id, shown, subtitle, path, tint FROM words
                    JOIN documents ON documents.row = words.rowid
                    WHERE words MATCH ? ORDER BY words.rowid DESC LIMIT ?
                    """,
                arguments: [match(words, columns, search.readers, category), limit])
            for row in rows {
                let name: String = row["category"]
                guard wanted.contains(name), found[name, default: []].count < search.limit,
                    seen.insert(row["row"]).inserted, let hit = hit(row)
                else { continue }
                found[name, default: []].append(hit)
            }
            return rows.count
        }
        for columns in ["title", "title text"] {
            let count = try take(columns, nil, scan)
            guard count == scan else { continue }
            // One sort may have crowded out the others.
            for category in search.categories where found[category, default: []].count < search.limit {
                _ = try take(columns, category, search.limit * 2)
            }
        }
        return search.categories.flatMap { found[$0] ?? [] }
    }

    private static func hit(_ row: Row) -> IndexedHits.Hit? {
        guard let id = UUID(text: row["id"]), let tint = Tint(rawValue: row["tint"]) else { return nil }
        return IndexedHits.Hit(
            category: row["category"], id: id, title: row["shown"], subtitle: row["subtitle"], path: row["path"],
            tint: tint)
    }

    /// The query in the language of FTS5. Words hold letters and digits only, and stand in quotes.
    static func match(
        _ words: [String], _ columns: String, _ readers: Set<Audience>, _ category: String?
    ) -> String {
        let terms = words.map { "{\(columns)} : \"\($0)\" *" }
        let marks = readers.map { "\"\(SearchTokens.mark($0))\"" }.sorted().joined(separator: " OR ")
        let kind = category.map { ["{marks} : \"\(SearchTokens.mark(category: $0))\""] } ?? []
        return (terms + kind + ["{marks} : (\(marks))"]).joined(separator: " AND ")
    }

    /// The words with each that nothing begins with put right; `nil` where there is nothing to put right.
    private static func corrected(_ words: [String], _ database: GRDB.Database) throws -> [String]? {
        var isChanged = false
        let better = try words.map { word in
            guard try !isKnown(word, database), let near = try nearest(to: word, database) else { return word }
            isChanged = true
            return near
        }
        return isChanged ? better : nil
    }

    private static func isKnown(_ word: String, _ database: GRDB.Database) throws -> Bool {
        try Row.fetchOne(
            database, sql: "SELECT 1 FROM words WHERE words MATCH ? LIMIT 1",
            arguments: ["{title text} : \"\(word)\" *"]) != nil
    }

    /// The word of the index that is nearest to a misspelt one and has one of its first two letters at its beginning;
    /// of equals the most frequent.
    private static func nearest(to word: String, _ database: GRDB.Database) throws -> String? {
        let typed = Array(word.utf8)
        let limit = Spelling.allowance(word.count)
        guard limit > 0 else { return nil }
        var best: (distance: Int, count: Int, term: String)?
        for initial in Set(word.prefix(2)) {
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT term, SUM(doc) AS n FROM vocabulary
                    WHERE term >= ? AND term < ? AND col <> 'marks' GROUP BY term LIMIT ?
                    """,
                arguments: [String(initial), String(initial) + "\u{10FFFF}", candidates])
            while let row = try rows.next() {
                let term: String = row["term"]
                guard let distance = Spelling.distance(typed, toBeginningOf: Array(term.utf8), limit: limit) else {
                    continue
                }
                let count: Int = row["n"]
                if best.map({ (distance, -count) < ($0.distance, -$0.count) }) ?? true {
                    best = (distance, count, term)
                }
            }
        }
        return best?.term
    }

    // MARK: - The file

    private func reading<Value: Sendable>(
        _ work: @escaping @Sendable (GRDB.Database) throws -> Value
    ) async throws -> Value {
        do { return try await pool.read(work) } catch { throw DatabaseFault.translating(error) }
    }

    private func writing(_ work: @escaping @Sendable (GRDB.Database) throws -> Void) async throws {
        do { try await pool.write(work) } catch { throw DatabaseFault.translating(error) }
    }
}

/// A folder with one index file per school.
public final class SQLiteSearchIndexes: SearchIndexes {
    private let folder: URL
    private let open = Mutex<[UUID: SQLiteSearchIndex]>([:])
    /// Indexes kept open; a school that is searched opens its own within milliseconds.
    private static let most = 60

    /// The folder is made when the first index is wanted.
    public init(in folder: URL) { self.folder = folder }

    public func index(of schoolId: UUID) async throws -> any SearchIndex {
        if let known = open.withLock({ $0[schoolId] }) { return known }
        let url = folder.appending(path: "\(schoolId.text).search")
        return try await Blocking.run { [self] in
            try open.withLock { open in
                if let known = open[schoolId] { return known }
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let made: SQLiteSearchIndex
                do { made = try SQLiteSearchIndex(at: url) } catch { throw DatabaseFault.translating(error) }
                // Whoever still uses one of them keeps it open until the work is done.
                if open.count >= Self.most { open.removeAll() }
                open[schoolId] = made
                return made
            }
        }
    }

    public func keepOnly(_ schoolIds: Set<UUID>) async throws {
        let folder = folder
        open.withLock { open in open = open.filter { schoolIds.contains($0.key) } }
        try await Blocking.run {
            guard FileManager.default.fileExists(atPath: folder.path) else { return }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                guard let id = UUID(text: String(name.prefix(36))), !schoolIds.contains(id) else { continue }
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
        }
    }
}
