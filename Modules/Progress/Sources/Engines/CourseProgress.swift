import CoursesInterface
import Domain
import Foundation
import GradingInterface

/// How far a student is with a course: its lessons, and what was to be handed in.
struct CourseProgress: Sendable, Hashable {
    /// Some of all.
    struct Share: Sendable, Hashable {
        var done = 0
        var total = 0

        /// From 0 to 1; nothing to do is not begun.
        var fraction: Double { total > 0 ? Double(done) / Double(total) : 0 }
        /// Rounded down, so that 100 means all.
        var percent: Int { total > 0 ? done * 100 / total : 0 }

        static func + (left: Share, right: Share) -> Share {
            Share(done: left.done + right.done, total: left.total + right.total)
        }
    }
    let lessons: Share
    let assignments: Share
    let quizzes: Share
    /// Where it goes on.
    let next: LessonProgress.Step?
    let minutesLeft: Int?
    /// The share of what was due that was handed in, by week, the oldest first; weeks without anything due are left out.
    let submissions: [Share]

    /// Weeks that `submissions` looks back.
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

    /// Lessons done and assignments handed in, of all of both (WW-12.04).
    var overall: Share { lessons + assignments }
}

/// Monday to Sunday.
struct StudyWeek: Sendable, Hashable {
    let monday: Day

    init(of day: Day) { monday = day.adding(days: -day.daysSinceMonday) }

    func before(_ weeks: Int) -> StudyWeek { StudyWeek(of: monday.adding(days: -7 * weeks)) }
    func contains(_ day: Day) -> Bool { StudyWeek(of: day).monday == monday }
}

/// What was done this week and in the one before (WW-12.08).
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
