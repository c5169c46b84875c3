import Domain
import Foundation
import OrganizationInterface

/// The number of consecutive days, weeks or months in which a habit was done. Absences, days without school and
/// pauses neither break nor extend it. The present day, week or month breaks it only when it is over.
struct HabitStreak: Sendable, Hashable {
    /// The number of days in the past that the longest calculation of a streak reads.
    static let horizon = 400
    /// The number of days in the past that suffice for most streaks.
    static let nearHorizon = 28

    /// The length of the streak in days, weeks or months.
    let length: Int
    /// Whether the habit was done on each of the last seven days that counted, oldest first.
    let recent: [Bool]
    /// Whether the habit is done for the present day, week or month.
    let isDone: Bool
    /// Whether the result is final, so that reading earlier days would not change it.
    let isWhole: Bool

    /// Computes the streak of a habit.
    ///
    /// - Parameters:
    ///   - done: the days on which the habit was done.
    ///   - excused: days on which the child was away or the habit was paused.
    ///   - schoolDays: the days that had school, by the attendance of the class.
    ///   - known: the first day for which `schoolDays` is known. Before it, and without it, the school's calendar
    ///     decides.
    ///   - calendar: the school's calendar from `first`.
    init(
        _ habit: Habit, done: Set<Day>, excused: Set<Day>, schoolDays: Set<Day>, knownSince known: Day?,
        calendar: SchoolDays, since first: Day, today: Day
    ) {
        let end = habit.pausedOn.map { min($0, today) } ?? today
        func counts(_ day: Day) -> Bool {
            if done.contains(day) { return true }
            if excused.contains(day) { return false }
            if let known, day >= known { return schoolDays.contains(day) }
            return calendar.isSchoolDay(day)
        }
        var (length, isPresent, isBroken) = (0, true, false)
        var isDone = false
        var day = end
        while day >= first, !isBroken {
            let begin = max(first, day.start(of: habit.cadence))
            let days = (begin.number...day.number).lazy.map(Day.init(number:))
            if days.contains(where: done.contains) {
                length += 1
                if isPresent { isDone = habit.pausedOn == nil }
            } else {
                isBroken = !isPresent && days.contains(where: counts)
            }
            isPresent = false
            day = begin.adding(days: -1)
        }
        var recent: [Bool] = []
        day = end
        while day >= first, recent.count < 7 {
            if counts(day) || day == today { recent.append(done.contains(day)) }
            day = day.adding(days: -1)
        }
        self.length = length
        self.isDone = isDone
        self.recent = recent.reversed()
        isWhole = isBroken && recent.count == 7
    }
}

extension Day {
    /// Returns the first day of the day, week or month that contains this day.
    func start(of cadence: Habit.Cadence) -> Day {
        switch cadence {
        case .daily: self
        case .weekly: adding(days: -daysSinceMonday)
        case .monthly: adding(days: 1 - day)
        }
    }
}
