import ClassroomInterface
import ClassroomTesting
import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import OrganizationTesting
import Synchronization
import TestKit

@testable import Enrollment

/// The block in a school with a course, its teacher, an administrator, and as many students as a test needs.
struct EnrollmentFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let service: EnrollmentService
    let circle: TestStudentRoles
    let admin: Caller
    let teacher: Caller
    let stranger: Caller

    init(clock: FixedClock = FixedClock(), records: [any CourseRecords] = []) async throws {
        let circle = TestStudentRoles()
        self.circle = circle
        service = EnrollmentService(families: circle)
        feature = try EnrollmentFeature.make(
            service: service, courses: TestCourses(), people: TestPeople(), classrooms: TestClassrooms(),
            students: TestClassrooms(), roles: circle, records: records)
        let service = service
        var changing = try TestCourses.feature()
        changing.endpoints.commands = [
            .handle(FitCourse.self) { command, context in
                let course = try TestCourses().courses([command.courseId], in: context.sql)[command.courseId]
                if let course { try service.fit(course, in: &context) }
                return Done()
            }
        ]
        school = try await TestSchool(
            [TestPeople.feature(), TestClassrooms.feature(), changing, feature], clock: clock)
        admin = try await Self.person(.admin, "Ada Admin", school)
        teacher = try await Self.person(.guide, "Tea Cher", school)
        stranger = try await Self.person(.guide, "Olga Other", school)
    }

    private static func person(_ role: Role, _ name: String, _ school: TestSchool) async throws -> Caller {
        try await TestPeople.add(school.makeCaller(role), name, to: school.database)
    }

    func student(_ name: String) async throws -> Caller {
        let caller = try await Self.person(.student, name, school)
        circle.add(student: Self.id(caller))
        return caller
    }

    func students(_ count: Int) async throws -> [Caller] {
        var all: [Caller] = []
        for number in 1...count { all.append(try await student("Student \(number)")) }
        return all
    }

    func parent(_ name: String, of child: Caller) async throws -> Caller {
        let caller = try await Self.person(.parent, name, school)
        circle.add(parent: Self.id(caller), of: Self.id(child), named: "Child")
        return caller
    }

    @discardableResult
    func course(
        _ name: String = "Algebra", capacity: Int? = nil, admission: Course.Admission = .open, dropDay: Day? = nil,
        isArchived: Bool = false, id: UUID? = nil, edit: (inout Course) -> Void = { _ in }
    ) async throws -> Course {
        var course = Course(
            id: id ?? school.ids.id(at: school.clock.now), name: name, subject: "Mathematics",
            teacherIds: [Self.id(teacher)], capacity: capacity, admission: admission, dropDay: dropDay, tint: .leaf,
            isArchived: isArchived, createdAt: school.clock.now)
        edit(&course)
        try await TestCourses.put(course, in: school.database)
        return course
    }

    // MARK: - Actions

    @discardableResult
    func enroll(_ student: Caller, in course: Course) async throws -> EnrollmentStatus {
        try await school.execute(EnrollInCourse.self, ["courseId": .id(course.id)], as: student)
    }

    @discardableResult
    func drop(_ student: Caller, _ course: Course) async throws -> EnrollmentStatus {
        try await school.execute(DropCourse.self, ["courseId": .id(course.id)], as: student)
    }

    func decide(_ course: Course, _ student: Caller, _ approves: Bool, as caller: Caller) async throws {
        try await school.execute(
            DecideRequest.self,
            ["courseId": .id(course.id), "studentId": .id(Self.id(student)), "approves": .bool(approves)],
            as: caller)
    }

    /// Calls `fit` in a transaction, as the block that changes a course does.
    func fit(_ course: Course) async throws {
        try await school.execute(FitCourse.self, ["courseId": .id(course.id)], as: admin)
    }

    var timeZone: TimeZone { school.organization.resolvedTimeZone }

    /// The enrollments of a course in the order of arrival.
    func places(_ course: Course) async throws -> [Enrollment] {
        try await school.database.read { try EnrollmentRepository.enrollments(of: course.id, in: $0) }
    }

    func state(_ student: Caller, _ course: Course) async throws -> PlaceState? {
        let id = Self.id(student)
        return try await school.database.read {
            try EnrollmentRepository.enrollment(of: id, in: course.id, $0)?.state
        }
    }

    /// The kinds of a student's changes, in order.
    func log(of student: Caller) async throws -> [String] {
        let id = Self.id(student).text
        return try await school.database.read { try ChangeLog.changes(after: 0, limit: 10_000, in: $0) }
            .filter { $0.change.payload["student"] == id }.map(\.change.kind)
    }
}

/// A stand-in for the command that changes a course.
private struct FitCourse: Command {
    static let contract = Contract(
        "courses.fit", "/api/v1/courses/{courseId}/fit", access: .member(.belong), summary: "Fits a course.")
    typealias Result = Done

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// The roles and families of students and parents.
final class TestStudentRoles: RoleDirectory, FamilyLinks {
    private struct State {
        var students: Set<UUID> = []
        var children: [UUID: [(id: UUID, name: String)]] = [:]
    }
    private let state = Mutex(State())

    func add(student: UUID) { state.withLock { _ = $0.students.insert(student) } }
    func add(parent: UUID, of child: UUID, named name: String) {
        state.withLock { $0.children[parent, default: []].append((child, name)) }
    }

    func roles(of personIds: [UUID], in orgId: UUID) async throws -> [UUID: Set<Role>] {
        try await assigned(in: orgId).filter { personIds.contains($0.key) }
    }

    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>] {
        state.withLock { state in Dictionary(uniqueKeysWithValues: state.students.map { ($0, [.student]) }) }
    }

    func children(ofParent personId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Person] {
        state.withLock { $0.children[personId] ?? [] }.map {
            Person(
                id: $0.id, orgId: orgId, name: PersonName(given: $0.name, family: ""), email: nil, avatarTint: .sky,
                createdAt: Date(timeIntervalSince1970: 1_793_000_000))
        }
    }

    func parents(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        Set(state.withLock { $0.children }.filter { $0.value.contains { $0.id == studentId } }.keys)
    }
}
