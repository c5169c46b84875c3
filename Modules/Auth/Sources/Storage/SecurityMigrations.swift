import FeatureKit

/// The tables of lock-outs, codes and second factors.
enum SecurityMigrations {
    static let directory = [
        Migration(
            "020-lock-outs",
            """
            CREATE TABLE lock_outs (
                key TEXT PRIMARY KEY NOT NULL,
                failures INTEGER NOT NULL,
                last_try BIGINT NOT NULL
            );
            CREATE INDEX lock_outs_last_try ON lock_outs (last_try);
            """),
        Migration(
            "021-gate-codes",
            """
            CREATE TABLE gate_codes (
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                device_id TEXT NOT NULL,
                code_hash TEXT NOT NULL,
                set_at BIGINT NOT NULL,
                PRIMARY KEY (account_id, device_id)
            );
            """),
        Migration(
            "022-one-time-codes",
            """
            ALTER TABLE sessions ADD COLUMN second_factor_at BIGINT;
            CREATE TABLE authenticators (
                account_id TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                sealed_secret TEXT NOT NULL,
                made_at BIGINT NOT NULL,
                confirmed_at BIGINT,
                last_step BIGINT NOT NULL
            );
            CREATE TABLE recovery_codes (
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                fingerprint TEXT NOT NULL,
                used_at BIGINT,
                PRIMARY KEY (account_id, fingerprint)
            );
            CREATE TABLE recovery_codes_shown (
                account_id TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                sealed_codes TEXT NOT NULL,
                until BIGINT NOT NULL
            );
            CREATE TABLE pending_sign_ins (
                fingerprint TEXT PRIMARY KEY NOT NULL,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                expires_at BIGINT NOT NULL
            );
            CREATE INDEX pending_sign_ins_account ON pending_sign_ins (account_id);
            CREATE INDEX pending_sign_ins_expiry ON pending_sign_ins (expires_at);
            """),
        Migration(
            "023-passkeys",
            """
            CREATE TABLE passkeys (
                id TEXT PRIMARY KEY NOT NULL,
                account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                name TEXT NOT NULL,
                public_key TEXT NOT NULL,
                sign_count BIGINT NOT NULL,
                made_at BIGINT NOT NULL,
                used_at BIGINT
            );
            CREATE INDEX passkeys_account ON passkeys (account_id, made_at);
            CREATE TABLE passkey_challenges (
                fingerprint TEXT PRIMARY KEY NOT NULL,
                account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                expires_at BIGINT NOT NULL
            );
            CREATE INDEX passkey_challenges_account ON passkey_challenges (account_id);
            CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);
            """),
    ]
}
