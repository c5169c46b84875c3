import FeatureKit

/// The block's tables and the rules for export, erasure and retention of their rows.
enum CurriculumRecordStore {
    static let kinds = [
        RecordKind(
            "curriculum.entries", "curriculum.records.entries", personal: [], erasure: .withSchool,
            tables: [
                RecordTable(
                    "curriculum_entries",
                    export: { _ in
                        """
                        SELECT id, kind, subject_id, name, name_french, band, position, requires, is_hidden
                        FROM curriculum_entries ORDER BY kind, position, id
                        """
                    })
            ]),
        RecordKind(
            "curriculum.progress", "curriculum.records.progress", personal: [.notes], erasure: .withPerson,
            tables: [
                RecordTable(
                    "material_progress",
                    export: { _ in
                        """
                        SELECT student_id, material_id, state, day, recorded_by, recorded_at
                        FROM material_progress ORDER BY student_id, material_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT material_id, state, day, recorded_by, recorded_at FROM material_progress
                        WHERE student_id = \(subject.personId) ORDER BY material_id
                        """
                    },
                    erase: { "DELETE FROM material_progress WHERE student_id = \($0.personId)" })
            ]),
        // The current state is stored longer than the history.
        RecordKind(
            "curriculum.history", "curriculum.records.history", personal: [.notes],
            retention: .days(3650, in: 365...7300), erasure: .withPerson,
            tables: [
                RecordTable(
                    "material_records",
                    export: { _ in
                        """
                        SELECT id, student_id, material_id, state, day, recorded_by, recorded_at
                        FROM material_records ORDER BY student_id, recorded_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, material_id, state, day, recorded_by, recorded_at FROM material_records
                        WHERE student_id = \(subject.personId) ORDER BY recorded_at, id
                        """
                    },
                    erase: { "DELETE FROM material_records WHERE student_id = \($0.personId)" },
                    expiry: .init(isDue: { "SELECT 1 FROM material_records WHERE recorded_at < \($0) LIMIT 1" }) {
                        """
                        DELETE FROM material_records WHERE id IN (
                            SELECT id FROM material_records WHERE recorded_at < \($0) LIMIT \(SQL.expiryPortion))
                        """
                    })
            ]),
        RecordKind(
            "curriculum.dismissals", "curriculum.records.dismissals", personal: [.activity],
            retention: .days(
                SuggestionHandlers.dismissedDays, in: SuggestionHandlers.dismissedDays...365), erasure: .withPerson,
            tables: [
                RecordTable(
                    "dismissed_suggestions",
                    export: { _ in
                        """
                        SELECT student_id, material_id, dismissed_at FROM dismissed_suggestions
                        ORDER BY student_id, material_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT material_id, dismissed_at FROM dismissed_suggestions
                        WHERE student_id = \(subject.personId) ORDER BY material_id
                        """
                    },
                    erase: { "DELETE FROM dismissed_suggestions WHERE student_id = \($0.personId)" },
                    expiry: .init(
                        isDue: { "SELECT 1 FROM dismissed_suggestions WHERE dismissed_at < \($0) LIMIT 1" }
                    ) {
                        """
                        DELETE FROM dismissed_suggestions WHERE (student_id, material_id) IN (
                            SELECT student_id, material_id FROM dismissed_suggestions WHERE dismissed_at < \($0)
                            LIMIT \(SQL.expiryPortion))
                        """
                    })
            ]),
    ]
}
