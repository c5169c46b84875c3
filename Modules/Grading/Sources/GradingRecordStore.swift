import FeatureKit

/// The block's tables, for export, retention and erasure.
enum GradingRecordStore {
    static let kinds = [
        RecordKind(
            "grading.items", "grading.records.items", personal: [], erasure: .withSchool,
            tables: [
                RecordTable(
                    "grading_items",
                    export: { _ in
                        """
                        SELECT id, course_id, title, category, maximum, due_day, is_extra_credit, released_at, created_at
                        FROM grading_items ORDER BY course_id, created_at, id
                        """
                    }, texts: .init(of: "grading_items", columns: ["title"])),
                RecordTable(
                    "grading_courses",
                    export: { _ in "SELECT course_id, body FROM grading_courses ORDER BY course_id" }),
                RecordTable("grading_scale", export: { _ in "SELECT id, body FROM grading_scale ORDER BY id" }),
            ]),
        RecordKind(
            "grading.marks", "grading.records.marks", personal: [.notes], erasure: .withPerson,
            tables: [
                RecordTable(
                    "grading_marks",
                    export: { _ in
                        """
                        SELECT student_id, item_id, points, state, comment, version, changed_at FROM grading_marks
                        ORDER BY item_id, student_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT m.item_id, i.course_id, i.title, m.points, i.maximum, m.state, m.comment, m.changed_at
                        FROM grading_marks m JOIN grading_items i ON i.id = m.item_id
                        WHERE m.student_id = \(subject.personId) ORDER BY i.course_id, i.created_at, i.id
                        """
                    },
                    erase: { "DELETE FROM grading_marks WHERE student_id = \($0.personId)" },
                    texts: .init(of: "grading_marks", columns: ["comment"], key: ["student_id", "item_id"]))
            ]),
        RecordKind(
            "grading.uploads", "grading.records.uploads", personal: [.notes], retention: .days(1, in: 1...7),
            erasure: .withTime,
            tables: [
                RecordTable(
                    "grading_uploads",
                    // A file names many students, so all are deleted and can be uploaded again.
                    erase: { _ in "DELETE FROM grading_uploads" },
                    expiry: .init(of: "grading_uploads", by: "created_at", key: "id"))
            ]),
    ]
}
