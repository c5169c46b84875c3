import Domain
public import FeatureKit
public import FlashcardsModel
import Foundation

extension CardLanguage: SQLConvertible {}

/// Reads and writes sets of cards in the school's database.
enum CardSetRepository {
    /// The sets with these ids, by title. Unknown ids are left out.
    static func sets(_ ids: some Sequence<UUID>, in sql: any SQLReading) throws -> [CardSet] {
        let ids = Array(ids)
        let shares = try sql.rows(ofEach: ids) {
            "SELECT set_id, course_id FROM flashcards_shares WHERE set_id IN \(list: $0) ORDER BY course_id"
        }.reduce(into: [UUID: [UUID]]()) { $0[try $1.get("set_id"), default: []].append(try $1.get("course_id")) }
        return try sql.rows(ofEach: ids) { "SELECT * FROM flashcards_sets WHERE id IN \(list: $0)" }.map { row in
            let id: UUID = try row.get("id")
            return try CardSet(
                id: id, ownerId: row.get("owner_id"), title: row.get("title"), details: row.optional("details"),
                frontLanguage: row.optional("front_language"), backLanguage: row.optional("back_language"),
                courseIds: shares[id] ?? [], cardCount: row.get("card_count"), createdAt: row.get("created_at"))
        }.sorted { (NameFolding.fold($0.title), $0.id) < (NameFolding.fold($1.title), $1.id) }
    }

    /// The ids of the sets that are shared in any of these courses.
    static func ids(sharedIn courseIds: some Sequence<UUID>, in sql: any SQLReading) throws -> Set<UUID> {
        Set(
            try sql.rows(ofEach: courseIds) {
                "SELECT DISTINCT set_id FROM flashcards_shares WHERE course_id IN \(list: $0)"
            }.map { try $0.get("set_id") })
    }

    /// The ids of the sets that a person made.
    static func ids(ownedBy personId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM flashcards_sets WHERE owner_id = \(personId)").map { try $0.get("id") }
    }

    /// The ids of at most `limit` sets after an id, in the order of ids.
    static func ids(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM flashcards_sets WHERE id > \(id?.text ?? "") ORDER BY id LIMIT \(limit)")
            .map { try $0.get("id") }
    }

    static func titles(_ ids: [UUID], in sql: any SQLReading) throws -> [UUID: String] {
        try sql.rows(ofEach: ids) { "SELECT id, title FROM flashcards_sets WHERE id IN \(list: $0)" }.reduce(
            into: [:]) {
                $0[try $1.get("id")] = try $1.get("title", as: String.self)
            }
    }

    /// Inserts a set, or changes its title, description, languages and courses.
    static func save(_ set: CardSet, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO flashcards_sets
                (id, owner_id, title, details, front_language, back_language, card_count, last_position, created_at)
            VALUES (\(set.id), \(set.ownerId), \(set.title), \(set.details), \(set.frontLanguage),
                \(set.backLanguage), 0, 0, \(set.createdAt))
            ON CONFLICT (id) DO UPDATE SET title = excluded.title, details = excluded.details,
                front_language = excluded.front_language, back_language = excluded.back_language
            """)
        try sql.execute("DELETE FROM flashcards_shares WHERE set_id = \(set.id)")
        for courseId in set.courseIds {
            try sql.execute("INSERT INTO flashcards_shares (set_id, course_id) VALUES (\(set.id), \(courseId))")
        }
    }

    /// Deletes a set with its cards, and what people learned with it.
    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM flashcards_reviews WHERE set_id = \(id)")
        try sql.execute("DELETE FROM flashcards_states WHERE set_id = \(id)")
        try sql.execute("DELETE FROM flashcards_learners WHERE set_id = \(id)")
        try sql.execute("DELETE FROM flashcards_media WHERE set_id = \(id)")
        try sql.execute("DELETE FROM flashcards_cards WHERE set_id = \(id)")
        try sql.execute("DELETE FROM flashcards_shares WHERE set_id = \(id)")
        try sql.execute("DELETE FROM flashcards_sets WHERE id = \(id)")
    }

    // MARK: - The sets that a person studies

    static func studied(by personId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            "SELECT set_id FROM flashcards_learners WHERE person_id = \(personId) ORDER BY added_at, set_id"
        ).map { try $0.get("set_id") }
    }

    static func studies(_ setId: UUID, _ personId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            "SELECT 1 FROM flashcards_learners WHERE person_id = \(personId) AND set_id = \(setId)")
    }

    /// The number of people other than the owner who study a set.
    static func learnerCount(of set: CardSet, in sql: any SQLReading) throws -> Int {
        try sql.value(
            "SELECT COUNT(*) FROM flashcards_learners WHERE set_id = \(set.id) AND person_id <> \(set.ownerId)")
            ?? 0
    }

    static func add(_ setId: UUID, to personId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO flashcards_learners (person_id, set_id, added_at) VALUES (\(personId), \(setId), \(instant))
            ON CONFLICT (person_id, set_id) DO NOTHING
            """)
    }

    static func remove(_ setId: UUID, from personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM flashcards_learners WHERE person_id = \(personId) AND set_id = \(setId)")
    }
}
