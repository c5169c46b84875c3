import Domain
public import FeatureKit
public import FlashcardsModel
import Foundation

extension CardMemory.Phase: SQLConvertible {}

/// One review of a card, as a device made it.
struct CardReview: Sendable, Hashable {
    /// The id that the device chose.
    let id: UUID
    let cardId: UUID
    let setId: UUID
    let rating: CardRating
    let reviewedAt: Date
}

/// The reviews of people, and the memories that are computed from them.
///
/// Reviews are only added. An undo marks a review, also one that has not arrived yet. The memory of a card is always
/// computed from all its reviews in the order of their times, so every order of arrival gives the same.
enum ReviewRepository {
    private static let algorithm = FSRS()

    /// Adds a review, unless it was added or undone before, and computes the memory of its card again.
    static func add(
        _ review: CardReview, by personId: UUID, in timeZone: TimeZone, _ sql: any SQLWriting
    ) throws {
        try put(review, isUndone: false, personId, sql)
        try sql.execute(
            """
            INSERT INTO flashcards_days (person_id, day) VALUES (\(personId), \(Day(review.reviewedAt, in: timeZone)))
            ON CONFLICT (person_id, day) DO NOTHING
            """)
        try compute(review, personId, timeZone, sql)
    }

    /// Marks a review as undone, and computes the memory of its card again.
    static func undo(
        _ review: CardReview, by personId: UUID, in timeZone: TimeZone, _ sql: any SQLWriting
    ) throws {
        try put(review, isUndone: true, personId, sql)
        try sql.execute(
            """
            UPDATE flashcards_reviews SET is_undone = 1
            WHERE person_id = \(personId) AND id = \(review.id) AND card_id = \(review.cardId)
            """)
        try compute(review, personId, timeZone, sql)
    }

    private static func put(
        _ review: CardReview, isUndone: Bool, _ personId: UUID, _ sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO flashcards_reviews (person_id, id, card_id, set_id, rating, reviewed_at, is_undone)
            VALUES (\(personId), \(review.id), \(review.cardId), \(review.setId), \(review.rating.rawValue),
                \(review.reviewedAt), \(isUndone))
            ON CONFLICT (person_id, id) DO NOTHING
            """)
    }

    private static func compute(
        _ review: CardReview, _ personId: UUID, _ timeZone: TimeZone, _ sql: any SQLWriting
    ) throws {
        let reviews = try Self.reviews(of: review.cardId, by: personId, in: sql)
        guard let first = reviews.first, let memory = algorithm.replayed(reviews) else {
            try sql.execute(
                "DELETE FROM flashcards_states WHERE person_id = \(personId) AND card_id = \(review.cardId)")
            return
        }
        try sql.execute(
            """
            INSERT INTO flashcards_states (person_id, card_id, set_id, phase, step, stability, difficulty,
                reviewed_at, due_at, first_day)
            VALUES (\(personId), \(review.cardId), \(review.setId), \(memory.phase), \(memory.step),
                \(memory.stability), \(memory.difficulty), \(memory.reviewedAt), \(memory.due),
                \(Day(first.at, in: timeZone)))
            ON CONFLICT (person_id, card_id) DO UPDATE SET phase = excluded.phase, step = excluded.step,
                stability = excluded.stability, difficulty = excluded.difficulty,
                reviewed_at = excluded.reviewed_at, due_at = excluded.due_at, first_day = excluded.first_day
            """)
    }

    /// The reviews of a card that count, in the order of their times. Equal times are ordered by id, so that every
    /// server computes the same.
    static func reviews(
        of cardId: UUID, by personId: UUID, in sql: any SQLReading
    ) throws -> [(rating: CardRating, at: Date)] {
        try sql.rows(reviews(of: cardId, by: personId)).compactMap { row in
            try CardRating(rawValue: row.get("rating")).map { ($0, try row.get("reviewed_at")) }
        }
    }

    static func reviews(of cardId: UUID, by personId: UUID) -> SQL {
        """
        SELECT rating, reviewed_at FROM flashcards_reviews
        WHERE person_id = \(personId) AND card_id = \(cardId) AND is_undone = 0 ORDER BY reviewed_at, id
        """
    }

    // MARK: - Memories

    /// What a person remembers of a set, in numbers.
    struct Counts: Sendable, Hashable {
        /// The cards that were reviewed at least once.
        var seen = 0
        /// The cards that are repeated after days.
        var known = 0
        /// The cards that are due before the given time.
        var due = 0
    }

    /// Counts the cards of each set that a person has reviewed.
    static func counts(
        of setIds: [UUID], by personId: UUID, dueBefore end: Date, in sql: any SQLReading
    ) throws -> [UUID: Counts] {
        try sql.rows(ofEach: setIds) { counts(of: $0, by: personId, dueBefore: end) }.reduce(into: [:]) {
            all, row in
            all[try row.get("set_id")] = Counts(
                seen: try row.get("seen"), known: try row.get("known"), due: try row.get("due"))
        }
    }

    static func counts(of setIds: some Sequence<UUID>, by personId: UUID, dueBefore end: Date) -> SQL {
        """
        SELECT set_id, COUNT(*) AS seen, SUM(CASE WHEN phase = \(CardMemory.Phase.review) THEN 1 ELSE 0 END) AS known,
            SUM(CASE WHEN due_at < \(end) THEN 1 ELSE 0 END) AS due
        FROM flashcards_states WHERE person_id = \(personId) AND set_id IN \(list: setIds) GROUP BY set_id
        """
    }

    /// The due times of a person's cards of some sets before a time, for a forecast.
    static func dueTimes(
        of setIds: [UUID], by personId: UUID, before end: Date, in sql: any SQLReading
    ) throws -> [Date] {
        try sql.rows(ofEach: setIds) {
            """
            SELECT due_at FROM flashcards_states
            WHERE person_id = \(personId) AND set_id IN \(list: $0) AND due_at < \(end)
            """
        }.map { try $0.get("due_at") }
    }

    /// The cards of some sets that are due before a time with their memories, those that are due first in front.
    static func due(
        of setIds: [UUID], by personId: UUID, before end: Date, limit: Int, in sql: any SQLReading
    ) throws -> [(cardId: UUID, memory: CardMemory)] {
        let found = try sql.rows(ofEach: setIds) {
            """
            SELECT * FROM flashcards_states
            WHERE person_id = \(personId) AND set_id IN \(list: $0) AND due_at < \(end)
            ORDER BY due_at, card_id LIMIT \(limit)
            """
        }.map { row in
            try (
                cardId: row.get("card_id", as: UUID.self),
                memory: CardMemory(
                    phase: row.get("phase"), step: row.get("step"), stability: row.get("stability"),
                    difficulty: row.get("difficulty"), reviewedAt: row.get("reviewed_at"), due: row.get("due_at"))
            )
        }
        return Array(
            found.sorted { ($0.memory.due, $0.cardId) < ($1.memory.due, $1.cardId) }.prefix(limit))
    }

    /// The ids of cards of a set that a person has not reviewed, in the order of the set.
    static func new(of setId: UUID, for personId: UUID, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            """
            SELECT c.id FROM flashcards_cards c
            WHERE c.set_id = \(setId) AND NOT EXISTS (
                SELECT 1 FROM flashcards_states s WHERE s.person_id = \(personId) AND s.card_id = c.id)
            ORDER BY c.position LIMIT \(limit)
            """
        ).map { try $0.get("id") }
    }

    /// The number of cards of some sets that a person reviewed for the first time on a day.
    static func begun(
        on day: Day, of setIds: [UUID], by personId: UUID, in sql: any SQLReading
    ) throws -> Int {
        try sql.rows(ofEach: setIds) {
            """
            SELECT COUNT(*) AS count FROM flashcards_states
            WHERE person_id = \(personId) AND set_id IN \(list: $0) AND first_day = \(day)
            """
        }.reduce(0) { $0 + (try $1.get("count", as: Int.self)) }
    }

    /// The days since another on which a person reviewed cards.
    static func days(of personId: UUID, since day: Day, in sql: any SQLReading) throws -> [Day] {
        try sql.rows("SELECT day FROM flashcards_days WHERE person_id = \(personId) AND day >= \(day)")
            .map { try $0.get("day") }
    }

    /// The number of cards of a set that each of these people knows.
    static func known(
        of setId: UUID, by personIds: [UUID], in sql: any SQLReading
    ) throws -> [UUID: Int] {
        try sql.rows(ofEach: personIds) {
            """
            SELECT person_id, COUNT(*) AS known FROM flashcards_states
            WHERE set_id = \(setId) AND phase = \(CardMemory.Phase.review) AND person_id IN \(list: $0)
            GROUP BY person_id
            """
        }.reduce(into: [:]) { $0[try $1.get("person_id")] = try $1.get("known") }
    }
}
