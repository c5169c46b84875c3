import CoursesInterface
import Domain
import Foundation
import GradingInterface

/// A student's progress in a course: its lessons and its graded work.
struct CourseProgress: Sendable, Hashable {
    /// A part of a total.
    struct Share: Sendable, Hashable {
        var done = 0
        var total = 0

        /// From 0 to 1; 0 if there is nothing to do.
        var fraction: Double { total > 0 ? Double(done) / Double(total) : 0 }
        /// In percent, rounded down, so that 100 means all.
        var percent: Int { total > 0 ? done * 100 / total : 0 }

        static func + (left: Share, right: Share) -> Share {
            Share(done: left.done + right.done, total: left.total + right.total)
        }
    }
    let lessons: Share
    let assignments: Share
    let quizzes: Share
    /// The next lesson; `nil` if all are done.
    let next: LessonProgress.Step?
    let minutesLeft: Int?
    /// The work that was due and handed in, by week, the oldest first, without weeks in which nothing was due.
    let submissions: [Share]

    /// The number of weeks in `submissions`.
    static let weeks = 6

    init(lessons progress: LessonProgress?, work: [GradedWork], on today: Day) {
        lessons = Share(done: progress?.completed ?? 0, total: progress?.total ?? 0)
        next = progress?.next
        minutesLeft = progress?.minutesLeft
        func share(_ category: GradeCategory) -> Share {
            let all = work.filter { $0.category == category }
            return Share(done: all.count(where: \.isDone), total: all.count)
        }
        assignments = share(.assignments)
        quizzes = share(.quizzes)
        let week = StudyWeek(of: today)
        submissions = (0..<Self.weeks).reversed().compactMap { back in
            let due = work.filter { $0.dueDay.map(week.before(back).contains) ?? false }
            return due.isEmpty ? nil : Share(done: due.count(where: \.isDone), total: due.count)
        }
    }

    /// The lessons and assignments together (WW-12.04).
    var overall: Share { lessons + assignments }
}

/// A week from Monday to Sunday.
struct StudyWeek: Sendable, Hashable {
    let monday: Day

    init(of day: Day) { monday = day.adding(days: -day.daysSinceMonday) }

    func before(_ weeks: Int) -> StudyWeek { StudyWeek(of: monday.adding(days: -7 * weeks)) }
    func contains(_ day: Day) -> Bool { StudyWeek(of: day).monday == monday }
}

/// What a student did this week and in the week before (WW-12.08).
struct WeeklySummary: Sendable, Hashable {
    struct Count: Sendable, Hashable {
        let now: Int
        let before: Int
    }
    let lessons: Count
    let assignments: Count
    let quizzes: Count

    init(completions: [Day], work: [GradedWork], on today: Day) {
        let (week, last) = (StudyWeek(of: today), StudyWeek(of: today).before(1))
        func count(_ category: GradeCategory) -> Count {
            let days = work.filter { $0.category == category && $0.isDone }.compactMap(\.dueDay)
            return Count(now: days.count(where: week.contains), before: days.count(where: last.contains))
        }
        lessons = Count(
            now: completions.count(where: week.contains), before: completions.count(where: last.contains))
        assignments = count(.assignments)
        quizzes = count(.quizzes)
    }
}
