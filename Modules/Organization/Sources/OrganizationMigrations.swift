import FeatureKit
import OrganizationInterface

enum OrganizationMigrations {
    static let directory = [
        Migration(
            "001-organizations",
            """
            CREATE TABLE organizations (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                avatar_tint TEXT NOT NULL,
                time_zone TEXT NOT NULL,
                created_at BIGINT NOT NULL
            );
            CREATE TABLE memberships (
                id TEXT PRIMARY KEY,
                org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
                person_id TEXT NOT NULL,
                account_id TEXT,
                role TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                UNIQUE (org_id, person_id, role)
            );
            CREATE INDEX memberships_account ON memberships (account_id, org_id);
            CREATE TABLE active_organizations (
                account_id TEXT NOT NULL,
                device_id TEXT NOT NULL,
                org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
                used_at BIGINT NOT NULL,
                PRIMARY KEY (account_id, device_id)
            );
            """),
        Migration(
            "002-invites",
            """
            CREATE TABLE invites (
                id TEXT PRIMARY KEY,
                org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
                code TEXT NOT NULL UNIQUE,
                role TEXT NOT NULL,
                person_id TEXT,
                created_by TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT,
                redeemed_at BIGINT,
                revoked_at BIGINT
            );
            CREATE INDEX invites_org ON invites (org_id, created_at);
            """),
        Migration(
            "003-closings",
            """
            CREATE TABLE closings (
                org_id TEXT PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE,
                person_id TEXT NOT NULL,
                closed_at BIGINT NOT NULL,
                deletes_at BIGINT NOT NULL
            );
            CREATE INDEX closings_deletes ON closings (deletes_at);
            """),
        Migration(
            "020-second-factor",
            "ALTER TABLE organizations ADD COLUMN requires_second_factor INTEGER NOT NULL DEFAULT 0;"),
        Migration(
            "021-mail-invites",
            """
            ALTER TABLE invites ADD COLUMN email TEXT;
            ALTER TABLE invites ADD COLUMN sent_at BIGINT;
            ALTER TABLE invites ADD COLUMN sendings INTEGER;
            ALTER TABLE invites ADD COLUMN redeemed_by TEXT;
            """),
        FamilyRepository.directoryMigration,
        // Schools that were deleted while the directory's file has not been rewritten since: its free pages may still hold their
        // text.
        Migration(
            "031-unfinished-removals",
            """
            CREATE TABLE unfinished_removals (
                org_id TEXT PRIMARY KEY NOT NULL,
                at BIGINT NOT NULL
            );
            """),
        Migration("032-invite-classrooms", "ALTER TABLE invites ADD COLUMN classroom_ids TEXT;"),
    ]

    static let school = [
        PeopleTable.creation,
        FamilyRepository.schoolMigration,
        PeopleTable.schoolRecord,
        Migration(
            "004-days-off",
            """
            CREATE TABLE days_off (
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                first_day TEXT NOT NULL,
                last_day TEXT NOT NULL
            );
            CREATE INDEX days_off_last ON days_off (last_day, first_day);
            CREATE TABLE school_weekdays (weekday BIGINT PRIMARY KEY);
            INSERT INTO school_weekdays (weekday) VALUES (1), (2), (3), (4), (5);
            """),
        PeopleTable.portraits,
        LogoRepository.migration,
    ]
}
