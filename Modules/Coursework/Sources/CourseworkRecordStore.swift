import FeatureKit

/// The block's tables, for export, retention and erasure.
enum CourseworkRecordStore {
    static let kinds = [
        RecordKind(
            "coursework.assignments", "coursework.records.assignments", personal: [], erasure: .withSchool,
            tables: [
                RecordTable(
                    "coursework_assignments",
                    export: { _ in
                        """
                        SELECT id, course_id, title, instructions, points, category, due_day, due_at, opens_at, late_work,
                            late_until, late_penalty, kinds, file_kinds, attempts, is_for_everyone, published_at, announced_at,
                            created_at, version
                        FROM coursework_assignments ORDER BY course_id, created_at, id
                        """
                    }, texts: .init(of: "coursework_assignments", columns: ["title", "instructions"]))
            ]),
        RecordKind(
            "coursework.assignees", "coursework.records.assignees", personal: [.places], erasure: .withPerson,
            tables: [
                RecordTable(
                    "coursework_assignees",
                    export: { _ in
                        """
                        SELECT student_id, assignment_id FROM coursework_assignees ORDER BY assignment_id, student_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT a.id, a.title FROM coursework_assignees p
                        JOIN coursework_assignments a ON a.id = p.assignment_id
                        WHERE p.student_id = \(subject.personId) ORDER BY a.id
                        """
                    },
                    erase: { "DELETE FROM coursework_assignees WHERE student_id = \($0.personId)" }),
                RecordTable(
                    "coursework_extensions",
                    export: { _ in
                        """
                        SELECT student_id, assignment_id, due_at FROM coursework_extensions
                        ORDER BY assignment_id, student_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT a.id, a.title, e.due_at FROM coursework_extensions e
                        JOIN coursework_assignments a ON a.id = e.assignment_id
                        WHERE e.student_id = \(subject.personId) ORDER BY a.id
                        """
                    },
                    erase: { "DELETE FROM coursework_extensions WHERE student_id = \($0.personId)" }),
            ]),
        RecordKind(
            "coursework.drafts", "coursework.records.drafts", personal: [.notes],
            retention: .days(365, in: 30...1825),
            erasure: .withPerson,
            tables: [
                RecordTable(
                    "coursework_drafts",
                    export: { _ in
                        """
                        SELECT student_id, assignment_id, text, link, changed_at FROM coursework_drafts
                        ORDER BY assignment_id, student_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT assignment_id, text, link, changed_at FROM coursework_drafts
                        WHERE student_id = \(subject.personId) ORDER BY assignment_id
                        """
                    },
                    erase: { "DELETE FROM coursework_drafts WHERE student_id = \($0.personId)" },
                    expiry: .init(of: "coursework_drafts", by: "changed_at", key: "student_id, assignment_id"),
                    texts: .init(
                        of: "coursework_drafts", columns: ["text", "link"], key: ["student_id", "assignment_id"]))
            ]),
        RecordKind(
            "coursework.submissions", "coursework.records.submissions", personal: [.notes, .files],
            erasure: .withPerson,
            tables: [
                RecordTable(
                    "coursework_submissions",
                    export: { _ in
                        """
                        SELECT id, student_id, assignment_id, attempt, text, link, handed_in_at
                        FROM coursework_submissions ORDER BY assignment_id, student_id, attempt
                        """
                    },
                    about: { subject in
                        """
                        SELECT a.title, s.attempt, s.text, s.link, s.handed_in_at FROM coursework_submissions s
                        JOIN coursework_assignments a ON a.id = s.assignment_id
                        WHERE s.student_id = \(subject.personId) ORDER BY s.handed_in_at, s.id
                        """
                    },
                    erase: { "DELETE FROM coursework_submissions WHERE student_id = \($0.personId)" },
                    texts: .init(of: "coursework_submissions", columns: ["text", "link"])),
                RecordTable(
                    "coursework_files",
                    export: { _ in
                        """
                        SELECT id, student_id, assignment_id, submission_id, name, size, sha256, preview_sha256, width,
                            height, added_at
                        FROM coursework_files ORDER BY assignment_id, student_id, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT a.title, f.name, f.size, f.added_at, f.sha256 FROM coursework_files f
                        JOIN coursework_assignments a ON a.id = f.assignment_id
                        WHERE f.student_id = \(subject.personId) ORDER BY f.added_at, f.id
                        """
                    },
                    erase: { "DELETE FROM coursework_files WHERE student_id = \($0.personId)" },
                    files: "SELECT sha256, preview_sha256 FROM coursework_files",
                    texts: .init(of: "coursework_files", columns: ["name"])),
            ]),
        RecordKind(
            "coursework.uploads", "coursework.records.uploads", personal: [.files],
            retention: .days(7, in: 1...30), erasure: .withPerson,
            tables: [
                // The files themselves are not in the school yet; `PartialFiles` erases them.
                RecordTable(
                    "coursework_uploads",
                    about: { subject in
                        """
                        SELECT assignment_id, name, size, begun_at FROM coursework_uploads
                        WHERE student_id = \(subject.personId) ORDER BY begun_at, id
                        """
                    },
                    erase: { "DELETE FROM coursework_uploads WHERE student_id = \($0.personId)" },
                    expiry: .init(of: "coursework_uploads", by: "begun_at", key: "id"),
                    texts: .init(of: "coursework_uploads", columns: ["name"]))
            ]),
        RecordKind(
            "coursework.marks", "coursework.records.marks", personal: [.notes], erasure: .withPerson,
            tables: [
                RecordTable(
                    "coursework_marks",
                    export: { _ in
                        """
                        SELECT student_id, assignment_id, submission_id, points, comment, returned_at, marked_by, marked_at,
                            version
                        FROM coursework_marks ORDER BY assignment_id, student_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT a.title, m.points, a.points AS maximum, m.comment, m.returned_at
                        FROM coursework_marks m JOIN coursework_assignments a ON a.id = m.assignment_id
                        WHERE m.student_id = \(subject.personId) AND m.returned_at IS NOT NULL
                        ORDER BY m.marked_at, a.id
                        """
                    },
                    erase: { "DELETE FROM coursework_marks WHERE student_id = \($0.personId)" },
                    texts: .init(
                        of: "coursework_marks", columns: ["comment"], key: ["student_id", "assignment_id"]))
            ]),
    ]
}
