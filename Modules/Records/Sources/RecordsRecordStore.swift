import FeatureKit

/// The block's tables and the rules for export, erasure and retention of their rows.
enum RecordsRecordStore {
    static let kinds = [
        RecordKind(
            "records.preparedFiles", "records.kind.preparedFiles", store: .directory, personal: [.name, .files],
            retention: .days(1, in: 1...1), erasure: .withPerson,
            tables: [
                RecordTable(
                    "prepared_files",
                    // A school's file contains everyone's data, so all files are outdated when one person is erased.
                    erase: { "DELETE FROM prepared_files WHERE org_id = \($0.schoolId)" },
                    eraseSchool: { "DELETE FROM prepared_files WHERE org_id = \($0)" })
            ]),
        RecordKind(
            "records.erasures", "records.kind.erasures", store: .directory, personal: [], erasure: .withTime,
            tables: [
                RecordTable(
                    "person_erasures", eraseSchool: { "DELETE FROM person_erasures WHERE org_id = \($0)" })
            ]),
        RecordKind(
            "records.unfinishedErasures", "records.kind.erasures", personal: [.email], erasure: .withTime,
            tables: [RecordTable("unfinished_erasures")]),
        RecordKind(
            "records.consents", "records.kind.consents", personal: [.consents], erasure: .withPerson,
            tables: [
                RecordTable(
                    "record_consents",
                    export: { _ in
                        """
                        SELECT person_id, kind, giver, is_given, recorded_by, at FROM record_consents ORDER BY id
                        """
                    },
                    about: { subject in
                        """
                        SELECT kind, giver, is_given, at FROM record_consents
                        WHERE person_id = \(subject.personId) ORDER BY id
                        """
                    },
                    erase: { "DELETE FROM record_consents WHERE person_id = \($0.personId)" })
            ]),
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
