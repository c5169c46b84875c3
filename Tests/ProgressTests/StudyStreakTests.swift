import Domain
import OrganizationInterface
import TestKit
import Testing

@testable import Progress

@Suite("The study streak")
struct StudyStreakTests {
    /// A Wednesday.
    private let today = Day(number: 20_782)

    private func streak(_ daysAgo: [Int], _ calendar: SchoolDays = .usual) -> Int {
        StudyStreak(
            completions: Set(daysAgo.map { today.adding(days: -$0) }), calendar: calendar, today: today
        ).days
    }

    @Test(
        "a streak counts consecutive days with a completion, and today breaks it only when the day is over",
        .requirement("WW-12.07"))
    func consecutive() {
        #expect(today.daysSinceMonday == 2)
        #expect(streak([]) == 0)
        #expect(streak([0, 1, 2]) == 3)
        #expect(streak([1, 2]) == 2)
        #expect(streak([0, 2]) == 1)
        #expect(streak([2]) == 0)
    }

    @Test("days without school neither break nor extend a streak, and work on them counts")
    func forgiving() {
        // Monday and Tuesday, then Friday before the weekend.
        #expect(streak([0, 1, 2, 5]) == 4)
        #expect(streak([0, 1, 2, 3, 5]) == 5)
        #expect(streak([0, 1, 2, 6]) == 3)
    }
}
