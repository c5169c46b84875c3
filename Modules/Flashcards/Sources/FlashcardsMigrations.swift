import FeatureKit

/// The block's tables in the school's database.
enum FlashcardsMigrations {
    static let school = [
        Migration(
            "001-sets",
            """
            CREATE TABLE flashcards_sets (
                id TEXT PRIMARY KEY NOT NULL,
                owner_id TEXT NOT NULL,
                title TEXT NOT NULL,
                details TEXT,
                front_language TEXT,
                back_language TEXT,
                card_count INTEGER NOT NULL,
                last_position INTEGER NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX flashcards_sets_owner ON flashcards_sets (owner_id);
            CREATE TABLE flashcards_shares (
                set_id TEXT NOT NULL,
                course_id TEXT NOT NULL,
                PRIMARY KEY (set_id, course_id)
            );
            CREATE INDEX flashcards_shares_course ON flashcards_shares (course_id);
            CREATE TABLE flashcards_cards (
                id TEXT PRIMARY KEY NOT NULL,
                set_id TEXT NOT NULL,
                position INTEGER NOT NULL,
                front TEXT NOT NULL,
                back TEXT NOT NULL
            );
            CREATE INDEX flashcards_cards_set ON flashcards_cards (set_id, position);
            CREATE TABLE flashcards_media (
                card_id TEXT NOT NULL,
                side TEXT NOT NULL,
                kind TEXT NOT NULL,
                set_id TEXT NOT NULL,
                sha256 TEXT NOT NULL,
                media TEXT NOT NULL,
                width INTEGER,
                height INTEGER,
                alternative TEXT,
                PRIMARY KEY (card_id, side, kind)
            );
            CREATE INDEX flashcards_media_set ON flashcards_media (set_id, sha256);
            """),
        // The reviews are the truth; the states are computed from them.
        Migration(
            "002-study",
            """
            CREATE TABLE flashcards_learners (
                person_id TEXT NOT NULL,
                set_id TEXT NOT NULL,
                added_at BIGINT NOT NULL,
                PRIMARY KEY (person_id, set_id)
            );
            CREATE INDEX flashcards_learners_set ON flashcards_learners (set_id);
            CREATE TABLE flashcards_reviews (
                person_id TEXT NOT NULL,
                id TEXT NOT NULL,
                card_id TEXT NOT NULL,
                set_id TEXT NOT NULL,
                rating INTEGER NOT NULL,
                reviewed_at BIGINT NOT NULL,
                is_undone INTEGER NOT NULL,
                PRIMARY KEY (person_id, id)
            );
            CREATE INDEX flashcards_reviews_card ON flashcards_reviews (person_id, card_id, reviewed_at);
            CREATE INDEX flashcards_reviews_set ON flashcards_reviews (set_id, card_id);
            CREATE TABLE flashcards_states (
                person_id TEXT NOT NULL,
                card_id TEXT NOT NULL,
                set_id TEXT NOT NULL,
                phase TEXT NOT NULL,
                step INTEGER NOT NULL,
                stability DOUBLE PRECISION NOT NULL,
                difficulty DOUBLE PRECISION NOT NULL,
                reviewed_at BIGINT NOT NULL,
                due_at BIGINT NOT NULL,
                first_day TEXT NOT NULL,
                PRIMARY KEY (person_id, card_id)
            );
            CREATE INDEX flashcards_states_due ON flashcards_states (person_id, set_id, due_at);
            CREATE INDEX flashcards_states_set ON flashcards_states (set_id, card_id);
            CREATE TABLE flashcards_days (
                person_id TEXT NOT NULL,
                day TEXT NOT NULL,
                PRIMARY KEY (person_id, day)
            );
            """),
    ]
}
