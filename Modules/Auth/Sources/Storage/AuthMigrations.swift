import FeatureKit

enum AuthMigrations {
    static let directory = [
        Migration(
            "001-accounts",
            """
            CREATE TABLE accounts (
                id TEXT PRIMARY KEY,
                email TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL,
                password_hash TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            """),
        Migration(
            "002-sessions",
            """
            CREATE TABLE sessions (
                id TEXT PRIMARY KEY,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                device_id TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                ended_at BIGINT
            );
            CREATE INDEX sessions_account ON sessions (account_id);
            CREATE TABLE session_tokens (
                fingerprint TEXT PRIMARY KEY,
                session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                kind TEXT NOT NULL,
                expires_at BIGINT NOT NULL,
                replaced_at BIGINT
            );
            CREATE INDEX session_tokens_session ON session_tokens (session_id);
            """),
        Migration(
            "003-security",
            """
            ALTER TABLE sessions ADD COLUMN client TEXT;
            ALTER TABLE sessions ADD COLUMN used_at BIGINT;
            CREATE TABLE password_resets (
                fingerprint TEXT PRIMARY KEY,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                expires_at BIGINT NOT NULL,
                used_at BIGINT
            );
            CREATE INDEX password_resets_account ON password_resets (account_id);
            """),
        // Existing accounts count as confirmed, since their holders have signed in.
        Migration(
            "010-standing",
            """
            ALTER TABLE accounts ADD COLUMN confirmed_at BIGINT;
            UPDATE accounts SET confirmed_at = created_at;
            ALTER TABLE accounts ADD COLUMN thirteen_on TEXT;
            ALTER TABLE accounts ADD COLUMN parent_email TEXT;
            ALTER TABLE accounts ADD COLUMN parent_agreed_at BIGINT;
            CREATE TABLE mailed_links (
                fingerprint TEXT PRIMARY KEY,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                purpose TEXT NOT NULL,
                expires_at BIGINT NOT NULL
            );
            CREATE INDEX mailed_links_account ON mailed_links (account_id, purpose);
            """),
        Migration(
            "011-consents",
            """
            CREATE TABLE consents (
                id TEXT PRIMARY KEY,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                purpose TEXT NOT NULL,
                version TEXT NOT NULL,
                language TEXT NOT NULL,
                giver TEXT NOT NULL,
                giver_email TEXT,
                is_given INTEGER NOT NULL,
                at BIGINT NOT NULL
            );
            CREATE INDEX consents_account ON consents (account_id, id);
            """),
        Migration(
            "012-api-tokens",
            """
            ALTER TABLE sessions ADD COLUMN token_name TEXT;
            ALTER TABLE sessions ADD COLUMN scopes TEXT;
            ALTER TABLE sessions ADD COLUMN organization_id TEXT;
            """),
        // The scopes that an adult has opened on a narrowed device, and until when.
        Migration(
            "013-narrow-devices",
            """
            ALTER TABLE sessions ADD COLUMN opened_scopes TEXT;
            ALTER TABLE sessions ADD COLUMN opened_until BIGINT;
            """),
        // The salt that the successor of a replaced refresh token is derived with.
        Migration(
            "014-successors",
            "ALTER TABLE session_tokens ADD COLUMN successor_salt TEXT;"),
        Migration(
            "015-link-decoys",
            """
            CREATE TABLE link_decoys (
                fingerprint TEXT PRIMARY KEY NOT NULL,
                expires_at BIGINT NOT NULL
            );
            """),
        // One row, written with the first account. On a server that already has accounts, the first is unknown, so the
        // row names none until an operator is named.
        Migration(
            "016-operator",
            """
            CREATE TABLE server_operator (
                place INTEGER PRIMARY KEY NOT NULL CHECK (place = 1),
                account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL
            );
            INSERT INTO server_operator (place) SELECT 1 WHERE EXISTS (SELECT 1 FROM accounts);
            """),
        // The address that an account gets once a link is used.
        Migration("017-new-addresses", "ALTER TABLE mailed_links ADD COLUMN new_email TEXT;"),
        // When a client first used an access token of a replaced token's successor. It is not known of earlier ones,
        // which therefore count as used.
        Migration(
            "018-used-successors",
            """
            ALTER TABLE session_tokens ADD COLUMN successor_used_at BIGINT;
            UPDATE session_tokens SET successor_used_at = replaced_at WHERE replaced_at IS NOT NULL;
            """),
    ]
}
