import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Messaging

@Suite("Study rooms")
struct StudyTests {
    @Test(
        "the people of a course see who studies there and on what, and families and others have no room",
        .requirement("WW-1.06.b"))
    func comesIn() async throws {
        let setup = try await StudySetup()
        #expect(try await setup.room(as: setup.noah).people.isEmpty)
        try await setup.enter(setup.noah, .writing)
        try await setup.enter(setup.ruth, .project)
        let room = try await setup.room(as: setup.ruth)
        #expect(room.people.map(\.name) == ["Noah Tremblay", "Ruth Adler"])
        #expect(room.people.map(\.work) == [.writing, .project])
        let page = try await setup.page(as: setup.noah)
        #expect(page.contains("Ruth Adler") && page.contains("Project") && page.contains("In the room: 2"))
        #expect(try await setup.fixture.outline("/study", as: setup.noah).contains("Algebra"))
        // Another course's guide, and a course that does not exist.
        await #expect(throws: Problem.notFound) { try await setup.room(as: setup.fixture.olga) }
        await #expect(throws: Problem.notFound) { try await setup.enter(setup.fixture.olga, .reading) }
        for parent in [setup.fixture.sofia, setup.fixture.ines] {
            await #expect(throws: Problem.notAllowed) { try await setup.room(as: parent) }
            await #expect(throws: Problem.notAllowed) { try await setup.page(as: parent) }
        }
        #expect(try await setup.fixture.outline("/study", as: setup.fixture.olga).contains("Botany"))
    }

    @Test("a person is in one room at a time, and can change what they work on")
    func oneRoom() async throws {
        let setup = try await StudySetup()
        setup.courses.put(setup.botany, "Botany", ledBy: setup.fixture.olga, people: [setup.noah])
        try await setup.enter(setup.noah, .reading)
        try await setup.enter(setup.ruth, .writing)
        try await setup.enter(setup.noah, .revising)
        #expect(
            try await setup.room(as: setup.ruth).people.map(\.work) == [.revising, .writing],
            "the order stays")
        var heard = setup.signals()
        try await setup.enter(setup.noah, .reading, in: setup.botany)
        #expect(try await setup.room(as: setup.ruth).people.map(\.name) == ["Ruth Adler"])
        let notified = Set([try #require(await heard.next()), try #require(await heard.next())].flatMap(\.topics))
        #expect(
            notified == ["study", "study:\(setup.algebra.text)", "study:\(setup.botany.text)"],
            "both rooms are notified")
    }

    @Test("a person without a confirmation for five minutes is removed from the room")
    func goesQuietly() async throws {
        let setup = try await StudySetup()
        try await setup.enter(setup.noah, .reading)
        try await setup.enter(setup.ruth, .writing)
        setup.clock.advance(by: 200)
        #expect(
            try await setup.stay(setup.ruth)
                == StudyState(isIn: true, people: 2, focusEndsAt: nil, now: setup.clock.now))
        setup.clock.advance(by: 150)
        #expect(try await setup.room(as: setup.ruth).people.map(\.name) == ["Ruth Adler"])
        let (gone, there) = (try await setup.stay(setup.noah), try await setup.stay(setup.ruth))
        #expect(!gone.isIn && gone.people == 1)
        #expect(there.isIn && there.people == 1)
        // Entering deletes the rows of people who were removed.
        setup.clock.advance(by: 1000)
        try await setup.enter(setup.noah, .reading)
        let rows = try await setup.fixture.school.database.read {
            try $0.rows("SELECT person_id FROM study_people").count
        }
        #expect(rows == 1)
    }

    @Test("the focus time applies to all people in the room, and only they can set it")
    func focuses() async throws {
        let setup = try await StudySetup()
        await #expect(throws: Problem(409, "studyNotInRoom")) { try await setup.focus(setup.noah, 25) }
        try await setup.enter(setup.noah, .reading)
        try await setup.enter(setup.ruth, .writing)
        try await setup.focus(setup.noah, 25)
        let end = try #require(try await setup.room(as: setup.ruth).focusEndsAt)
        #expect(end.timeIntervalSince(setup.clock.now) == 25 * 60)
        setup.clock.advance(by: 100)
        let state = try await setup.stay(setup.ruth)
        #expect(state.focusEndsAt == end && state.now == setup.clock.now)
        #expect(try await setup.page(as: setup.ruth).contains("Stop"))
        try await setup.focus(setup.ruth, 0)
        #expect(try await setup.room(as: setup.noah).focusEndsAt == nil)
        try await setup.focus(setup.ruth, 15)
        for _ in 0..<4 {
            setup.clock.advance(by: 240)
            _ = try await setup.stay(setup.noah)
        }
        #expect(try await setup.room(as: setup.noah).focusEndsAt == nil, "it has run out")
        await #expect(throws: Problem.self) { try await setup.focus(setup.noah, 61) }
        await #expect(throws: Problem.self) { try await setup.focus(setup.noah, -1) }
    }

    @Test("leaving is signaled to open pages, and study rooms leave no trace in the change log")
    func leaves() async throws {
        let setup = try await StudySetup()
        let before = try await setup.fixture.school.changes().count
        try await setup.enter(setup.noah, .reading)
        var heard = setup.signals()
        try await setup.leave(setup.noah)
        let signal = try #require(await heard.next())
        #expect(signal.kind == "study.changed" && signal.payload.isEmpty)
        #expect(signal.audience == [setup.courses.audience(of: setup.algebra)])
        #expect(try await setup.room(as: setup.ruth).people.isEmpty)
        try await setup.leave(setup.noah)
        #expect(try await setup.fixture.school.changes().count == before)
        // A person who is out of the course, or whose course has ended, has no room but may still leave.
        try await setup.enter(setup.noah, .reading)
        setup.courses.remove(setup.noah, from: setup.algebra)
        await #expect(throws: Problem.notFound) { try await setup.stay(setup.noah) }
        try await setup.leave(setup.noah)
        await #expect(throws: Problem.notFound) { try await setup.leave(setup.noah) }
        setup.courses.archive(setup.algebra)
        await #expect(throws: Problem.notFound) { try await setup.room(as: setup.ruth) }
    }
}

/// A room of Algebra with its teacher Ruth and its student Noah.
private struct StudySetup {
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
