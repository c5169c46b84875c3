import FeatureKit

/// What the block itself stores, and what becomes of it.
enum RecordsRecordStore {
    static let kinds = [
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
