import FeatureKit

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
            """)
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
            """)
    ]
}
