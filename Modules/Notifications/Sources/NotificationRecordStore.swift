import FeatureKit

/// What the block stores, and what becomes of it.
enum NotificationRecordStore {
    static let kinds = [
        RecordKind(
            "notifications.seen", "notifications.records.seen", personal: [.activity], erasure: .withPerson,
            tables: [
                RecordTable(
                    "notifications_seen",
                    about: { "SELECT seq FROM notifications_seen WHERE person_id = \($0.personId)" },
                    erase: { "DELETE FROM notifications_seen WHERE person_id = \($0.personId)" })
            ])
    ]
}
