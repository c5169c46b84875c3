import FeatureKit

/// What the block stores, and what becomes of it.
enum ClassroomRecordStore {
    static let kinds = [
        RecordKind(
            "classroom.classrooms", "classroom.records.classrooms", personal: [.enrolment], erasure: .withPerson,
            tables: [
                RecordTable(
                    "classrooms",
                    export: { _ in "SELECT id, name, external_id, created_at FROM classrooms ORDER BY name, id" }),
                RecordTable(
                    "classroom_guides",
                    export: { _ in
                        "SELECT classroom_id, person_id FROM classroom_guides ORDER BY classroom_id, person_id"
                    },
                    about: { subject in
                        """
                        SELECT classrooms.id, classrooms.name FROM classroom_guides
                        JOIN classrooms ON classrooms.id = classroom_guides.classroom_id
                        WHERE classroom_guides.person_id = \(subject.personId)
                        """
                    },
                    erase: { "DELETE FROM classroom_guides WHERE person_id = \($0.personId)" }),
                RecordTable(
                    "classroom_students",
                    export: { _ in
                        "SELECT classroom_id, student_id FROM classroom_students ORDER BY classroom_id, student_id"
                    },
                    about: { subject in
                        """
                        SELECT classrooms.id, classrooms.name FROM classroom_students
                        JOIN classrooms ON classrooms.id = classroom_students.classroom_id
                        WHERE classroom_students.student_id = \(subject.personId)
                        """
                    },
                    erase: { "DELETE FROM classroom_students WHERE student_id = \($0.personId)" }),
                RecordTable(
                    "default_classrooms",
                    erase: { "DELETE FROM default_classrooms WHERE person_id = \($0.personId)" }),
            ]),
        // The rows that hang on a student go before the student.
        RecordKind(
            "classroom.attendance", "classroom.records.attendance", personal: [.attendance],
            retention: .days(3650, in: 365...7300), erasure: .withPerson,
            tables: [
                RecordTable(
                    "attendance_marks",
                    export: { _ in
                        """
                        SELECT student_id, day, status, marked_by, marked_at FROM attendance_marks
                        ORDER BY student_id, day
                        """
                    },
                    about: { subject in
                        """
                        SELECT day, status, marked_by, marked_at FROM attendance_marks
                        WHERE student_id = \(subject.personId) ORDER BY day
                        """
                    },
                    erase: { "DELETE FROM attendance_marks WHERE student_id = \($0.personId)" },
                    expiry: .init(of: "attendance_marks", by: "marked_at", key: "student_id, day"))
            ]),
        RecordKind(
            "classroom.students", "classroom.records.students", personal: [.notes], erasure: .withPerson,
            tables: [
                RecordTable(
                    "students",
                    export: { _ in "SELECT id, notes, created_at FROM students ORDER BY id" },
                    about: { "SELECT notes, created_at FROM students WHERE id = \($0.personId)" },
                    erase: { "DELETE FROM students WHERE id = \($0.personId)" })
            ]),
    ]
}
