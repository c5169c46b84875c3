import FeatureKit

/// The block's tables, for export, retention and erasure.
enum FlashcardsRecordStore {
    /// The sets of a person, for statements that erase what belongs to them.
    private static func sets(of subject: RecordSubject) -> SQL {
        "SELECT id FROM flashcards_sets WHERE owner_id = \(subject.personId)"
    }

    static let kinds = [
        RecordKind(
            "flashcards.reviews", "flashcards.records.reviews", personal: [.activity], erasure: .withPerson,
            tables: [
                RecordTable(
                    "flashcards_reviews",
                    export: { _ in
                        """
                        SELECT person_id, id, card_id, set_id, rating, reviewed_at, is_undone FROM flashcards_reviews
                        ORDER BY person_id, reviewed_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT c.front, r.rating, r.reviewed_at FROM flashcards_reviews r
                        JOIN flashcards_cards c ON c.id = r.card_id
                        WHERE r.person_id = \(subject.personId) AND r.is_undone = 0 ORDER BY r.reviewed_at, r.id
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM flashcards_reviews
                        WHERE person_id = \(subject.personId) OR set_id IN (\(sets(of: subject)))
                        """
                    }),
                RecordTable(
                    "flashcards_states",
                    export: { _ in
                        """
                        SELECT person_id, card_id, set_id, phase, step, stability, difficulty, reviewed_at, due_at,
                            first_day
                        FROM flashcards_states ORDER BY person_id, card_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT c.front, s.phase, s.reviewed_at, s.due_at FROM flashcards_states s
                        JOIN flashcards_cards c ON c.id = s.card_id
                        WHERE s.person_id = \(subject.personId) ORDER BY s.reviewed_at, s.card_id
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM flashcards_states
                        WHERE person_id = \(subject.personId) OR set_id IN (\(sets(of: subject)))
                        """
                    }),
                RecordTable(
                    "flashcards_days",
                    export: { _ in "SELECT person_id, day FROM flashcards_days ORDER BY person_id, day" },
                    about: {
                        "SELECT day FROM flashcards_days WHERE person_id = \($0.personId) ORDER BY day"
                    },
                    erase: { "DELETE FROM flashcards_days WHERE person_id = \($0.personId)" }),
                RecordTable(
                    "flashcards_learners",
                    export: { _ in
                        "SELECT person_id, set_id, added_at FROM flashcards_learners ORDER BY person_id, set_id"
                    },
                    about: { subject in
                        """
                        SELECT s.title, l.added_at FROM flashcards_learners l JOIN flashcards_sets s ON s.id = l.set_id
                        WHERE l.person_id = \(subject.personId) ORDER BY l.added_at, s.id
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM flashcards_learners
                        WHERE person_id = \(subject.personId) OR set_id IN (\(sets(of: subject)))
                        """
                    }),
            ]),
        RecordKind(
            "flashcards.sets", "flashcards.records.sets", personal: [.notes, .files], erasure: .withPerson,
            tables: [
                // Before the sets, by which the rows of a person are found.
                RecordTable(
                    "flashcards_media",
                    export: { _ in
                        """
                        SELECT card_id, side, kind, set_id, sha256, media, width, height, alternative
                        FROM flashcards_media ORDER BY card_id, side, kind
                        """
                    },
                    about: { subject in
                        """
                        SELECT s.title, m.side, m.kind, m.alternative, m.sha256 FROM flashcards_sets s
                        JOIN flashcards_media m ON m.set_id = s.id
                        WHERE s.owner_id = \(subject.personId) ORDER BY s.created_at, m.card_id, m.side, m.kind
                        """
                    },
                    erase: { "DELETE FROM flashcards_media WHERE set_id IN (\(sets(of: $0)))" },
                    files: "SELECT sha256 FROM flashcards_media",
                    texts: .init(
                        of: "flashcards_media", columns: ["alternative"], key: ["card_id", "side", "kind"])),
                RecordTable(
                    "flashcards_cards",
                    export: { _ in
                        "SELECT id, set_id, position, front, back FROM flashcards_cards ORDER BY set_id, position, id"
                    },
                    about: { subject in
                        """
                        SELECT s.title, c.front, c.back FROM flashcards_sets s
                        JOIN flashcards_cards c ON c.set_id = s.id
                        WHERE s.owner_id = \(subject.personId) ORDER BY s.created_at, c.position, c.id
                        """
                    },
                    erase: { "DELETE FROM flashcards_cards WHERE set_id IN (\(sets(of: $0)))" },
                    texts: .init(of: "flashcards_cards", columns: ["front", "back"])),
                RecordTable(
                    "flashcards_shares",
                    export: { _ in "SELECT set_id, course_id FROM flashcards_shares ORDER BY set_id, course_id" },
                    erase: { "DELETE FROM flashcards_shares WHERE set_id IN (\(sets(of: $0)))" }),
                RecordTable(
                    "flashcards_sets",
                    export: { _ in
                        """
                        SELECT id, owner_id, title, details, front_language, back_language, card_count, last_position,
                            created_at
                        FROM flashcards_sets ORDER BY created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT title, details, front_language, back_language, card_count, created_at
                        FROM flashcards_sets WHERE owner_id = \(subject.personId) ORDER BY created_at, id
                        """
                    },
                    erase: { "DELETE FROM flashcards_sets WHERE owner_id = \($0.personId)" },
                    texts: .init(of: "flashcards_sets", columns: ["title", "details"])),
            ]),
    ]
}
