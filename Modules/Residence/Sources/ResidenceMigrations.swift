import FeatureKit

/// The block's tables, in each school's database and in the directory.
enum ResidenceMigrations {
    static let school = [
        Migration(
            "001-residences",
            """
            CREATE TABLE residences (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                school_night_curfew INTEGER NOT NULL,
                weekend_curfew INTEGER NOT NULL,
                records_location INTEGER NOT NULL,
                sort_key TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE TABLE residence_staff (
                residence_id TEXT NOT NULL REFERENCES residences (id) ON DELETE CASCADE,
                person_id TEXT NOT NULL,
                job TEXT NOT NULL,
                PRIMARY KEY (residence_id, person_id, job)
            );
            CREATE INDEX residence_staff_person ON residence_staff (person_id);
            CREATE TABLE residence_rooms (
                id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL REFERENCES residences (id) ON DELETE CASCADE,
                number TEXT NOT NULL,
                number_key TEXT NOT NULL,
                type TEXT NOT NULL,
                bed_count INTEGER NOT NULL,
                details TEXT,
                created_at BIGINT NOT NULL,
                updated_at BIGINT NOT NULL,
                UNIQUE (residence_id, number_key)
            );
            """),
        // A person lives in at most one residence at a time: the second index refuses another open stay.
        Migration(
            "002-residents",
            """
            CREATE TABLE residents (
                person_id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL REFERENCES residences (id),
                status TEXT NOT NULL,
                phone TEXT,
                is_of_age INTEGER NOT NULL,
                allows_location INTEGER NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX residents_residence ON residents (residence_id, status);
            CREATE TABLE residence_stays (
                id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL REFERENCES residences (id),
                student_id TEXT NOT NULL,
                room_id TEXT REFERENCES residence_rooms (id),
                first_day TEXT NOT NULL,
                left_on TEXT
            );
            CREATE UNIQUE INDEX residence_stays_open ON residence_stays (student_id) WHERE left_on IS NULL;
            CREATE INDEX residence_stays_student ON residence_stays (student_id, first_day);
            CREATE INDEX residence_stays_room ON residence_stays (room_id, left_on);
            CREATE INDEX residence_stays_residence ON residence_stays (residence_id, left_on);
            """),
        // Passages are only added; corrections are rows of their own. `residence_presence` holds what follows from
        // them, so that a day's page reads one row a resident.
        Migration(
            "003-passages",
            """
            CREATE TABLE residence_passages (
                id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL REFERENCES residences (id),
                student_id TEXT NOT NULL,
                type TEXT NOT NULL,
                method TEXT NOT NULL,
                at BIGINT NOT NULL,
                received_at BIGINT NOT NULL,
                tag_id TEXT,
                latitude DOUBLE PRECISION,
                longitude DOUBLE PRECISION,
                accuracy DOUBLE PRECISION,
                device_id TEXT,
                recorded_by TEXT
            );
            CREATE INDEX residence_passages_student ON residence_passages (student_id, at);
            CREATE INDEX residence_passages_residence ON residence_passages (residence_id, at);
            CREATE TABLE residence_corrections (
                id TEXT PRIMARY KEY,
                passage_id TEXT NOT NULL REFERENCES residence_passages (id),
                type TEXT,
                at BIGINT,
                reason TEXT NOT NULL,
                corrected_by TEXT NOT NULL,
                corrected_at BIGINT NOT NULL
            );
            CREATE INDEX residence_corrections_passage ON residence_corrections (passage_id);
            CREATE TABLE residence_presence (
                student_id TEXT PRIMARY KEY,
                type TEXT NOT NULL,
                last_passage BIGINT NOT NULL,
                changed_at BIGINT NOT NULL,
                last_check_in BIGINT,
                last_check_out BIGINT
            );
            """),
        Migration(
            "004-leaves",
            """
            CREATE TABLE residence_leaves (
                id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL REFERENCES residences (id),
                student_id TEXT NOT NULL,
                from_at BIGINT NOT NULL,
                to_at BIGINT NOT NULL,
                place TEXT NOT NULL,
                companion TEXT,
                reason TEXT,
                requested_by TEXT NOT NULL,
                requested_at BIGINT NOT NULL,
                needs_parent INTEGER NOT NULL,
                withdrawn_at BIGINT
            );
            CREATE INDEX residence_leaves_student ON residence_leaves (student_id, from_at);
            CREATE INDEX residence_leaves_residence ON residence_leaves (residence_id, to_at);
            CREATE TABLE residence_leave_decisions (
                leave_id TEXT NOT NULL REFERENCES residence_leaves (id) ON DELETE CASCADE,
                part TEXT NOT NULL,
                is_approved INTEGER NOT NULL,
                decided_by TEXT NOT NULL,
                decided_at BIGINT NOT NULL,
                note TEXT,
                PRIMARY KEY (leave_id, part)
            );
            """),
        // An entry without a status was taken back. At the closing each resident of the evening has an entry with the
        // room's number of that evening; after it, only corrections are added.
        Migration(
            "005-roll-calls",
            """
            CREATE TABLE residence_roll_calls (
                residence_id TEXT NOT NULL REFERENCES residences (id) ON DELETE CASCADE,
                day TEXT NOT NULL,
                opened_at BIGINT NOT NULL,
                closed_at BIGINT,
                closed_by TEXT,
                PRIMARY KEY (residence_id, day)
            );
            CREATE TABLE residence_roll_call_entries (
                residence_id TEXT NOT NULL,
                day TEXT NOT NULL,
                student_id TEXT NOT NULL,
                status TEXT,
                reason TEXT,
                said_by TEXT,
                room TEXT,
                noted_by TEXT NOT NULL,
                noted_at BIGINT NOT NULL,
                PRIMARY KEY (residence_id, day, student_id),
                FOREIGN KEY (residence_id, day) REFERENCES residence_roll_calls (residence_id, day) ON DELETE CASCADE
            );
            CREATE INDEX residence_roll_call_entries_student ON residence_roll_call_entries (student_id);
            CREATE TABLE residence_roll_call_corrections (
                id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL,
                day TEXT NOT NULL,
                student_id TEXT NOT NULL,
                status TEXT NOT NULL,
                reason TEXT,
                said_by TEXT,
                corrected_by TEXT NOT NULL,
                corrected_at BIGINT NOT NULL,
                FOREIGN KEY (residence_id, day) REFERENCES residence_roll_calls (residence_id, day) ON DELETE CASCADE
            );
            CREATE INDEX residence_roll_call_corrections_day ON residence_roll_call_corrections (residence_id, day);
            CREATE INDEX residence_roll_call_corrections_student ON residence_roll_call_corrections (student_id);
            """),
        // Who was late and when they came back, so that each late return is told once.
        Migration(
            "006-late-returns",
            """
            ALTER TABLE residences ADD COLUMN tells_parents INTEGER NOT NULL DEFAULT 0;
            CREATE TABLE residence_late_returns (
                student_id TEXT NOT NULL,
                residence_id TEXT NOT NULL REFERENCES residences (id) ON DELETE CASCADE,
                due_at BIGINT NOT NULL,
                noticed_at BIGINT NOT NULL,
                returned_at BIGINT,
                PRIMARY KEY (student_id, due_at)
            );
            CREATE INDEX residence_late_returns_open ON residence_late_returns (residence_id, returned_at);
            """),
        Migration(
            "007-meals",
            """
            CREATE TABLE residence_meals (
                id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL REFERENCES residences (id) ON DELETE CASCADE,
                day TEXT NOT NULL,
                kind TEXT NOT NULL,
                time INTEGER NOT NULL,
                dish TEXT NOT NULL,
                diets TEXT NOT NULL,
                cut_off BIGINT NOT NULL,
                UNIQUE (residence_id, day, kind)
            );
            CREATE TABLE residence_meal_choices (
                meal_id TEXT NOT NULL REFERENCES residence_meals (id) ON DELETE CASCADE,
                student_id TEXT NOT NULL,
                choice TEXT NOT NULL,
                chosen_by TEXT NOT NULL,
                chosen_at BIGINT NOT NULL,
                PRIMARY KEY (meal_id, student_id)
            );
            CREATE INDEX residence_meal_choices_student ON residence_meal_choices (student_id);
            CREATE TABLE residence_diets (
                student_id TEXT PRIMARY KEY,
                diet TEXT NOT NULL,
                allergies TEXT,
                carries_pen INTEGER NOT NULL,
                changed_at BIGINT NOT NULL
            );
            """),
        // The rows of an import tell what it changed, so that it can be undone.
        Migration(
            "008-imports",
            """
            CREATE TABLE residence_uploads (
                id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL REFERENCES residences (id) ON DELETE CASCADE,
                person_id TEXT NOT NULL UNIQUE,
                body TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE TABLE residence_imports (
                id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL REFERENCES residences (id) ON DELETE CASCADE,
                person_id TEXT NOT NULL,
                steps TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                undone_at BIGINT
            );
            CREATE INDEX residence_imports_residence ON residence_imports (residence_id, created_at);
            CREATE INDEX residence_imports_person ON residence_imports (person_id, created_at);
            """),
        // A code belongs to one tag that was not revoked; a card that was revoked may be given to somebody else.
        Migration(
            "009-gates",
            """
            CREATE TABLE residence_gates (
                id TEXT PRIMARY KEY,
                residence_id TEXT NOT NULL REFERENCES residences (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                device_id TEXT NOT NULL UNIQUE,
                allowed_by TEXT NOT NULL,
                allowed_at BIGINT NOT NULL,
                ended_at BIGINT
            );
            CREATE INDEX residence_gates_residence ON residence_gates (residence_id, allowed_at);
            CREATE TABLE residence_tags (
                id TEXT PRIMARY KEY,
                student_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                code TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                created_by TEXT NOT NULL,
                lost_at BIGINT,
                ended_at BIGINT
            );
            CREATE UNIQUE INDEX residence_tags_code ON residence_tags (code) WHERE ended_at IS NULL;
            CREATE INDEX residence_tags_student ON residence_tags (student_id, created_at);
            """),
    ]
    static let directory = [
        Migration(
            "001-gate-pairings",
            """
            CREATE TABLE residence_gate_pairings (
                fingerprint TEXT PRIMARY KEY NOT NULL,
                account_id TEXT NOT NULL,
                organization_id TEXT NOT NULL,
                device_id TEXT NOT NULL,
                has_second_factor INTEGER NOT NULL,
                expires_at BIGINT NOT NULL
            );
            CREATE INDEX residence_gate_pairings_expiry ON residence_gate_pairings (expires_at);
            """)
    ]
}
