import FeatureKit

/// The block's tables, for export, retention and erasure.
///
/// Staff make the exports of a school and of a person. They must not contain what a child has not shared, so the
/// content of check-ins and requests is in none of them; the child downloads it (`DownloadCheckIns`). A backup has it.
enum WellnessRecordStore {
    static let kinds = [
        RecordKind(
            "wellness.checkIns", "wellness.records.checkIns", personal: [.notes, .activity, .health],
            retention: .days(365, in: 30...3650), erasure: .withPerson,
            tables: [
                RecordTable(
                    "wellness_check_ins",
                    // What is shared is deleted with its check-in.
                    erase: { "DELETE FROM wellness_check_ins WHERE person_id = \($0.personId)" },
                    expiry: .init(of: "wellness_check_ins", by: "made_at", key: "id"),
                    texts: .init(of: "wellness_check_ins", columns: ["note"])),
                RecordTable(
                    "wellness_shares", erase: { "DELETE FROM wellness_shares WHERE adult_id = \($0.personId)" }),
                RecordTable(
                    "wellness_readers",
                    erase: {
                        """
                        DELETE FROM wellness_readers
                        WHERE person_id = \($0.personId) OR adult_id = \($0.personId)
                        """
                    }),
            ]),
        RecordKind(
            "wellness.requests", "wellness.records.requests", personal: [.notes, .activity],
            retention: .days(365, in: 30...3650), erasure: .withPerson,
            tables: [
                RecordTable(
                    "wellness_requests",
                    export: { _ in "SELECT id, person_id, asked_at, closed_at FROM wellness_requests ORDER BY id" },
                    about: { subject in
                        """
                        SELECT asked_at, closed_at FROM wellness_requests
                        WHERE person_id = \(subject.personId) ORDER BY asked_at, id
                        """
                    },
                    erase: { "DELETE FROM wellness_requests WHERE person_id = \($0.personId)" },
                    // An open request has no such time, so it stays until an adult has closed it.
                    expiry: .init(of: "wellness_requests", by: "closed_at", key: "id"),
                    texts: .init(of: "wellness_requests", columns: ["note", "answer"])),
                RecordTable(
                    "wellness_request_adults",
                    export: { _ in
                        """
                        SELECT request_id, adult_id, seen_at, has_closed FROM wellness_request_adults
                        ORDER BY request_id, adult_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT request_id, seen_at, has_closed FROM wellness_request_adults
                        WHERE adult_id = \(subject.personId) ORDER BY request_id
                        """
                    },
                    erase: { "DELETE FROM wellness_request_adults WHERE adult_id = \($0.personId)" }),
            ]),
        RecordKind(
            "wellness.settings", "wellness.records.settings", personal: [.choices], erasure: .withSchool,
            tables: [
                RecordTable(
                    "wellness_contacts",
                    export: { _ in "SELECT person_id FROM wellness_contacts ORDER BY person_id" },
                    about: { "SELECT person_id FROM wellness_contacts WHERE person_id = \($0.personId)" },
                    erase: { "DELETE FROM wellness_contacts WHERE person_id = \($0.personId)" }),
                RecordTable(
                    "wellness_settings",
                    export: { _ in "SELECT is_on, allows_parents, advice, numbers FROM wellness_settings" },
                    texts: .init(of: "wellness_settings", columns: ["advice", "numbers"])),
            ]),
    ]
}
