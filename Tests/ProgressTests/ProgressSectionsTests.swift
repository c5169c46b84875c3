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

@Suite("What students and parents see first")
struct ProgressSectionsTests {
    @Test(
        "a student sees a card for each course, the way on, the average and the week",
        .requirement("WW-12.02", "WW-6.07.a", "WW-12.01.a", "WW-12.01.b", "WW-12.01.d"),
        arguments: [Language.english, .french])
    func student(_ language: Language) async throws {
        let house = try await ProgressHouse()
        let outline = try await house.home(house.mia, language)
        #expect(outline.contains("Algebra: 50"))
        #expect(outline.contains("{B+}"))
        #expect(outline.contains(language == .english ? "1 of 2 lessons" : "Leçons\u{a0}: 1 sur 2"))
        #expect(outline.contains(language == .english ? "[Continue: Fractions]" : "[Continuer\u{a0}: Fractions]"))
        #expect(outline.contains("-> /courses/\(house.course.id.text)/lessons/\(house.lessons.steps[1].id.text)"))
        #expect(outline.contains(language == .english ? "GPA 3.30" : "Moyenne 3,30"))
        #expect(outline.contains(language == .english ? "This week" : "Cette semaine"))
        #expect(!outline.contains("Botany"), "what one is not in is not one's own")
    }

    @Test("a parent sees the child's, goes nowhere in its place, and sees nobody else's", .requirement("WW-0.11.c"))
    func parent() async throws {
        let house = try await ProgressHouse()
        let outline = try await house.home(house.mother)
        #expect(outline.contains("Algebra: 50"))
        #expect(outline.contains("?student=\(ProgressHouse.id(house.mia).text)"))
        #expect(!outline.contains("[Continue:"))
        await #expect(throws: Problem.notFound) {
            try await house.home(house.mother, query: ["student": UUID().text])
        }
        #expect(try await house.home(house.teacher).isEmpty, "staff has no part here")
    }

    @Test(
        "a course says the whole and X of Y for each kind, and nothing to whoever is not in it",
        .requirement("WW-12.04.a", "WW-12.04.b", "WW-12.06.a", "WW-12.06.b"))
    func course() async throws {
        let house = try await ProgressHouse()
        let outline = try await house.course(house.mia)
        #expect(outline.contains("Done so far: 66"))
        #expect(outline.contains("Lessons: 1 of 2"))
        #expect(outline.contains("Assignments: 1 of 1"))
        #expect(outline.contains("Quizzes: 0 of 1"))
        #expect(try await house.course(house.teacher).isEmpty)
    }

    @Test("whoever is no parent any more follows nobody, though the link still stands")
    func formerParent() async throws {
        let house = try await ProgressHouse()
        let guide = house.school.makeCaller(.guide)
        house.families.add(parent: ProgressHouse.id(guide), of: ProgressHouse.id(house.mia), named: "Mia")
        #expect(try await house.home(guide).isEmpty)
        #expect(try await house.course(guide).isEmpty)
    }

    @Test("of several children the page begins with one who takes courses; the others are a step away")
    func siblings() async throws {
        let house = try await ProgressHouse()
        let father = house.school.makeCaller(.parent)
        for (child, name) in [(house.noah, "Aaron"), (house.mia, "Mia")] {
            house.families.add(parent: ProgressHouse.id(father), of: ProgressHouse.id(child), named: name)
        }
        let outline = try await house.home(father)
        #expect(outline.contains("Aaron | *Mia*") && outline.contains("Algebra: 50"))
        let other = try await house.home(father, query: ["student": ProgressHouse.id(house.noah).text])
        #expect(other.contains("*Aaron* | Mia") && other.contains("No courses yet") && !other.contains("Algebra"))
    }

    @Test("whoever is in no course is told so and led on")
    func nothing() async throws {
        let house = try await ProgressHouse()
        #expect(try await house.home(house.noah).contains("No courses yet"))
        let father = house.school.makeCaller(.parent)
        house.families.add(parent: ProgressHouse.id(father), of: ProgressHouse.id(house.noah), named: "Noah")
        #expect(try await house.home(father).isEmpty, "a family whose child takes no courses misses nothing")
    }
}

/// The block in a school with one course: Mia is in it, her mother looks on.
struct ProgressHouse {
    let school: TestSchool
    let feature: Feature
    let lessons = TestLessons()
    let work = TestWork()
    let families = LinkedFamilies()
    let course: Course
    let teacher: Caller
    let mia: Caller
    let noah: Caller
    let mother: Caller

    init() async throws {
        feature = try ProgressFeature.make(
            courses: TestCourses(), roster: TestCourses(), lessons: lessons, grades: TestGrades(),
            work: work, families: families, people: TestPeople())
        school = try await TestSchool([TestPeople.feature(), TestCourses.feature(), feature], clock: FixedClock())
        (teacher, mia) = (school.makeCaller(.guide), school.makeCaller(.student))
        (noah, mother) = (school.makeCaller(.student), school.makeCaller(.parent))
        families.add(parent: Self.id(mother), of: Self.id(mia), named: "Mia")
        course = Course(
            id: school.ids.id(at: school.clock.now), name: "Algebra", subject: "Mathematics",
            teacherIds: [Self.id(teacher)], tint: .leaf, createdAt: school.clock.now)
        let other = Course(
            id: school.ids.id(at: school.clock.now), name: "Botany", subject: "Science",
            teacherIds: [Self.id(teacher)], tint: .sky, createdAt: school.clock.now)
        for one in [course, other] { try await TestCourses.put(one, in: school.database) }
        try await TestCourses.enrol(Self.id(mia), in: course.id, school.database)
    }

    static func id(_ caller: Caller) -> UUID { caller.membership?.personId ?? UUID() }

    func home(
        _ caller: Caller, _ language: Language = .english, query: [String: String] = [:]
    ) async throws -> String {
        try await part(.home, Self.id(caller), "/home", caller, language, query)
    }

    func course(_ caller: Caller) async throws -> String {
        try await part(.course, course.id, "/courses/\(course.id.text)", caller, .english, [:])
    }

    private func part(
        _ subject: PageSubject, _ id: UUID, _ path: String, _ caller: Caller, _ language: Language,
        _ query: [String: String]
    ) async throws -> String {
        let context = try await school.context(of: caller, language: language)
        let request = ScreenRequest(
            context: context, path: path, parameters: [:], query: query)
        let section = try #require(feature.pages.sections.first { $0.subject == subject })
        return Outline(try await section.make(id, request)).description
    }
}

/// Two lessons, the first of them done.
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

    /// Says how many lessons somebody has done.
    func set(_ count: Int, by caller: Caller) { done.withLock { $0[ProgressHouse.id(caller)] = count } }
}

/// How much work a test says was done.
final class TestWork: WorkRecord {
    private let done = Mutex<[UUID: Int]>([:])

    func set(_ count: Int, by caller: Caller) { done.withLock { $0[ProgressHouse.id(caller)] = count } }

    func workDone(by studentId: UUID, in sql: any SQLReading) throws -> Int { done.withLock { $0[studentId] ?? 0 } }

    func workDone(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int] { done.withLock { $0 } }
}

/// A B+, an assignment that was handed in and a quiz that was not.
struct TestGrades: GradeService {
    func standings(
        ofStudent studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: CourseStanding] {
        courseIds.reduce(into: [:]) {
            $0[$1] = CourseStanding(courseId: $1, shown: 88, letter: "B+", color: .green)
        }
    }

    func work(
        ofStudent studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: [GradedWork]] {
        courseIds.reduce(into: [:]) {
            $0[$1] = [
                GradedWork(category: .assignments, dueDay: nil, isDone: true),
                GradedWork(category: .quizzes, dueDay: nil, isDone: false),
            ]
        }
    }

    func gradePointAverage(ofStudent studentId: UUID, in sql: any SQLReading) throws -> GradePointAverage? {
        GradePointAverage(unweighted: Hundredths(count: 330), creditWeighted: nil, courseCount: 1)
    }
}
