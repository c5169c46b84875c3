import ClassroomTesting
import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationTesting
import TestKit
import Testing

@testable import Practice

/// The block in a school with a course, its teacher and two of its students, and a classroom with one of them.
struct PracticeFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    /// Teaches Algebra.
    let teacher: Caller
    /// The guide of Mia's classroom.
    let guide: Caller
    let stranger: Caller
    let mia: Caller
    let noah: Caller
    let parent: Caller
    let course: Course

    init() async throws {
        feature = try PracticeFeature.make(
            people: TestPeople(), courses: TestCourseTies(), classrooms: TestClassrooms(),
            students: TestClassrooms())
        let school = try await TestSchool(
            [TestPeople.feature(), TestCourses.feature(), TestClassrooms.feature(), feature], clock: FixedClock())
        self.school = school
        func person(_ role: Role, _ name: String) async throws -> Caller {
            try await TestPeople.add(school.makeCaller(role), name, to: school.database)
        }
        teacher = try await person(.guide, "Tea Cher")
        guide = try await person(.guide, "Gui Dé")
        stranger = try await person(.guide, "Olga Other")
        mia = try await person(.student, "Mia Roy")
        noah = try await person(.student, "Noah Roy")
        parent = try await person(.parent, "Pia Roy")
        let now = school.clock.now
        course = try await TestCourses.addAlgebra(
            school.ids.id(at: now), taughtBy: [Self.id(teacher)], to: [mia, noah].map(Self.id), at: now,
            in: school.database)
        let room = try await TestClassrooms.room(
            "Maple", of: guide, id: school.ids.id(at: now), in: school.database)
        _ = try await TestClassrooms.child("Mia Roy", in: room, id: Self.id(mia), in: school.database)
    }

    /// Creates a list; `rules` change the fields of its form.
    func list(
        _ words: String = "garden = Roses grow in the garden.\nriver", _ rules: [String: InputValue] = [:],
        as caller: Caller? = nil
    ) async throws -> WordList {
        var fields: [String: InputValue] = ["name": "Week 12", "language": "en", "words": .text(words)]
        fields.merge(rules) { $1 }
        return try await school.execute(CreateWordList.self, .object(fields), as: caller ?? mia)
    }

    /// Creates a list of the course.
    func courseList(_ words: String = "garden\nriver") async throws -> WordList {
        try await list(words, ["courseId": .id(course.id)], as: teacher)
    }

    func words(_ list: WordList, as caller: Caller? = nil) async throws -> [ListedWord] {
        try await school.answer(ReadWordList.self, ["listId": .id(list.id)], as: caller ?? mia).words
    }

    /// Sends a round, as the device does; `rules` change its fields.
    @discardableResult
    func record(
        _ rules: [String: InputValue] = [:], round: UUID? = nil, as caller: Caller? = nil
    ) async throws -> PracticeRound {
        var fields: [String: InputValue] = [
            "round": .id(round ?? school.ids.id(at: school.clock.now)), "tool": "math", "kind": "addition",
            "level": 3, "asked": 10, "correct": 8, "seconds": 95, "missed": .list(["48 + 27"]),
            "finishedAt": .text(school.clock.now.formatted(.iso8601)),
        ]
        fields.merge(rules) { $1 }
        return try await school.execute(RecordRound.self, .object(fields), as: caller ?? mia)
    }

    func rounds(of student: Caller? = nil, as caller: Caller) async throws -> [PracticeRound] {
        try await school.answer(
            ListRounds.self, student.map { ["studentId": .id(Self.id($0))] } ?? [:], as: caller
        ).items
    }

    func outline(_ path: String, as caller: Caller, _ language: Language = .english) async throws -> String {
        try await school.environment.outline(path, as: caller, language: language).description
    }
}
