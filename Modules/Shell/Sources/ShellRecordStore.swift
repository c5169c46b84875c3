import FeatureKit

/// The block's tables, for export, retention and erasure.
enum ShellRecordStore {
    static let kinds = [
        RecordKind(
            "shell.onboarding", "onboarding.records.drafts", store: .directory, personal: [.name, .choices],
            erasure: .withAccount,
            tables: [
                RecordTable(
                    "onboarding",
                    about: {
                        "SELECT started_at, completed_at, draft FROM onboarding WHERE account_id = \($0.accountId)"
                    },
                    eraseAccount: { "DELETE FROM onboarding WHERE account_id = \($0)" })
            ]),
        RecordKind(
            "shell.releases", "onboarding.records.releases", store: .directory, personal: [.activity],
            erasure: .withAccount,
            tables: [
                RecordTable(
                    "seen_releases", eraseAccount: { "DELETE FROM seen_releases WHERE account_id = \($0)" })
            ]),
        RecordKind(
            "shell.carriedOut", "onboarding.records.carriedOut", personal: [], erasure: .withSchool,
            tables: [RecordTable("onboarding_carried_out")]),
    ]
}
