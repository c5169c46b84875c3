import FeatureKit

/// The migrations of the block's tables.
enum RecordsMigrations {
    static let directory = [
        Migration(
            "001-prepared-files",
            """
            CREATE TABLE prepared_files (
                id TEXT PRIMARY KEY,
                org_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                name TEXT NOT NULL,
                bytes BIGINT NOT NULL,
                person_id TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE INDEX prepared_files_org ON prepared_files (org_id, created_at);
            CREATE INDEX prepared_files_created ON prepared_files (created_at);
            """),
        // The directory notes here what a school still has to erase.
        Migration(
            "002-person-erasures",
            """
            CREATE TABLE person_erasures (
                org_id TEXT NOT NULL,
                person_id TEXT NOT NULL,
                is_erased INTEGER NOT NULL,
                placeholder TEXT NOT NULL,
                noted_at BIGINT NOT NULL,
                PRIMARY KEY (org_id, person_id)
            );
            """),
        Migration("003-prepared-about", "ALTER TABLE prepared_files ADD COLUMN about_id TEXT;\n"),
    ]

    static let school = [
        Migration(
            "001-retention",
            """
            CREATE TABLE retention_periods (
                kind TEXT PRIMARY KEY,
                days INTEGER NOT NULL,
                changed_by TEXT NOT NULL,
                changed_at BIGINT NOT NULL
            );
            """),
        Migration(
            "002-consents",
            """
            CREATE TABLE record_consents (
                id TEXT PRIMARY KEY,
                person_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                giver TEXT NOT NULL,
                is_given INTEGER NOT NULL,
                recorded_by TEXT NOT NULL,
                at BIGINT NOT NULL
            );
            CREATE INDEX record_consents_person ON record_consents (person_id, id);
            """),
        UnfinishedErasureRepository.migration,
    ]
}
