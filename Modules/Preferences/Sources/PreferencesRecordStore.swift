import FeatureKit

/// The block's tables and the rules for export, erasure and retention of their rows.
enum PreferencesRecordStore {
    static let kinds = [
        RecordKind(
            "preferences.display", "preferences.records.display", store: .directory, personal: [.choices],
            erasure: .withAccount,
            tables: [
                RecordTable(
                    "display_preferences",
                    about: {
                        """
                        SELECT language, theme, appearance FROM display_preferences
                        WHERE account_id = \($0.accountId)
                        """
                    },
                    eraseAccount: { "DELETE FROM display_preferences WHERE account_id = \($0)" })
            ]),
        RecordKind(
            "preferences.personal", "preferences.records.personal", personal: [.activity], erasure: .withPerson,
            tables: [
                RecordTable(
                    "personal_preferences",
                    export: { _ in
                        "SELECT person_id, name, value FROM personal_preferences ORDER BY person_id, name"
                    },
                    about: {
                        "SELECT name, value FROM personal_preferences WHERE person_id = \($0.personId) ORDER BY name"
                    },
                    erase: { "DELETE FROM personal_preferences WHERE person_id = \($0.personId)" })
            ]),
    ]
}
