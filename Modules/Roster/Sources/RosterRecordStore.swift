import FeatureKit

/// The block's tables and the rules for export, erasure and retention of their rows.
enum RosterRecordStore {
    static var tables: Set<String> { Set(kinds.flatMap(\.tables).map(\.name)) }

    static let kinds = [
        RecordKind(
            "roster.uploads", "roster.records.uploads", personal: [.name, .email, .places, .files],
            retention: .days(1, in: 1...7), erasure: .withTime,
            tables: [
                RecordTable(
                    "roster_uploads",
                    // An uploaded file cannot be searched for a person, so all are deleted and must be uploaded again.
                    erase: { _ in "DELETE FROM roster_uploads" },
                    expiry: .init(of: "roster_uploads", by: "created_at", key: "id"))
            ]),
        RecordKind(
            "roster.imports", "roster.records.imports", personal: [.name, .email, .role, .places],
            retention: .days(ImportRepository.days, in: 1...400), erasure: .withPerson,
            tables: [
                RecordTable(
                    "roster_import_rows",
                    about: { subject in
                        """
                        SELECT roster_imports.at, kind, role, before, after FROM roster_import_rows
                        JOIN roster_imports ON roster_imports.id = roster_import_rows.import_id
                        WHERE roster_import_rows.person_id = \(subject.personId)
                            OR roster_import_rows.child_id = \(subject.personId)
                        ORDER BY at, number
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM roster_import_rows
                        WHERE person_id = \(subject.personId) OR child_id = \(subject.personId)
                        """
                    },
                    expiry: .init(isDue: { limit in
                        """
                        SELECT 1 FROM roster_import_rows
                        WHERE import_id IN (SELECT id FROM roster_imports WHERE at < \(limit)) LIMIT 1
                        """
                    }) { limit in
                        """
                        DELETE FROM roster_import_rows WHERE (import_id, number) IN (
                            SELECT import_id, number FROM roster_import_rows
                            WHERE import_id IN (SELECT id FROM roster_imports WHERE at < \(limit))
                            LIMIT \(SQL.expiryPortion))
                        """
                    }),
                RecordTable(
                    "roster_imports",
                    export: { _ in "SELECT id, person_id, at, counts, undone_at FROM roster_imports ORDER BY at, id"
                    },
                    about: { subject in
                        "SELECT at, counts, undone_at FROM roster_imports WHERE person_id = \(subject.personId) ORDER BY at"
                    }, subjects: "SELECT DISTINCT person_id FROM roster_imports",
                    expiry: .init(of: "roster_imports", by: "at", key: "id")),
            ]),
        RecordKind(
            "roster.roles", "roster.records.roles", personal: [.role], erasure: .withPerson,
            tables: [
                RecordTable(
                    "roster_roles",
                    about: { "SELECT role, given FROM roster_roles WHERE person_id = \($0.personId)" },
                    erase: { "DELETE FROM roster_roles WHERE person_id = \($0.personId)" })
            ]),
    ]
}
