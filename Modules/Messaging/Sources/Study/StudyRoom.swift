import Domain
import FeatureKit
import Foundation

/// What a person works on in a study room. A fixed choice, so that there is no free text to moderate.
enum StudyWork: String, Codable, Sendable, CaseIterable {
    case reading
    case writing
    case practicing = "practising"
    case project
    case revising
}

/// The study room of a course, where people study at the same time with a common focus time.
struct StudyRoom: Codable, Sendable, Hashable {
    struct Person: Codable, Sendable, Hashable, Identifiable {
        let id: UUID
        let name: String
        let work: StudyWork
    }
    let courseId: UUID
    let courseName: String
    /// The people who are in the room, in the order in which they came.
    let people: [Person]
    /// The end of the present focus time; `nil` without one.
    let focusEndsAt: Date?

    /// Seconds without a confirmation after which a person is removed.
    static let patience: TimeInterval = 300
    /// The offered lengths of a focus time, in minutes.
    static let lengths = [15, 25, 45]
}

/// Reads and writes who is in study rooms. There is no history.
enum StudyRepository {
    /// A person in a study room.
    struct Presence: Sendable, Hashable {
        let personId: UUID
        let courseId: UUID
        let work: StudyWork
    }

    /// Enters a room. A person is in one room at a time and leaves the earlier one.
    static func enter(
        _ courseId: UUID, _ personId: UUID, _ work: StudyWork, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute("DELETE FROM study_people WHERE seen_at < \(instant - StudyRoom.patience)")
        try sql.execute(
            """
            INSERT INTO study_people (person_id, course_id, work, entered_at, seen_at)
            VALUES (\(personId), \(courseId), \(work.rawValue), \(instant), \(instant))
            ON CONFLICT (person_id) DO UPDATE
            SET course_id = excluded.course_id, work = excluded.work, seen_at = excluded.seen_at,
                entered_at = CASE WHEN study_people.course_id = excluded.course_id THEN study_people.entered_at
                    ELSE excluded.entered_at END
            """)
    }

    /// Leaves a room. Returns whether the person was in it.
    static func leave(_ courseId: UUID, _ personId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM study_people WHERE person_id = \(personId) AND course_id = \(courseId)") > 0
    }

    /// Confirms a person's presence. Returns whether the person is still in the room.
    static func stay(_ courseId: UUID, _ personId: UUID, at instant: Date, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            UPDATE study_people SET seen_at = \(instant)
            WHERE person_id = \(personId) AND course_id = \(courseId) AND seen_at >= \(instant - StudyRoom.patience)
            """) > 0
    }

    /// The room in which a person is; `nil` if in none.
    static func room(of personId: UUID, at instant: Date, in sql: any SQLReading) throws -> UUID? {
        try sql.row(
            """
            SELECT course_id FROM study_people
            WHERE person_id = \(personId) AND seen_at >= \(instant - StudyRoom.patience)
            """
        ).map { try $0.get("course_id") }
    }

    /// The people in some rooms, in the order in which they came.
    static func present(
        in courseIds: some Sequence<UUID>, at instant: Date, in sql: any SQLReading
    ) throws -> [Presence] {
        try sql.rows(
            """
            SELECT person_id, course_id, work FROM study_people
            WHERE course_id IN \(list: Array(courseIds)) AND seen_at >= \(instant - StudyRoom.patience)
            ORDER BY entered_at, person_id
            """
        ).map {
            Presence(
                personId: try $0.get("person_id"), courseId: try $0.get("course_id"),
                // A value of a later version is shown as reading.
                work: StudyWork(rawValue: try $0.get("work")) ?? .reading)
        }
    }

    /// The ends of the present focus times, by course.
    static func focus(
        in courseIds: some Sequence<UUID>, at instant: Date, in sql: any SQLReading
    ) throws -> [UUID: Date] {
        try Dictionary(
            sql.rows(
                """
                SELECT course_id, ends_at FROM study_focus
                WHERE course_id IN \(list: Array(courseIds)) AND ends_at > \(instant)
                """
            ).map { (try $0.get("course_id"), try $0.get("ends_at")) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sets the end of a course's focus time.
    ///
    /// - Parameter end: `nil` ends the present one.
    static func setFocus(_ courseId: UUID, until end: Date?, in sql: any SQLWriting) throws {
        guard let end else {
            try sql.execute("DELETE FROM study_focus WHERE course_id = \(courseId)")
            return
        }
        try sql.execute(
            """
            INSERT INTO study_focus (course_id, ends_at) VALUES (\(courseId), \(end))
            ON CONFLICT (course_id) DO UPDATE SET ends_at = excluded.ends_at
            """)
    }
}
