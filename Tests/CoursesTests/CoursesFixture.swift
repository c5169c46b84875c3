import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import OrganizationTesting
import Synchronization
import TestKit

@testable import Courses

/// The block in a school with two teachers, an administrator, a student and her mother.
struct CoursesFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let circle: TestCircle
    let courses: SQLCourseService
    let admin: Caller
    let teacher: Caller
    let other: Caller
    let mia: Caller
    let mother: Caller
    let preferences = TestPreferences()

    init(clock: FixedClock = FixedClock()) async throws {
        let circle = TestCircle()
        self.circle = circle
        courses = SQLCourseService(roster: circle, families: circle)
        feature = try CoursesFeature.make(
            courses: courses, people: TestPeople(), guides: circle, roles: circle, markdown: StarMarkdown(),
            preferences: preferences, images: TestImages())
        school = try await TestSchool([TestPeople.feature(), feature], clock: clock)
        admin = try await Self.person(.admin, "Ada Admin", school, circle)
        teacher = try await Self.person(.guide, "Tea Cher", school, circle)
        other = try await Self.person(.guide, "Olga Other", school, circle)
        mia = try await Self.person(.student, "Mia Roy", school, circle)
        mother = try await Self.person(.parent, "Sofia Roy", school, circle)
        circle.setParent(Self.id(mother), of: Self.id(mia))
    }

    private static func person(
        _ role: Role, _ name: String, _ school: TestSchool, _ circle: TestCircle
    ) async throws -> Caller {
        let caller = try await TestPeople.add(school.makeCaller(role), name, to: school.database)
        circle.add(id(caller), role, name)
        return caller
    }

    func person(_ role: Role, _ name: String) async throws -> Caller {
        try await Self.person(role, name, school, circle)
    }

    // MARK: - Actions

    @discardableResult
    func course(
        _ name: String = "Algebra", as caller: Caller? = nil, _ more: [String: InputValue] = [:]
    ) async throws -> Course {
        let input = ["name": .text(name), "subject": "Mathematics"].merging(more) { $1 }
        return try await school.execute(CreateCourse.self, .object(input), as: caller ?? teacher)
    }

    @discardableResult
    func update(_ course: Course, as caller: Caller? = nil, _ more: [String: InputValue]) async throws -> Course {
        let input = ["courseId": .id(course.id), "name": .text(course.name), "subject": .text(course.subject)]
            .merging(more) { $1 }
        return try await school.execute(UpdateCourse.self, .object(input), as: caller ?? teacher)
    }

    func archive(_ course: Course, _ isArchived: Bool = true, as caller: Caller? = nil) async throws {
        try await school.execute(
            ArchiveCourse.self, ["courseId": .id(course.id), "archived": .bool(isArchived)], as: caller ?? teacher)
    }

    func module(_ title: String = "Week 1", in course: Course, as caller: Caller? = nil) async throws
        -> CourseModule
    {
        try await school.execute(
            AddModule.self, ["courseId": .id(course.id), "title": .text(title)], as: caller ?? teacher)
    }

    @discardableResult
    func lesson(
        _ title: String, in module: CourseModule, minutes: Int = 0, isPublished: Bool = true,
        as caller: Caller? = nil
    ) async throws -> Lesson {
        try await school.execute(
            AddLesson.self,
            [
                "moduleId": .id(module.id), "title": .text(title), "content": "First.\n\nSecond.",
                "duration": .number(Double(minutes)), "published": .bool(isPublished),
            ], as: caller ?? teacher)
    }

    /// Makes an uploaded file.
    ///
    /// - Parameter name: the file name that the teacher chose.
    static func file(_ name: String, _ bytes: [UInt8] = Array("%PDF".utf8)) -> UploadedFile {
        UploadedFile(name: name, contentType: "text/plain", bytes: bytes)
    }

    @discardableResult
    func attach(_ files: [UploadedFile], to lesson: Lesson, as caller: Caller? = nil) async throws -> [LessonFile] {
        try await school.execute(
            AddLessonFiles.self, ["lessonId": .id(lesson.id), "files": .list(files.map(InputValue.file))],
            as: caller ?? teacher
        ).items
    }

    func detach(_ file: LessonFile) async throws {
        try await school.execute(DeleteLessonFile.self, ["fileId": .id(file.id)], as: teacher)
    }

    func complete(_ lesson: Lesson, _ isDone: Bool = true, as caller: Caller? = nil) async throws {
        try await school.execute(
            CompleteLesson.self, ["lessonId": .id(lesson.id), "done": .bool(isDone)], as: caller ?? mia)
    }

    func lessons(of course: Course, as caller: Caller) async throws -> [String] {
        try await school.answer(ListLessons.self, ["courseId": .text(course.id.text)], as: caller).items.map(
            \.title)
    }

    func names(as caller: Caller) async throws -> [String] {
        try await school.answer(ListCourses.self, [:], as: caller).items.map(\.name)
    }

    func outline(
        _ path: String, as caller: Caller, query: [String: String] = [:], language: Language = .english
    ) async throws -> Outline {
        try await school.environment.outline(path, as: caller, query: query, language: language)
    }
}

/// The roles, families and enrollments that a test sets.
final class TestCircle: RoleDirectory, GuideService, FamilyLinks, CourseRoster {
    private struct State {
        var roles: [UUID: Set<Role>] = [:]
        var names: [UUID: String] = [:]
        var children: [UUID: [UUID]] = [:]
        var students: [UUID: [UUID]] = [:]
        var fitted: [Course] = []
    }
    private let state = Mutex(State())

    func add(_ id: UUID, _ role: Role, _ name: String) {
        state.withLock { state in
            state.roles[id] = [role]
            state.names[id] = name
        }
    }

    func setParent(_ parent: UUID, of child: UUID) {
        state.withLock { $0.children[parent, default: []].append(child) }
    }
    func enrol(_ student: Caller, in course: Course) {
        state.withLock { $0.students[course.id, default: []].append(CoursesFixture.id(student)) }
    }

    /// The courses whose enrollments were adjusted after a change, in order.
    var fitted: [Course] { state.withLock { $0.fitted } }

    func roles(of personIds: [UUID], in orgId: UUID) async throws -> [UUID: Set<Role>] {
        state.withLock { $0.roles }.filter { personIds.contains($0.key) }
    }

    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>] { state.withLock { $0.roles } }

    func guides(of orgId: UUID) async throws -> [Guide] {
        state.withLock { state in
            state.roles.filter { Permission.teachCourses.isGiven(to: $0.value) }.map { id, _ in
                Guide(id: id, orgId: orgId, fullName: state.names[id] ?? "", email: nil, role: .guide)
            }
        }.sorted { $0.fullName < $1.fullName }
    }

    func children(ofParent personId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Person] {
        state.withLock { state in
            (state.children[personId] ?? []).map {
                Person(
                    id: $0, orgId: orgId, name: PersonName(given: state.names[$0] ?? "", family: ""), email: nil,
                    avatarTint: .sky, createdAt: Date(timeIntervalSince1970: 1_793_000_000))
            }
        }
    }

    func parents(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        Set(state.withLock { $0.children }.filter { $0.value.contains(studentId) }.keys)
    }

    func students(of courseId: UUID, in sql: any SQLReading) throws -> [UUID] {
        state.withLock { $0.students[courseId] ?? [] }
    }

    func courseIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        Set(state.withLock { $0.students }.filter { $0.value.contains(studentId) }.keys)
    }

    func fit(_ course: Course, in context: inout CommandContext) throws {
        state.withLock { $0.fitted.append(course) }
    }
}
