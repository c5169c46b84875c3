public import CoursesInterface
import Domain
public import FeatureKit
public import Foundation

/// A module of a course, with lessons in their order.
struct CourseModule: Codable, Sendable, Hashable, Identifiable {
    let id: UUID
    let courseId: UUID
    var title: String
    var position: Int
}

/// A lesson of a course.
struct Lesson: Codable, Sendable, Hashable, Identifiable {
    let id: UUID
    let courseId: UUID
    var moduleId: UUID
    var title: String
    /// The text in Markdown, as its author typed it.
    var content: String
    /// The address of the video; `nil` without one.
    var videoURL: String?
    /// The expected time in minutes.
    var duration: Int?
    /// Whether students see the lesson.
    var isPublished: Bool
    var position: Int
    /// Increases with each change, to detect concurrent edits.
    var version: Int
}

/// A lesson that a student has done.
struct LessonCompletion: Codable, Sendable, Hashable {
    let lessonId: UUID
    let studentId: UUID
    let completedAt: Date
}

/// Reads and writes modules and lessons.
enum LessonRepository {
    /// The modules of a course in their order.
    static func modules(of courseId: UUID, in sql: any SQLReading) throws -> [CourseModule] {
        try sql.rows("SELECT * FROM course_modules WHERE course_id = \(courseId) ORDER BY position, id").map(module)
    }

    static func module(_ id: UUID, in sql: any SQLReading) throws -> CourseModule? {
        try sql.row("SELECT * FROM course_modules WHERE id = \(id)").map(module)
    }

    static func lesson(_ id: UUID, in sql: any SQLReading) throws -> Lesson? {
        try sql.row("SELECT * FROM lessons WHERE id = \(id)").map(lesson)
    }

    /// All lessons of some courses, in the order of their modules and within them.
    static func lessons(of courseIds: [UUID], in sql: any SQLReading) throws -> [Lesson] {
        try sql.rows(
            """
            SELECT lessons.* FROM lessons JOIN course_modules ON course_modules.id = lessons.module_id
            WHERE lessons.course_id IN \(list: courseIds)
            ORDER BY lessons.course_id, course_modules.position, course_modules.id, lessons.position, lessons.id
            """
        ).map(lesson)
    }

    /// The published lessons of some courses in their order, without their text.
    static func published(
        in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [LessonProgress.Step]] {
        try sql.rows(
            """
            SELECT lessons.id, lessons.course_id, lessons.title, lessons.minutes FROM lessons
            JOIN course_modules ON course_modules.id = lessons.module_id
            WHERE lessons.course_id IN \(list: courseIds) AND lessons.is_published = \(true)
            ORDER BY course_modules.position, course_modules.id, lessons.position, lessons.id
            """
        ).reduce(into: [:]) { all, row in
            all[try row.get("course_id"), default: []].append(
                LessonProgress.Step(
                    id: try row.get("id"), title: try row.get("title"), minutes: try row.optional("minutes")))
        }
    }

    static func save(_ module: CourseModule, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO course_modules (id, course_id, title, position)
            VALUES (\(module.id), \(module.courseId), \(module.title), \(module.position))
            ON CONFLICT (id) DO UPDATE SET title = excluded.title, position = excluded.position
            """)
    }

    static func save(_ lesson: Lesson, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO lessons (
                id, course_id, module_id, title, content, video_url, minutes, is_published, position, version)
            VALUES (\(lesson.id), \(lesson.courseId), \(lesson.moduleId), \(lesson.title), \(lesson.content),
                \(lesson.videoURL), \(lesson.duration), \(lesson.isPublished), \(lesson.position), \(lesson.version))
            ON CONFLICT (id) DO UPDATE SET module_id = excluded.module_id, title = excluded.title,
                content = excluded.content, video_url = excluded.video_url, minutes = excluded.minutes, is_published = excluded.is_published,
                position = excluded.position, version = excluded.version
            """)
    }

    static func deleteModule(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM course_modules WHERE id = \(id)")
    }

    static func deleteLesson(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM lessons WHERE id = \(id)")
    }

    // MARK: - Completions

    static func completed(by studentId: UUID, in sql: any SQLReading) throws -> [UUID: Date] {
        try sql.rows("SELECT lesson_id, completed_at FROM lesson_completions WHERE student_id = \(studentId)")
            .reduce(into: [:]) { $0[try $1.get("lesson_id")] = try $1.get("completed_at") }
    }

    /// The query that counts the lessons each student has done in a course, including lessons that are drafts now.
    static func completedQuery(in courseId: UUID) -> SQL {
        """
        SELECT c.student_id, COUNT(*) AS done FROM lessons l JOIN lesson_completions c ON c.lesson_id = l.id
        WHERE l.course_id = \(courseId) GROUP BY c.student_id
        """
    }

    /// Marks a lesson as done. Returns whether it was not done before.
    static func complete(_ completion: LessonCompletion, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            INSERT INTO lesson_completions (student_id, lesson_id, completed_at)
            VALUES (\(completion.studentId), \(completion.lessonId), \(completion.completedAt))
            ON CONFLICT (student_id, lesson_id) DO NOTHING
            """) > 0
    }

    static func reopen(_ lessonId: UUID, of studentId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            "DELETE FROM lesson_completions WHERE student_id = \(studentId) AND lesson_id = \(lessonId)") > 0
    }

    private static func module(_ row: SQLRow) throws -> CourseModule {
        try CourseModule(
            id: row.get("id"), courseId: row.get("course_id"), title: row.get("title"),
            position: row.get("position"))
    }

    private static func lesson(_ row: SQLRow) throws -> Lesson {
        try Lesson(
            id: row.get("id"), courseId: row.get("course_id"), moduleId: row.get("module_id"),
            title: row.get("title"), content: row.get("content"), videoURL: row.optional("video_url"),
            duration: row.optional("minutes"),
            isPublished: row.get("is_published"), position: row.get("position"), version: row.get("version"))
    }
}

extension SQLCourseService: LessonRecord {
    public func completions(by studentId: UUID, in sql: any SQLReading) throws -> [Date] {
        Array(try LessonRepository.completed(by: studentId, in: sql).values)
    }

    public func completed(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int] {
        try sql.rows(LessonRepository.completedQuery(in: courseId)).reduce(into: [:]) { all, row in
            all[try row.get("student_id")] = try row.get("done")
        }
    }

    public func progress(of studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading) throws -> [UUID:
        LessonProgress]
    {
        let done = try Set(LessonRepository.completed(by: studentId, in: sql).keys)
        let lessons = try LessonRepository.published(in: courseIds, sql)
        return courseIds.reduce(into: [:]) { all, id in
            all[id] = LessonProgress(of: lessons[id] ?? [], done: done)
        }
    }
}
