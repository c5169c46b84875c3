import FeatureKit

/// The block's tables in the school's database.
enum WellnessMigrations {
    static let school = [
        Migration(
            "001-check-ins",
            """
            CREATE TABLE wellness_check_ins (
                id TEXT PRIMARY KEY NOT NULL,
                person_id TEXT NOT NULL,
                mood TEXT NOT NULL,
                sleep TEXT,
                energy TEXT,
                note TEXT NOT NULL,
                made_at BIGINT NOT NULL
            );
            CREATE INDEX wellness_check_ins_person ON wellness_check_ins (person_id, made_at);
            CREATE TABLE wellness_shares (
                check_in_id TEXT NOT NULL REFERENCES wellness_check_ins (id) ON DELETE CASCADE,
                adult_id TEXT NOT NULL,
                shared_at BIGINT NOT NULL,
                PRIMARY KEY (check_in_id, adult_id)
            );
            CREATE INDEX wellness_shares_adult ON wellness_shares (adult_id);
            CREATE TABLE wellness_readers (
                person_id TEXT NOT NULL,
                adult_id TEXT NOT NULL,
                shared_at BIGINT NOT NULL,
                PRIMARY KEY (person_id, adult_id)
            );
            CREATE INDEX wellness_readers_adult ON wellness_readers (adult_id);
            """),
        Migration(
            "002-help",
            """
            CREATE TABLE wellness_requests (
                id TEXT PRIMARY KEY NOT NULL,
                person_id TEXT NOT NULL,
                note TEXT NOT NULL,
                asked_at BIGINT NOT NULL,
                closed_at BIGINT,
                answer TEXT NOT NULL
            );
            CREATE INDEX wellness_requests_person ON wellness_requests (person_id, asked_at);
            CREATE INDEX wellness_requests_open ON wellness_requests (asked_at) WHERE closed_at IS NULL;
            CREATE TABLE wellness_request_adults (
                request_id TEXT NOT NULL REFERENCES wellness_requests (id) ON DELETE CASCADE,
                adult_id TEXT NOT NULL,
                seen_at BIGINT,
                has_closed INTEGER NOT NULL,
                PRIMARY KEY (request_id, adult_id)
            );
            CREATE INDEX wellness_request_adults_adult ON wellness_request_adults (adult_id);
            CREATE TABLE wellness_contacts (
                person_id TEXT PRIMARY KEY NOT NULL
            );
            CREATE TABLE wellness_settings (
                id TEXT PRIMARY KEY NOT NULL,
                is_on INTEGER NOT NULL,
                allows_parents INTEGER NOT NULL,
                advice TEXT NOT NULL,
                numbers TEXT NOT NULL
            );
            """),
    ]
}
