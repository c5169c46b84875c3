import FeatureKit

/// The tables of signing in with an identity provider.
enum ProviderMigrations {
    static let directory = [
        // Existing accounts have a password or can set one by mail.
        Migration(
            "030-identities",
            """
            ALTER TABLE accounts ADD COLUMN has_password INTEGER NOT NULL DEFAULT 1;
            CREATE TABLE linked_identities (
                id TEXT PRIMARY KEY NOT NULL,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                subject TEXT NOT NULL,
                email TEXT,
                sealed_token TEXT,
                linked_at BIGINT NOT NULL,
                used_at BIGINT NOT NULL,
                UNIQUE (provider, subject),
                UNIQUE (account_id, provider)
            );
            ALTER TABLE sessions ADD COLUMN identity_id TEXT;
            CREATE INDEX sessions_identity ON sessions (identity_id);
            ALTER TABLE pending_sign_ins ADD COLUMN identity_id TEXT;
            CREATE TABLE provider_departures (
                fingerprint TEXT PRIMARY KEY NOT NULL,
                ticket TEXT NOT NULL,
                account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                device_id TEXT,
                next TEXT,
                expires_at BIGINT NOT NULL
            );
            CREATE INDEX provider_departures_account ON provider_departures (account_id);
            CREATE INDEX provider_departures_expiry ON provider_departures (expires_at);
            CREATE TABLE arrived_identities (
                ticket TEXT PRIMARY KEY NOT NULL,
                id TEXT NOT NULL,
                account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                provider TEXT NOT NULL,
                subject TEXT NOT NULL,
                email TEXT,
                name TEXT,
                sealed_token TEXT,
                next TEXT,
                expires_at BIGINT NOT NULL
            );
            CREATE INDEX arrived_identities_account ON arrived_identities (account_id);
            CREATE INDEX arrived_identities_expiry ON arrived_identities (expires_at);
            CREATE TABLE identity_revocations (
                id TEXT PRIMARY KEY NOT NULL,
                provider TEXT NOT NULL,
                sealed_token TEXT NOT NULL,
                asked_at BIGINT NOT NULL
            );
            """),
        // A token is revoked only if its person has not come back, which the subject tells.
        Migration(
            "031-revoked-subjects",
            """
            ALTER TABLE identity_revocations ADD COLUMN subject TEXT;
            CREATE INDEX identity_revocations_subject ON identity_revocations (provider, subject);
            CREATE INDEX arrived_identities_subject ON arrived_identities (provider, subject);
            """),
    ]
}
