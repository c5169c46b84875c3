import FeatureKit

/// The block's tables, for export, retention and erasure.
enum InsightsRecordStore {
    static let kinds = [
        RecordKind(
            "insights.proposals", "insights.records.proposals", personal: [.activity],
            retention: .days(365, in: 90...3650), erasure: .withPerson,
            tables: [
                RecordTable(
                    "accepted_proposals",
                    export: { _ in
                        """
                        SELECT student_id, proposal, accepted_at FROM accepted_proposals
                        ORDER BY student_id, proposal
                        """
                    },
                    about: { subject in
                        """
                        SELECT proposal, accepted_at FROM accepted_proposals
                        WHERE student_id = \(subject.personId) ORDER BY proposal
                        """
                    },
                    erase: { "DELETE FROM accepted_proposals WHERE student_id = \($0.personId)" },
                    expiry: .init(of: "accepted_proposals", by: "accepted_at", key: "student_id, proposal"))
            ]),
        RecordKind(
            "insights.texts", "insights.records.texts", personal: [.notes], erasure: .withPerson,
            tables: [
                RecordTable(
                    "family_texts",
                    export: { _ in
                        """
                        SELECT id, student_id, kind, language, first_day, last_day, source_id, text, version,
                            approved_version, approved_by, approved_at, created_at, updated_at, updated_by
                        FROM family_texts ORDER BY student_id, created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, kind, language, first_day, last_day, text, version, approved_at, created_at,
                            updated_at
                        FROM family_texts WHERE student_id = \(subject.personId) ORDER BY created_at, id
                        """
                    },
                    erase: { "DELETE FROM family_texts WHERE student_id = \($0.personId)" },
                    texts: .init(of: "family_texts", columns: ["text"])),
                RecordTable(
                    "shared_items",
                    export: { _ in
                        """
                        SELECT id, student_id, kind, language, first_day, last_day, text, text_id, version,
                            shared_by, shared_at, taken_back_by, taken_back_at
                        FROM shared_items ORDER BY student_id, shared_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, kind, language, first_day, last_day, text, version, shared_at, taken_back_at
                        FROM shared_items WHERE student_id = \(subject.personId) ORDER BY shared_at, id
                        """
                    },
                    erase: { "DELETE FROM shared_items WHERE student_id = \($0.personId)" },
                    texts: .init(of: "shared_items", columns: ["text"])),
                RecordTable(
                    "shared_photos",
                    export: { _ in
                        """
                        SELECT item_id, position, sha256, width, height FROM shared_photos
                        ORDER BY item_id, position
                        """
                    },
                    about: { subject in
                        """
                        SELECT shared_items.shared_at, shared_photos.sha256 FROM shared_photos
                        JOIN shared_items ON shared_items.id = shared_photos.item_id
                        WHERE shared_items.student_id = \(subject.personId)
                        ORDER BY shared_items.shared_at, shared_photos.position
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM shared_photos WHERE item_id IN (
                            SELECT id FROM shared_items WHERE student_id = \(subject.personId))
                        """
                    }, files: "SELECT sha256, thumbnail_sha256 FROM shared_photos"),
            ]),
        // The key is not part of the school's export.
        RecordKind(
            "insights.models", "insights.records.models", personal: [.credentials], erasure: .withSchool,
            tables: [
                RecordTable("model_settings"),
                RecordTable(
                    "model_use", export: { _ in "SELECT month, micro_dollars, calls FROM model_use ORDER BY month" }
                ),
            ]),
    ]
}
