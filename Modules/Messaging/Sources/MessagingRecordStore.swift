import FeatureKit

/// The block's tables, for export, retention and erasure.
enum MessagingRecordStore {
    static let kinds = [
        RecordKind(
            "messaging.messages", "messages.records.messages", personal: [.notes, .activity],
            retention: .days(1095, in: 90...7300), erasure: .tombstone,
            tables: [
                RecordTable(
                    "messages",
                    export: { _ in
                        """
                        SELECT conversation_id, seq, id, sender_id, text, reply_to, sent_at, edited_at, deleted_at
                        FROM messages
                        ORDER BY conversation_id, seq
                        """
                    },
                    // A person's export has the messages that they wrote. Messages to them belong to their authors.
                    about: { subject in
                        """
                        SELECT conversation_id, seq, text, sent_at FROM messages
                        WHERE sender_id = \(subject.personId) ORDER BY sent_at, id
                        """
                    },
                    // The message's number stays, without its text.
                    erase: { "UPDATE messages SET text = '', search_text = '' WHERE sender_id = \($0.personId)" },
                    expiry: .init(of: "messages", by: "sent_at", key: "conversation_id, seq"),
                    texts: .init(of: "messages", columns: ["text", "search_text"])),
                RecordTable(
                    "message_files",
                    export: { _ in
                        """
                        SELECT message_id, position, name, size, sha256 FROM message_files
                        ORDER BY message_id, position
                        """
                    },
                    about: { subject in
                        """
                        SELECT messages.sent_at, message_files.name, message_files.sha256 FROM message_files
                        JOIN messages ON messages.id = message_files.message_id
                        WHERE messages.sender_id = \(subject.personId)
                        ORDER BY messages.sent_at, message_files.message_id, message_files.position
                        """
                    },
                    erase: {
                        """
                        DELETE FROM message_files WHERE message_id IN (
                            SELECT id FROM messages WHERE sender_id = \($0.personId))
                        """
                    }, files: "SELECT sha256, thumbnail_sha256 FROM message_files"),
            ]),
        RecordKind(
            "messaging.reports", "messages.records.reports", personal: [.notes, .activity],
            retention: .days(365, in: 30...3650), erasure: .withPerson,
            tables: [
                RecordTable(
                    "message_reports",
                    export: { _ in
                        """
                        SELECT id, message_id, conversation_id, sender_id, reporter_id, reason, text, reported_at,
                            settled_by, settled_at FROM message_reports ORDER BY id
                        """
                    },
                    about: { subject in
                        """
                        SELECT reason, text, reported_at FROM message_reports
                        WHERE reporter_id = \(subject.personId) ORDER BY reported_at, id
                        """
                    },
                    erase: {
                        """
                        DELETE FROM message_reports
                        WHERE reporter_id = \($0.personId) OR sender_id = \($0.personId)
                        """
                    },
                    // An open report has no such time, so it stays until an administrator has settled it.
                    expiry: .init(of: "message_reports", by: "settled_at", key: "id"),
                    texts: .init(of: "message_reports", columns: ["text", "reason"]))
            ]),
        RecordKind(
            "messaging.conversations", "messages.records.conversations", personal: [.activity],
            erasure: .withPerson,
            tables: [
                RecordTable(
                    "conversation_members",
                    export: { _ in
                        """
                        SELECT conversation_id, person_id, last_read, is_muted FROM conversation_members
                        ORDER BY conversation_id, person_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT conversations.id, conversations.kind, conversations.title, conversation_members.last_read
                        FROM conversation_members
                        JOIN conversations ON conversations.id = conversation_members.conversation_id
                        WHERE conversation_members.person_id = \(subject.personId) ORDER BY conversations.id
                        """
                    },
                    erase: { "DELETE FROM conversation_members WHERE person_id = \($0.personId)" }),
                RecordTable(
                    "conversations",
                    export: { _ in
                        """
                        SELECT id, kind, title, classroom_id, started_by, started_at, last_seq FROM conversations
                        ORDER BY id
                        """
                    }),
            ]),
        RecordKind(
            "messaging.announcements", "messages.records.announcements", personal: [.activity],
            retention: .days(1095, in: 90...7300), erasure: .tombstone,
            tables: [
                RecordTable(
                    "announcements",
                    export: { _ in
                        """
                        SELECT id, title, text, classroom_id, course_id, circle, author_id, published_at
                        FROM announcements
                        ORDER BY id
                        """
                    },
                    about: { subject in
                        """
                        SELECT title, text, published_at FROM announcements
                        WHERE author_id = \(subject.personId) ORDER BY id
                        """
                    },
                    // The announcement stays. Its author is shown as a former member.
                    expiry: .init(of: "announcements", by: "published_at", key: "id"),
                    texts: .init(of: "announcements", columns: ["title", "text"]))
            ]),
        RecordKind(
            "messaging.study", "messages.records.study", personal: [.activity],
            retention: .days(1, in: 1...7), erasure: .withPerson,
            tables: [
                RecordTable(
                    "study_people",
                    export: { _ in
                        """
                        SELECT person_id, course_id, work, entered_at, seen_at FROM study_people ORDER BY person_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT course_id, work, entered_at, seen_at FROM study_people
                        WHERE person_id = \(subject.personId)
                        """
                    },
                    erase: { "DELETE FROM study_people WHERE person_id = \($0.personId)" },
                    expiry: .init(of: "study_people", by: "seen_at", key: "person_id")),
                RecordTable(
                    "study_focus", export: { _ in "SELECT course_id, ends_at FROM study_focus ORDER BY course_id" },
                    expiry: .init(of: "study_focus", by: "ends_at", key: "course_id")),
            ]),
        RecordKind(
            "messaging.policy", "messages.records.policy", personal: [], erasure: .withSchool,
            tables: [
                RecordTable(
                    "messaging_policy",
                    export: { _ in "SELECT students, channels FROM messaging_policy" })
            ]),
    ]
}
