public import ClassroomInterface
public import Domain
public import FeatureKit
public import Foundation

/// A substitute for Classroom in the tests of blocks that read classrooms and children.
///
/// Each classroom has one guide, and children, in tables of its own. Methods that such tests should not call throw
/// `Unexpected`.
public struct TestClassrooms: ClassroomService, StudentService, StudentPlacing {
    public struct Unexpected: Error {
        public init() {}
    }

    public init() {}

    /// Returns a stand-in for the Classroom block that has tables and no pages. Tests add the pages that show
    /// sections of other blocks.
    public static func feature() throws -> Feature {
        var feature = Feature("Classroom", catalog: try StringCatalog(json: Data(#"{"strings": {}}"#.utf8)))
        feature.storage.schoolMigrations = [
            Migration(
                "001-classrooms",
                """
                CREATE TABLE classrooms (id TEXT PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE students (id TEXT PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE classroom_guides (
                    classroom_id TEXT NOT NULL, person_id TEXT NOT NULL, PRIMARY KEY (classroom_id, person_id));
                CREATE TABLE classroom_students (
                    classroom_id TEXT NOT NULL,
                    student_id TEXT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
                    PRIMARY KEY (classroom_id, student_id));
                CREATE INDEX classroom_students_student ON classroom_students (student_id);
                """)
        ]
        return feature
    }

    /// Creates a classroom with a guide for a test, and returns it.
    public static func room(
        _ name: String, of guide: Caller, id: UUID, in database: any Database
    ) async throws -> UUID {
        guard let person = guide.membership?.personId else { throw Unexpected() }
        try await database.write { sql in
            // conformance: allow write - prepares a test
            try sql.execute("INSERT INTO classrooms (id, name) VALUES (\(id), \(name))")
            // conformance: allow write - prepares a test
            try sql.execute("INSERT INTO classroom_guides (classroom_id, person_id) VALUES (\(id), \(person))")
        }
        return id
    }

    /// Creates a child in a classroom.
    /// - Parameter name: the full name; its last word is the family name.
    public static func child(
        _ name: String, in room: UUID, id: UUID, in database: any Database
    ) async throws -> UUID {
        try await database.write { sql in
            // conformance: allow write - prepares a test
            try sql.execute("INSERT INTO students (id, name) VALUES (\(id), \(name))")
            // conformance: allow write - prepares a test
            try sql.execute("INSERT INTO classroom_students (classroom_id, student_id) VALUES (\(room), \(id))")
        }
        return id
    }

    /// Returns any child of the test's school, without checking who may see the child.
    public static func student(_ id: UUID, orgId: UUID, in sql: any SQLReading) throws -> Student? {
        try sql.row("SELECT * FROM students WHERE id = \(id)").map { try student($0, orgId) }
    }

    // MARK: - Classrooms

    public func classrooms(
        visibleTo membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [ClassroomSummary] {
        try sql.rows("SELECT * FROM classrooms WHERE id IN (\(Self.rooms(membership))) ORDER BY name").map {
            try ClassroomSummary(id: $0.get("id"), name: $0.get("name"), avatarTint: .leaf, studentCount: 2)
        }
    }

    public func classroom(
        _ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Classroom {
        guard let room = try classrooms(visibleTo: membership, in: sql).first(where: { $0.id == id }) else {
            throw Problem.notFound
        }
        return Classroom(
            id: id, orgId: membership.organization.id, name: room.name, avatarTint: .leaf, guideIds: [],
            studentIds: [], createdAt: Self.time)
    }

    public func classroomIds(in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM classrooms ORDER BY id").map { try $0.get("id") }
    }

    public func create(_ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom {
        throw Unexpected()
    }
    public func update(_ id: UUID, _ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom {
        throw Unexpected()
    }
    public func delete(_ id: UUID, in context: inout CommandContext) throws { throw Unexpected() }
    public func assign(guides: [UUID], to id: UUID, in context: inout CommandContext) throws -> Classroom {
        throw Unexpected()
    }

    // MARK: - Students

    public func students(of classroomId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        try sql.rows(
            """
            SELECT students.id, students.name FROM classroom_students
            JOIN students ON students.id = classroom_students.student_id
            WHERE classroom_students.classroom_id = \(classroomId) ORDER BY students.name
            """
        ).map { try Self.student($0, orgId) }
    }

    public func student(
        _ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Student {
        guard
            let row = try sql.row(
                """
                SELECT * FROM students WHERE id = \(id) AND id IN (
                    SELECT student_id FROM classroom_students WHERE classroom_id IN (\(Self.rooms(membership))))
                """)
        else { throw Problem.notFound }
        return try Self.student(row, membership.organization.id)
    }

    public func studentIds(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            "SELECT id FROM students WHERE \(id.map { "id > \($0)" } ?? "1 = 1") ORDER BY id LIMIT \(limit)"
        ).map { try $0.get("id") }
    }

    public func classroomIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            "SELECT classroom_id FROM classroom_students WHERE student_id = \(studentId) ORDER BY classroom_id"
        ).map { try $0.get("classroom_id") }
    }

    public func create(_ draft: StudentDraft, in context: inout CommandContext) throws -> Student {
        throw Unexpected()
    }
    public func update(_ id: UUID, _ draft: StudentDraft, in context: inout CommandContext) throws -> Student {
        throw Unexpected()
    }
    public func add(_ id: UUID, to classroomId: UUID, in context: inout CommandContext) throws {
        throw Unexpected()
    }
    public func remove(_ id: UUID, from classroomId: UUID, in context: inout CommandContext) throws {
        throw Unexpected()
    }

    private static let time = Date(timeIntervalSince1970: 1_793_000_000)

    private static func rooms(_ membership: ActiveMembership) -> SQL {
        membership.roles.contains(.admin)
            ? "SELECT id FROM classrooms"
            : "SELECT classroom_id FROM classroom_guides WHERE person_id = \(membership.personId)"
    }

    private static func student(_ row: SQLRow, _ orgId: UUID) throws -> Student {
        let name = PersonName(fullName: try row.get("name"))
        return try Student(
            id: row.get("id"), orgId: orgId, firstName: name.given, lastName: name.family,
            displayName: name.display, avatarTint: .sky, createdAt: time)
    }
}
