import FeatureKit

/// What the block stores, and what becomes of it.
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
            ])
    ]
}
