import Domain
import Foundation
import OrganizationInterface
import TestKit
import Testing

@testable import Classroom

@Suite("Streaks forgive")
struct HabitStreakTests {
    /// The present day of the tests, a Wednesday.
    private let today = Day("2026-11-18")!

    private func days(_ backs: Int...) -> Set<Day> { Set(backs.map { today.adding(days: -$0) }) }

    private func streak(
        _ done: Set<Day>, cadence: Habit.Cadence = .daily, excused: Set<Day> = [], schoolDays: Set<Day> = [],
        pausedOn: Day? = nil, calendar: SchoolDays = .usual
    ) -> HabitStreak {
        let habit = Habit(
            id: UUID(), studentId: UUID(), name: "Coat", cadence: cadence, pausedOn: pausedOn, createdAt: Date(),
            createdByGuideId: UUID())
        return HabitStreak(
            habit, done: done, excused: excused, schoolDays: schoolDays, knownSince: schoolDays.min(),
            calendar: calendar, since: today.adding(days: -300),
            today: today)
    }

    @Test("consecutive days count, and today breaks no streak before it is over")
    func simple() {
        #expect(streak(days(0, 1, 2)).length == 3 && streak(days(0, 1, 2)).isDone)
        #expect(streak(days(1, 2)).length == 2 && !streak(days(1, 2)).isDone)
        #expect(streak(days(2)).length == 0, "yesterday was missed")
        #expect(streak([]).length == 0)
    }

    @Test("a weekend neither breaks nor extends a streak, and a habit done on a Saturday counts")
    func weekend() {
        // The habit was done on Wednesday, Tuesday and Monday, then on Friday and Thursday.
        #expect(streak(days(0, 1, 2, 5, 6)).length == 5)
        #expect(streak(days(0, 1, 2, 4, 5)).length == 5)
    }

    @Test("an absence neither breaks nor extends a streak", .requirement("BY-1.12.a"))
    func absence() {
        #expect(streak(days(0, 2)).length == 1)
        #expect(streak(days(0, 2), excused: days(1)).length == 2)
    }

    @Test("a day on which nobody of the class was marked is no school day", .requirement("BY-1.12.b"))
    func holiday() {
        #expect(streak(days(0, 2), schoolDays: days(0, 2)).length == 2)
        #expect(streak(days(0, 2), schoolDays: days(0, 1, 2)).length == 1)
        // School days before the first mark are unknown, so weekdays count.
        #expect(streak(days(0, 1, 6), schoolDays: days(0)).length == 2)
    }

    @Test(
        "the school's days off neither break nor extend a streak, and its Saturdays with school count",
        .requirement("BY-1.12.b"))
    func calendar() {
        let off = DaysOff(
            id: UUID(), name: "Autumn holidays", firstDay: today.adding(days: -2), lastDay: today.adding(days: -1))
        #expect(streak(days(0, 5)).length == 1)
        #expect(streak(days(0, 5), calendar: SchoolDays(weekdays: [1, 2, 3, 4, 5], daysOff: [off])).length == 2)
        #expect(streak(days(0, 5), calendar: SchoolDays(weekdays: [1, 2, 3, 4, 5, 6], daysOff: [off])).length == 1)
    }

    @Test("a paused habit keeps its streak", .requirement("BY-1.12.c"))
    func pause() {
        let rested = streak(days(8, 9), pausedOn: today.adding(days: -7))
        #expect(rested.length == 2 && !rested.isDone)
    }

    @Test("the days of an earlier pause neither break nor extend a streak", .requirement("BY-1.12.d"))
    func pauseThatIsOver() {
        let paused = days(1, 2, 3, 4, 5, 6, 7)
        #expect(streak(days(0, 8, 9)).length == 1)
        #expect(streak(days(0, 8, 9), excused: paused).length == 3)
        #expect(streak(days(0, 1, 8, 9), excused: paused).length == 4, "done during the pause, it counts")
    }

    @Test("each week or month counts once, and the present one only when the habit is done")
    func longer() {
        #expect(streak(days(3, 10), cadence: .weekly).length == 2)
        #expect(streak(days(1, 3, 10), cadence: .weekly).length == 3)
        #expect(streak(days(10), cadence: .weekly).length == 0, "last week was missed")
        #expect(streak(days(0, 30), cadence: .monthly).length == 2)
        #expect(streak(days(0), cadence: .monthly).isDone)
    }

    @Test("the dots show the last seven days that counted, oldest first")
    func recent() {
        let week = streak(days(0, 2), schoolDays: days(0, 1, 2, 3, 6, 7, 8))
        #expect(week.recent == [false, false, false, false, true, false, true])
    }
}
