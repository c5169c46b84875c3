import Domain
import FeatureKit
import FlashcardsModel
import Foundation

/// Reads and writes cards in the school's database.
enum CardRepository {
    /// A kind of file on a side of a card.
    enum MediaKind: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible { case picture, sound }

    // MARK: - Reading

    static func card(_ id: UUID, in sql: any SQLReading) throws -> Flashcard? {
        try cards(sql.rows("SELECT * FROM flashcards_cards WHERE id = \(id)"), in: sql).first
    }

    /// At most `limit` cards of a set after a position, in their order.
    static func cards(
        of setId: UUID, after position: Int = 0, limit: Int, in sql: any SQLReading
    ) throws -> [Flashcard] {
        try cards(sql.rows(page(of: setId, after: position, limit: limit)), in: sql)
    }

    static func page(of setId: UUID, after position: Int, limit: Int) -> SQL {
        """
        SELECT * FROM flashcards_cards WHERE set_id = \(setId) AND position > \(position)
        ORDER BY position LIMIT \(limit)
        """
    }

    /// The cards with these ids, by their ids. Unknown ids are left out.
    static func cards(_ ids: [UUID], in sql: any SQLReading) throws -> [UUID: Flashcard] {
        let rows = try sql.rows(ofEach: ids) { "SELECT * FROM flashcards_cards WHERE id IN \(list: $0)" }
        return try cards(rows, in: sql).reduce(into: [:]) { $0[$1.id] = $1 }
    }

    /// The beginnings of a set's texts, for the search.
    static func texts(of setId: UUID, limit: Int, in sql: any SQLReading) throws -> String {
        try sql.rows(page(of: setId, after: 0, limit: limit)).map {
            "\(try $0.get("front", as: String.self)) \(try $0.get("back", as: String.self))"
        }.joined(separator: "\n")
    }

    /// The set of a card; `nil` for an unknown card.
    static func setId(ofCard id: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT set_id FROM flashcards_cards WHERE id = \(id)")
    }

    private static func cards(_ rows: [SQLRow], in sql: any SQLReading) throws -> [Flashcard] {
        var cards = try rows.map { row in
            try Flashcard(
                id: row.get("id"), setId: row.get("set_id"), position: row.get("position"),
                front: CardSide(row.get("front")), back: CardSide(row.get("back")))
        }
        let places = Dictionary(cards.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let media = try sql.rows(ofEach: cards.map(\.id)) {
            "SELECT * FROM flashcards_media WHERE card_id IN \(list: $0)"
        }
        for row in media {
            guard let place = places[try row.get("card_id")],
                let side = CardSide.Place(rawValue: try row.get("side"))
            else { continue }
            switch MediaKind(rawValue: try row.get("kind")) {
            case .picture:
                cards[place][side].picture = try CardPicture(
                    hash: row.get("sha256"), width: row.get("width"), height: row.get("height"),
                    alternative: row.get("alternative"))
            case .sound: cards[place][side].sound = try CardSound(hash: row.get("sha256"))
            case nil: continue
            }
        }
        return cards
    }

    /// The type of a file of a set; `nil` if no card of the set has it.
    static func media(_ hash: BlobHash, of setId: UUID, in sql: any SQLReading) throws -> MediaType? {
        try sql.value("SELECT media FROM flashcards_media WHERE set_id = \(setId) AND sha256 = \(hash) LIMIT 1")
    }

    // MARK: - Writing

    /// Adds cards at the end of a set, and returns their ids.
    static func add(
        _ texts: [CardLines.Card], to setId: UUID, ids: () -> UUID, in sql: any SQLWriting
    ) throws -> [UUID] {
        var position: Int =
            try sql.value("SELECT last_position FROM flashcards_sets WHERE id = \(setId)") ?? 0
        var added: [UUID] = []
        let rows = texts.map { text -> [SQLValue] in
            position += 1
            let id = ids()
            added.append(id)
            return [
                id.sqlValue, setId.sqlValue, position.sqlValue, text.front.sqlValue, text.back.sqlValue,
            ]
        }
        for portion in SQL.portions(of: rows) {
            try sql.execute(
                "INSERT INTO flashcards_cards (id, set_id, position, front, back) VALUES \(rows: portion)")
        }
        try sql.execute(
            """
            UPDATE flashcards_sets SET last_position = \(position), card_count = card_count + \(texts.count)
            WHERE id = \(setId)
            """)
        return added
    }

    /// Changes the texts of a card.
    static func update(_ card: Flashcard, in sql: any SQLWriting) throws {
        try sql.execute(
            "UPDATE flashcards_cards SET front = \(card.front.text), back = \(card.back.text) WHERE id = \(card.id)"
        )
    }

    /// Moves a card before another one of its set, or to the end; returns whether its place is another one.
    static func move(_ card: Flashcard, before next: Flashcard?, in sql: any SQLWriting) throws -> Bool {
        let last: Int? = try sql.value("SELECT MAX(position) FROM flashcards_cards WHERE set_id = \(card.setId)")
        let (from, end) = (card.position, next?.position ?? (last ?? 0) + 1)
        guard next?.id != card.id else { return false }
        let isUp = end < from
        // The cards in between make room.
        let moved =
            isUp
            ? try sql.execute(
                """
                UPDATE flashcards_cards SET position = position + 1
                WHERE set_id = \(card.setId) AND position >= \(end) AND position < \(from)
                """)
            : try sql.execute(
                """
                UPDATE flashcards_cards SET position = position - 1
                WHERE set_id = \(card.setId) AND position > \(from) AND position < \(end)
                """)
        guard moved > 0 else { return false }
        try sql.execute("UPDATE flashcards_cards SET position = \(isUp ? end : end - 1) WHERE id = \(card.id)")
        return true
    }

    /// The last card of a set up to a position; `nil` if there is none.
    static func card(of setId: UUID, upTo position: Int, in sql: any SQLReading) throws -> UUID? {
        try sql.value(
            """
            SELECT id FROM flashcards_cards WHERE set_id = \(setId) AND position <= \(position)
            ORDER BY position DESC LIMIT 1
            """)
    }

    /// Deletes a card, and what people learned of it.
    static func delete(_ card: Flashcard, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM flashcards_reviews WHERE set_id = \(card.setId) AND card_id = \(card.id)")
        try sql.execute("DELETE FROM flashcards_states WHERE set_id = \(card.setId) AND card_id = \(card.id)")
        try sql.execute("DELETE FROM flashcards_media WHERE card_id = \(card.id)")
        try sql.execute("DELETE FROM flashcards_cards WHERE id = \(card.id)")
        try sql.execute("UPDATE flashcards_sets SET card_count = card_count - 1 WHERE id = \(card.setId)")
    }

    /// Stores a file of a card, in the place of the one before.
    static func put(_ file: StoredCardFile, on card: UUID, of setId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO flashcards_media
                (card_id, side, kind, set_id, sha256, media, width, height, alternative)
            VALUES (\(card), \(file.side.rawValue), \(file.kind), \(setId), \(file.hash), \(file.media),
                \(file.width), \(file.height), \(file.alternative))
            ON CONFLICT (card_id, side, kind) DO UPDATE SET sha256 = excluded.sha256, media = excluded.media,
                width = excluded.width, height = excluded.height, alternative = excluded.alternative
            """)
    }

    static func removeFile(
        _ kind: MediaKind, _ side: CardSide.Place, of card: UUID, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            DELETE FROM flashcards_media
            WHERE card_id = \(card) AND side = \(side.rawValue) AND kind = \(kind)
            """)
    }
}

/// A file that was stored in the school for a side of a card.
struct StoredCardFile: Sendable {
    let side: CardSide.Place
    let kind: CardRepository.MediaKind
    let hash: BlobHash
    let media: MediaType
    var width: Int?
    var height: Int?
    var alternative: String?
}
