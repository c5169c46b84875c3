import FeatureKit

/// The data that the block stores, and what happens to it when a person is erased.
enum ResidenceRecordStore {
    static let kinds = [
        RecordKind(
            "residence.houses", "residence.records.houses", personal: [.role], erasure: .withSchool,
            tables: [
                RecordTable("residences", export: { _ in "SELECT * FROM residences ORDER BY id" }),
                RecordTable(
                    "residence_rooms", export: { _ in "SELECT * FROM residence_rooms ORDER BY id" },
                    texts: .init(of: "residence_rooms", columns: ["details"])),
                RecordTable(
                    "residence_staff",
                    export: { _ in "SELECT * FROM residence_staff ORDER BY residence_id, person_id" },
                    about: {
                        "SELECT residence_id, job FROM residence_staff WHERE person_id = \($0.personId) ORDER BY job"
                    },
                    erase: { "DELETE FROM residence_staff WHERE person_id = \($0.personId)" }),
            ]),
        RecordKind(
            "residence.residents", "residence.records.residents", personal: [.places], erasure: .withPerson,
            tables: [
                RecordTable(
                    "residents", export: { _ in "SELECT * FROM residents ORDER BY person_id" },
                    about: { "SELECT * FROM residents WHERE person_id = \($0.personId)" },
                    erase: { "DELETE FROM residents WHERE person_id = \($0.personId)" }),
                RecordTable(
                    "residence_stays", export: { _ in "SELECT * FROM residence_stays ORDER BY first_day, id" },
                    about: {
                        """
                        SELECT residence_id, room_id, first_day, left_on FROM residence_stays
                        WHERE student_id = \($0.personId) ORDER BY first_day
                        """
                    },
                    erase: { "DELETE FROM residence_stays WHERE student_id = \($0.personId)" }),
            ]),
        RecordKind(
            "residence.passages", "residence.records.passages", personal: [.attendance, .activity, .location],
            retention: .days(400, in: 30...1_825), erasure: .withPerson,
            tables: [
                // Before the passages that it cites.
                RecordTable(
                    "residence_corrections", export: { _ in "SELECT * FROM residence_corrections ORDER BY id" },
                    about: {
                        """
                        SELECT type, at, reason, corrected_at FROM residence_corrections WHERE passage_id IN
                            (SELECT id FROM residence_passages WHERE student_id = \($0.personId)) ORDER BY corrected_at
                        """
                    },
                    erase: {
                        """
                        DELETE FROM residence_corrections WHERE passage_id IN
                            (SELECT id FROM residence_passages WHERE student_id = \($0.personId))
                        """
                    },
                    expiry: .init(
                        isDue: { "SELECT 1 FROM residence_corrections WHERE corrected_at < \($0) LIMIT 1" },
                        delete: { "DELETE FROM residence_corrections WHERE corrected_at < \($0)" }),
                    texts: .init(of: "residence_corrections", columns: ["reason"])),
                RecordTable(
                    "residence_passages", export: { _ in "SELECT * FROM residence_passages ORDER BY at, id" },
                    about: {
                        """
                        SELECT type, method, at, latitude, longitude, accuracy, device_id FROM residence_passages
                        WHERE student_id = \($0.personId) ORDER BY at
                        """
                    },
                    erase: { "DELETE FROM residence_passages WHERE student_id = \($0.personId)" },
                    expiry: .init(
                        isDue: { "SELECT 1 FROM residence_passages WHERE received_at < \($0) LIMIT 1" },
                        delete: {
                            """
                            DELETE FROM residence_passages WHERE received_at < \($0)
                                AND id NOT IN (SELECT passage_id FROM residence_corrections)
                            """
                        })),
                RecordTable(
                    "residence_presence",
                    erase: { "DELETE FROM residence_presence WHERE student_id = \($0.personId)" }),
            ]),
        RecordKind(
            "residence.leaves", "residence.records.leaves", personal: [.attendance, .notes], erasure: .withPerson,
            tables: [
                RecordTable(
                    "residence_leave_decisions",
                    export: { _ in "SELECT * FROM residence_leave_decisions ORDER BY leave_id, part" },
                    about: {
                        """
                        SELECT part, is_approved, decided_at, note FROM residence_leave_decisions WHERE leave_id IN
                            (SELECT id FROM residence_leaves WHERE student_id = \($0.personId)) ORDER BY decided_at
                        """
                    },
                    erase: {
                        """
                        DELETE FROM residence_leave_decisions WHERE leave_id IN
                            (SELECT id FROM residence_leaves WHERE student_id = \($0.personId))
                        """
                    },
                    texts: .init(of: "residence_leave_decisions", columns: ["note"], key: ["leave_id", "part"])),
                RecordTable(
                    "residence_leaves", export: { _ in "SELECT * FROM residence_leaves ORDER BY id" },
                    about: {
                        """
                        SELECT from_at, to_at, place, companion, reason, requested_at, withdrawn_at
                        FROM residence_leaves WHERE student_id = \($0.personId) ORDER BY from_at
                        """
                    },
                    erase: { "DELETE FROM residence_leaves WHERE student_id = \($0.personId)" },
                    texts: .init(of: "residence_leaves", columns: ["place", "companion", "reason"])),
            ]),
        RecordKind(
            "residence.rollCalls", "residence.records.rollCalls", personal: [.attendance, .notes],
            retention: .days(400, in: 30...1_825), erasure: .withPerson,
            tables: [
                RecordTable(
                    "residence_roll_call_corrections",
                    export: { _ in "SELECT * FROM residence_roll_call_corrections ORDER BY id" },
                    about: {
                        """
                        SELECT day, status, reason, said_by, corrected_at FROM residence_roll_call_corrections
                        WHERE student_id = \($0.personId) ORDER BY corrected_at
                        """
                    },
                    erase: { "DELETE FROM residence_roll_call_corrections WHERE student_id = \($0.personId)" },
                    expiry: .init(of: "residence_roll_call_corrections", by: "corrected_at", key: "id"),
                    texts: .init(of: "residence_roll_call_corrections", columns: ["reason", "said_by"])),
                RecordTable(
                    "residence_roll_call_entries",
                    export: { _ in
                        "SELECT * FROM residence_roll_call_entries ORDER BY residence_id, day, student_id"
                    },
                    about: {
                        """
                        SELECT day, status, reason, said_by, room, noted_at FROM residence_roll_call_entries
                        WHERE student_id = \($0.personId) ORDER BY day
                        """
                    },
                    erase: { "DELETE FROM residence_roll_call_entries WHERE student_id = \($0.personId)" },
                    expiry: .init(
                        of: "residence_roll_call_entries", by: "noted_at", key: "residence_id, day, student_id"),
                    texts: .init(
                        of: "residence_roll_call_entries", columns: ["reason", "said_by"],
                        key: ["residence_id", "day", "student_id"])),
                RecordTable(
                    "residence_roll_calls",
                    export: { _ in "SELECT * FROM residence_roll_calls ORDER BY residence_id, day" },
                    expiry: .init(of: "residence_roll_calls", by: "opened_at", key: "residence_id, day")),
                RecordTable(
                    "residence_late_returns",
                    export: { _ in "SELECT * FROM residence_late_returns ORDER BY due_at, student_id" },
                    about: {
                        """
                        SELECT due_at, noticed_at, returned_at FROM residence_late_returns
                        WHERE student_id = \($0.personId) ORDER BY due_at
                        """
                    },
                    erase: { "DELETE FROM residence_late_returns WHERE student_id = \($0.personId)" },
                    expiry: .init(of: "residence_late_returns", by: "due_at", key: "student_id, due_at")),
            ]),
        RecordKind(
            "residence.meals", "residence.records.meals", personal: [.activity], erasure: .withPerson,
            tables: [
                RecordTable(
                    "residence_meal_choices",
                    export: { _ in "SELECT * FROM residence_meal_choices ORDER BY meal_id, student_id" },
                    about: {
                        """
                        SELECT day, kind, dish, choice, chosen_at FROM residence_meal_choices
                        JOIN residence_meals ON residence_meals.id = meal_id
                        WHERE student_id = \($0.personId) ORDER BY day, kind
                        """
                    },
                    erase: { "DELETE FROM residence_meal_choices WHERE student_id = \($0.personId)" }),
                RecordTable(
                    "residence_meals", export: { _ in "SELECT * FROM residence_meals ORDER BY day, kind, id" }),
            ]),
        RecordKind(
            "residence.diets", "residence.records.diets", personal: [.notes, .health], erasure: .withPerson,
            tables: [
                RecordTable(
                    "residence_diets", export: { _ in "SELECT * FROM residence_diets ORDER BY student_id" },
                    about: {
                        """
                        SELECT diet, allergies, carries_pen, changed_at FROM residence_diets
                        WHERE student_id = \($0.personId)
                        """
                    },
                    erase: { "DELETE FROM residence_diets WHERE student_id = \($0.personId)" },
                    texts: .init(of: "residence_diets", columns: ["allergies"], key: ["student_id"]))
            ]),
        RecordKind(
            "residence.uploads", "residence.records.uploads", personal: [.name, .email, .places, .files],
            retention: .days(1, in: 1...7), erasure: .withTime,
            tables: [
                RecordTable(
                    "residence_uploads",
                    // A file names many people, so all are deleted and can be uploaded again.
                    erase: { _ in "DELETE FROM residence_uploads" },
                    expiry: .init(of: "residence_uploads", by: "created_at", key: "id"))
            ]),
        RecordKind(
            "residence.imports", "residence.records.imports", personal: [.places],
            retention: .days(90, in: 1...400), erasure: .withTime,
            tables: [
                RecordTable(
                    "residence_imports",
                    export: { _ in
                        "SELECT id, residence_id, person_id, created_at, undone_at FROM residence_imports ORDER BY id"
                    },
                    about: {
                        "SELECT created_at, undone_at FROM residence_imports WHERE person_id = \($0.personId) ORDER BY created_at"
                    },
                    // An import names its residents, so it can no longer be undone without one of them.
                    erase: {
                        """
                        DELETE FROM residence_imports WHERE person_id = \($0.personId)
                            OR steps LIKE \("%" + $0.personId.text + "%")
                        """
                    },
                    expiry: .init(of: "residence_imports", by: "created_at", key: "id"))
            ]),
        RecordKind(
            "residence.gates", "residence.records.gates", personal: [.devices], erasure: .withSchool,
            tables: [
                RecordTable(
                    "residence_gates",
                    export: { _ in
                        "SELECT id, residence_id, name, allowed_at, ended_at FROM residence_gates ORDER BY id"
                    })
            ]),
        // Codes are secrets: they are in no export.
        RecordKind(
            "residence.tags", "residence.records.tags", personal: [.credentials], erasure: .withPerson,
            tables: [
                RecordTable(
                    "residence_tags",
                    export: { _ in
                        """
                        SELECT id, student_id, kind, created_at, created_by, lost_at, ended_at FROM residence_tags
                        ORDER BY created_at, id
                        """
                    },
                    about: {
                        """
                        SELECT kind, created_at, lost_at, ended_at FROM residence_tags
                        WHERE student_id = \($0.personId) ORDER BY created_at
                        """
                    },
                    erase: { "DELETE FROM residence_tags WHERE student_id = \($0.personId)" })
            ]),
        RecordKind(
            "residence.pairings", "residence.records.pairings", store: .directory,
            personal: [.credentials, .devices], retention: .days(1, in: 1...30), erasure: .withTime,
            tables: [
                RecordTable(
                    "residence_gate_pairings",
                    eraseSchool: { "DELETE FROM residence_gate_pairings WHERE organization_id = \($0)" },
                    eraseAccount: { "DELETE FROM residence_gate_pairings WHERE account_id = \($0)" },
                    expiry: .init(of: "residence_gate_pairings", by: "expires_at", key: "fingerprint"))
            ]),
    ]
}
