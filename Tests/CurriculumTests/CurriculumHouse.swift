import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Curriculum

/// The block in a school of its own: an admin, two guides of different rooms, and children as a test wants them.
struct CurriculumHouse {
    let school: TestSchool
    let record = TestRecord()
    let lists: [CurriculumEntry]
    let admin: Caller
    let guide: Caller
    let otherGuide: Caller
    let maple: UUID
    let birch: UUID

    var today: Day { Day(school.clock.now, in: TimeZone(identifier: school.organization.timeZone) ?? .gmt) }

    init() async throws {
        let rooms = StandInClassrooms()
        let feature = try CurriculumFeature.make(
            taxonomy: SchoolTaxonomy(), classrooms: rooms, students: rooms, record: record)
        school = try await TestSchool([StandInClassrooms.feature(), feature])
        lists = try StarterCurriculum.entries()
        admin = school.makeCaller(.admin)
        guide = school.makeCaller(.guide)
        otherGuide = school.makeCaller(.guide)
        maple = try await StandInClassrooms.room("Maple room", of: guide, in: school)
        birch = try await StandInClassrooms.room("Birch room", of: otherGuide, in: school)
    }

    func child(_ name: String, in room: UUID? = nil) async throws -> UUID {
        try await StandInClassrooms.child(name, in: room ?? maple, of: school)
    }

    /// A material or subject of the starter lists by its English name.
    func id(_ name: String) throws -> UUID { try #require(lists.first { $0.name == name }?.id, "\(name)") }

    @discardableResult
    func note(
        _ child: UUID, _ material: String, _ state: ProgressState, daysAgo: Int = 0, as caller: Caller? = nil
    ) async throws -> MaterialProgress {
        try await school.execute(
            RecordProgress.self,
            [
                "studentId": .id(child), "materialId": .id(id(material)), "state": .text(state.rawValue),
                "day": .text(today.adding(days: -daysAgo).description),
            ], as: caller ?? guide)
    }

    func progress(of child: UUID) async throws -> [UUID: ProgressState] {
        try await school.answer(StudentProgress.self, ["studentId": .text(child.text)], as: guide).items
            .reduce(into: [:]) { $0[$1.materialId] = $1.state }
    }

    func suggestions(for child: UUID) async throws -> [MaterialSuggestion] {
        try await school.answer(StudentSuggestions.self, ["studentId": .text(child.text)], as: guide).items
    }

    func curriculum() async throws -> [CurriculumEntry] {
        try await school.answer(ListCurriculum.self, as: guide).items
    }

    func outline(
        _ path: String, as caller: Caller? = nil, query: [String: String] = [:], language: Language = .english
    ) async throws -> [String] {
        try await school.house.outline(path, as: caller ?? guide, query: query, language: language).lines
    }

    func kinds() async throws -> [String] { try await school.changes().map(\.change.kind) }
}

/// What is written about children: evidence as a test sets it, lessons as they were planned.
final class TestRecord: ChildRecord {
    struct Lesson: Sendable, Hashable {
        let title: String
        let details: String?
        let studentId: UUID
    }
    private struct State {
        var evidence: [UUID: [Evidence]] = [:]
        var lessons: [Lesson] = []
    }
    private let state = Mutex(State())

    var lessons: [Lesson] { state.withLock { $0.lessons } }
    func completeAll() { state.withLock { $0.lessons = [] } }
    func observe(_ evidence: [UUID: [Evidence]]) { state.withLock { $0.evidence = evidence } }

    func evidence(
        of studentId: UUID, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [UUID: [Evidence]] {
        state.withLock { $0.evidence }
    }

    func openLessons(of studentId: UUID, in sql: any SQLReading) throws -> Set<String> {
        state.withLock { state in Set(state.lessons.filter { $0.studentId == studentId }.map(\.title)) }
    }

    func plan(
        lesson title: String, details: String?, for studentId: UUID, in context: inout CommandContext
    ) throws {
        state.withLock { $0.lessons.append(Lesson(title: title, details: details, studentId: studentId)) }
    }

    func plan(
        task title: String, details: String?, for studentId: UUID, in context: inout CommandContext
    ) throws {
        throw StandInClassrooms.Unexpected()
    }
}

/// Stands in for Classroom: its tables as far as this block reads them, its two services, and the two pages that
/// take other blocks' parts in.
struct StandInClassrooms: ClassroomService, StudentService {
    /// A call that no test of this block may lead to.
    struct Unexpected: Error {}

    static func feature() throws -> Feature {
        var feature = Feature("Classroom", catalog: try StringCatalog(json: Data(#"{"strings": {}}"#.utf8)))
        feature.schoolMigrations = [
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
        feature.screens = [
            ScreenRoute("/students/{studentId}", access: .member(.viewClassrooms)) { request in
                .screen(Screen(title: "Child", body: try await request.sections(about: request.id("studentId"))))
            },
            ScreenRoute("/classrooms/{classroomId}", access: .member(.viewClassrooms)) { request in
                .screen(
                    Screen(
                        title: "Class",
                        body: [
                            .links(PTLinks(links: request.links(aboutClassroom: try request.id("classroomId"))))
                        ]))
            },
        ]
        return feature
    }

    static func room(_ name: String, of guide: Caller, in school: TestSchool) async throws -> UUID {
        let id = school.ids.id(at: school.clock.now)
        let person = try #require(guide.membership?.personId)
        try await school.database.write { sql in
            try sql.execute("INSERT INTO classrooms (id, name) VALUES (\(id), \(name))")
            try sql.execute("INSERT INTO classroom_guides (classroom_id, person_id) VALUES (\(id), \(person))")
        }
        return id
    }

    static func child(_ name: String, in room: UUID, of school: TestSchool) async throws -> UUID {
        let id = school.ids.id(at: school.clock.now)
        try await school.database.write { sql in
            try sql.execute("INSERT INTO students (id, name) VALUES (\(id), \(name))")
            try sql.execute("INSERT INTO classroom_students (classroom_id, student_id) VALUES (\(room), \(id))")
        }
        return id
    }

    func classrooms(
        visibleTo membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [ClassroomSummary] { throw Unexpected() }

    func classroom(
        _ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Classroom {
        guard let row = try sql.row("SELECT * FROM classrooms WHERE id = \(id)"),
            try membership.roles.contains(.admin)
                || sql.exists(
                    """
                    SELECT 1 FROM classroom_guides
                    WHERE classroom_id = \(id) AND person_id = \(membership.personId)
                    """)
        else { throw Problem.notFound }
        return try Classroom(
            id: id, orgId: membership.organization.id, name: row.get("name"), imageURL: nil, avatarTint: .leaf,
            guideIds: [], studentIds: [], createdAt: Date(timeIntervalSince1970: 1_793_000_000))
    }

    func create(_ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom {
        throw Unexpected()
    }
    func update(_ id: UUID, _ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom {
        throw Unexpected()
    }
    func delete(_ id: UUID, in context: inout CommandContext) throws { throw Unexpected() }
    func assign(guides: [UUID], to id: UUID, in context: inout CommandContext) throws -> Classroom {
        throw Unexpected()
    }

    func students(of classroomId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        try sql.rows(
            """
            SELECT students.id, students.name FROM classroom_students
            JOIN students ON students.id = classroom_students.student_id
            WHERE classroom_students.classroom_id = \(classroomId) ORDER BY students.name
            """
        ).map { try student($0, orgId) }
    }

    func student(_ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> Student {
        guard let row = try sql.row("SELECT * FROM students WHERE id = \(id)"),
            try membership.roles.contains(.admin)
                || sql.exists(
                    """
                    SELECT 1 FROM classroom_students JOIN classroom_guides
                        ON classroom_guides.classroom_id = classroom_students.classroom_id
                    WHERE classroom_students.student_id = \(id) AND person_id = \(membership.personId)
                    """)
        else { throw Problem.notFound }
        return try student(row, membership.organization.id)
    }

    func create(_ draft: StudentDraft, in context: inout CommandContext) throws -> Student { throw Unexpected() }
    func update(_ id: UUID, _ draft: StudentDraft, in context: inout CommandContext) throws -> Student {
        throw Unexpected()
    }
    func add(_ id: UUID, to classroomId: UUID, in context: inout CommandContext) throws { throw Unexpected() }
    func remove(_ id: UUID, from classroomId: UUID, in context: inout CommandContext) throws { throw Unexpected() }

    private func student(_ row: SQLRow, _ orgId: UUID) throws -> Student {
        let name: String = try row.get("name")
        return try Student(
            id: row.get("id"), orgId: orgId, firstName: name, lastName: "", displayName: name, imageURL: nil,
            avatarTint: .sky, notes: nil, createdAt: Date(timeIntervalSince1970: 1_793_000_000))
    }
}
