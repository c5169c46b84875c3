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
        "there is none until an administrator turns it on, and nobody else does", .requirement("WW-0.12.c"))
    func isOff() async throws {
        let scene = try await LeaderboardScene()
        for caller in [scene.mia, scene.teacher, scene.admin] {
            let page = try await scene.page(caller)
            #expect(page.contains("Leaderboard is off") && !page.contains("Mia Roy"))
            #expect(page.contains("/settings/leaderboard") == (caller == scene.admin))
            #expect(try await !scene.isOffered(caller))
        }
        await #expect(throws: Problem.notFound) { try await scene.board(scene.mia) }
        await #expect(throws: Problem.notFound) { try await scene.takePart(false, scene.mia) }
        for caller in [scene.mia, scene.teacher, scene.mother] {
            await #expect(throws: Problem.notAllowed) { try await scene.turn(on: true, as: caller) }
        }
        try await scene.turn(on: true, as: scene.admin)
        #expect(try await scene.page(scene.mia).contains("Mia Roy"))
        #expect(try await scene.isOffered(scene.mia))
        #expect(try await scene.fixture.school.changes().contains { $0.change.kind == "leaderboard.policyChanged" })
        try await scene.turn(on: false, as: scene.admin)
        #expect(try await !scene.page(scene.mia).contains("Mia Roy"))
    }

    @Test("places go by points, and those with as many share one", .requirement("WW-0.12.b"))
    func places() async throws {
        let scene = try await LeaderboardScene(isOn: true)
        let board = try await scene.board(scene.mia)
        #expect(board.entries.map(\.name) == ["Noah Roy", "Lea Roy", "Mia Roy"])
        #expect(board.entries.map(\.place) == [1, 2, 2])
        #expect(board.entries.map(\.points) == [60, 30, 30])
        #expect(board.own == 30 && board.takesPart)
    }

    @Test(
        "a student leaves with one tap: neither named nor counted, and seeing her own points still",
        .requirement("WW-0.12.d"))
    func leaves() async throws {
        let scene = try await LeaderboardScene(isOn: true)
        try await scene.takePart(false, scene.noah)
        let others = try await scene.board(scene.mia)
        #expect(others.entries.map(\.name) == ["Lea Roy", "Mia Roy"])
        #expect(others.entries.map(\.place) == [1, 1])
        #expect(try await scene.board(scene.teacher).entries.map(\.name) == ["Lea Roy", "Mia Roy"])
        let own = try await scene.board(scene.noah)
        #expect(own.own == 60 && !own.takesPart && own.entries.isEmpty)
        let page = try await scene.page(scene.noah)
        #expect(page.contains("60 points") && !page.contains("Mia Roy") && page.contains("Rejoin leaderboard"))
        let change = try #require(
            try await scene.fixture.school.changes().last { $0.change.kind == "leaderboard.left" })
        #expect(change.change.audience == [.person(ProgressFixture.id(scene.noah))], "nobody else is told")
        try await scene.takePart(true, scene.noah)
        #expect(try await scene.board(scene.mia).entries.first?.name == "Noah Roy")
    }

    @Test("an empty leaderboard says how to get points and leads to the courses", .requirement("WW-16.02.f"))
    func empty() async throws {
        let scene = try await LeaderboardScene(isOn: true)
        for student in [scene.mia, scene.noah, scene.lea] { try await scene.takePart(false, student) }
        let page = try await scene.page(scene.teacher)
        #expect(page.contains("! empty: No points yet."))
        #expect(page.contains("Complete a lesson or hand in work to get points."))
        #expect(page.contains("[Go to courses] -> /courses"))
    }

    @Test("who left stays away when the school turns it off and on again")
    func stays() async throws {
        let scene = try await LeaderboardScene(isOn: true)
        try await scene.takePart(false, scene.noah)
        try await scene.turn(on: false, as: scene.admin)
        try await scene.turn(on: true, as: scene.admin)
        #expect(try await !scene.board(scene.mia).entries.map(\.name).contains("Noah Roy"))
    }

    @Test("families see no leaderboard and decide nothing of it, and other courses stay closed")
    func stranger() async throws {
        let scene = try await LeaderboardScene(isOn: true)
        await #expect(throws: Problem.notAllowed) { try await scene.page(scene.mother) }
        #expect(try await !scene.isOffered(scene.mother))
        await #expect(throws: Problem.notAllowed) { try await scene.board(scene.mother) }
        await #expect(throws: Problem.notAllowed) { try await scene.takePart(false, scene.mother) }
        let outside = scene.fixture.school.makeCaller(.student)
        await #expect(throws: Problem.notFound) { try await scene.board(outside) }
        await #expect(throws: Problem.notFound) {
            try await scene.page(scene.mia, query: ["course": UUID().text])
        }
    }

    @Test("only the first ten places are shown, and one's own wherever it is")
    func humble() async throws {
        let scene = try await LeaderboardScene(isOn: true)
        for number in 1...20 {
            _ = try await scene.student("Student \(number)", lessons: 10 + number)
        }
        let board = try await scene.board(scene.mia)
        #expect(board.entries.count == 11)
        #expect(board.entries.last?.name == "Mia Roy")
        #expect(try await scene.board(scene.teacher).entries.count == 10)
    }

    @Test(
        "the page tells how points come about",
        arguments: [Language.english, .french])
    func tells(_ language: Language) async throws {
        let scene = try await LeaderboardScene(isOn: true)
        let page = try await scene.page(scene.mia, language: language)
        #expect(page.contains("10 points") && page.contains("20"))
        #expect(page.contains(language == .english ? "whatever the score" : "quelle que soit la note"))
    }

    @Test("a student and her parents see her points and level at home", .requirement("WW-0.12.a"))
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

/// A course with three students: Noah has 60 points in it, Mia and Lea 30 each.
private struct LeaderboardScene {
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
        let caller = fixture.school.makeCaller(.student)
        let id = ProgressFixture.id(caller)
        try await TestPeople.insert(id, name, into: fixture.school.database)
        try await TestCourses.enrol(id, in: fixture.course.id, fixture.school.database)
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
