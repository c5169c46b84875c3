import Domain
import FeatureKit
import Foundation

/// Reads and writes word lists in the school's database.
enum WordListRepository {
    static let migration = Migration(
        "001-lists",
        """
        CREATE TABLE practice_lists (
            id TEXT PRIMARY KEY NOT NULL,
            owner_id TEXT,
            course_id TEXT,
            name TEXT NOT NULL,
            language TEXT NOT NULL,
            created_at BIGINT NOT NULL
        );
        CREATE INDEX practice_lists_owner ON practice_lists (owner_id);
        CREATE INDEX practice_lists_course ON practice_lists (course_id);
        CREATE TABLE practice_words (
            id TEXT PRIMARY KEY NOT NULL,
            list_id TEXT NOT NULL REFERENCES practice_lists (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            word TEXT NOT NULL,
            hint TEXT,
            sha256 TEXT,
            media TEXT,
            recorded_by TEXT
        );
        CREATE INDEX practice_words_list ON practice_words (list_id, position);
        CREATE INDEX practice_words_recorder ON practice_words (recorded_by);
        """)

    // MARK: - Lists

    static func list(_ id: UUID, in sql: any SQLReading) throws -> WordList? {
        try sql.row("SELECT * FROM practice_lists WHERE id = \(id)").map(list)
    }

    /// A person's own lists and those of courses, by name.
    static func lists(
        of personId: UUID, courses: Set<UUID>, in sql: any SQLReading
    ) throws -> [WordList] {
        // A list belongs to a person or to a course, so none is found twice.
        let own = try sql.rows("SELECT * FROM practice_lists WHERE owner_id = \(personId)")
        let shared = try sql.rows(ofEach: courses) { "SELECT * FROM practice_lists WHERE course_id IN \(list: $0)" }
        return try sorted((own + shared).map(list))
    }

    static func lists(ofCourse courseId: UUID, in sql: any SQLReading) throws -> [WordList] {
        try sorted(sql.rows("SELECT * FROM practice_lists WHERE course_id = \(courseId)").map(list))
    }

    /// The lists with these ids. Unknown ids are left out.
    static func lists(_ ids: [UUID], in sql: any SQLReading) throws -> [WordList] {
        try sql.rows(ofEach: ids) { "SELECT * FROM practice_lists WHERE id IN \(list: $0)" }.map(list)
    }

    static func ids(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM practice_lists WHERE id > \(id?.text ?? "") ORDER BY id LIMIT \(limit)").map {
            try $0.get("id")
        }
    }

    static func count(of personId: UUID, in sql: any SQLReading) throws -> Int {
        try sql.value("SELECT COUNT(*) FROM practice_lists WHERE owner_id = \(personId)").map { Int($0) } ?? 0
    }

    /// Inserts or replaces a list, without its words.
    static func save(_ list: WordList, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO practice_lists (id, owner_id, course_id, name, language, created_at)
            VALUES (\(list.id), \(list.ownerId), \(list.courseId), \(list.name), \(list.language),
                \(list.createdAt))
            ON CONFLICT (id) DO UPDATE SET owner_id = excluded.owner_id, course_id = excluded.course_id, name = excluded.name,
                language = excluded.language
            """)
    }

    /// Deletes a list with its words and recordings. Rounds keep its name.
    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM practice_words WHERE list_id = \(id)")
        try sql.execute("DELETE FROM practice_lists WHERE id = \(id)")
    }

    private static func sorted(_ lists: [WordList]) -> [WordList] {
        lists.sorted { (NameFolding.fold($0.name), $0.id) < (NameFolding.fold($1.name), $1.id) }
    }

    private static func list(_ row: SQLRow) throws -> WordList {
        try WordList(
            id: row.get("id"), ownerId: row.optional("owner_id"), courseId: row.optional("course_id"),
            name: row.get("name"), language: row.get("language"), createdAt: row.get("created_at"))
    }

    // MARK: - Words

    /// The words of a list, in order.
    static func words(of listId: UUID, in sql: any SQLReading) throws -> [ListedWord] {
        try sql.rows(words(of: listId)).map(word)
    }

    static func words(of listId: UUID) -> SQL {
        "SELECT * FROM practice_words WHERE list_id = \(listId) ORDER BY position, id"
    }

    static func counts(_ listIds: [UUID], in sql: any SQLReading) throws -> [UUID: Int] {
        try sql.rows(ofEach: listIds) {
            "SELECT list_id, COUNT(*) AS count FROM practice_words WHERE list_id IN \(list: $0) GROUP BY list_id"
        }.reduce(into: [:]) { $0[try $1.get("list_id")] = try $1.get("count", as: Int.self) }
    }

    /// A word with its list.
    static func word(_ id: UUID, in sql: any SQLReading) throws -> (
        word: ListedWord, listId: UUID, media: MediaType?
    )? {
        try sql.row("SELECT * FROM practice_words WHERE id = \(id)").map {
            (try word($0), try $0.get("list_id"), try $0.optional("media"))
        }
    }

    /// Replaces the words of a list. A word that stays keeps its id, and so its recording.
    static func replace(
        _ lines: [WordListText.Line], of listId: UUID, newId: () -> UUID, in sql: any SQLWriting
    ) throws {
        let before = try words(of: listId, in: sql)
        let known = Dictionary(before.enumerated().map { ($1.word, (place: $0, word: $1)) }) { first, _ in first }
        let removed = Set(before.map(\.word)).subtracting(lines.map(\.word)).compactMap { known[$0]?.word.id }
        for portion in SQL.lists(of: removed) {
            try sql.execute("DELETE FROM practice_words WHERE id IN \(list: portion)")
        }
        var added: [[SQLValue]] = []
        for (place, line) in lines.enumerated() {
            if let old = known[line.word] {
                if old.place == place, old.word.hint == line.hint { continue }
                try sql.execute(
                    "UPDATE practice_words SET position = \(place), hint = \(line.hint) WHERE id = \(old.word.id)")
            } else {
                added.append([
                    newId().sqlValue, listId.sqlValue, place.sqlValue, line.word.sqlValue,
                    line.hint?.sqlValue ?? .null,
                ])
            }
        }
        for portion in SQL.portions(of: added) {
            try sql.execute(
                "INSERT INTO practice_words (id, list_id, position, word, hint) VALUES \(rows: portion)")
        }
    }

    /// Sets the recording of a word, or removes it.
    static func record(
        _ wordId: UUID, _ recording: (hash: BlobHash, media: MediaType, by: UUID)?, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            UPDATE practice_words SET sha256 = \(recording?.hash), media = \(recording?.media),
                recorded_by = \(recording?.by)
            WHERE id = \(wordId)
            """)
    }

    private static func word(_ row: SQLRow) throws -> ListedWord {
        try ListedWord(
            id: row.get("id"), word: row.get("word"), hint: row.optional("hint"),
            recording: row.optional("sha256"))
    }
}
