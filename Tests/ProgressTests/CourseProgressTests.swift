import CoursesInterface
import Domain
import Foundation
import GradingInterface
import TestKit
import Testing

@testable import Progress

@Suite("How far a student is")
struct CourseProgressTests {
    /// A Wednesday.
    private let today = Day("2026-11-18")!

    private func work(_ category: GradeCategory, _ isDone: Bool, daysAgo: Int? = nil) -> GradedWork {
        GradedWork(category: category, dueDay: daysAgo.map { today.adding(days: -$0) }, isDone: isDone)
    }

    private func lessons(_ completed: Int, of total: Int) -> LessonProgress {
        let steps = (0..<total).map { LessonProgress.Step(id: UUID(), title: "Lesson \($0 + 1)", minutes: 20) }
        return LessonProgress(of: steps, done: Set(steps.prefix(completed).map(\.id)))
    }

    @Test(
        "overall is lessons and assignments together; quizzes stand for themselves",
        .requirement("WW-12.04.a", "WW-12.06.c"))
    func overall() {
        let progress = CourseProgress(
            lessons: lessons(2, of: 6),
            work: [
                work(.assignments, true), work(.assignments, false), work(.quizzes, true), work(.midterm, true),
            ],
            on: today)
        #expect((progress.overall.done, progress.overall.total) == (3, 8))
        #expect((progress.quizzes.done, progress.quizzes.total) == (1, 1))
        #expect(progress.next?.title == "Lesson 3")
        #expect(progress.minutesLeft == 80)
    }

    @Test("a percentage is rounded down: 100 means that all is done, and nothing to do is not begun")
    func percent() {
        #expect(CourseProgress.Share(done: 199, total: 200).percent == 99)
        #expect(CourseProgress.Share(done: 200, total: 200).percent == 100)
        #expect(CourseProgress.Share().percent == 0)
        #expect(CourseProgress.Share().fraction == 0)
    }

    @Test("the rate of what was handed in goes by week, the oldest first, without empty weeks")
    func submissions() {
        let progress = CourseProgress(
            lessons: nil,
            work: [
                work(.assignments, true, daysAgo: 2), work(.quizzes, false, daysAgo: 1),
                work(.assignments, true, daysAgo: 3), work(.assignments, false, daysAgo: 30),
                work(.assignments, true, daysAgo: 60), work(.assignments, true),
            ], on: today)
        #expect(progress.submissions.map(\.percent) == [0, 100, 50], "60 days are too long ago, no day is no week")
    }

    @Test("this week stands beside the one before; both begin on Monday", .requirement("WW-12.08.a"))
    func week() {
        let days = [0, 1, 2, 3, 9, 10].map { today.adding(days: -$0) }
        let summary = WeeklySummary(
            completions: days,
            work: [
                work(.assignments, true, daysAgo: 0), work(.assignments, false, daysAgo: 0),
                work(.assignments, true, daysAgo: 3), work(.quizzes, true, daysAgo: 8),
            ], on: today)
        #expect(
            summary.lessons == .init(now: 3, before: 2), "Sunday is the week before's, Sunday a week ago too far")
        #expect(summary.assignments == .init(now: 1, before: 1))
        #expect(summary.quizzes == .init(now: 0, before: 1))
    }
}
