import FeatureKit

/// The block's tables and the rules for export, erasure and retention of their rows.
enum EnrollmentRecordStore {
    static let kinds = [
        RecordKind(
            "enrollment.places", "enrollment.records.places", personal: [.places], erasure: .withPerson,
            tables: [
                RecordTable(
                    "enrollments",
                    export: { _ in
                        """
                        SELECT course_id, student_id, state, arrival, since, drop_asked_at FROM enrollments
                        ORDER BY course_id, arrival
                        """
                    },
                    about: { subject in
                        """
                        SELECT course_id, state, since FROM enrollments WHERE student_id = \(subject.personId)
                        ORDER BY since, course_id
                        """
                    },
                    erase: { "DELETE FROM enrollments WHERE student_id = \($0.personId)" })
            ])
    ]
}
