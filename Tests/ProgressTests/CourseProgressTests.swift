import CoursesInterface
import Domain
import Foundation
import GradingInterface
import TestKit
import Testing

@testable import Progress

@Suite("Progress in a course")
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
        "the overall progress is that of lessons and assignments, and quizzes are counted separately",
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

    @Test("a percentage is rounded down, so that 100 means all, and nothing to do is 0")
    func percent() {
        #expect(CourseProgress.Share(done: 199, total: 200).percent == 99)
        #expect(CourseProgress.Share(done: 200, total: 200).percent == 100)
        #expect(CourseProgress.Share().percent == 0)
        #expect(CourseProgress.Share().fraction == 0)
    }

    @Test("submissions are counted by week, the oldest first and without empty weeks")
    func submissions() {
        let progress = CourseProgress(
            lessons: nil,
            work: [
                work(.assignments, true, daysAgo: 2), work(.quizzes, false, daysAgo: 1),
                work(.assignments, true, daysAgo: 3), work(.assignments, false, daysAgo: 30),
                work(.assignments, true, daysAgo: 60), work(.assignments, true),
            ], on: today)
        #expect(
            progress.submissions.map(\.percent) == [0, 100, 50],
            "60 days are too long ago, and work without a day has no week")
    }

    @Test(
        "the weekly summary compares this week with the one before, from Monday to Sunday",
        .requirement("WW-12.08.a"))
    func week() {
        let days = [0, 1, 2, 3, 9, 10].map { today.adding(days: -$0) }
        let summary = WeeklySummary(
            completions: days,
            work: [
                work(.assignments, true, daysAgo: 0), work(.assignments, false, daysAgo: 0),
                work(.assignments, true, daysAgo: 3), work(.quizzes, true, daysAgo: 8),
            ], on: today)
        #expect(
            summary.lessons == .init(now: 3, before: 2),
            "Sunday belongs to the week before, and the Sunday before is too long ago")
        #expect(summary.assignments == .init(now: 1, before: 1))
        #expect(summary.quizzes == .init(now: 0, before: 1))
    }
}
