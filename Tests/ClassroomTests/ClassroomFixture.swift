import ClassroomInterface
import CurriculumInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import InsightsInterface
import OrganizationInterface
import OrganizationTesting
import TestKit
import Testing

@testable import Classroom

/// The Classroom block in a school of its own, with an admin, two guides, and the children that a test adds.
struct ClassroomFixture: SchoolFixture {
    let school: TestSchool
    let roles = TestRoles()
    let guardians = TestGuardians()
    let calendar = TestCalendar()
    let feature: Feature
    let admin: Caller
    let guide: Caller
    let otherGuide: Caller

    var environment: TestEnvironment { school.environment }
    var orgId: UUID { school.organization.id }
    var today: Day { Day(school.clock.now, in: school.organization.resolvedTimeZone) }

    init(
        taxonomy: (any Taxonomy)? = nil, transcriber: (any Transcriber)? = nil,
        consents: (any ConsentNoting)? = nil
    ) async throws {
        feature = try ClassroomFeature.make(
            classrooms: SQLClassroomService(), students: SQLStudentService(people: TestPeople()),
            guides: TestGuides(), roles: roles, guardians: guardians, taxonomy: taxonomy, images: TestImages(),
            transcriber: transcriber, consents: consents, calendar: calendar)
        school = try await TestSchool([TestPeople.feature(), feature])
        admin = try await Self.person(.admin, "Ada Admin", in: school)
        guide = try await Self.person(.guide, "Gil Guide", in: school)
        otherGuide = try await Self.person(.guide, "Olga Other", in: school)
    }

    /// Creates a caller who is a person of the school.
    static func person(_ role: Role, _ name: String, in school: TestSchool) async throws -> Caller {
        try await TestPeople.add(school.makeCaller(role), name, to: school.database)
    }

    /// Creates a classroom with these guides.
    func classroom(_ name: String = "Maple room", guides: [Caller] = []) async throws -> Classroom {
        let made = try await school.execute(CreateClassroom.self, ["name": .text(name)], as: admin)
        return try await school.execute(
            AssignGuides.self, ["classroomId": .id(made.id), "guideIds": .ids(guides.map(Self.id))], as: admin)
    }

    func student(_ first: String, _ last: String = "", in classroom: Classroom? = nil) async throws -> Student {
        var input: [String: InputValue] = ["firstName": .text(first), "lastName": .text(last)]
        if let classroom { input["classroomId"] = .id(classroom.id) }
        return try await school.execute(CreateStudent.self, .object(input), as: admin)
    }

    /// Gives a member a stay without a first day, so that earlier days can be marked.
    func open(_ student: Student, in classroom: Classroom) async throws {
        try await school.execute(
            SetClassDays.self, ["classroomId": .id(classroom.id), "studentId": .id(student.id)], as: admin)
    }

    @discardableResult
    func mark(
        _ student: Student, _ status: String, in classroom: Classroom, on day: Day? = nil, as caller: Caller? = nil,
        key: String? = nil
    ) async throws -> AttendanceMark {
        var input: [String: InputValue] = [
            "classroomId": .id(classroom.id), "studentId": .id(student.id), "status": .text(status),
        ]
        if let day { input["day"] = .text(day.description) }
        return try await school.execute(MarkAttendance.self, .object(input), as: caller ?? guide, key: key)
    }

    func roster(_ classroom: Classroom, as caller: Caller? = nil) async throws -> [RosterEntry] {
        try await school.answer(ClassRoster.self, ["classroomId": .text(classroom.id.text)], as: caller ?? guide)
            .items
    }

    func outline(
        _ path: String, as caller: Caller, query: [String: String] = [:], language: Language = .english
    ) async throws -> String {
        try await environment.outline(path, as: caller, query: query, language: language).description
    }
}
