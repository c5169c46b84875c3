import Domain
import Foundation
import OrganizationInterface

/// The consecutive days on which a student completed lessons or handed in work (WW-12.07).
struct StudyStreak: Sendable, Hashable {
    /// The number of days in the past that a streak can reach.
    static let horizon = 400

    /// The length of the streak in days.
    let days: Int

    /// Counts the consecutive days with a completion, back from today.
    ///
    /// As for habits, a day without school does not break the streak, and the present day breaks it only when it is over.
    /// - Parameters:
    ///   - completions: the days on which the student completed a lesson or handed in work.
    ///   - calendar: the school's calendar of the last `horizon` days.
    init(completions: Set<Day>, calendar: SchoolDays, today: Day) {
        var count = 0
        for number in stride(from: today.number, to: today.number - Self.horizon, by: -1) {
            let day = Day(number: number)
            if completions.contains(day) {
                count += 1
            } else if day != today, calendar.isSchoolDay(day) {
                break
            }
        }
        days = count
    }
}
