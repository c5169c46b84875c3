import CalendarFeedInterface
import CoursesInterface
import CoursesTesting
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Coursework

@Suite("Due times of assignments in the calendar feed")
struct AssignmentCalendarTests {
    private func events(_ fixture: CourseworkFixture, _ caller: Caller) async throws -> [CalendarEvent] {
        let membership = try #require(caller.membership)
        let source = AssignmentCalendar(
            courses: FamilyCourses(families: fixture.families), roster: TestCourses(), families: fixture.families,
            clock: fixture.school.clock)
        let days = fixture.today.adding(days: -90)...fixture.today.adding(days: 365)
        let words = Words(.english, [fixture.feature.catalog])
        return try await fixture.school.database.read {
            try source.events(for: membership, on: days, words, in: $0)
        }
    }

    @Test("students, their parents and the teachers have a published assignment at its due minute; others do not")
    func people() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Essay")
        let dueAt = try #require(one.dueAt)
        for caller in [fixture.teacher, fixture.colleague, fixture.mia, fixture.noah] {
            let found = try await events(fixture, caller)
            #expect(found.map(\.id) == ["due-\(one.id.text)"])
            #expect(found.map(\.title) == ["Due: Essay (Algebra)"])
            #expect(found.map(\.time) == [.span(dueAt..<dueAt)])
        }
        let child = CourseworkFixture.id(fixture.mia)
        let found = try await events(fixture, fixture.mother)
        #expect(found.map(\.title) == ["Due for Mia: Essay (Algebra)"])
        #expect(found.map(\.id) == ["due-\(one.id.text)-\(child.text)"])
        #expect(found.map(\.path) == ["\(AssignmentScreens.path(one.id))?student=\(child.text)"])
        for caller in [fixture.admin, fixture.stranger] {
            #expect(try await events(fixture, caller).isEmpty)
        }
    }

    @Test("an extension moves the due time of its student and of no one else")
    func extended() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let dueAt = try #require(one.dueAt)
        _ = try await fixture.extend(one, fixture.mia, to: fixture.today.adding(days: 4))
        for caller in [fixture.mia, fixture.mother] {
            let moved = try #require(try await events(fixture, caller).first)
            #expect(moved.time == .span(dueAt + 3 * 86_400..<dueAt + 3 * 86_400))
        }
        for caller in [fixture.noah, fixture.teacher] {
            #expect(try await events(fixture, caller).map(\.time) == [.span(dueAt..<dueAt)])
        }
    }

    @Test("a draft, an assignment that opens later, and one for other students are in no student's feed")
    func hidden() async throws {
        let fixture = try await CourseworkFixture()
        try await fixture.assign("Draft", published: false)
        try await fixture.assign("Later", with: ["opensDay": .text(fixture.today.adding(days: 1).description)])
        try await fixture.assign("Mia's", with: ["students": .ids([CourseworkFixture.id(fixture.mia)])])
        #expect(try await events(fixture, fixture.mia).map(\.title) == ["Due: Mia's (Algebra)"])
        #expect(try await events(fixture, fixture.noah).isEmpty)
        // A teacher plans with what will open.
        #expect(try await events(fixture, fixture.teacher).count == 2)
    }

    @Test(
        "an event says that its work is handed in, and work that is deleted, hidden or of a former course has no event"
    )
    func over() async throws {
        let fixture = try await CourseworkFixture()
        let essay = try await fixture.assign("Essay")
        let other = try await fixture.assign("Other")
        try await fixture.handIn(essay, as: fixture.mia)
        #expect(
            try await Set(events(fixture, fixture.mia).map(\.title))
                == ["Handed in: Essay (Algebra)", "Due: Other (Algebra)"])
        try await fixture.publish(other, false)
        #expect(try await events(fixture, fixture.mia).map(\.id) == ["due-\(essay.id.text)"])
        try await fixture.school.execute(
            DeleteAssignment.self, ["assignmentId": .id(essay.id)], as: fixture.teacher)
        #expect(try await events(fixture, fixture.mia).isEmpty)
        try await fixture.publish(other)
        try await TestCourses.remove(
            CourseworkFixture.id(fixture.noah), from: fixture.course.id, fixture.school.database)
        #expect(try await events(fixture, fixture.noah).isEmpty)
        #expect(try await events(fixture, fixture.mia).count == 1)
    }
}
