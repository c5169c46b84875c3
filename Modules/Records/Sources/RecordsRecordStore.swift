import FeatureKit

/// What the block itself stores, and what becomes of it.
enum RecordsRecordStore {
    static let kinds = [
        RecordKind(
            "records.consents", "records.kind.consents", store: .directory, personal: [.consents, .email],
            erasure: .withAccount,
            tables: [
                RecordTable(
                    "consents",
                    about: { subject in
                        """
                        SELECT purpose, version, language, giver, giver_email, is_given, at FROM consents
                        WHERE account_id = \(subject.accountId) ORDER BY id
                        """
                    })
            ]),
        RecordKind(
            "records.preparedFiles", "records.kind.preparedFiles", store: .directory, personal: [.name, .files],
            retention: .days(1, in: 1...1), erasure: .withTime, tables: [RecordTable("prepared_files")]),
        RecordKind(
            "records.periods", "records.kind.periods", personal: [.activity], erasure: .withSchool,
            tables: [
                RecordTable(
                    "retention_periods",
                    export: { _ in "SELECT kind, days, changed_by, changed_at FROM retention_periods ORDER BY kind"
                    })
            ]),
    ]
}
