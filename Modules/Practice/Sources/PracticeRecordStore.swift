import FeatureKit
import Foundation

/// The block's tables, for export, retention and erasure.
enum PracticeRecordStore {
    static let kinds = [
        RecordKind(
            "practice.lists", "practice.records.lists", personal: [.files], erasure: .withPerson,
            tables: [
                RecordTable(
                    "practice_words",
                    export: { _ in
                        """
                        SELECT id, list_id, position, word, hint, sha256, media, recorded_by FROM practice_words
                        ORDER BY list_id, position, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT list_id, position, word, hint, sha256 FROM practice_words
                        WHERE list_id IN (SELECT id FROM practice_lists WHERE owner_id = \(subject.personId))
                            OR recorded_by = \(subject.personId)
                        ORDER BY list_id, position, id
                        """
                    },
                    // The words of a course stay for its students; the person's voice does not.
                    erase: { subject in
                        """
                        UPDATE practice_words SET sha256 = NULL, media = NULL, recorded_by = NULL
                        WHERE recorded_by = \(subject.personId)
                        """
                    },
                    files: "SELECT sha256 FROM practice_words WHERE sha256 IS NOT NULL",
                    // A word may be the full name of a person, such as a classmate. A recorded voice is not searched for names,
                    // like all sounds.
                    texts: .init(of: "practice_words", columns: ["word", "hint"])),
                RecordTable(
                    "practice_lists",
                    export: { _ in
                        """
                        SELECT id, owner_id, course_id, name, language, created_at FROM practice_lists
                        ORDER BY created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, name, language, created_at FROM practice_lists
                        WHERE owner_id = \(subject.personId) ORDER BY created_at, id
                        """
                    },
                    // Words are deleted with their list.
                    erase: { "DELETE FROM practice_lists WHERE owner_id = \($0.personId)" },
                    texts: .init(of: "practice_lists", columns: ["name"])),
            ]),
        RecordKind(
            "practice.rounds", "practice.records.rounds", personal: [.activity],
            retention: .days(1095, in: 30...3650), erasure: .withPerson,
            tables: [
                RecordTable(
                    "practice_rounds",
                    export: { _ in
                        """
                        SELECT id, person_id, tool, kind, level, list_id, list_name, asked, correct, seconds, missed,
                            finished_at FROM practice_rounds ORDER BY person_id, finished_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, tool, kind, level, list_name, asked, correct, seconds, missed, finished_at
                        FROM practice_rounds WHERE person_id = \(subject.personId) ORDER BY finished_at, id
                        """
                    },
                    erase: { "DELETE FROM practice_rounds WHERE person_id = \($0.personId)" },
                    expiry: .init(of: "practice_rounds", by: "finished_at", key: "id"),
                    // A kind is one of those that the program knows.
                    texts: .init(of: "practice_rounds", columns: ["list_name", "missed"]))
            ]),
    ]
}
