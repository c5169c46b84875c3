import FeatureKit

/// What the block stores, and what becomes of it.
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
                    })
            ]),
        RecordKind(
            "shell.carriedOut", "onboarding.records.carriedOut", personal: [], erasure: .withSchool,
            tables: [RecordTable("onboarding_carried_out")]),
    ]
}
