import Domain
import FeatureKit
import Foundation
import MessagingModel

/// Reads and writes announcements.
enum AnnouncementRepository {
    /// What decides which announcements a person may read.
    /// The classrooms, courses and groups of people whose announcements the person reads.
    struct Reader: Sendable, Hashable {
        let classrooms: Set<UUID>
        var courses: Set<UUID> = []
        var circles: Set<Announcement.Circle> = []
        /// Whether the person reads the announcements of all classrooms and courses.
        let seesAll: Bool
    }

    static func insert(_ announcement: Announcement, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO announcements (id, title, text, classroom_id, course_id, circle, author_id,
                published_at)
            VALUES (\(announcement.id), \(announcement.title), \(announcement.text), \(announcement.classroomId),
                \(announcement.courseId), \(announcement.circle), \(announcement.authorId), \(announcement.publishedAt))
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM announcements WHERE id = \(id)")
    }

    /// Returns an announcement that the reader may read; `nil` otherwise.
    static func announcement(_ id: UUID, for reader: Reader, in sql: any SQLReading) throws -> Announcement? {
        try sql.row("SELECT * FROM announcements WHERE id = \(id) AND \(isFor(reader))").map(announcement)
    }

    /// The announcements for a reader, the newest first.
    static func list(
        for reader: Reader, after id: String, limit: Int, in sql: any SQLReading
    ) throws -> [Announcement] {
        try sql.rows(listQuery(reader, after: id, limit: limit)).map(announcement)
    }

    /// The query of the list. Ids are in the order of time.
    static func listQuery(_ reader: Reader, after id: String, limit: Int) -> SQL {
        """
        SELECT * FROM announcements WHERE id < \(id) AND \(isFor(reader)) ORDER BY id DESC LIMIT \(limit)
        """
    }

    /// The newest announcements of a course.
    static func latest(
        of courseId: UUID, for reader: Reader, limit: Int, in sql: any SQLReading
    ) throws -> [Announcement] {
        try sql.rows(latestQuery(courseId, reader, limit: limit)).map(announcement)
    }

    static func latestQuery(_ courseId: UUID, _ reader: Reader, limit: Int) -> SQL {
        """
        SELECT * FROM announcements WHERE course_id = \(courseId) AND \(isFor(reader)) ORDER BY id DESC LIMIT \(limit)
        """
    }

    private static func isFor(_ reader: Reader) -> SQL {
        """
        (classroom_id IS NULL AND course_id IS NULL AND circle IS NULL OR \(reader.seesAll) = 1
            OR circle IN \(list: reader.circles) OR classroom_id IN \(list: reader.classrooms) OR course_id IN \(list: reader.courses))
        """
    }

    private static func announcement(_ row: SQLRow) throws -> Announcement {
        try Announcement(
            id: row.get("id"), title: row.get("title"), text: row.get("text"),
            classroomId: row.optional("classroom_id"), courseId: row.optional("course_id"),
            circle: row.optional("circle"), authorId: row.get("author_id"), publishedAt: row.get("published_at"))
    }
}
