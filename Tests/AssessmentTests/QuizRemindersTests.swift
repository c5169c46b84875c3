import AssessmentModel
import CoursesInterface
import CoursesTesting
import Domain
import FeatureKit
import Foundation
import RemindersInterface
import TestKit
import Testing

@testable import Assessment

@Suite("Quizzes that students are reminded of")
struct QuizRemindersTests {
    private func open(_ fixture: QuizFixture) async throws -> Set<DueWork> {
        let source = QuizReminders(courses: TestCourses(), roster: TestCourses())
        let now = fixture.school.clock.now
        let span = now..<now + 7 * 86_400
        let students = [fixture.mia, fixture.noah].map(QuizFixture.id)
        return try await fixture.school.database.read { sql in
            let all = Set(try source.open(nil, dueIn: span, at: now, in: sql))
            #expect(try Set(students.flatMap { try source.open(for: $0, dueIn: span, at: now, in: sql) }) == all)
            return all
        }
    }

    @Test("a published quiz has reminders until a student has taken it, with the student's extra time")
    func states() async throws {
        let fixture = try await QuizFixture()
        let day = Day(fixture.school.clock.now, in: fixture.teacher.timeZone).adding(days: 2)
        let quiz = try await fixture.published(["dueDay": .text(day.description)]).quiz
        try await fixture.quiz(["title": "Draft", "dueDay": .text(day.description)])
        let dueAt = try #require(quiz.dueAt)
        let (mia, noah) = (QuizFixture.id(fixture.mia), QuizFixture.id(fixture.noah))
        try await fixture.school.database.write {
            try AttemptRepository.setExtraMinutes(30, of: mia, at: quiz.id, in: $0)
        }
        let times = try await open(fixture).reduce(into: [:]) { $0[$1.studentId] = $1.dueAt }
        #expect(times == [mia: dueAt + 1800, noah: dueAt])
        // Only the extra time is left.
        fixture.school.clock.set(dueAt + 60)
        #expect(try await open(fixture).map(\.studentId) == [mia])
        fixture.school.clock.set(dueAt - 3600)
        let attempt = try await fixture.start(quiz, as: fixture.noah)
        #expect(try await open(fixture).count == 2)
        try await fixture.handIn(attempt, as: fixture.noah)
        #expect(try await open(fixture).map(\.studentId) == [mia])
        try await TestCourses.remove(mia, from: fixture.course.id, fixture.school.database)
        #expect(try await open(fixture).isEmpty)
    }

    @Test("reminders of a quiz begin when it is published, not when its draft was made")
    func published() async throws {
        let fixture = try await QuizFixture()
        let made = fixture.school.clock.now
        let day = Day(made, in: fixture.teacher.timeZone).adding(days: 6)
        let quiz = try await fixture.published(["dueDay": .text(day.description)]).quiz
        #expect(try await Set(open(fixture).map(\.since)) == [made])
        func publish(_ isPublished: Bool) async throws {
            _ = try await fixture.school.execute(
                PublishQuiz.self, ["quizId": .id(quiz.id), "isPublished": .bool(isPublished)], as: fixture.teacher)
        }
        try await publish(false)
        #expect(try await open(fixture).isEmpty)
        fixture.school.clock.advance(by: 3 * 86_400)
        try await publish(true)
        #expect(try await Set(open(fixture).map(\.since)) == [made + 3 * 86_400])
    }

    @Test("looking for due quizzes uses an index")
    func indexed() async throws {
        let fixture = try await QuizFixture()
        let now = fixture.school.clock.now
        try await fixture.school.expectIndexed(QuizRepository.due(in: now..<now + 86_400, nil))
    }
}
