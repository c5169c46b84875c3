import Domain
import Foundation

/// How often in a row a habit was done. It forgives: a day away, a day without school and a pause neither break
/// nor extend it, and the present day or week counts against nobody before it is over.
struct HabitStreak: Sendable, Hashable {
    /// How far it looks back, in days.
    static let horizon = 400

    /// Days, weeks or months in a row.
    let length: Int
    /// Done or not on each of the last seven days that counted, the oldest first.
    let recent: [Bool]
    /// Whether it is done for the present day, week or month.
    let isDone: Bool

    /// - Parameters:
    ///   - done: the days on which it was done.
    ///   - excused: days on which the child was away.
    ///   - schoolDays: days on which there was school; where none is known, Monday to Friday.
    init(
        _ habit: Habit, done: Set<Day>, excused: Set<Day>, schoolDays: Set<Day>, since first: Day, today: Day
    ) {
        let end = habit.pausedOn.map { min($0, today) } ?? today
        // Where attendance was not taken yet, nobody knows about the days before: they count as weekdays.
        let known = schoolDays.min()
        func counts(_ day: Day) -> Bool {
            if done.contains(day) { return true }
            if excused.contains(day) { return false }
            if let known, day >= known { return schoolDays.contains(day) }
            return day.isWeekday
        }
        var periods: [(isDone: Bool, counts: Bool)] = []
        var recent: [Bool] = []
        var day = end
        while day >= first, day > end.adding(days: -Self.horizon) {
            let begin = max(first, day.start(of: habit.cadence))
            let days = sequence(first: begin) { $0 < day ? $0.adding(days: 1) : nil }
            let isDone = days.contains(where: done.contains)
            periods.append((isDone, isDone || days.contains(where: counts)))
            day = begin.adding(days: -1)
        }
        for back in 0..<60 where recent.count < 7 {
            let day = end.adding(days: -back)
            if day < first { break }
            if counts(day) || day == today { recent.append(done.contains(day)) }
        }
        self.recent = recent.reversed()
        isDone = habit.pausedOn == nil && periods.first?.isDone ?? false
        var length = 0
        for (index, period) in periods.enumerated() where period.counts {
            if period.isDone {
                length += 1
            } else if index > 0 {
                break
            }
        }
        self.length = length
    }
}

extension Day {
    /// Monday to Friday.
    var isWeekday: Bool { mondayOffset < 5 }

    /// Days since Monday.
    fileprivate var mondayOffset: Int {
        // 1970-01-01 was a Thursday.
        let days = Int((start(in: .gmt).timeIntervalSince1970 / 86_400).rounded())
        return ((days + 3) % 7 + 7) % 7
    }

    /// The first day of the day, week or month.
    func start(of cadence: Habit.Cadence) -> Day {
        switch cadence {
        case .daily: self
        case .weekly: adding(days: -mondayOffset)
        case .monthly: adding(days: 1 - day)
        }
    }
}
