import FeatureKit

enum RosterMigrations {
    static let school = [
        Migration(
            "001-uploads",
            """
            CREATE TABLE roster_uploads (
                id TEXT NOT NULL,
                person_id TEXT NOT NULL,
                name TEXT NOT NULL,
                bytes BYTEA NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (id, name)
            );
            CREATE INDEX roster_uploads_person ON roster_uploads (person_id);
            CREATE INDEX roster_uploads_created ON roster_uploads (created_at);
            """),
        Migration(
            "002-roles",
            """
            CREATE TABLE roster_roles (
                person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
                role TEXT NOT NULL,
                given INTEGER NOT NULL,
                PRIMARY KEY (person_id, role)
            );
            CREATE INDEX roster_roles_given ON roster_roles (given);
            """),
    ]
}
