public import CoursesInterface
public import Domain
public import FeatureKit
public import Foundation

/// A substitute for Courses and Enrollment in the tests of blocks that read them.
///
/// Each course has a teacher and students, in tables of its own.
public struct TestCourses: CourseService, CourseRoster {
    public init() {}

    /// Returns a stand-in for the Courses block that has tables and no pages.
    public static func feature() throws -> Feature {
        var feature = Feature("Courses", catalog: try StringCatalog(json: Data(#"{"strings": {}}"#.utf8)))
        feature.storage.schoolMigrations = [
            Migration(
                "001-courses",
                """
                CREATE TABLE test_courses (id TEXT PRIMARY KEY, body TEXT NOT NULL);
                CREATE TABLE test_course_students (
                    course_id TEXT NOT NULL, student_id TEXT NOT NULL, PRIMARY KEY (course_id, student_id));
                """)
        ]
        return feature
    }

    /// Adds the course Algebra with its teachers and students.
    public static func addAlgebra(
        _ id: UUID, taughtBy teacherIds: [UUID], to studentIds: [UUID], at instant: Date, in database: any Database
    ) async throws -> Course {
        let course = Course(
            id: id, name: "Algebra", subject: "Mathematics", teacherIds: teacherIds, tint: .leaf, createdAt: instant
        )
        try await put(course, in: database)
        for studentId in studentIds { try await enrol(studentId, in: id, database) }
        return course
    }

    /// Adds a course, or replaces the one with its id.
    public static func put(_ course: Course, in database: any Database) async throws {
        let body = String(decoding: try JSONEncoder().encode(course), as: UTF8.self)
        try await database.write { sql in
            // conformance: allow write - prepares a test
            try sql.execute("DELETE FROM test_courses WHERE id = \(course.id)")
            // conformance: allow write - prepares a test
            try sql.execute("INSERT INTO test_courses (id, body) VALUES (\(course.id), \(body))")
        }
    }

    /// Adds a student to a course of the test.
    public static func enrol(_ studentId: UUID, in courseId: UUID, _ database: any Database) async throws {
        try await database.write { sql in
            // conformance: allow write - prepares a test
            try sql.execute(
                "INSERT INTO test_course_students (course_id, student_id) VALUES (\(courseId), \(studentId))")
        }
    }

    /// Removes a student from a course of the test.
    public static func remove(_ studentId: UUID, from courseId: UUID, _ database: any Database) async throws {
        try await database.write { sql in
            // conformance: allow write - prepares a test
            try sql.execute(
                "DELETE FROM test_course_students WHERE course_id = \(courseId) AND student_id = \(studentId)")
        }
    }

    // MARK: - Courses

    /// Returns a course for its leaders and its students. Parents are not supported.
    public func course(_ id: UUID, enteredBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course
    {
        if try students(of: id, in: sql).contains(membership.personId), let course = try courses([id], in: sql)[id]
        {
            return course
        }
        return try course(id, ledBy: membership, in: sql)
    }

    public func course(_ id: UUID, ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course {
        guard let course = try courses([id], in: sql)[id],
            course.isLed(by: membership)
        else { throw Problem.notFound }
        return course
    }

    public func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: Course] {
        try all(in: sql).reduce(into: [:]) { if ids.contains($1.id) { $0[$1.id] = $1 } }
    }

    public func courses(taughtBy personId: UUID, in sql: any SQLReading) throws -> [Course] {
        try all(in: sql).filter { $0.teacherIds.contains(personId) && !$0.isArchived }.sorted { $0.name < $1.name }
    }

    public func offered(on day: Day, in sql: any SQLReading) throws -> [Course] {
        try all(in: sql).filter { !$0.isArchived }.sorted { ($0.subject, $0.name) < ($1.subject, $1.name) }
    }

    public func terms(in sql: any SQLReading) throws -> [Term] { [] }

    public func version(in sql: any SQLReading) throws -> Int64 {
        try sql.value("SELECT COUNT(*) FROM test_courses") ?? 0
    }

    // MARK: - Students

    public func students(of courseId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            "SELECT student_id FROM test_course_students WHERE course_id = \(courseId) ORDER BY student_id"
        ).map { try $0.get("student_id") }
    }

    public func courseIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows("SELECT course_id FROM test_course_students WHERE student_id = \(studentId)").map {
                try $0.get("course_id")
            })
    }

    /// Does nothing: the students of a test's course do not change by themselves.
    public func fit(_ course: Course, in context: inout CommandContext) throws {}

    private func all(in sql: any SQLReading) throws -> [Course] {
        try sql.rows("SELECT body FROM test_courses").map {
            try JSONDecoder().decode(Course.self, from: Data($0.get("body", as: String.self).utf8))
        }
    }
}
