import FeatureKit

/// The declaration of the records that the block stores, with their retention, export and erasure.
enum ClassroomRecordStore {
    static let kinds = [
        RecordKind(
            "classroom.classrooms", "classroom.records.classrooms", personal: [.places], erasure: .withPerson,
            tables: [
                RecordTable(
                    "classrooms",
                    export: { _ in
                        "SELECT id, name, cover, small_cover, external_id, created_at FROM classrooms ORDER BY name, id"
                    },
                    files: "SELECT cover, small_cover FROM classrooms"),
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
                    "classroom_stays",
                    export: { _ in
                        """
                        SELECT classroom_id, student_id, first_day, last_day FROM classroom_stays
                        ORDER BY classroom_id, student_id, first_day
                        """
                    },
                    about: { subject in
                        """
                        SELECT classrooms.name, classroom_stays.first_day, classroom_stays.last_day
                        FROM classroom_stays JOIN classrooms ON classrooms.id = classroom_stays.classroom_id
                        WHERE classroom_stays.student_id = \(subject.personId) ORDER BY first_day, classrooms.name
                        """
                    },
                    erase: { "DELETE FROM classroom_stays WHERE student_id = \($0.personId)" }),
                RecordTable(
                    "default_classrooms",
                    erase: { "DELETE FROM default_classrooms WHERE person_id = \($0.personId)" }),
            ]),
        // Rows that refer to a student are deleted before the student.
        RecordKind(
            "classroom.attendance", "classroom.records.attendance", personal: [.attendance],
            retention: .days(3650, in: 365...7300), erasure: .withPerson,
            tables: [
                RecordTable(
                    "attendance_marks",
                    export: { _ in
                        """
                        SELECT student_id, day, status, classroom_id, marked_by, marked_at FROM attendance_marks
                        ORDER BY student_id, day
                        """
                    },
                    about: { subject in
                        """
                        SELECT day, status, classroom_id, marked_by, marked_at FROM attendance_marks
                        WHERE student_id = \(subject.personId) ORDER BY day
                        """
                    },
                    erase: { "DELETE FROM attendance_marks WHERE student_id = \($0.personId)" },
                    expiry: .init(of: "attendance_marks", by: "marked_at", key: "student_id, day"))
            ]),
        RecordKind(
            "classroom.observations", "classroom.records.observations", personal: [.notes, .files],
            erasure: .withPerson,
            tables: [
                RecordTable(
                    "observation_photos",
                    export: { _ in
                        """
                        SELECT observation_id, position, sha256, width, height FROM observation_photos
                        ORDER BY observation_id, position
                        """
                    },
                    about: { subject in
                        """
                        SELECT observations.created_at, observation_photos.sha256 FROM observation_photos
                        JOIN observations ON observations.id = observation_photos.observation_id
                        WHERE observations.student_id = \(subject.personId)
                        ORDER BY observations.created_at, observation_photos.position
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM observation_photos WHERE observation_id IN (
                            SELECT id FROM observations WHERE student_id = \(subject.personId))
                        """
                    }, files: "SELECT sha256, thumbnail_sha256 FROM observation_photos"),
                // An observation about another child stays; only the tag of this child is removed.
                RecordTable(
                    "observation_children",
                    export: { _ in
                        "SELECT observation_id, student_id FROM observation_children ORDER BY observation_id, student_id"
                    },
                    about: { subject in
                        """
                        SELECT observations.created_at, observations.content FROM observation_children
                        JOIN observations ON observations.id = observation_children.observation_id
                        WHERE observation_children.student_id = \(subject.personId)
                            AND observations.student_id <> \(subject.personId)
                        ORDER BY observations.created_at
                        """
                    },
                    erase: { "DELETE FROM observation_children WHERE student_id = \($0.personId)" }),
                RecordTable(
                    "observations",
                    export: { _ in
                        """
                        SELECT id, student_id, content, subject_tag, material_tag, app_tag, follow_up_on,
                            followed_up_at, created_at, created_by
                        FROM observations ORDER BY created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT created_at, created_by, content, follow_up_on FROM observations
                        WHERE student_id = \(subject.personId) ORDER BY created_at, id
                        """
                    },
                    erase: { "DELETE FROM observations WHERE student_id = \($0.personId)" },
                    texts: .init(of: "observations", columns: ["content", "search_text"])),
            ]),
        // A note that was not written down within a school year is not needed any more.
        RecordKind(
            VoiceHandlers.kind, "classroom.records.voice", personal: [.notes, .files],
            retention: .days(365, in: 7...3650), erasure: .withPerson,
            tables: [
                RecordTable(
                    "voice_notes",
                    export: { _ in
                        """
                        SELECT id, student_id, sha256, seconds, transcript, created_at, created_by FROM voice_notes
                        ORDER BY created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT sha256, seconds, transcript, created_at FROM voice_notes
                        WHERE student_id = \(subject.personId) ORDER BY created_at, id
                        """
                    },
                    erase: { "DELETE FROM voice_notes WHERE student_id = \($0.personId)" },
                    expiry: .init(of: "voice_notes", by: "created_at", key: "id"),
                    files: "SELECT sha256 FROM voice_notes",
                    texts: .init(of: "voice_notes", columns: ["transcript"]))
            ]),
        RecordKind(
            "classroom.habits", "classroom.records.habits", personal: [.activity], erasure: .withPerson,
            tables: [
                RecordTable(
                    "habit_logs",
                    export: { _ in
                        "SELECT habit_id, day, is_done, created_by FROM habit_logs ORDER BY habit_id, day"
                    },
                    about: { subject in
                        """
                        SELECT habits.name, habit_logs.day, habit_logs.is_done FROM habit_logs
                        JOIN habits ON habits.id = habit_logs.habit_id
                        WHERE habits.student_id = \(subject.personId) ORDER BY habits.name, habit_logs.day
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM habit_logs
                        WHERE habit_id IN (SELECT id FROM habits WHERE student_id = \(subject.personId))
                        """
                    }),
                RecordTable(
                    "habit_pauses",
                    export: { _ in
                        "SELECT habit_id, first_day, last_day FROM habit_pauses ORDER BY habit_id, first_day"
                    },
                    about: { subject in
                        """
                        SELECT habits.name, habit_pauses.first_day, habit_pauses.last_day FROM habit_pauses
                        JOIN habits ON habits.id = habit_pauses.habit_id
                        WHERE habits.student_id = \(subject.personId) ORDER BY habits.name, habit_pauses.first_day
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM habit_pauses
                        WHERE habit_id IN (SELECT id FROM habits WHERE student_id = \(subject.personId))
                        """
                    }),
                RecordTable(
                    "habits",
                    export: { _ in
                        "SELECT id, student_id, name, cadence, paused_on, created_at FROM habits ORDER BY student_id, id"
                    },
                    about: {
                        "SELECT name, cadence, paused_on, created_at FROM habits WHERE student_id = \($0.personId) ORDER BY id"
                    },
                    erase: { "DELETE FROM habits WHERE student_id = \($0.personId)" },
                    texts: .init(of: "habits", columns: ["name"])),
            ]),
        RecordKind(
            "classroom.work", "classroom.records.work", personal: [.notes], erasure: .withPerson,
            tables: [
                RecordTable(
                    "student_work",
                    export: { _ in
                        """
                        SELECT id, kind, student_id, title, details, scheduled_for, completed_at, completed_by,
                            created_at, created_by
                        FROM student_work ORDER BY created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT kind, title, details, scheduled_for, completed_at FROM student_work
                        WHERE student_id = \(subject.personId) ORDER BY created_at, id
                        """
                    },
                    erase: { "DELETE FROM student_work WHERE student_id = \($0.personId)" },
                    texts: .init(of: "student_work", columns: ["title", "details"]))
            ]),
        RecordKind(
            "classroom.contacts", "classroom.records.contacts", personal: [.name, .email], erasure: .withPerson,
            tables: [
                RecordTable(
                    "parent_contacts",
                    export: { _ in
                        "SELECT id, student_id, full_name, email, phone FROM parent_contacts ORDER BY student_id, id"
                    },
                    about: {
                        "SELECT full_name, email, phone FROM parent_contacts WHERE student_id = \($0.personId) ORDER BY id"
                    },
                    erase: { "DELETE FROM parent_contacts WHERE student_id = \($0.personId)" })
            ]),
        RecordKind(
            "classroom.students", "classroom.records.students", personal: [.notes, .files], erasure: .withPerson,
            tables: [
                RecordTable(
                    "students",
                    export: { _ in "SELECT id, picture, notes, created_at FROM students ORDER BY id" },
                    about: { "SELECT picture, notes, created_at FROM students WHERE id = \($0.personId)" },
                    erase: { "DELETE FROM students WHERE id = \($0.personId)" },
                    files: "SELECT picture FROM students", texts: .init(of: "students", columns: ["notes"]))
            ]),
    ]
}
