import Domain
import FeatureKit
import Foundation

/// What somebody works on in a study room: one of a few, so that nothing is written there that somebody would have to
/// watch over.
enum StudyWork: String, Codable, Sendable, CaseIterable {
    case reading
    case writing
    case practising
    case project
    case revising
}

/// Where people of one course study at the same time, each for themselves, under one clock.
struct StudyRoom: Codable, Sendable, Hashable {
    struct Person: Codable, Sendable, Hashable, Identifiable {
        let id: UUID
        let name: String
        let work: StudyWork
    }
    let courseId: UUID
    let courseName: String
    /// Whoever is there now, by the time at which they came.
    let people: [Person]
    /// When the present time of focus ends; `nil` while there is none.
    let focusEndsAt: Date?

    /// Seconds without a sign of somebody's page after which they are gone.
    static let patience: TimeInterval = 300
    /// Minutes that a time of focus may take.
    static let lengths = [15, 25, 45]
}

/// The SQL of study rooms. Who was in one before stands nowhere.
enum StudyRepository {
    struct Presence: Sendable, Hashable {
        let personId: UUID
        let courseId: UUID
        let work: StudyWork
    }

    /// Nobody is in two rooms at once: whoever comes into one has left the other.
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

    /// Whether they were in that room.
    static func leave(_ courseId: UUID, _ personId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM study_people WHERE person_id = \(personId) AND course_id = \(courseId)") > 0
    }

    /// Whether they are in that room still.
    static func stay(_ courseId: UUID, _ personId: UUID, at instant: Date, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            UPDATE study_people SET seen_at = \(instant)
            WHERE person_id = \(personId) AND course_id = \(courseId) AND seen_at >= \(instant - StudyRoom.patience)
            """) > 0
    }

    /// The room in which somebody is.
    static func room(of personId: UUID, at instant: Date, in sql: any SQLReading) throws -> UUID? {
        try sql.row(
            """
            SELECT course_id FROM study_people
            WHERE person_id = \(personId) AND seen_at >= \(instant - StudyRoom.patience)
            """
        ).map { try $0.get("course_id") }
    }

    /// Whoever is in these rooms, the first to come first.
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
                // What a later version knows is shown as the plainest.
                work: StudyWork(rawValue: try $0.get("work")) ?? .reading)
        }
    }

    /// When the times of focus end that run now.
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

    /// - Parameter end: `nil` ends what runs.
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
