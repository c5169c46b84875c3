import FeatureKit

/// The tables of the block, all of them a school's own.
enum MessagingMigrations {
    static let school = [
        // `last_seq` counts the messages of a conversation and `last_read` how far somebody has read: what is unread is
        // their difference, and nothing is ever counted. `activity` is the place in the school's change log after which
        // the latest message came, so that clocks order nothing.
        Migration(
            "001-conversations",
            """
            CREATE TABLE conversations (
                id TEXT PRIMARY KEY,
                kind TEXT NOT NULL,
                title TEXT,
                pair TEXT UNIQUE,
                classroom_id TEXT UNIQUE,
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
                sent_at BIGINT NOT NULL,
                PRIMARY KEY (conversation_id, seq)
            );
            CREATE UNIQUE INDEX messages_id ON messages (id);
            CREATE INDEX messages_sender ON messages (sender_id);
            CREATE INDEX messages_sent_at ON messages (sent_at);
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
    ]
}
