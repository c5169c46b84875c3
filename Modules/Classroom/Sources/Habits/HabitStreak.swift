import Domain
import Foundation
import OrganizationInterface

/// How often in a row a habit was done. It forgives: a day away, a day without school and a pause neither break
/// nor extend it, and the present day or week counts against nobody before it is over.
struct HabitStreak: Sendable, Hashable {
    /// How far it looks back, in days.
    static let horizon = 400
    /// How far back most streaks need to be looked for, in days.
    static let nearHorizon = 28

    /// Days, weeks or months in a row.
    let length: Int
    /// Done or not on each of the last seven days that counted, the oldest first.
    let recent: [Bool]
    /// Whether it is done for the present day, week or month.
    let isDone: Bool
    /// Whether days before those that were looked at would change nothing.
    let isWhole: Bool

    /// - Parameters:
    ///   - done: the days on which it was done.
    ///   - excused: days on which the child was away or the habit was paused.
    ///   - schoolDays: days on which there was school.
    ///   - known: since when that is known; before, and where it is not, the school's calendar says it.
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
    /// The first day of the day, week or month.
    func start(of cadence: Habit.Cadence) -> Day {
        switch cadence {
        case .daily: self
        case .weekly: adding(days: -daysSinceMonday)
        case .monthly: adding(days: 1 - day)
        }
    }
}
