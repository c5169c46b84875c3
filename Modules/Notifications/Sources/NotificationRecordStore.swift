import FeatureKit

/// The block's tables, for export, retention and erasure.
enum NotificationRecordStore {
    static let kinds = [
        RecordKind(
            "notifications.seen", "notifications.records.seen", personal: [.activity], erasure: .withPerson,
            tables: [
                RecordTable(
                    "notifications_seen",
                    about: { "SELECT seq FROM notifications_seen WHERE person_id = \($0.personId)" },
                    erase: { "DELETE FROM notifications_seen WHERE person_id = \($0.personId)" }),
                RecordTable(
                    "notifications_read",
                    about: { "SELECT seq FROM notifications_read WHERE person_id = \($0.personId) ORDER BY seq" },
                    erase: { "DELETE FROM notifications_read WHERE person_id = \($0.personId)" }),
            ]),
        RecordKind(
            "notifications.choices", "notifications.records.choices", personal: [.choices], erasure: .withPerson,
            tables: [
                RecordTable(
                    "notification_choices",
                    about: {
                        """
                        SELECT muted, quiet_from, quiet_until FROM notification_choices
                        WHERE person_id = \($0.personId)
                        """
                    },
                    erase: { "DELETE FROM notification_choices WHERE person_id = \($0.personId)" })
            ]),
        // A device registers again each day. One that was silent for a month is removed, like its session.
        RecordKind(
            "notifications.devices", "notifications.records.devices", store: .directory, personal: [.devices],
            retention: .days(30, in: 1...90), erasure: .withAccount,
            tables: [
                RecordTable(
                    "push_devices",
                    about: {
                        """
                        SELECT kind, target, language, registered_at, renewed_at FROM push_devices
                        WHERE account_id = \($0.accountId) ORDER BY registered_at
                        """
                    },
                    eraseAccount: { "DELETE FROM push_devices WHERE account_id = \($0)" },
                    expiry: .init(of: "push_devices", by: "renewed_at", key: "id"))
            ]),
        RecordKind(
            "notifications.cursors", "notifications.records.cursors", personal: [.activity],
            retention: .days(90, in: 30...365), erasure: .withPerson,
            tables: [
                RecordTable(
                    "push_cursors",
                    about: { "SELECT seq FROM push_cursors WHERE person_id = \($0.personId)" },
                    erase: { "DELETE FROM push_cursors WHERE person_id = \($0.personId)" },
                    expiry: .init(of: "push_cursors", by: "changed_at", key: "device_id"))
            ]),
    ]
}
