import FeatureKit

/// The block's tables, all of them a school's own.
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
            CREATE INDEX residence_stays_room ON residence_stays (room_id, left_on);
            CREATE INDEX residence_stays_residence ON residence_stays (residence_id, left_on);
            """),
    ]
}
