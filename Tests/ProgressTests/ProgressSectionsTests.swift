import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface
import OrganizationTesting
import ScreenKit
import ShellInterface
import Synchronization
import TestKit
import Testing

@testable import Progress

@Suite("Progress sections for students and parents")
struct ProgressSectionsTests {
    @Test(
        "a student's home page has a card for each course, the next lesson, the average and the week",
        .requirement("WW-12.02", "WW-6.07.a", "WW-12.01.a", "WW-12.01.b", "WW-12.01.d"),
        arguments: [Language.english, .french])
    func student(_ language: Language) async throws {
        let environment = try await ProgressFixture()
        let outline = try await environment.home(environment.mia, language)
        #expect(outline.contains("Algebra: 50"))
        #expect(outline.contains("{B+}"))
        #expect(outline.contains(language == .english ? "Lessons: 1 of 2" : "Leçons\u{a0}: 1 sur 2"))
        #expect(outline.contains(language == .english ? "[Continue: Fractions]" : "[Continuer\u{a0}: Fractions]"))
        #expect(
            outline.contains(
                "-> /courses/\(environment.course.id.text)/lessons/\(environment.lessons.steps[1].id.text)"))
        #expect(outline.contains(language == .english ? "GPA 3.30" : "Moyenne 3,30"))
        #expect(outline.contains(language == .english ? "This week" : "Cette semaine"))
        #expect(!outline.contains("Botany"), "not the student's course")
    }

    @Test(
        "a card shows the rate of submitted work as bars and the letter in the color of the grade",
        .requirement("WW-12.01.c", "WW-12.01.e"),
        arguments: [("B+", GradeColor.green, PTTag.Tone.good), ("D", .orange, .attention), ("F", .red, .danger)])
    func card(_ letter: String, _ color: GradeColor, _ tone: PTTag.Tone) async throws {
        var grades = TestGrades()
        (grades.letter, grades.color) = (letter, color)
        grades.marked = [
            GradedWork(category: .assignments, dueDay: grades.today.adding(days: -7), isDone: true),
            GradedWork(category: .quizzes, dueDay: grades.today.adding(days: -7), isDone: false),
            GradedWork(category: .assignments, dueDay: grades.today, isDone: true),
        ]
        let environment = try await ProgressFixture(grades: grades)
        let card = try #require(try await environment.cards(environment.mia).first)
        #expect(card.tag == PTTag(text: letter, tone: tone))
        #expect(card.chart?.points.map(\.value) == [0.5, 1])
        #expect(card.chart?.points.map(\.text) == ["50\u{A0}%", "100\u{A0}%"])
    }

    @Test("a student has a card for each course", .requirement("WW-12.03.b"))
    func cards() async throws {
        let environment = try await ProgressFixture()
        #expect(try await environment.cards(environment.mia).map(\.title) == ["Algebra"])
        try await TestCourses.enrol(
            ProgressFixture.id(environment.mia), in: environment.botany.id, environment.school.database)
        #expect(try await environment.cards(environment.mia).map(\.title) == ["Algebra", "Botany"])
    }

    @Test("the weekly summary compares each count with the week before", .requirement("WW-12.08.b"))
    func week() async throws {
        var grades = TestGrades()
        let lastWeek = grades.today.adding(days: -7)
        grades.marked = [
            GradedWork(category: .assignments, dueDay: grades.today, isDone: true),
            GradedWork(category: .quizzes, dueDay: lastWeek, isDone: true),
            GradedWork(category: .quizzes, dueDay: lastWeek, isDone: true),
        ]
        let environment = try await ProgressFixture(grades: grades)
        let home = try await environment.home(environment.mia)
        #expect(home.contains("Assignments: 1 · ↑ 1 more than last week"), "\(home)")
        #expect(home.contains("Quizzes: 0 · ↓ 2 fewer than last week"), "\(home)")
        #expect(
            !home.split(separator: "\n").contains { $0.contains("Lessons: 0") && $0.contains("than last week") })
    }

    @Test(
        "a parent sees the child's progress without a button to continue, and no other child's",
        .requirement("WW-0.11.c"))
    func parent() async throws {
        let environment = try await ProgressFixture()
        let outline = try await environment.home(environment.mother)
        #expect(outline.contains("Algebra: 50"))
        #expect(outline.contains("?student=\(ProgressFixture.id(environment.mia).text)"))
        #expect(!outline.contains("[Continue:"))
        await #expect(throws: Problem.notFound) {
            try await environment.home(environment.mother, query: ["student": UUID().text])
        }
        #expect(try await environment.home(environment.teacher).isEmpty, "staff have no section")
    }

    @Test(
        "a course's page shows the overall progress and that of each kind, only to its students and parents",
        .requirement("WW-12.04.a", "WW-12.04.b", "WW-12.06.a", "WW-12.06.b"))
    func course() async throws {
        let environment = try await ProgressFixture()
        let outline = try await environment.course(environment.mia)
        #expect(outline.contains("Overall progress: 66"))
        #expect(outline.contains("Lessons: 1 of 2"))
        #expect(outline.contains("Assignments: 1 of 1"))
        #expect(outline.contains("Quizzes: 0 of 1"))
        #expect(try await environment.course(environment.teacher).isEmpty)
    }

    @Test("a person who is no longer a parent sees no child's progress, even if the link still exists")
    func formerParent() async throws {
        let environment = try await ProgressFixture()
        let guide = environment.school.makeCaller(.guide)
        environment.families.add(
            parent: ProgressFixture.id(guide), of: ProgressFixture.id(environment.mia), named: "Mia")
        #expect(try await environment.home(guide).isEmpty)
        #expect(try await environment.course(guide).isEmpty)
    }

    @Test("a parent's home page begins with the first child who takes courses")
    func siblings() async throws {
        let environment = try await ProgressFixture()
        let father = environment.school.makeCaller(.parent)
        for (child, name) in [(environment.noah, "Aaron"), (environment.mia, "Mia")] {
            environment.families.add(parent: ProgressFixture.id(father), of: ProgressFixture.id(child), named: name)
        }
        let outline = try await environment.home(father)
        #expect(outline.contains("Aaron | *Mia*") && outline.contains("Algebra: 50"))
        let other = try await environment.home(
            father, query: ["student": ProgressFixture.id(environment.noah).text])
        #expect(other.contains("*Aaron* | Mia") && other.contains("No courses yet") && !other.contains("Algebra"))
    }

    @Test("a student without courses sees how to find some")
    func nothing() async throws {
        let environment = try await ProgressFixture()
        #expect(try await environment.home(environment.noah).contains("No courses yet"))
        let father = environment.school.makeCaller(.parent)
        environment.families.add(
            parent: ProgressFixture.id(father), of: ProgressFixture.id(environment.noah), named: "Noah")
        #expect(try await environment.home(father).isEmpty, "no section for a family whose child takes no courses")
    }
}

/// The block in a school with one course, its student Mia and her mother.
struct ProgressFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let lessons = TestLessons()
    let work = TestWork()
    let families = LinkedFamilies()
    let course: Course
    /// A course without students.
    let botany: Course
    let teacher: Caller
    let mia: Caller
    let noah: Caller
    let mother: Caller

    init(grades: TestGrades = TestGrades()) async throws {
        feature = try ProgressFeature.make(
            courses: TestCourses(), roster: TestCourses(), lessons: lessons, grades: grades,
            work: work, families: families, people: TestPeople(), calendar: TestCalendar())
        school = try await TestSchool([TestPeople.feature(), TestCourses.feature(), feature], clock: FixedClock())
        (teacher, mia) = (school.makeCaller(.guide), school.makeCaller(.student))
        (noah, mother) = (school.makeCaller(.student), school.makeCaller(.parent))
        families.add(parent: Self.id(mother), of: Self.id(mia), named: "Mia")
        course = Course(
            id: school.ids.id(at: school.clock.now), name: "Algebra", subject: "Mathematics",
            teacherIds: [Self.id(teacher)], tint: .leaf, createdAt: school.clock.now)
        botany = Course(
            id: school.ids.id(at: school.clock.now), name: "Botany", subject: "Science",
            teacherIds: [Self.id(teacher)], tint: .sky, createdAt: school.clock.now)
        for one in [course, botany] { try await TestCourses.put(one, in: school.database) }
        try await TestCourses.enrol(Self.id(mia), in: course.id, school.database)
    }

    func home(
        _ caller: Caller, _ language: Language = .english, query: [String: String] = [:]
    ) async throws -> String {
        try await Outline(part(.home, Self.id(caller), "/home", caller, language, query)).description
    }

    /// The course cards on the home page.
    func cards(_ caller: Caller) async throws -> [PTProgressCards.Card] {
        let body = try await part(.home, Self.id(caller), "/home", caller, .english, [:])
        return Screen(title: "Home", body: body).components.flatMap { component -> [PTProgressCards.Card] in
            if case .progressCards(let row) = component { row.cards } else { [] }
        }
    }

    func course(_ caller: Caller) async throws -> String {
        try await Outline(part(.course, course.id, "/courses/\(course.id.text)", caller, .english, [:])).description
    }

    private func part(
        _ subject: PageSubject, _ id: UUID, _ path: String, _ caller: Caller, _ language: Language,
        _ query: [String: String]
    ) async throws -> [Component] {
        let context = try await school.context(of: caller, language: language)
        let request = ScreenRequest(
            context: context, path: path, parameters: [:], query: query)
        let section = try #require(feature.pages.sections.first { $0.subject == subject })
        return try await section.make(id, request)
    }
}

/// Two lessons, of which the first is done.
final class TestLessons: LessonRecord {
    private let done = Mutex<[UUID: Int]>([:])
    let steps = ["Numbers", "Fractions"].map { LessonProgress.Step(id: UUID(), title: $0, minutes: 20) }

    func progress(
        of studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: LessonProgress] {
        courseIds.reduce(into: [:]) { $0[$1] = LessonProgress(of: steps, done: [steps[0].id]) }
    }

    func completions(by studentId: UUID, in sql: any SQLReading) throws -> [Date] { [] }

    func completed(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int] {
        done.withLock { $0 }
    }

    /// Sets how many lessons a student has done.
    func set(_ count: Int, by caller: Caller) { done.withLock { $0[ProgressFixture.id(caller)] = count } }
}

/// The amount of work that a test sets.
final class TestWork: WorkRecord {
    private let done = Mutex<[UUID: Int]>([:])

    func set(_ count: Int, by caller: Caller) { done.withLock { $0[ProgressFixture.id(caller)] = count } }

    func workDone(by studentId: UUID, in sql: any SQLReading) throws -> Int { done.withLock { $0[studentId] ?? 0 } }

    func workDone(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int] { done.withLock { $0 } }

    func handedIn(by studentId: UUID, in sql: any SQLReading) throws -> [Date] { [] }
}

/// A B+, a submitted assignment and a missing quiz by default.
struct TestGrades: GradeService {
    var letter = "B+"
    var color = GradeColor.green
    var marked = [
        GradedWork(category: .assignments, dueDay: nil, isDone: true),
        GradedWork(category: .quizzes, dueDay: nil, isDone: false),
    ]

    /// The day of the fixture's clock.
    var today: Day { Day(FixedClock().now, in: .gmt) }

    func grades(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: CourseGrade] {
        courseIds.reduce(into: [:]) {
            $0[$1] = CourseGrade(courseId: $1, shown: 88, letter: letter, color: color)
        }
    }

    func work(
        for studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [GradedWork]] {
        courseIds.reduce(into: [:]) { $0[$1] = marked }
    }

    func gradePointAverage(for studentId: UUID, in sql: any SQLReading) throws -> GradePointAverage? {
        GradePointAverage(unweighted: Hundredths(count: 330), creditWeighted: nil, courseCount: 1)
    }
}
