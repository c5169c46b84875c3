import FeatureKit

/// The block's tables in the school's database.
enum MessagingMigrations {
    static let school = [
        // `last_seq` counts the messages of a conversation, and `last_read` is how far a person has read; the
        // difference is the number of unread messages. `activity` is the position in the change log at the latest
        // message, so that the order does not depend on clocks.
        Migration(
            "001-conversations",
            """
            CREATE TABLE conversations (
                id TEXT PRIMARY KEY,
                kind TEXT NOT NULL,
                title TEXT,
                pair TEXT UNIQUE,
                classroom_id TEXT UNIQUE,
                is_closed INTEGER NOT NULL,
                started_by TEXT NOT NULL,
                started_at BIGINT NOT NULL,
                last_seq INTEGER NOT NULL,
                activity BIGINT NOT NULL
            );
            CREATE TABLE conversation_members (
                person_id TEXT NOT NULL,
                conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
                last_read INTEGER NOT NULL,
                is_muted INTEGER NOT NULL,
                PRIMARY KEY (person_id, conversation_id)
            );
            CREATE INDEX conversation_members_conversation ON conversation_members (conversation_id);
            CREATE TABLE messages (
                conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
                seq INTEGER NOT NULL,
                id TEXT NOT NULL,
                sender_id TEXT NOT NULL,
                text TEXT NOT NULL,
                search_text TEXT NOT NULL,
                reply_to TEXT,
                sent_at BIGINT NOT NULL,
                edited_at BIGINT,
                deleted_at BIGINT,
                PRIMARY KEY (conversation_id, seq)
            );
            CREATE UNIQUE INDEX messages_id ON messages (id);
            CREATE INDEX messages_sender ON messages (sender_id);
            CREATE INDEX messages_sent_at ON messages (sent_at);
            CREATE TABLE message_files (
                message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
                position INTEGER NOT NULL,
                name TEXT NOT NULL,
                size BIGINT NOT NULL,
                sha256 TEXT NOT NULL,
                thumbnail_sha256 TEXT,
                width INTEGER,
                height INTEGER,
                PRIMARY KEY (message_id, position)
            );
            CREATE TABLE message_reports (
                id TEXT PRIMARY KEY,
                message_id TEXT NOT NULL,
                conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
                sender_id TEXT NOT NULL,
                reporter_id TEXT NOT NULL,
                reason TEXT NOT NULL,
                text TEXT NOT NULL,
                reported_at BIGINT NOT NULL,
                settled_by TEXT,
                settled_at BIGINT,
                UNIQUE (message_id, reporter_id)
            );
            CREATE INDEX message_reports_conversation ON message_reports (conversation_id);
            CREATE INDEX message_reports_sender ON message_reports (sender_id);
            CREATE INDEX message_reports_reporter ON message_reports (reporter_id);
            CREATE INDEX message_reports_reported_at ON message_reports (reported_at);
            CREATE TABLE messaging_policy (
                id INTEGER PRIMARY KEY NOT NULL,
                students INTEGER NOT NULL,
                channels TEXT NOT NULL
            );
            """),
        Migration(
            "002-announcements",
            """
            CREATE TABLE announcements (
                id TEXT PRIMARY KEY,
                title TEXT NOT NULL,
                text TEXT NOT NULL,
                classroom_id TEXT,
                author_id TEXT NOT NULL,
                published_at BIGINT NOT NULL
            );
            CREATE INDEX announcements_author ON announcements (author_id);
            CREATE INDEX announcements_published_at ON announcements (published_at);
            """),
        Migration(
            "003-course-announcements",
            """
            ALTER TABLE announcements ADD COLUMN course_id TEXT;
            CREATE INDEX announcements_course ON announcements (course_id, id);
            """),
        Migration(
            "004-study",
            """
            CREATE TABLE study_people (
                person_id TEXT PRIMARY KEY NOT NULL,
                course_id TEXT NOT NULL,
                work TEXT NOT NULL,
                entered_at BIGINT NOT NULL,
                seen_at BIGINT NOT NULL
            );
            CREATE INDEX study_people_course ON study_people (course_id);
            CREATE TABLE study_focus (course_id TEXT PRIMARY KEY NOT NULL, ends_at BIGINT NOT NULL);
            """),
        Migration("005-announcement-circles", "ALTER TABLE announcements ADD COLUMN circle TEXT;"),
    ]
}
