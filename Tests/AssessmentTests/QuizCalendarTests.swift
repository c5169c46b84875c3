import AssessmentModel
import CalendarFeedInterface
import CoursesInterface
import CoursesTesting
import Domain
import FeatureKit
import Foundation
import OrganizationTesting
import TestKit
import Testing

@testable import Assessment

@Suite("Due times of quizzes in the calendar feed")
struct QuizCalendarTests {
    private func events(_ fixture: QuizFixture, _ caller: Caller) async throws -> [CalendarEvent] {
        let membership = try #require(caller.membership)
        let source = QuizCalendar(courses: TestCourses(), roster: TestCourses(), families: LinkedFamilies())
        let today = Day(fixture.school.clock.now, in: membership.timeZone)
        let words = Words(.english, [fixture.feature.catalog])
        return try await fixture.school.database.read {
            try source.events(
                for: membership, on: today.adding(days: -90)...today.adding(days: 365), words, in: $0)
        }
    }

    @Test("students and teachers have a published quiz at its due time, with the student's extra time")
    func due() async throws {
        let fixture = try await QuizFixture()
        let day = Day(fixture.school.clock.now, in: fixture.teacher.timeZone).adding(days: 2)
        let quiz = try await fixture.published(["dueDay": .text(day.description)]).quiz
        try await fixture.quiz(["title": "Draft", "dueDay": .text(day.description)])
        let dueAt = try #require(quiz.dueAt)
        let mia = QuizFixture.id(fixture.mia)
        try await fixture.school.database.write {
            try AttemptRepository.setExtraMinutes(30, of: mia, at: quiz.id, in: $0)
        }
        for (caller, extra) in [(fixture.teacher, 0.0), (fixture.noah, 0), (fixture.mia, 1800)] {
            let found = try await events(fixture, caller)
            #expect(found.map(\.id) == ["quiz-\(quiz.id.text)"])
            #expect(found.map(\.title) == ["Quiz due: Silk road (Algebra)"])
            #expect(found.map(\.time) == [.span(dueAt + extra..<dueAt + extra)])
        }
        #expect(try await events(fixture, fixture.stranger).isEmpty)
    }

    @Test("an event says that its quiz was taken, and a hidden quiz has no event")
    func done() async throws {
        let fixture = try await QuizFixture()
        let day = Day(fixture.school.clock.now, in: fixture.teacher.timeZone).adding(days: 2)
        let quiz = try await fixture.published(["dueDay": .text(day.description)]).quiz
        let attempt = try await fixture.start(quiz, as: fixture.mia)
        #expect(try await events(fixture, fixture.mia).map(\.title) == ["Quiz due: Silk road (Algebra)"])
        try await fixture.handIn(attempt, as: fixture.mia)
        #expect(try await events(fixture, fixture.mia).map(\.title) == ["Quiz done: Silk road (Algebra)"])
        let other = try await fixture.published(["dueDay": .text(day.description)]).quiz
        #expect(try await events(fixture, fixture.noah).count == 2)
        try await fixture.school.execute(
            PublishQuiz.self, ["quizId": .id(other.id), "isPublished": false], as: fixture.teacher)
        #expect(try await events(fixture, fixture.noah).map(\.id) == ["quiz-\(quiz.id.text)"])
    }
}
