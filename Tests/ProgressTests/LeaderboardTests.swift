import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationTesting
import ScreenKit
import TestKit
import Testing

@testable import Progress

@Suite("Leaderboard")
struct LeaderboardTests {
    @Test(
        "a school has no leaderboard until an administrator turns it on, and no one else can",
        .requirement("WW-0.12.c"))
    func isOff() async throws {
        let setup = try await LeaderboardSetup()
        for caller in [setup.mia, setup.teacher, setup.admin] {
            let page = try await setup.page(caller)
            #expect(page.contains("Leaderboard is off") && !page.contains("Mia Roy"))
            #expect(page.contains("/settings/leaderboard") == (caller == setup.admin))
            #expect(try await !setup.isOffered(caller))
        }
        await #expect(throws: Problem.notFound) { try await setup.board(setup.mia) }
        await #expect(throws: Problem.notFound) { try await setup.takePart(false, setup.mia) }
        for caller in [setup.mia, setup.teacher, setup.mother] {
            await #expect(throws: Problem.notAllowed) { try await setup.turn(on: true, as: caller) }
        }
        try await setup.turn(on: true, as: setup.admin)
        #expect(try await setup.page(setup.mia).contains("Mia Roy"))
        #expect(try await setup.isOffered(setup.mia))
        #expect(try await setup.fixture.school.changes().contains { $0.change.kind == "leaderboard.policyChanged" })
        try await setup.turn(on: false, as: setup.admin)
        #expect(try await !setup.page(setup.mia).contains("Mia Roy"))
    }

    @Test("students are ranked by points, and equal points share a place", .requirement("WW-0.12.b"))
    func places() async throws {
        let setup = try await LeaderboardSetup(isOn: true)
        let board = try await setup.board(setup.mia)
        #expect(board.entries.map(\.name) == ["Noah Roy", "Lea Roy", "Mia Roy"])
        #expect(board.entries.map(\.place) == [1, 2, 2])
        #expect(board.entries.map(\.points) == [60, 30, 30])
        #expect(board.own == 30 && board.takesPart)
    }

    @Test(
        "a student who leaves is neither named nor counted, and still sees her own points",
        .requirement("WW-0.12.d"))
    func leaves() async throws {
        let setup = try await LeaderboardSetup(isOn: true)
        try await setup.takePart(false, setup.noah)
        let others = try await setup.board(setup.mia)
        #expect(others.entries.map(\.name) == ["Lea Roy", "Mia Roy"])
        #expect(others.entries.map(\.place) == [1, 1])
        #expect(try await setup.board(setup.teacher).entries.map(\.name) == ["Lea Roy", "Mia Roy"])
        let own = try await setup.board(setup.noah)
        #expect(own.own == 60 && !own.takesPart && own.entries.isEmpty)
        let page = try await setup.page(setup.noah)
        #expect(page.contains("60 points") && !page.contains("Mia Roy") && page.contains("Rejoin leaderboard"))
        let change = try #require(
            try await setup.fixture.school.changes().last { $0.change.kind == "leaderboard.left" })
        #expect(change.change.audience == [.person(ProgressFixture.id(setup.noah))], "no one else is notified")
        try await setup.takePart(true, setup.noah)
        #expect(try await setup.board(setup.mia).entries.first?.name == "Noah Roy")
    }

    @Test("an empty leaderboard explains how to get points and links to the courses", .requirement("WW-16.02.f"))
    func empty() async throws {
        let setup = try await LeaderboardSetup(isOn: true)
        for student in [setup.mia, setup.noah, setup.lea] { try await setup.takePart(false, student) }
        let page = try await setup.page(setup.teacher)
        #expect(page.contains("! empty: No points yet."))
        #expect(page.contains("Complete a lesson or hand in work to get points."))
        #expect(page.contains("[Go to courses] -> /courses"))
    }

    @Test("a student who left stays off the leaderboard when the school turns it off and on again")
    func stays() async throws {
        let setup = try await LeaderboardSetup(isOn: true)
        try await setup.takePart(false, setup.noah)
        try await setup.turn(on: false, as: setup.admin)
        try await setup.turn(on: true, as: setup.admin)
        #expect(try await !setup.board(setup.mia).entries.map(\.name).contains("Noah Roy"))
    }

    @Test("families neither see nor change the leaderboard, and students see only their own courses")
    func stranger() async throws {
        let setup = try await LeaderboardSetup(isOn: true)
        await #expect(throws: Problem.notAllowed) { try await setup.page(setup.mother) }
        #expect(try await !setup.isOffered(setup.mother))
        await #expect(throws: Problem.notAllowed) { try await setup.board(setup.mother) }
        await #expect(throws: Problem.notAllowed) { try await setup.takePart(false, setup.mother) }
        let outside = setup.fixture.school.makeCaller(.student)
        await #expect(throws: Problem.notFound) { try await setup.board(outside) }
        await #expect(throws: Problem.notFound) {
            try await setup.page(setup.mia, query: ["course": UUID().text])
        }
    }

    @Test("the leaderboard shows the first ten places and the student's own")
    func shownPlaces() async throws {
        let setup = try await LeaderboardSetup(isOn: true)
        for number in 1...20 {
            _ = try await setup.student("Student \(number)", lessons: 10 + number)
        }
        let board = try await setup.board(setup.mia)
        #expect(board.entries.count == 11)
        #expect(board.entries.last?.name == "Mia Roy")
        #expect(try await setup.board(setup.teacher).entries.count == 10)
    }

    @Test(
        "the page explains how points are earned",
        arguments: [Language.english, .french])
    func explainsPoints(_ language: Language) async throws {
        let setup = try await LeaderboardSetup(isOn: true)
        let page = try await setup.page(setup.mia, language: language)
        #expect(page.contains("10 points") && page.contains("20"))
        #expect(page.contains(language == .english ? "whatever the score" : "quelle que soit la note"))
    }

    @Test("a student and her parents see her points and level on the home page", .requirement("WW-0.12.a"))
    func home() async throws {
        let fixture = try await ProgressFixture()
        fixture.work.set(6, by: fixture.mia)
        for caller in [fixture.mia, fixture.mother] {
            let outline = try await fixture.home(caller)
            #expect(outline.contains("Level 2") && outline.contains("120 points"))
            #expect(outline.contains("180 points to go"))
        }
    }
}

/// A course with three students: Noah has 60 points, Mia and Lea 30 each.
private struct LeaderboardSetup {
    let fixture: ProgressFixture
    let admin: Caller
    let noah: Caller
    let lea: Caller
    var mia: Caller { fixture.mia }
    var teacher: Caller { fixture.teacher }
    var mother: Caller { fixture.mother }

    init(isOn: Bool = false) async throws {
        fixture = try await ProgressFixture()
        admin = fixture.school.makeCaller(.admin)
        try await TestPeople.insert(ProgressFixture.id(fixture.mia), "Mia Roy", into: fixture.school.database)
        fixture.lessons.set(3, by: fixture.mia)
        noah = try await Self.student("Noah Roy", lessons: 4, work: 1, in: fixture)
        lea = try await Self.student("Lea Roy", lessons: 1, work: 1, in: fixture)
        if isOn { try await turn(on: true, as: admin) }
    }

    private static func student(
        _ name: String, lessons: Int, work: Int = 0, in fixture: ProgressFixture
    ) async throws -> Caller {
        let school = fixture.school
        let caller = try await TestPeople.add(school.makeCaller(.student), name, to: school.database)
        try await TestCourses.enrol(ProgressFixture.id(caller), in: fixture.course.id, school.database)
        fixture.lessons.set(lessons, by: caller)
        fixture.work.set(work, by: caller)
        return caller
    }

    func student(_ name: String, lessons: Int) async throws -> Caller {
        try await Self.student(name, lessons: lessons, in: fixture)
    }

    func turn(on isOn: Bool, as caller: Caller) async throws {
        try await fixture.school.execute(SetLeaderboard.self, ["isOn": .bool(isOn)], as: caller)
    }

    func takePart(_ takesPart: Bool, _ caller: Caller) async throws {
        try await fixture.school.execute(TakePartInLeaderboard.self, ["takesPart": .bool(takesPart)], as: caller)
    }

    func board(_ caller: Caller) async throws -> Leaderboard {
        try await fixture.school.answer(
            ReadLeaderboard.self, ["courseId": .text(fixture.course.id.text)], as: caller)
    }

    func page(
        _ caller: Caller, query: [String: String] = [:], language: Language = .english
    ) async throws -> String {
        try await fixture.school.environment.outline("/leaderboard", as: caller, query: query, language: language)
            .description
    }

    func isOffered(_ caller: Caller) async throws -> Bool {
        let state = try #require(fixture.feature.pages.entryStates["/leaderboard"])
        let context = try await fixture.school.context(of: caller)
        return try await context.school.read { try state(context, $0) }.isShown
    }
}
