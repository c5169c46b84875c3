import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Messaging

@Suite("Messaging, study rooms")
struct StudyTests {
    @Test(
        "who is in a course sees who studies there and on what; families and others have no room",
        .requirement("WW-1.06.b"))
    func comesIn() async throws {
        let scene = try await StudyScene()
        #expect(try await scene.room(as: scene.noah).people.isEmpty)
        try await scene.enter(scene.noah, .writing)
        try await scene.enter(scene.ruth, .project)
        let room = try await scene.room(as: scene.ruth)
        #expect(room.people.map(\.name) == ["Noah Tremblay", "Ruth Adler"])
        #expect(room.people.map(\.work) == [.writing, .project])
        let page = try await scene.page(as: scene.noah)
        #expect(page.contains("Ruth Adler") && page.contains("Project") && page.contains("In the room: 2"))
        #expect(try await scene.fixture.outline("/study", as: scene.noah).contains("Algebra"))
        // Another course's guide, and a course that does not exist.
        await #expect(throws: Problem.notFound) { try await scene.room(as: scene.fixture.olga) }
        await #expect(throws: Problem.notFound) { try await scene.enter(scene.fixture.olga, .reading) }
        for parent in [scene.fixture.sofia, scene.fixture.ines] {
            await #expect(throws: Problem.notAllowed) { try await scene.room(as: parent) }
            await #expect(throws: Problem.notAllowed) { try await scene.page(as: parent) }
        }
        #expect(try await scene.fixture.outline("/study", as: scene.fixture.olga).contains("Botany"))
    }

    @Test("one is in one room at a time, and says there what one works on now")
    func oneRoom() async throws {
        let scene = try await StudyScene()
        scene.courses.put(scene.botany, "Botany", ledBy: scene.fixture.olga, people: [scene.noah])
        try await scene.enter(scene.noah, .reading)
        try await scene.enter(scene.ruth, .writing)
        try await scene.enter(scene.noah, .revising)
        #expect(
            try await scene.room(as: scene.ruth).people.map(\.work) == [.revising, .writing],
            "the first is the first")
        var heard = scene.signals()
        try await scene.enter(scene.noah, .reading, in: scene.botany)
        #expect(try await scene.room(as: scene.ruth).people.map(\.name) == ["Ruth Adler"])
        let told = Set([try #require(await heard.next()), try #require(await heard.next())].flatMap(\.topics))
        #expect(
            told == ["study", "study:\(scene.algebra.text)", "study:\(scene.botany.text)"], "both rooms hear of it")
    }

    @Test("whoever gives no sign for five minutes is gone, and a page that stays says so")
    func goesQuietly() async throws {
        let scene = try await StudyScene()
        try await scene.enter(scene.noah, .reading)
        try await scene.enter(scene.ruth, .writing)
        scene.clock.advance(by: 200)
        #expect(
            try await scene.stay(scene.ruth)
                == StudyState(isIn: true, people: 2, focusEndsAt: nil, now: scene.clock.now))
        scene.clock.advance(by: 150)
        #expect(try await scene.room(as: scene.ruth).people.map(\.name) == ["Ruth Adler"])
        let (gone, there) = (try await scene.stay(scene.noah), try await scene.stay(scene.ruth))
        #expect(!gone.isIn && gone.people == 1)
        #expect(there.isIn && there.people == 1)
        // Nobody's row outlives the next one who comes in.
        scene.clock.advance(by: 1000)
        try await scene.enter(scene.noah, .reading)
        let rows = try await scene.fixture.school.database.read {
            try $0.rows("SELECT person_id FROM study_people").count
        }
        #expect(rows == 1)
    }

    @Test("the clock is everybody's in the room, and of nobody outside")
    func focuses() async throws {
        let scene = try await StudyScene()
        await #expect(throws: Problem(409, "studyNotInRoom")) { try await scene.focus(scene.noah, 25) }
        try await scene.enter(scene.noah, .reading)
        try await scene.enter(scene.ruth, .writing)
        try await scene.focus(scene.noah, 25)
        let end = try #require(try await scene.room(as: scene.ruth).focusEndsAt)
        #expect(end.timeIntervalSince(scene.clock.now) == 25 * 60)
        scene.clock.advance(by: 100)
        let state = try await scene.stay(scene.ruth)
        #expect(state.focusEndsAt == end && state.now == scene.clock.now)
        #expect(try await scene.page(as: scene.ruth).contains("Stop"))
        try await scene.focus(scene.ruth, 0)
        #expect(try await scene.room(as: scene.noah).focusEndsAt == nil)
        try await scene.focus(scene.ruth, 15)
        for _ in 0..<4 {
            scene.clock.advance(by: 240)
            _ = try await scene.stay(scene.noah)
        }
        #expect(try await scene.room(as: scene.noah).focusEndsAt == nil, "it has run out")
        await #expect(throws: Problem.self) { try await scene.focus(scene.noah, 61) }
        await #expect(throws: Problem.self) { try await scene.focus(scene.noah, -1) }
    }

    @Test("leaving is told to those who look, and nothing of a room stands in the school's log")
    func leaves() async throws {
        let scene = try await StudyScene()
        let before = try await scene.fixture.school.changes().count
        try await scene.enter(scene.noah, .reading)
        var heard = scene.signals()
        try await scene.leave(scene.noah)
        let signal = try #require(await heard.next())
        #expect(signal.kind == "study.changed" && signal.payload.isEmpty)
        #expect(signal.audience == [scene.courses.audience(of: scene.algebra)])
        #expect(try await scene.room(as: scene.ruth).people.isEmpty)
        try await scene.leave(scene.noah)
        #expect(try await scene.fixture.school.changes().count == before)
        // Whoever is out of the course, or whose course is over, has no room; the way out stays open.
        try await scene.enter(scene.noah, .reading)
        scene.courses.remove(scene.noah, from: scene.algebra)
        await #expect(throws: Problem.notFound) { try await scene.stay(scene.noah) }
        try await scene.leave(scene.noah)
        await #expect(throws: Problem.notFound) { try await scene.leave(scene.noah) }
        scene.courses.archive(scene.algebra)
        await #expect(throws: Problem.notFound) { try await scene.room(as: scene.ruth) }
    }
}

/// A room of Algebra, with Ruth who leads it and Noah who is in it.
private struct StudyScene {
    let clock = FixedClock()
    let fixture: MessagingFixture
    let courses = TestCourseTies()
    let algebra = UUID()
    let botany = UUID()
    var noah: Caller { fixture.noah }
    var ruth: Caller { fixture.ruth }

    init() async throws {
        fixture = try await MessagingFixture(clock: clock, courses: courses)
        courses.put(algebra, "Algebra", ledBy: fixture.ruth, people: [fixture.noah, fixture.sofia])
        courses.put(botany, "Botany", ledBy: fixture.olga, people: [])
    }

    func enter(_ caller: Caller, _ work: StudyWork, in course: UUID? = nil) async throws {
        clock.advance(by: 1)
        try await fixture.school.execute(
            EnterStudyRoom.self, ["courseId": .id(course ?? algebra), "work": .text(work.rawValue)], as: caller)
    }

    func leave(_ caller: Caller) async throws {
        try await fixture.school.execute(LeaveStudyRoom.self, ["courseId": .id(algebra)], as: caller)
    }

    @discardableResult
    func stay(_ caller: Caller) async throws -> StudyState {
        try await fixture.school.execute(StayInStudyRoom.self, ["courseId": .id(algebra)], as: caller)
    }

    func focus(_ caller: Caller, _ minutes: Int) async throws {
        try await fixture.school.execute(
            SetStudyFocus.self, ["courseId": .id(algebra), "minutes": .number(Double(minutes))], as: caller)
    }

    func room(as caller: Caller) async throws -> StudyRoom {
        try await fixture.school.answer(ReadStudyRoom.self, ["courseId": .text(algebra.text)], as: caller)
    }

    func page(as caller: Caller) async throws -> String {
        try await fixture.outline("/study/\(algebra.text)", as: caller)
    }

    func signals() -> AsyncStream<Signal>.Iterator {
        fixture.school.environment.hub.signals(of: fixture.school.organization.id).makeAsyncIterator()
    }
}
